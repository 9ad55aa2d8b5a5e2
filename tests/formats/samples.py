"""A good file of each format."""

ELEMENTS = "1 Q0 a/d1 1 9.5 me /article[1]/p[2]\n1 Q0 a/d2.xml 2 8.5 me /article[1]\n2 Q0 a/d1 1 7 me /article[1]/p[2]\n"
PASSAGES = "1 Q0 d1 1 9.5 me 0 100\n1 Q0 d2 2 8.5 me X X\n1 Q0 d2 3 8 me -1 18\n2 Q0 d1 1 7 me 50 1\n"
DOCUMENTS = "1 Q0 d1 1 9.5 me\n1 Q0 d2 2 8.5 me\n"
SUBMISSION = """<?xml version="1.0" encoding="UTF-8"?>
<inex-submission participant-id="12" run-id="me" task="CO.Focused" query="automatic" topic-part="T">
<topic-fields title="yes" description="no"/><description>What it is &amp; does</description>
<collections><collection>ieee</collection></collections>
<topic topic-id="1">
<result>
  <file>a/d1</file> <path> /article[1]/p[2] </path> <rank>2</rank> <rsv>8.5</rsv>
</result>
<result><file>a/d2.nxml</file><fol offset="10" length="20"/><rank>1</rank><rsv>9</rsv></result>
<result><file>a/d3</file><fol offset="-1" length="-1"/><rank>2</rank></result>
</topic>
<topic topic-id="2"/>
<topic topic-id="3"><result><rank>4</rank><file>a/d4</file></result></topic>
</inex-submission>
"""
GENOMICS_RUN = "200 11 1 48.6 90 40 me\n200 7 2 4.1 3 9 me\n201 7 1 9 5 10 me\n"
CHUNKS = (
    '{"topic": "q", "document": "a", "start": 0, "end": 9, "score": 2.5, "text": "[{"}\n'
    '{"topic": 7, "document": "a", "start": 0, "end": 9.0, "score": 7, "about": {"score": [1]}}\n'
    '{"topic": "q", "document": " b.xml", "start": 3, "end": 5, "score": 2.5, "rank": null}\n'
)

INEX2002 = """<?xml version="1.0"?>
<assessments topic="31">
  <file file="an/1995/a1004">
    <path path="/article[1]" relevance="3" coverage="L"/>
    <path path="/article[1]/bdy[1]" relevance="3" coverage="E"/>
    <path path="/article[1]/bdy[1]/sec[1]" relevance="1" coverage="S"/>
    <path path="/article[1]/bdy[1]/sec[2]" relevance="0" coverage="N"/>
    <path path="/article[1]/bdy[1]/sec[3]" relevance="U" coverage="U"/>
  </file>
</assessments>
"""
INEX2003 = """<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../../assessments.dtd">
<assessments pool='12' topic='91'>
\t\t<file file='an/1995/a1004'>
\t\t\t<path path='/article[1]' exhaustiveness='2' specificity='1' inferred='true'/>
\t\t\t<path path='/article[1]/bdy[1]' exhaustiveness='0' specificity='0' inpool='true'/>
\t\t\t<path path='/article[1]/bdy[1]/sec[1]'/>
\t\t\t<path path='/article[1]/bdy[1]/sec[2]' exhaustiveness='U' specificity='U'/>
\t\t</file>
</assessments>"""
INEX2005 = """<?xml version="1.0"?>
<!DOCTYPE assessments SYSTEM "../assessments.dtd">
<assessments pool="170" topic="203" version="2">

<!-- Topic definition -->
<inex_topic topic_id="203" query_type="CO+S" ct_no="3"><title>a file</title><description/></inex_topic>

 <file collection="ieee" name="an/1995/a1004">
   <best-entry-point path="/article[1]/bdy[1]/p[1]/text()[1].4"/>
   <passage start="/article[1]/bdy[1]/p[1]/text()[1].0" end="/article[1]/bdy[1]/p[1]/text()[1].30" size="31"/>
   <!-- Ignored assessment -->
   <element path="/article[1]" exhaustivity="1" size="1000" rsize="31"/>
   <element path="/article[1]/bdy[1]/p[1]" exhaustivity="2" size="31" rsize="31"/>
   <element path="/article[1]/bdy[1]/p[1]/it[1]" exhaustivity="?" size="4" rsize="3"/>
   <element path="/article[1]/bdy[1]/p[1]/ref[1]" exhaustivity="?" size="0" rsize="0"/>
 </file>
 <file collection="ieee" name="an/1995/a1005">
 </file>
</assessments>
"""
TSV = "topic\tdocument\tpath\texhaustivity\tspecificity\n1\td\t/a[1]\t2\t0.25\n1\td\t/a[1]/b[1]\t?\t1.0\n2\t\t\t0\t0.0\n"
FOL = "7 Q0 d1 50 300 100 200:30 10:20\r\n7 Q0 d2 0 80\r\n8\tQ0  d1 0 300\r\n"
QRELS = "2 0 d1.xml 0\n1 0 d1 3\n\n1\tQ0\td2 -1\n1 0 d1 3\n"
GENOMICS = (
    "200\t11\t100\t50\tICAM-1|CYTOKINE 2\n200\t11\t120\t50\tSFAS\n200\t7\t0\t10\t\n201\t7\t5\t5\tM\xfcLLER\n"
)
GOLD = (
    '{"topic": "q1", "document": "d", "start": 5, "end": 9, "aspects": ["b", "a"]}\n{"topic": "q2"}\n\n'
    '{"topic": "q1", "document": "d", "start": 0, "end": 7, "grade": 2, "group": "g", "alternative": "x"}\n{"topic": "q1", "document": "e", "start": 0, "end": 7, "grade": 0}\n'
)

RUNS = (ELEMENTS, PASSAGES, DOCUMENTS, SUBMISSION, GENOMICS_RUN, CHUNKS)
ASSESSMENTS = (INEX2002, INEX2003, INEX2005, TSV, FOL, QRELS, GENOMICS, GOLD)
