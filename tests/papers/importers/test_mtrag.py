"""The importer of MTRAG, on a small campaign in its layout."""

from pathlib import Path

from focuseval_papers.importers import mtrag
from tests.folders import write_files
from tests.papers.materials import files_text
from tests.snapshots import check


def test_chunks_are_places_in_the_order_of_the_file_and_documents_in_that_of_trec_eval(tmp_path):
    files, out = tmp_path / "files", tmp_path / "made"
    of_domain = "mtrag-human/retrieval_tasks/{}/qrels/dev.tsv"
    qrels = "query-id\tcorpus-id\tscore\nq<::>1\ta_1-9-0-8\t1\n"
    write_files(files, {of_domain.format(domain): qrels for domain in mtrag.DOMAINS})
    # the first two scores are equal in single precision
    scores = [("a_1-9-0-8", 0.5), ("b-10-25", 0.5 - 1e-9), ("c-0-7", 0.25)]
    contexts = [{"document_id": chunk, "score": score, "text": "-"} for chunk, score in scores]
    lines = [{"task_id": "q<::>1", "contexts": contexts}, {"task_id": "q<::>2", "contexts": []}]
    for name in (f"{mtrag.RUNS}/bm25_es_cloud_rewrite", f"{mtrag.RANKED_AGAIN}/deeper/reranked_a_b_cloud"):
        write_files(files, {f"{name}.jsonl": lines})
    mtrag.write(files, out)
    check(files_text(out), Path(__file__).with_name("snapshots") / "mtrag.txt")
