"use strict";
// The page's only script. Names, texts and all other data are put into the page as text, never as HTML.

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

// ---------------------------------------------------------------------------------------- elements

/** An element with attributes (functions listen, `null` leaves out) and children (nodes or text). */
function make(tag, attributes, ...children) {
  const [name, space] = tag.startsWith("svg:") ? [tag.slice(4), SVG] : [tag, null];
  const made = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value);
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return made;
}

const placed = (made, style) => {
  for (const [key, value] of Object.entries(style)) made.style.setProperty(key, value);
  return made;
};
const percent = (part) => `${(100 * part).toFixed(3)}%`;
const hidden = (text) => make("span", { class: "heard" }, text);
const count = (number) => number.toLocaleString("en-US");
const counted = (number, what) => `${count(number)} ${what}${number === 1 ? "" : "s"}`;
const units = (number, kind = "") => counted(number, kind + core.unit.slice(0, -1));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const signed = (text) => text.replace("-", "−");
const value = (number) => (number === null || number === undefined ? "–" : signed(number.toFixed(3)));
const change = (number) => (number === null ? "–" : (number > 0 ? "+" : "") + value(number).replace(/^−(0\.000)$/, "$1"));

// ---------------------------------------------------------------------------------------- data

/** What was packed: JSON, compressed, in base64. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

const blocks = new Map();
const awaited = new Map();
let core = null;

/** Data by its name: of the page, or of a file beside it; null if it is in neither. */
function block(name) {
  if (!blocks.has(name)) {
    const inside = byId(name);
    if (inside !== null && inside.type === "text/plain") blocks.set(name, unpack(inside.textContent));
    else if (core !== null && core.folder !== null) blocks.set(name, fromFile(name).then((text) => text && unpack(text)));
    else blocks.set(name, Promise.resolve(null));
  }
  return blocks.get(name);
}

function fromFile(name) {
  return new Promise((resolve) => {
    awaited.set(name, resolve);
    const file = `${encodeURIComponent(core.folder)}/${name}.js`;
    document.body.append(make("script", { src: file, error: () => resolve(null) }));
  });
}

// Files beside the page hand over what they hold.
globalThis.focuseval = (name, text) => awaited.get(name)?.(text);

// ---------------------------------------------------------------------------------------- where one is

const KEYS = ["m", "a", "b", "t", "w", "d", "k"];
const VIEWS = ["runs", "topics", "topic", "document"];
/** v: view; m: measure; a: run; b: baseline; t: topic; w: whose list (0: run, 1: baseline); d: document; k: rank. */
let at = { v: "runs", m: 0, a: 0, b: 0, t: 0, w: 0, d: 0, k: 0 };

const hashOf = (there) => `#v=${there.v}${KEYS.map((key) => `&${key}=${there[key]}`).join("")}`;
const to = (changes) => hashOf({ ...at, ...changes });

function read(hash) {
  const given = new URLSearchParams(hash.slice(1));
  const most = {
    m: core.asked.length, a: core.runs.length, b: core.runs.length, t: core.topics.length, w: 2, d: 1e9, k: 1e9,
  };
  const there = { ...at };
  if (VIEWS.includes(given.get("v"))) there.v = given.get("v");
  for (const key of KEYS) {
    const number = Number(given.get(key));
    if (given.has(key) && Number.isInteger(number) && number >= 0 && number < most[key]) there[key] = number;
  }
  return there;
}

const go = (changes) => {
  location.hash = to(changes);
};

const measure = () => core.measures[core.asked[at.m].name];
const better = (difference) => (core.asked[at.m].higher ? difference : -difference);
const runOf = (side) => (side ? at.b : at.a);
const sides = () => (at.a === at.b ? [0] : [0, 1]);
const differences = () =>
  core.topics.map((_, t) => {
    const [mine, other] = [measure().values[at.a][t], measure().values[at.b][t]];
    return mine === null || other === null ? null : mine - other;
  });

// ---------------------------------------------------------------------------------------- tables

/** A table whose columns sort: rows of cells {show, by}; columns {name, first: 1 or -1, number}. */
function sortable(caption, columns, rows, sorted) {
  const body = make("tbody");
  const heads = columns.map((column, place) => {
    const button = make("button", { type: "button", click: () => sort(place) }, column.name);
    return make("th", { scope: "col", class: column.number ? "number" : null }, button);
  });
  let [by, direction] = sorted;
  function sort(place) {
    direction = place === by ? -direction : columns[place].first;
    by = place;
    draw();
  }
  function draw() {
    const order = rows.map((_, i) => i);
    const compare = (x, y) => (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
    order.sort((i, j) => {
      const [x, y] = [rows[i].cells[by].by, rows[j].cells[by].by];
      if (x === null || y === null) return (x === null) - (y === null);
      return direction * compare(x, y) || i - j;
    });
    body.replaceChildren(...order.map((i) => rows[i].row));
    heads.forEach((head, place) => {
      if (place === by) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  }
  for (const row of rows) {
    const cells = row.cells.map((cell, place) =>
      make(place ? "td" : "th", { scope: place ? null : "row", class: columns[place].number ? "number" : null }, cell.show),
    );
    row.row = make("tr", { class: row.class, "data-row": row.data }, cells);
  }
  draw();
  const table = make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, heads)), body);
  return make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": caption }, table);
}

// ---------------------------------------------------------------------------------------- runs

/** The mark of a run that is significantly better or worse than the baseline. */
function mark(name, run) {
  const { pairs, mean } = core.measures[name];
  const row = core.baselines.indexOf(at.b);
  if (row < 0 || run === at.b) return null;
  const p = pairs.p[row][run];
  if (p === null || p > core.alpha) return null;
  const higher = core.asked.find((one) => one.name === name).higher;
  const wins = mean[run] > mean[at.b] === higher;
  return make("span", { class: wins ? "better" : "worse" }, wins ? "▲" : "▼", hidden(wins ? " better" : " worse"));
}

function interval(name, run, low, high) {
  const of = core.measures[name];
  const part = (number) => percent((number - low) / (high - low || 1));
  const range = of.low[run] === null ? null : make("i", { class: "range" });
  if (range) placed(range, { left: part(of.low[run]), width: percent((of.high[run] - of.low[run]) / (high - low || 1)) });
  const line = placed(make("i", { class: "line" }), { left: part(of.mean[at.b]) });
  const dot = placed(make("i", { class: "dot" }), { left: part(of.mean[run]) });
  return make("span", { class: "track", "aria-hidden": "true" }, line, range, dot);
}

/** How many topics the means are over: a measure has no value where nothing is relevant. */
function meant() {
  const name = core.asked[at.m].name;
  const known = core.measures[name].values[0].filter((number) => number !== null).length;
  if (known === core.topics.length) return `${counted(known, "topic")}.`;
  return `${name}: means over ${count(known)} of ${counted(core.topics.length, "topic")}, those with something relevant.`;
}

function runs() {
  const names = core.asked.map((one) => one.name);
  const scale = names.map((name) => {
    const known = [...core.measures[name].low, ...core.measures[name].high, ...core.measures[name].mean];
    const numbers = known.filter((number) => number !== null);
    return [Math.min(0, ...numbers), Math.max(...numbers, 1e-9)];
  });
  const columns = [
    { name: "Run", first: 1 },
    ...core.asked.map((one) => ({ name: one.name, first: one.higher ? -1 : 1, number: true })),
  ];
  const row = core.baselines.indexOf(at.b);
  const rows = core.runs.map((run, r) => ({
    class: r === at.b ? "baseline" : null,
    data: r,
    cells: [
      {
        by: run,
        show: [
          make("a", { href: to({ v: "topics", a: r }) }, run),
          r === at.b ? [" ", make("span", { class: "tag" }, "baseline")] : null,
        ],
      },
      ...names.map((name, m) => {
        const of = core.measures[name];
        const between = of.low[r] === null ? "" : `${value(of.low[r])} to ${value(of.high[r])}`;
        const against =
          row < 0 || r === at.b
            ? ""
            : `; ${change(of.mean[r] - of.mean[at.b])} (${change(of.pairs.low[row][r])} to ${change(of.pairs.high[row][r])}) against ` +
              `${core.runs[at.b]}, p ${of.pairs.p[row][r]}, better on ${counted(of.pairs.wins[row][r], "topic")}, worse on ${of.pairs.losses[row][r]}`;
        return {
          by: of.mean[r],
          show: make(
            "div",
            { class: "score", title: `${of.mean[r]}${against}` },
            make("b", {}, mark(name, r), " ", value(of.mean[r])),
            interval(name, r, ...scale[m]),
            make("small", {}, between),
          ),
        };
      }),
    ],
  }));
  const table = sortable("Means over topics, with intervals", columns, rows, [1 + at.m, core.asked[at.m].higher ? -1 : 1]);
  const filter = make("input", {
    type: "search", id: "filter", autocomplete: "off",
    input: () => {
      const wanted = filter.value.toLowerCase();
      rows.forEach((one, r) => (one.row.hidden = !core.runs[r].toLowerCase().includes(wanted)));
      told.textContent = `${rows.filter((one) => !one.row.hidden).length} of ${counted(rows.length, "run")}`;
    },
  });
  const told = make("output", { for: "filter" }, `${rows.length} of ${counted(rows.length, "run")}`);
  const level = 100 * (1 - core.alpha);
  const legend = make(
    "p", { class: "note" },
    `The dot is the mean, the bar its ${level.toFixed(0)} % interval, the line the mean of the baseline, ${core.runs[at.b]}. `,
    row < 0
      ? "With one run or one topic, or too many runs, no difference is tested."
      : ["▲ ▼ significantly better or worse than the baseline; without a mark the difference may be chance. ",
         ...core.measures[core.asked[at.m].name].careful.map((line) => make("b", {}, `Take care: ${line}.`))],
  );
  return [
    heading("Which run is best?", `${meant()} A run leads to its topics.`),
    make("p", {}, make("label", { for: "filter" }, "Show runs whose name has "), filter, " ", told),
    table,
    legend,
  ];
}

// ---------------------------------------------------------------------------------------- topics

const heading = (text, ...more) => [make("h2", { tabindex: -1 }, text), more.length ? make("p", { class: "lead" }, more) : null];
const label = (t) => core.topics[t].name + (core.topics[t].query ? `: ${core.topics[t].query}` : "");

/** Topics in the order of their differences, the largest for the run first; those without a value last. */
function ordered(numbers) {
  return numbers.map((_, t) => t).sort((x, y) => {
    if (numbers[x] === null || numbers[y] === null) return (numbers[x] === null) - (numbers[y] === null) || x - y;
    return better(numbers[y]) - better(numbers[x]) || x - y;
  });
}

function strip(numbers) {
  const known = numbers.map((number, t) => [number, t]).filter(([number]) => number !== null);
  const most = Math.max(1e-9, ...known.map(([number]) => Math.abs(number)));
  const left = (number) => (number / most + 1) / 2;
  const bins = new Map();
  const dots = known.map(([number, t]) => {
    const bin = Math.round(left(number) * 48);
    const height = bins.get(bin) || 0;
    bins.set(bin, height + 1);
    const dot = make("a", {
      href: to({ v: "topic", t }), tabindex: -1, title: `${label(t)}: ${change(number)}`,
      class: better(number) > 0 ? "up" : better(number) < 0 ? "down" : "same",
    });
    return placed(dot, { left: percent(left(number)), "--height": height });
  });
  const mean = sum(known.map(([number]) => number)) / (known.length || 1);
  const tallest = Math.max(1, ...bins.values());
  const plot = make(
    "div", { class: "strip", "aria-hidden": "true" },
    make("i", { class: "zero" }), placed(make("i", { class: "mean", title: `mean ${change(mean)}` }), { left: percent(left(mean)) }), dots,
  );
  placed(plot, { "--tallest": tallest });
  const scale = make("p", { class: "scale", "aria-hidden": "true" },
    make("span", {}, `${change(-most)} ${core.runs[at.b]} better`.replace(/^(\S+) (.*)$/, core.asked[at.m].higher ? "$1 $2" : "$1")),
    make("span", {}, "0"), make("span", {}, core.asked[at.m].higher ? `${core.runs[at.a]} better ${change(most)}` : change(most)));
  const wins = known.filter(([number]) => better(number) > 5e-7).length;
  const losses = known.filter(([number]) => better(number) < -5e-7).length;
  return make("figure", {},
    make("figcaption", {}, `Each dot is a topic, the line their mean (${change(mean)}): `,
      make("b", {}, `${core.runs[at.a]} is better on ${wins}, worse on ${losses}, equal on ${known.length - wins - losses}.`)),
    plot, scale);
}

/** Rows of the map of runs and topics. */
const MOST_ROWS = 60;

/** Runs and topics: how high a cell is filled, and how dark, is its value. Arrow keys move in it. */
function heat(order) {
  const { values, mean } = measure();
  const most = Math.max(1e-9, ...values.flat().filter((number) => number !== null));
  const others = core.runs.map((_, r) => r).filter((r) => r !== at.a && r !== at.b);
  others.sort((x, y) => better(mean[y]) - better(mean[x]) || x - y);
  const shown = [...new Set([at.a, at.b])].concat(others).slice(0, MOST_ROWS);
  const rows = shown.map((r, i) => {
    const cells = order.map((t, j) => {
      const number = values[r][t];
      const link = make("a", {
        href: to({ v: "topic", a: r, t }), tabindex: i || j ? -1 : 0, class: number === null ? "none" : null,
        title: `${core.runs[r]}, ${label(t)}: ${value(number)}`, "aria-label": `${core.runs[r]}, topic ${core.topics[t].name}: ${value(number)}`,
      });
      return make("td", {}, placed(link, { "--part": Math.max(0, number || 0) / most }));
    });
    return make("tr", {}, make("th", { scope: "row" }, make("a", { href: to({ a: r }) }, core.runs[r]), " ", value(mean[r])), cells);
  });
  const table = make("table", {
    class: "heat",
    keydown: (event) => {
      const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      const cell = event.target.closest("td");
      if (!step || !cell) return;
      event.preventDefault();
      const row = cell.parentNode;
      const next = step[0] ? row.parentNode.rows[row.sectionRowIndex + step[0]]?.cells[cell.cellIndex] : row.cells[cell.cellIndex + step[1]];
      const link = next?.tagName === "TD" ? next.firstChild : null;
      if (link) {
        event.target.tabIndex = -1;
        link.tabIndex = 0;
        link.focus();
      }
    },
  }, make("caption", { class: "heard" }, "Values of all runs on all topics"), make("tbody", {}, rows));
  placed(table, { "--columns": order.length });
  return make("details", { open: "" }, make("summary", {}, shown.length < core.runs.length ? `The best ${shown.length} of ${core.runs.length} runs on these topics` : "All runs on these topics"),
    make("p", { class: "note" }, "A column is a topic, in the order of the table below; the fuller a cell, the higher its value."),
    make("div", { class: "wide" }, table));
}

function topics() {
  const name = core.asked[at.m].name;
  const numbers = differences();
  const order = ordered(numbers);
  const most = Math.max(1e-9, ...numbers.map((number) => Math.abs(number || 0)));
  const two = at.a !== at.b;
  const columns = [
    { name: "Topic", first: 1 },
    { name: core.runs[at.a], first: -1, number: true },
    ...(two ? [{ name: core.runs[at.b], first: -1, number: true }, { name: "Difference", first: core.asked[at.m].higher ? -1 : 1, number: true }] : []),
    { name: "Gold", first: -1, number: true },
  ];
  const rows = core.topics.map((topic, t) => {
    const [mine, other] = [measure().values[at.a][t], measure().values[at.b][t]];
    const bar = make("i", { class: better(numbers[t] || 0) > 0 ? "up" : "down" });
    const width = Math.abs(numbers[t] || 0) / most / 2;
    placed(bar, { left: percent(numbers[t] < 0 ? 0.5 - width : 0.5), width: percent(width) });
    return {
      data: t,
      cells: [
        { by: topic.name, show: [make("a", { href: to({ v: "topic", t, w: 0 }) }, topic.name), topic.query ? make("span", { class: "query" }, topic.query) : null] },
        { by: mine, show: value(mine) },
        ...(two ? [{ by: other, show: value(other) }, { by: numbers[t], show: [make("span", { class: "diverging", "aria-hidden": "true" }, bar), make("span", { class: "amount" }, change(numbers[t]))] }] : []),
        { by: topic.gold, show: count(topic.gold) },
      ],
    };
  });
  const caption = two ? `${name} on every topic, and the difference` : `${name} on every topic`;
  const parts = [
    ...heading(two ? `Where is ${core.runs[at.a]} better than ${core.runs[at.b]}?` : `How good is ${core.runs[at.a]} on each topic?`,
      two ? `${name}, topic by topic. The topics at both ends decide the comparison; each leads to its results.`
          : `${name}, topic by topic. This run is the baseline itself: choose another run above to compare them.`),
  ];
  if (two) parts.push(strip(numbers));
  parts.push(heat(order), sortable(caption, columns, rows, two ? [3, core.asked[at.m].higher ? -1 : 1] : [1, -1]));
  parts.push(make("p", { class: "note" }, `Gold: how much should be found, in ${core.unit}.`));
  return parts;
}

// ---------------------------------------------------------------------------------------- one topic

/** The beginning of a text on one line; where it is cut, at a word and with a mark. */
function beginning(text, most) {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  return `${line.slice(0, most + 1).replace(/\s\S*$|.$/u, "")}…`;
}

/** A place for the beginning of [start, end) in a document of a topic, which `quote` fills. */
const quoted = (topic, document, start, end) =>
  core.known && document >= 0 && start >= 0 && end > start
    ? make("span", { class: "quoted", dir: "auto", "data-text": topic.text[document], "data-start": start, "data-end": end })
    : null;

/** Fill the places for texts that are in this file: of a topic there may be many, and those beside it load slowly. */
async function quote() {
  const known = new Map();
  for (const place of byId("main").querySelectorAll(".quoted")) {
    const name = `d${place.dataset.text}`;
    if (byId(name) === null) continue;
    if (!known.has(name)) known.set(name, slicer(await block(name)));
    const [start, end] = [Number(place.dataset.start), Number(place.dataset.end)];
    place.textContent = beginning(known.get(name).slice(start, Math.min(end, start + 200)), 100);
  }
}

const listOf = (topic, run) => topic.lists.find((one) => one.run === run) || null;
/** Where a result stands: its path; in a run of passages its offsets, as a passage may happen to be an element. */
const whereOf = (topic, list, i) => {
  if (list.path[i] >= 0 && !core.passages[list.run]) return topic.paths[list.path[i]];
  if (list.document[i] < 0 || list.start[i] < 0) return "";
  return core.unit === "documents" ? "" : `${count(list.start[i])}–${count(list.end[i])}`;
};

/** A result's path, for the hover of its offsets. */
const pathOf = (topic, list, i) => (list.path[i] >= 0 && core.passages[list.run] ? topic.paths[list.path[i]] : null);

/** Where the measure stops reading a list; null if it reads all that is shown. */
const endOf = (list) => list?.ends[core.asked[at.m].name] || null;

/** The four parts of a result: new gold, gold read again, other new text, other text read again. */
function partsOf(list, i) {
  const [size, fresh, gold, found] = [list.size[i], list.new[i], list.gold[i], list.found[i]];
  return { found, "gold-again": gold - found, other: fresh - found, "other-again": size - fresh - (gold - found) };
}

function barOf(list, i, most) {
  const parts = Object.entries(partsOf(list, i)).filter(([, length]) => length > 0);
  return make("span", { class: "bar", "aria-hidden": "true" },
    parts.map(([name, length]) => placed(make("i", { class: name }), { width: percent(length / most) })));
}

/** What a list brings up to rank k, added up. */
function totals(list, k) {
  const up = (column) => sum(list[column].slice(0, k));
  const [size, fresh, found] = [up("size"), up("new"), up("found")];
  return { size, new: fresh, found, again: size - fresh, other: fresh - found };
}

/** What the measure says after each result of a list; the share of the gold that was read where that is not known. */
function courseOf(list) {
  const values = list?.values[core.asked[at.m].name] || [];
  if (values.some((number) => number !== null)) return values;
  let read = 0;
  return (list?.found || []).map((length) => (core.topics[at.t].gold ? (read += length) / core.topics[at.t].gold : null));
}

/** Whether the measure is known after results, of any list that is shown. */
const followed = (topic) =>
  sides().some((side) => listOf(topic, runOf(side))?.values[core.asked[at.m].name]?.some((number) => number !== null));

function tableOf(topic, side, most) {
  const run = runOf(side);
  const list = listOf(topic, run);
  const name = core.asked[at.m].name;
  const gold = core.topics[at.t].gold;
  const title = make("h3", {}, core.runs[run], side || at.a === at.b ? [" ", make("span", { class: "tag" }, "baseline")] : null);
  if (list === null || !list.rank.length) return make("section", { class: "list" }, title, make("p", {}, "Nothing was returned for this topic."));
  const values = courseOf(list);
  const [end, limit] = [endOf(list), core.asked[at.m].limit];
  const all = end ? { ...end, again: end.size - end.new } : totals(list, list.rank.length);
  const rows = list.rank.map((rank, i) => {
    const parts = partsOf(list, i);
    const document = list.document[i];
    const [beyond, cut] = [end && i >= end.whole + (end.part > 0), end && end.part > 0 && i === end.whole];
    const fresh = beyond ? 0 : cut ? end.found - totals(list, i).found : parts.found;
    const begun = cut ? `read in part: its first ${units(end.part)}, with ${count(fresh)} new gold` : null;
    const reason = beyond ? "not read by the measure" : begun || Object.values(core.reasons)[list.why[i]];
    const shownName = document < 0 ? "unknown document" : topic.documents[document];
    const link = document < 0 ? shownName : make("a", { href: to({ v: "document", w: side, d: document, k: i + 1 }) }, shownName);
    const step = values[i] === null || values[i] === undefined ? null : values[i] - (i ? values[i - 1] : 0);
    const facts = [units(list.size[i]), parts.found ? `${count(parts.found)} new gold` : null,
      list.size[i] > list.new[i] ? `${count(list.size[i] - list.new[i])} read again` : null].filter(Boolean);
    return make("tr", { class: beyond ? "beyond" : fresh ? "has" : null, "data-place": i },
      make("td", { class: "number rank" }, String(rank)),
      make("td", {}, link, " ", make("span", { class: "path", title: pathOf(topic, list, i) }, whereOf(topic, list, i)), list.judged?.[i] ? [" ", make("span", { class: "tag" }, list.judged[i])] : null,
        quoted(topic, document, list.start[i], list.end[i]), make("span", { class: "why" }, reason)),
      make("td", { class: "brings" }, barOf(list, i, most), make("small", {}, facts.join(", "))),
      make("td", { class: "number" }, make("b", { title: String(values[i] ?? "") }, value(values[i] ?? null)), " ",
        make("small", {}, step === null || Math.abs(step) < 5e-4 ? "" : change(step))));
  });
  if (end) {
    const line = make("tr", { class: "limit" }, make("td", { colspan: 4 }, `The measure reads no further: ${limit}.`));
    rows.splice(end.whole + (end.part > 0), 0, line);
  }
  const scope = end ? ` Read within ${limit}` : limit === "" ? " Read in the whole list" : " Read";
  const facts = [
    `${counted(list.rank.length, "result")}.${scope}: ${units(all.new)}`, gold ? `, with ${count(all.found)} of ${count(gold)} gold (${(100 * all.found / gold).toFixed(0)} %)` : "",
    all.again ? `; ${count(all.again)} read again` : "", ".",
  ];
  const head = ["Rank", "Result", "What it brings", followed(topic) ? "Value so far" : "Gold so far"].map((text, i) => make("th", { scope: "col", class: i === 0 || i === 3 ? "number" : null }, text));
  return make("section", { class: "list", "aria-label": `Results of ${core.runs[run]}` }, title,
    make("p", { class: "score" }, `${name} `, make("b", {}, value(measure().values[run][at.t]))), make("p", { class: "note" }, facts),
    make("table", {}, make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows)));
}

/** How the measure grows down both lists. */
function growth(topic) {
  const lines = sides().map((side) => courseOf(listOf(topic, runOf(side))));
  const longest = Math.max(...lines.map((line) => line.length));
  const most = Math.max(...lines.flat().filter((number) => number !== null), 1e-9);
  if (longest < 2 || lines.every((line) => line.every((number) => number === null))) return null;
  const drawn = lines.map((line, side) => {
    const path = line.map((number, i) => (number === null ? "" : `${i ? "H" : "M0 100H"}${((100 * i) / longest).toFixed(2)}V${(100 - (96 * number) / most).toFixed(2)}`)).join("");
    return make("svg:path", { d: path ? `${path}H${((100 * line.length) / longest).toFixed(2)}` : "M0 0", class: `line-${side}` });
  });
  const picture = make("svg:svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn);
  return make("figure", { class: "growth" },
    make("figcaption", {}, `${followed(topic) ? core.asked[at.m].name : "Share of the gold that was read"} as the reader goes down the list: `,
      sides().map((side) => make("span", { class: `key key-${side}` }, core.runs[runOf(side)]))),
    make("div", { class: "axes" }, make("span", { class: "top" }, value(most)), picture, make("span", { class: "end" }, `rank ${longest}`), make("span", { class: "begin" }, "0")));
}

/** How much text intervals hold together. */
function union(intervals) {
  let [total, reach] = [0, -Infinity];
  for (const [low, high] of [...intervals].sort((x, y) => x[0] - y[0])) {
    total += Math.max(0, high - Math.max(low, reach));
    reach = Math.max(reach, high);
  }
  return total;
}

/** How much of [start, end) the results of a list in a document hold, and the places of the first and the last that add to it. */
function coverage(list, document, start, end) {
  const held = [];
  let [total, first, last] = [0, null, null];
  list?.document.forEach((other, i) => {
    const [low, high] = [Math.max(start, list.start[i]), Math.min(end, list.end[i])];
    if (other !== document || high <= low) return;
    held.push([low, high]);
    const now = union(held);
    if (first === null) first = i;
    if (now > total) last = i;
    total = now;
  });
  return [total, first, last];
}

function goldTable(topic) {
  const lists = sides().map((side) => listOf(topic, runOf(side)));
  const columns = [{ name: "Gold", first: 1 }, { name: core.unit, first: -1, number: true }, ...sides().map((side) => ({ name: core.runs[runOf(side)], first: 1 }))];
  const rows = topic.gold.document.map((document, i) => {
    const [start, end] = [topic.gold.start[i], topic.gold.end[i]];
    const place = core.unit === "documents" ? "" : ` ${count(start)}–${count(end)}`;
    return {
      cells: [
        { by: i, show: [make("a", { href: to({ v: "document", d: document, w: 0, k: 0 }) }, topic.documents[document]), make("span", { class: "path" }, place), quoted(topic, document, start, end)] },
        { by: end - start, show: count(end - start) },
        ...lists.map((list) => {
          const [held, first, last] = coverage(list, document, start, end);
          const ranks = first === last ? `rank ${list?.rank[first]}` : `ranks ${list.rank[first]} to ${list.rank[last]}`;
          const part = held === end - start ? "all" : `${((100 * held) / (end - start)).toFixed(0)} %`;
          return { by: first === null ? null : first, show: first === null ? make("span", { class: "miss" }, "✗ not found") : `✓ ${part}, at ${ranks}` };
        }),
      ],
    };
  });
  if (!rows.length) return make("p", {}, "Nothing is gold for this topic.");
  const caption = lists.some(endOf) ? "Gold, and which run found it, in whole lists" : "Gold, and which run found it";
  return [make("h3", {}, "What should be found"), sortable(caption, columns, rows, [0, 1])];
}

const PART_NAMES = { found: "gold, new", "gold-again": "gold, read again", other: "new, not gold", "other-again": "not gold, read again" };

/** What colours and marks mean; `marked` words look as the text does. */
function legend(names, marked) {
  return make("ul", { class: "legend", "aria-label": "Colours" },
    Object.entries(names).map(([name, text]) => make("li", {}, make("i", { class: `swatch ${name}` }), marked ? make("span", { class: name }, text) : text)));
}

async function topicView() {
  const topic = await block(`t${at.t}`);
  const order = ordered(differences());
  const place = order.indexOf(at.t);
  const step = (t, text) => (t === undefined ? null : make("a", { class: "step", href: to({ t }) }, text));
  const about = core.topics[at.t];
  const head = heading(`Topic ${about.name}`, about.query ? make("q", {}, about.query) : null);
  const moves = make("p", { class: "moves" }, step(order[place - 1], "← previous topic"), ` ${place + 1} of ${order.length} by difference `, step(order[place + 1], "next topic →"));
  if (topic === null) return [...head, moves, missing("The results for this topic")];
  const lists = sides().map((side) => listOf(topic, runOf(side)));
  const most = Math.max(1, ...lists.flatMap((list) => (list ? list.size : [])));
  const parts = [
    ...head, moves, growth(topic), legend(PART_NAMES, false),
    make("div", { class: sides().length > 1 ? "pair" : null }, sides().map((side) => tableOf(topic, side, most))),
    goldTable(topic),
  ];
  return { parts, ready: quote };
}

const missing = (what, is = "are") =>
  make("p", { class: "warning" }, core.folder === null ? `${what} did not fit into this page and ${is} left out.` : `${what} ${is} in the folder ${core.folder}, which is not beside this page.`);

// ---------------------------------------------------------------------------------------- one document

/** The pieces that gold and results cut a document into: start, end, gold or not, and the places of results over it. */
function piecesOf(topic, list, document) {
  const spans = [];
  topic.gold.document.forEach((other, i) => {
    if (other === document) spans.push([topic.gold.start[i], topic.gold.end[i], -1]);
  });
  list?.document.forEach((other, i) => {
    if (other === document && list.start[i] >= 0 && list.end[i] > list.start[i]) spans.push([list.start[i], list.end[i], i]);
  });
  const points = [...new Set(spans.flatMap(([start, end]) => [start, end]))].sort((x, y) => x - y);
  const opens = [...spans].sort((x, y) => x[0] - y[0]);
  let active = [];
  let next = 0;
  return points.slice(0, -1).map((start, i) => {
    while (next < opens.length && opens[next][0] === start) active.push(opens[next++]);
    active = active.filter(([, end]) => end > start);
    const readers = active.filter(([, , place]) => place >= 0).map(([, , place]) => place);
    return { start, end: points[i + 1], gold: active.some(([, , place]) => place < 0), readers: readers.sort((x, y) => x - y) };
  }).filter((piece) => piece.gold || piece.readers.length);
}

/** How a piece stands after k results. */
function stateOf(piece, k) {
  const times = piece.readers.filter((place) => place < k).length;
  if (!times) return piece.gold ? "missed" : "unread";
  return (piece.gold ? "found" : "other") + (times > 1 ? " again" : "");
}

/** Slices of a text by the units that offsets count in. */
function slicer(held) {
  const letters = /[\ud800-\udfff]/.test(held.text) ? Array.from(held.text) : null;
  const point = (unit) => (held.points ? held.points[Math.min(unit, held.points.length - 1)] : unit);
  const length = held.points ? held.points.length - 1 : letters ? letters.length : held.text.length;
  const slice = (start, end) => (letters ? letters.slice(point(start), point(end)).join("") : held.text.slice(point(start), point(end)));
  return { slice, length };
}

/** The text in blocks; every piece of it is a span that is coloured later. */
function textOf(held, pieces, spans) {
  const { slice, length } = slicer(held);
  const points = [...new Set([0, ...held.blocks, length])].sort((x, y) => x - y);
  const names = new Map(held.outline.map(([, , level, start]) => [start, level]));
  let next = 0;
  return points.slice(0, -1).map((begin, i) => {
    const after = points[i + 1];
    const inside = [];
    let here = begin;
    while (next < pieces.length && pieces[next].start < after) {
      const piece = pieces[next];
      const [start, end] = [Math.max(piece.start, begin), Math.min(piece.end, after)];
      if (start > here) inside.push(slice(here, start));
      const span = make("span", {}, slice(start, end));
      spans.push({ span, piece, start, end });
      inside.push(span);
      here = end;
      if (piece.end > after) break;
      next += 1;
    }
    if (after > here) inside.push(slice(here, after));
    const level = names.get(begin);
    const blank = !slice(begin, after).trim();
    return make("div", { dir: "auto", class: level === undefined || !held.headed ? `block${blank ? " blank" : ""}` : `block head level-${Math.min(level, 3)}`, "data-start": begin }, inside);
  });
}

/** Brackets at the margin, from where a result begins to where it ends; what overlaps stands side by side. */
function brackets(gutter, page, spans, list, topic) {
  const base = page.getBoundingClientRect().top;
  const extents = new Map();
  for (const { span, piece } of spans) {
    const rects = span.textContent.trim() ? span.getClientRects() : [];
    for (const place of rects.length ? piece.readers : []) {
      const known = extents.get(place) || [Infinity, -Infinity];
      extents.set(place, [Math.min(known[0], rects[0].top - base), Math.max(known[1], rects[rects.length - 1].bottom - base)]);
    }
  }
  const found = [...extents].map(([place, [top, bottom]]) => ({ place, top, bottom }));
  found.sort((x, y) => x.top - y.top || y.bottom - x.bottom || x.place - y.place);
  const lanes = [];
  for (const one of found) {
    let lane = lanes.findIndex((reach) => reach <= one.top + 1);
    if (lane < 0) lane = lanes.length;
    lanes[lane] = Math.max(one.bottom, one.top + 14);
    one.lane = lane;
  }
  gutter.replaceChildren(...found.map(({ place, top, bottom, lane }) => {
    const title = `rank ${list.rank[place]}: ${whereOf(topic, list, place)}, ${units(list.size[place])}`;
    const bracket = make("a", { class: "bracket", href: to({ k: place + 1 }), title, "data-place": place, "aria-label": title }, String(list.rank[place]));
    return placed(bracket, { top: `${top}px`, height: `${bottom - top}px`, "--lane": lane });
  }));
  page.style.setProperty("--lanes", Math.max(1, lanes.length));
}

const STATE_NAMES = { found: "gold, read", "found again": "gold, read again", missed: "gold, not read", other: "read, not gold", "other again": "read again, not gold" };

async function documentView() {
  const topic = await block(`t${at.t}`);
  if (topic === null) return [...heading(`Topic ${core.topics[at.t].name}`), missing("The results for this topic")];
  const d = Math.min(at.d, topic.documents.length - 1);
  if (d < 0) return [...heading("No document"), make("p", {}, "No document is touched for this topic.")];
  const held = core.known ? await block(`d${topic.text[d]}`) : null;
  const run = runOf(at.w);
  const list = listOf(topic, run);
  const length = list ? list.rank.length : 0;
  const pieces = piecesOf(topic, list, d);
  const here = list ? list.document.map((other, i) => (other === d ? i : -1)).filter((i) => i >= 0) : [];
  const spans = [];
  const page = make("div", { class: `page${held && !held.wraps ? " kept" : ""}` });
  const gutter = make("div", { class: "gutter", role: "group", "aria-label": "Results in this document" });
  if (held) page.append(gutter, ...textOf(held, pieces, spans));
  for (const i of here) {
    // the rank, in print, where brackets have no place
    const first = spans.find(({ piece, span }) => piece.readers.includes(i) && span.textContent.trim());
    if (first) first.span.dataset.opens = `${first.span.dataset.opens || ""}[${list.rank[i]}]`;
  }

  const extent = Math.max(1, topic.size[d], ...pieces.map((piece) => piece.end));
  const strips = pieces.map((piece) => {
    const part = make("i", {});
    placed(part, { left: percent(piece.start / extent), width: percent((piece.end - piece.start) / extent) });
    return { span: part, piece };
  });
  const overview = make("div", { class: "overview", "aria-hidden": "true" }, strips.map(({ span }) => span));

  const slider = make("input", { type: "range", id: "rank", min: 0, max: length, step: 1, value: Math.min(at.k, length), input: () => show(Number(slider.value)) });
  const told = make("output", { for: "rank", id: "told" });
  const rowsOf = new Map();
  const jump = (text, pick) => make("button", { type: "button", click: () => { const place = pick(Number(slider.value)); if (place !== undefined) { show(place + 1); look(place); } } }, text);
  const controls = make("div", { class: "slider" },
    make("label", { for: "rank" }, "Read so far: "), slider,
    make("span", { class: "buttons" }, jump("← result here", (k) => here.filter((i) => i < k - 1).pop()), jump("result here →", (k) => here.find((i) => i >= k))), told);

  function look(place) {
    const first = spans.find(({ piece }) => piece.readers.includes(place));
    first?.span.scrollIntoView({ block: "center" });
  }

  function show(k) {
    at.k = k;
    slider.value = k;
    slider.setAttribute("aria-valuetext", k ? `after result ${k} of ${length}` : "before the first result");
    for (const { span, piece } of [...spans, ...strips]) {
      const now = piece.readers.includes(k - 1) ? " now" : "";
      span.className = stateOf(piece, k) + now;
    }
    for (const bracket of gutter.children) {
      const place = Number(bracket.dataset.place);
      bracket.classList.toggle("later", place >= k);
      bracket.classList.toggle("now", place === k - 1);
    }
    for (const [place, row] of rowsOf) {
      row.classList.toggle("later", place >= k);
      row.classList.toggle("now", place === k - 1);
    }
    const lengths = { found: 0, missed: 0, other: 0, again: 0 };
    for (const piece of pieces) {
      const [size, state] = [piece.end - piece.start, stateOf(piece, k)];
      if (state === "missed") lengths.missed += size;
      else if (state.startsWith("found")) lengths.found += size;
      else if (state.startsWith("other")) lengths.other += size;
      lengths.again += Math.max(0, piece.readers.filter((place) => place < k).length - 1) * size;
    }
    for (const [key, length_] of Object.entries(lengths)) told.dataset[key] = length_;
    const all = list ? totals(list, k) : { new: 0, found: 0, again: 0 };
    told.dataset.k = k;
    told.dataset.allFound = all.found;
    told.dataset.allNew = all.new;
    const [values, gold] = [list?.values[core.asked[at.m].name] || [], core.topics[at.t].gold];
    const end = endOf(list);
    const limited = end && k > end.whole ? `, which reads no further than ${core.asked[at.m].limit}` : "";
    const measured = k && values[k - 1] !== null && values[k - 1] !== undefined ? ` ${core.asked[at.m].name} ${value(values[k - 1])}${limited}.` : "";
    told.replaceChildren(
      make("b", {}, k ? `After result ${k} of ${length}` : "Before the first result"),
      ". This document: ",
      lengths.found + lengths.missed ? `${count(lengths.found)} of ${units(lengths.found + lengths.missed, "gold ")}` : "no gold for this topic",
      `, ${count(lengths.other)} read in vain, ${count(lengths.again)} read again. All documents: ${count(all.found)} of ${count(gold)} gold, `,
      `${units(all.new)} read.${measured}`,
    );
    try {
      history.replaceState(null, "", hashOf(at));
    } catch {
      // a page within another has no address of its own
    }
  }

  const columns = ["Rank", "Where", core.unit, "new", "gold", "new gold"];
  const rows = here.map((i) => {
    const row = make("tr", { "data-place": i },
      make("td", { class: "number" }, make("a", { href: to({ k: i + 1 }) }, String(list.rank[i]))),
      make("td", { class: "path" }, whereOf(topic, list, i) || topic.documents[d]),
      ["size", "new", "gold", "found"].map((column) => make("td", { class: "number" }, count(list[column][i]))));
    rowsOf.set(i, row);
    return row;
  });
  const table = rows.length
    ? make("div", { class: "wide there", tabindex: 0, role: "region", "aria-label": "Results in this document" }, make("table", { class: "here" }, make("caption", {}, `Results of ${core.runs[run]} in this document`),
        make("thead", {}, make("tr", {}, columns.map((text, i) => make("th", { scope: "col", class: i === 1 ? null : "number" }, text)))), make("tbody", {}, rows)))
    : make("p", {}, `${core.runs[run]} returned nothing of this document for this topic.`);
  const which = at.a === at.b ? null : make("p", { class: "which" }, "As the reader of ", sides().map((side) =>
    make("a", { class: "step", href: to({ w: side }), "aria-current": side === at.w ? "true" : null }, core.runs[runOf(side)])));
  const parts = [
    ...heading(topic.documents[d], `Topic `, make("a", { href: to({ v: "topic" }) }, label(at.t))),
    which, controls, legend(STATE_NAMES, true), overview, table,
  ];
  if (held) {
    const { slice } = slicer(held);
    const entries = held.outline.length > 1 ? held.outline : [];
    const outline = make("nav", { class: "outline", "aria-label": "Outline" }, make("details", {}, make("summary", {}, "Outline"), make("ol", {}, entries.map(([, , level, start, end]) => {
      const target = () => page.querySelector(`[data-start="${start}"]`);
      const go_ = (event) => { event.preventDefault(); const found = target(); if (found) { found.tabIndex = -1; found.scrollIntoView(); found.focus(); } };
      return placed(make("li", {}, make("a", { href: "#main", click: go_ }, beginning(slice(start, Math.min(end, start + 200)).replace(/^[#\s]+/, ""), 90) || "…")), { "--level": level });
    }))));
    outline.firstChild.open = globalThis.innerWidth > 900;
    parts.push(make("div", { class: entries.length ? "leaf" : "leaf alone" }, entries.length ? outline : null, page));
  } else parts.push(core.known ? missing("The text of this document", "is") : make("p", { class: "warning" }, "The text of this document is not at hand: the page was made without the documents. The strip above shows where results and gold stand in it."));
  return {
    parts,
    ready: () => {
      if (held && list) brackets(gutter, page, spans, list, topic);
      show(Math.min(at.k, length));
    },
    arrived: () => {
      if (here.includes(at.k - 1)) look(at.k - 1);
    },
    resized: () => {
      if (!held || !list) return;
      brackets(gutter, page, spans, list, topic);
      show(Number(slider.value));
    },
  };
}

// ---------------------------------------------------------------------------------------- the page

let resized = () => {};

function choose(key, text, names) {
  const id = `choose-${key}`;
  const select = make("select", { id, change: () => go({ [key]: Number(select.value) }) }, names.map((name, i) => make("option", { value: i }, name)));
  select.value = at[key];
  return make("span", {}, make("label", { for: id }, text), " ", select);
}

function frame() {
  byId("choices").replaceChildren(
    choose("m", "Measure", core.asked.map((one) => one.name)), choose("a", "Run", core.runs), choose("b", "Baseline", core.runs),
  );
  const reached = VIEWS.indexOf(at.v);
  const names = ["Runs", "Topics", `Topic ${core.topics[at.t].name}`, "Document"];
  byId("steps").replaceChildren(...VIEWS.slice(0, Math.max(2, reached + 1)).map((view, i) =>
    make("li", {}, make("a", { href: to({ v: view }), "aria-current": view === at.v ? "page" : null }, names[i]))));
}

async function draw() {
  const before = { ...at };
  at = read(location.hash);
  frame();
  const drawn = await { runs, topics, topic: topicView, document: documentView }[at.v]();
  const { parts, ready } = Array.isArray(drawn) ? { parts: drawn } : drawn;
  const focused = document.activeElement?.id;
  byId("main").replaceChildren(...parts.flat(3).filter(Boolean));
  resized = drawn.resized || (() => {});
  ready?.();
  const moved = before.v !== at.v || before.t !== at.t || before.d !== at.d;
  if (moved) {
    scrollTo(0, 0);
    byId("main").querySelector("h2")?.focus({ preventScroll: true });
    drawn.arrived?.();
  } else if (focused) byId(focused)?.focus({ preventScroll: true });
  document.body.dataset.shown = hashOf(at);
}

function fill(id, items) {
  const list = byId(id);
  list.hidden = !items.length;
  list.lastElementChild.replaceChildren(...items);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const there = link.getAttribute("href");
  if (there === "#main") byId("main").focus();
  else if (location.hash === there) draw();
  else location.hash = there;
});
addEventListener("hashchange", draw);
addEventListener("resize", () => resized());

(async () => {
  core = await block("core");
  const first = core.measures[core.asked[0].name].mean;
  const others = core.runs.map((_, r) => r).filter((r) => r !== core.baseline);
  at.b = core.baseline;
  at.a = others.sort((x, y) => better(first[y]) - better(first[x]))[0] ?? core.baseline;
  byId("gold").textContent = core.gold;
  byId("method").textContent = `Intervals hold all that the test does not reject; ${core.method}.`;
  fill("notes", core.notes.map((note) => make("li", {}, note)));
  fill("asked", core.asked.flatMap((one) => [make("dt", {}, one.name),
    make("dd", {}, `${one.summary}; ${one.range}, ${one.higher ? "higher" : "lower"} is better. ${one.paper}.`, one.remarks.map((remark) => ` ${remark}.`))]));
  await draw();
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
})();
