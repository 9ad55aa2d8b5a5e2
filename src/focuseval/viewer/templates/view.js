"use strict";
// The page's only script. Names, texts and all other data are put into the page as text, never as HTML.

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

// ---------------------------------------------------------------------------------------- elements

/** Make an element with children (nodes or text). Attributes that are functions become listeners; null is left out. */
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
const count = (number) => number.toLocaleString("en-US");
const counted = (number, what) => `${count(number)} ${what}${number === 1 ? "" : "s"}`;
const units = (number, kind = "") => counted(number, kind + core.unit.slice(0, -1));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const signed = (text) => text.replace("-", "−");
/** Format a number, by default with the decimals of the chosen measure. */
const value = (number, digits = measure().digits) => (number === null || number === undefined ? "–" : signed(number.toFixed(digits)));
const ofP = (p) => (p < 0.001 ? "< .001" : p.toFixed(3).replace(/^0/, ""));
/** Format the p-values of a pair of runs, before and after correction. */
const tested = ({ p, adjusted }) =>
  `p ${p < 0.001 ? "" : "= "}${ofP(p)}${core.tested > 1 ? `, ${ofP(adjusted)} after Holm's correction for ${count(core.tested)} pairs` : ""}`;
const change = (number, digits = measure().digits) => (number === null ? "–" : (number > 0 ? "+" : "") + value(number, digits).replace(/^−(0\.?0*)$/, "$1"));
/** Return the decimals of a difference: `digits`, or more if the interval from `low` to `high` is narrow. */
const narrow = (low, high, digits) => (high > low ? Math.min(12, Math.max(digits, 1 - Math.floor(Math.log10(high - low)))) : digits);

// ---------------------------------------------------------------------------------------- data

/** Unpack compressed JSON in base64. */
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
}

const blocks = new Map();
const awaited = new Map();
let core = null;

/** Read a block of data from the page or the folder next to it. Return null if neither contains the block. */
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

// Each file in the folder calls this function with its data.
globalThis.focuseval = (name, text) => awaited.get(name)?.(text);

// ---------------------------------------------------------------------------------------- location

const VIEWS = ["runs", "topics", "topic", "document"];
/** v: view; m: measure; a: run; b: baseline; t: topic; w: list (0: run, 1: baseline, 2: both); d: document; k: rank. */
let at = { v: "runs", m: 0, a: 0, b: 0, t: 0, w: 0, d: "", k: 0 };
/** Links contain these names instead of indexes, so that links remain valid if the order changes. */
const named = () => ({ v: VIEWS, m: core.asked.map((one) => one.name), a: core.runs, b: core.runs, t: core.topics.map((one) => one.name) });

function hashOf(there) {
  const names = named();
  return `#${new URLSearchParams(Object.entries(there).map(([key, place]) => [key, key === "v" ? place : names[key]?.[place] ?? place]))}`;
}
const to = (changes) => hashOf({ ...at, ...changes });

function read(hash) {
  const [there, names] = [{ ...at }, named()];
  for (const [key, text] of new URLSearchParams(hash.slice(1))) {
    const place = names[key] ? names[key].indexOf(text) : Math.min(Number(text), key === "w" ? 2 : 1e9);
    if (key === "d") there.d = text;
    else if (key in there && Number.isInteger(place) && place >= 0) there[key] = key === "v" ? text : place;
  }
  return there;
}

const measure = () => core.measures[core.asked[at.m].name];
const better = (difference) => (core.asked[at.m].higher ? difference : -difference);
const runOf = (side) => (side ? at.b : at.a);
/** Return the full name of a run if its short name differs, else null. */
const hover = (r) => (core.short[r] === core.runs[r] ? null : core.runs[r]);
const sides = () => (at.a === at.b ? [0] : [0, 1]);
const differences = () =>
  core.topics.map((_, t) => {
    const [mine, other] = [measure().values[at.a][t], measure().values[at.b][t]];
    return mine === null || other === null ? null : mine - other;
  });

// ---------------------------------------------------------------------------------------- tables

/** Make a sortable table. Of a column, `by` (sort key) and `show` (content) take a row; `first` is 1 (ascending) or -1. */
function sortable(caption, columns, rows, [by, direction], about = () => ({})) {
  const made = rows.map((row) => make("tr", about(row), columns.map((column, place) =>
    make(place ? "td" : "th", { scope: place ? null : "row", class: column.number && "number" }, column.show(row)))));
  const heads = columns.map((column, place) =>
    make("th", { scope: "col", class: column.number && "number" }, make("button", { type: "button", title: column.title, click: () => sort(place) }, column.name)));
  const body = make("tbody");
  function sort(place) {
    direction = place === by ? -direction : columns[place].first;
    by = place;
    draw();
  }
  function draw() {
    const keys = rows.map(columns[by].by);
    const compare = (x, y) => (typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y);
    const order = rows.map((_, i) => i).sort((i, j) => {
      const [x, y] = [keys[i], keys[j]];
      if (x === null || y === null) return (x === null) - (y === null);
      return direction * compare(x, y) || i - j;
    });
    body.replaceChildren(...order.map((i) => made[i]));
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[by].setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
  }
  draw();
  return framed(caption, make("table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, heads)), body));
}

/** Add a search field before a table. It hides rows whose text (`textOf`) does not contain the query. */
function filtered(what, table, textOf) {
  const told = make("output", { for: "filter" });
  const field = make("input", { type: "search", id: "filter", autocomplete: "off", input: () => choose() });
  function choose() {
    const rows = [...table.querySelectorAll("tbody tr")];
    for (const row of rows) row.hidden = !textOf(row.dataset.row).toLowerCase().includes(field.value.toLowerCase());
    told.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} ${what}`;
  }
  choose();
  return [make("p", {}, make("label", { for: "filter" }, `Show ${what} with `), field, " ", told), table];
}

/** Wrap a table so that it scrolls if it is too wide. */
const framed = (caption, table, also = "") =>
  make("div", { class: `wide${also}`, tabindex: 0, role: "region", "aria-label": caption }, table);

/** Make the head of a table that cannot be sorted. `numbers` are the indexes of columns with numbers. */
const headOf = (names, numbers) =>
  make("thead", {}, make("tr", {}, names.map((text, i) => make("th", { scope: "col", class: numbers.includes(i) && "number" }, text))));

// ---------------------------------------------------------------------------------------- runs

/** Return the comparison of a run with a baseline by a measure; null if they are the same or were not tested. */
function against(name, run, baseline = at.b) {
  const row = core.baselines.indexOf(baseline);
  if (row < 0 || run === baseline) return null;
  return Object.fromEntries(Object.entries(core.measures[name].pairs).map(([key, rows]) => [key, rows[row][run]]));
}

/** Mark a run that is significantly better or worse than the baseline; return null for other runs. */
function mark(name, run) {
  const [pair, { mean }] = [against(name, run), core.measures[name]];
  if (pair === null || pair.p === null || pair.adjusted > core.alpha) return null;
  const wins = mean[run] > mean[at.b] === core.asked.find((one) => one.name === name).higher;
  return make("span", { class: wins ? "better" : "worse" }, wins ? "▲" : "▼", make("span", { class: "heard" }, wins ? " better" : " worse"));
}

/** Return the limits of a scale for numbers. It starts at 0 unless all numbers are close together and far above 0. */
function scaleOf(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers, 1e-9)];
  return [least > most / 3 ? least - (most - least) / 20 : Math.min(0, least), most];
}
/** This mark shows that a scale does not start at 0. */
const CUT = "//";

/** Return between two and five round numbers on a scale, with as few decimals as they need. */
function ticksOf(least, most) {
  const span = most - least || 1;
  const power = 10 ** Math.floor(Math.log10(span));
  const [step, digits] = [5, 2, 1, 0.5, 0.2].map((part) => [part * power, Math.max(0, Math.round(-Math.log10(power)) + (part < 1))])
    .find(([one]) => Math.floor(most / one + 1e-9) - Math.ceil(least / one - 1e-9) >= (least > 0 ? 1 : 2));
  const ticks = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most + step * 1e-9; i++) ticks.push([i * step, value(i * step, digits)]);
  return ticks;
}

/** Show the mean of a run and its interval, as text and on a scale from `low` to `high`. */
function scoreOf(name, run, [low, high]) {
  const [of, pair] = [core.measures[name], against(name, run)];
  const part = (number) => percent((number - low) / (high - low || 1));
  const known = of.low[run] !== null;
  const range = known ? placed(make("i", { class: "range" }), { left: part(of.low[run]), width: part(low + of.high[run] - of.low[run]) }) : null;
  const line = placed(make("i", { class: "line" }), { left: part(of.mean[at.b]) });
  const dot = placed(make("i", { class: "dot" }), { left: part(of.mean[run]) });
  const digits = pair === null ? of.digits : narrow(pair.low, pair.high, of.digits);
  const told = pair === null ? "" :
    `; ${change(of.mean[run] - of.mean[at.b], digits)} ${pair.low === null ? "" : `(${change(pair.low, digits)} to ${change(pair.high, digits)}) `}against ` +
    `${core.short[at.b]}, ${tested(pair)}, better on ${counted(pair.wins, "topic")}, worse on ${pair.losses}`;
  return make("div", { class: "score", title: `${of.mean[run]}${told}` },
    make("b", {}, mark(name, run), " ", value(of.mean[run], of.digits)),
    make("span", { class: "track", "aria-hidden": "true" }, low > 0 ? make("u", {}, CUT) : null, line, range, dot),
    make("small", {}, known ? `${value(of.low[run], of.digits)} to ${value(of.high[run], of.digits)}` : ""));
}

/** Count the topics that means are computed from. A measure has no value for topics without relevant content. */
const known = () => measure().values[0].filter((number) => number !== null).length;
const averaged = () => {
  if (known() === core.topics.length) return `${counted(known(), "topic")}.`;
  return `${core.asked[at.m].label}: means over ${count(known())} of ${counted(core.topics.length, "topic")}, those with relevant content.`;
};
/** Say which runs are shown, unless all are. */
const selected = () => (core.runs.length < core.among ? `Shown: ${core.selection}. ` : "");

/** Name the best run, its lead over the chosen baseline or else over the next run, whether the lead is significant, and the topics that differ most. */
function answer() {
  const { name, label } = core.asked[at.m];
  const { mean, values } = measure();
  const [best, next] = [...core.runs.keys()].sort((x, y) => better(mean[y]) - better(mean[x]) || x - y);
  const second = (core.chosen || at.b !== core.baseline) && best !== at.b && mean[at.b] !== null ? at.b : next;
  const pair = second === undefined ? null : against(name, second, best);
  if (pair === null || pair.p === null) return [];
  const lead = mean[best] - mean[second];
  const digits = narrow(pair.low, pair.high, measure().digits);
  const gap = (t) => (values[best][t] === null || values[second][t] === null ? -1 : Math.abs(values[best][t] - values[second][t]));
  const least = Math.max(0, Math.min(...[...core.topics.keys()].map(gap).filter((number) => number >= 0)));
  const carry = [...core.topics.keys()].sort((x, y) => gap(y) - gap(x) || x - y).slice(0, 2).filter((t) => gap(t) > least + 5e-7);
  const [run, baseline] = best === at.b ? [second, best] : [best, second];
  return [make("p", { class: "answer" }, make("b", {}, core.short[best]), Math.abs(lead) < 5e-7 ? ` and ${core.short[second]} are equal by ${label}: ` : ` is best by ${label}: `, `${value(mean[best])}, `,
    pair.low === null ? change(lead) : `${change(lead, digits)} [${value(-pair.high, digits)}, ${value(-pair.low, digits)}]`,
    ` against the ${second === next ? "next" : "baseline"}, ${core.short[second]}; better on ${pair.losses} of ${counted(known(), "topic")}; ${tested(pair)}: `,
    make("b", {}, pair.adjusted > core.alpha ? "not significant" : "significant"), carry.length ? ". They differ most on " : "",
    carry.map((t, i) => [i ? " and " : "", make("a", { href: to({ v: "topic", a: run, b: baseline, t }) }, core.topics[t].name)]), ".")];
}

function runs() {
  const scales = core.asked.map(({ name }) => {
    const { low, high, mean } = core.measures[name];
    return scaleOf([...low, ...high, ...mean].filter((number) => number !== null));
  });
  const tag = (r) => (r === at.b ? [" ", make("span", { class: "tag" }, "baseline")] : null);
  const columns = [
    { name: "Run", first: 1, by: (r) => core.runs[r], show: (r) => [make("a", { href: to({ v: "topics", a: r }), title: hover(r) }, core.short[r]), tag(r)] },
    ...core.asked.map(({ name, label, title, higher }, m) =>
      ({ name: label, title, first: higher ? -1 : 1, number: true, by: (r) => core.measures[name].mean[r], show: (r) => scoreOf(name, r, scales[m]) })),
  ];
  const about = (r) => ({ class: r === at.b ? "baseline" : null, "data-row": r });
  const bars = core.asked.some(({ name }) => core.measures[name].low.some((number) => number !== null));
  const table = sortable(`Means over topics${bars ? ", with intervals" : ""}`, columns, [...core.runs.keys()], [1 + at.m, core.asked[at.m].higher ? -1 : 1], about);
  const level = 100 * (1 - core.alpha);
  const legend = make(
    "p", { class: "note" },
    `The dot is the mean, ${bars ? `the bar its ${level.toFixed(0)} % interval, ` : ""}the line the mean of the baseline, ${core.short[at.b]}. `,
    scales.some(([low]) => low > 0) ? `A scale with ${CUT} does not begin at 0. ` : "",
    core.baselines.includes(at.b)
      ? ["▲ ▼ significantly better or worse than the baseline; without a mark, the difference may be due to chance. ",
         ...measure().careful.map((line) => make("b", {}, `Caution: ${line}.`))]
      : "With one run or one topic, or too many runs, no difference is tested.",
  );
  return [
    heading("Which run is best?", `${selected()}${averaged()} Select a run to see its topics.`),
    ...answer(),
    filtered("runs", table, (r) => core.runs[r]),
    legend,
    ...(core.failures ? failures() : []),
    ...(core.sweep ? [swept()] : []),
  ];
}

/** Make a table of the outcomes of gold passages, within the part of each list that the measure reads. */
function failures() {
  const limit = core.asked[at.m].limit || "";
  const counts = core.failures[limit];
  const columns = [
    { name: "Run", first: 1, by: (r) => core.runs[r], show: (r) => [make("a", { href: to({ v: "topics", a: r }), title: hover(r) }, core.short[r])] },
    ...core.kinds.map(([name], i) => ({ name, first: -1, number: true, by: (r) => counts[r][i], show: (r) => count(counts[r][i]) })),
  ];
  return [
    sortable(`Outcomes of gold passages in ${limit ? `the first ${limit} of ${core.lists === "whole lists" ? "each list" : core.lists}` : core.lists}`, columns, [...core.runs.keys()], [1, -1]),
    make("p", { class: "note" }, core.kinds.map(([name, meaning]) => `${name}: ${meaning}. `)),
  ];
}

const LINES = ["#0072b2", "#c04d00", "#00795a", "#a8477f", "#7a6100", "#3a7fae"];

/** Draw the means of a sweep by its first setting, with a line for each combination of the other settings. */
function swept() {
  const [first, ...others] = core.sweep.settings;
  const { mean } = measure();
  const rows = core.sweep.rows.filter(([run]) => mean[run] !== null);
  const places = [...new Set(rows.map(([, at]) => at))];
  const [least, most] = scaleOf(rows.map(([run]) => mean[run]));
  const lines = new Map();
  for (const row of rows) {
    const name = others.map((other, i) => `${other} ${row[i + 2]}`).join(", ");
    lines.set(name, [...(lines.get(name) || []), row]);
  }
  const x = ([, at]) => (places.indexOf(at) + 0.5) / places.length;
  const y = ([run]) => 1 - (0.94 * (mean[run] - least)) / (most - least || 1);
  const coloured = (made, i, style = {}) => placed(made, { "--line": LINES[i % LINES.length], ...style });
  const each = [...lines.entries()];
  const drawn = each.map(([, of], i) => coloured(make("svg:polyline", { points: of.map((row) => `${100 * x(row)},${100 * y(row)}`).join(" ") }), i));
  const dots = each.flatMap(([, of], i) => of.map((row) => coloured(
    make("a", { class: "dot", href: to({ v: "topics", a: row[0] }), title: `${core.runs[row[0]]}: ${value(mean[row[0]])}` }), i, { left: percent(x(row)), top: percent(y(row)) })));
  const ticks = ticksOf(least, most).map(([number, text], i) => placed(make("span", { class: "tick-y" }, `${i || least <= 0 ? "" : CUT}${text}`), { top: percent(1 - (0.94 * (number - least)) / (most - least || 1)) }));
  const below = places.map((place) => placed(make("span", { class: "tick-x" }, place), { left: percent(x([0, place])) }));
  const picture = make("svg:svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn);
  return make("figure", { class: "growth sweep" },
    make("figcaption", {}, `${core.asked[at.m].label} by ${first}: `, others.length ? each.map(([name], i) => coloured(make("span", { class: "key" }, name), i)) : null),
    make("div", { class: "axes" }, make("div", { class: "plot" }, ticks, picture, dots), make("div", { class: "below" }, below)));
}

// ---------------------------------------------------------------------------------------- topics

const heading = (text, ...more) => [make("h2", { tabindex: -1 }, text), more.length ? make("p", { class: "lead" }, more) : null];
const label = (t) => core.topics[t].name + (core.topics[t].query ? `: ${core.topics[t].query}` : "");

/** Sort topics by the absolute values of their differences, largest first. Topics without a difference come last. */
function ordered(numbers) {
  const size = (t) => (numbers[t] === null ? -1 : Math.abs(numbers[t]));
  return numbers.map((_, t) => t).sort((x, y) => size(y) - size(x) || x - y);
}

function strip(numbers) {
  const known = numbers.map((number, t) => [number, t]).filter(([number]) => number !== null);
  const most = Math.max(0, ...known.map(([number]) => Math.abs(number))) || 1;
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
    make("span", {}, `${change(-most)} ${core.short[at.b]} better`.replace(/^(\S+) (.*)$/, core.asked[at.m].higher ? "$1 $2" : "$1")),
    make("span", {}, "0"), make("span", {}, core.asked[at.m].higher ? `${core.short[at.a]} better ${change(most)}` : change(most)));
  const wins = known.filter(([number]) => better(number) > 5e-7).length;
  const losses = known.filter(([number]) => better(number) < -5e-7).length;
  return make("figure", {},
    make("figcaption", {}, `Each dot is a topic, the line their mean (${change(mean)}): `,
      make("b", {}, `${core.short[at.a]} is better on ${wins}, worse on ${losses}, equal on ${known.length - wins - losses}.`)),
    plot, scale);
}

/** The maximum number of rows (runs) in the map, and the maximum number of columns (topics) with names. */
const [MOST_ROWS, MOST_NAMED] = [60, 40];

/** Draw a map of runs (rows) and topics (columns). The fuller a cell, the higher its value. Arrow keys move the focus. */
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
        title: `${core.short[r]}, ${label(t)}: ${value(number)}`, "aria-label": `${core.short[r]}, topic ${core.topics[t].name}: ${value(number)}`,
      });
      return make("td", {}, placed(link, { "--part": Math.max(0, number || 0) / most }));
    });
    return make("tr", {}, make("th", { scope: "row" }, make("a", { href: to({ a: r }), title: hover(r) }, core.short[r]), " ", value(mean[r])), cells);
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
  }, make("caption", { class: "heard" }, "Values of all runs on all topics"), order.length > MOST_NAMED ? null : make("thead", {}, make("tr", {}, make("td"), order.map((t) =>
    make("th", { scope: "col" }, make("a", { href: to({ v: "topic", t }), tabindex: -1, title: label(t) }, core.topics[t].name))))), make("tbody", {}, rows));
  placed(table, { "--columns": order.length });
  return make("details", { open: "" }, make("summary", {}, shown.length < core.among ? `The ${shown.length} best of ${core.among} runs on these topics` : "All runs on these topics"),
    make("p", { class: "note" }, "Columns are topics in the order of the table below. The fuller a cell, the higher its value."),
    make("div", { class: "wide" }, table));
}

/** Show a difference as a bar to the left or right of zero, and as a number. */
function diverging(number, most) {
  const width = Math.abs(number || 0) / most / 2;
  const bar = placed(make("i", { class: better(number || 0) > 0 ? "up" : "down" }), { left: percent(number < 0 ? 0.5 - width : 0.5), width: percent(width) });
  return [make("span", { class: "diverging", "aria-hidden": "true" }, bar), make("span", { class: "amount" }, change(number))];
}

function topics() {
  const name = core.asked[at.m].label;
  const numbers = differences();
  const most = Math.max(1e-9, ...numbers.map((number) => Math.abs(number || 0)));
  const two = at.a !== at.b;
  const order = ordered(numbers);
  const none = order.filter((t) => numbers[t] === null);
  const values = (run) => ({ name: core.short[run], first: -1, number: true, by: (t) => measure().values[run][t], show: (t) => value(measure().values[run][t]) });
  const query = (t) => (core.topics[t].query ? make("span", { class: "query" }, core.topics[t].query) : null);
  const columns = [
    { name: "Topic", first: 1, by: (t) => core.topics[t].name, show: (t) => [make("a", { href: to({ v: "topic", t, w: 0 }) }, core.topics[t].name), query(t)] },
    ...sides().map((side) => values(runOf(side))),
    ...(two ? [{ name: "Difference", first: -1, number: true, by: (t) => Math.abs(numbers[t]), show: (t) => diverging(numbers[t], most) }] : []),
    { name: "Gold", first: -1, number: true, by: (t) => core.topics[t].gold, show: (t) => count(core.topics[t].gold) },
  ];
  const caption = `${name} on every topic${two ? ", and the difference" : ""}`;
  return [
    ...heading(two ? `Where is ${core.short[at.a]} better than ${core.short[at.b]}?` : `How good is ${core.short[at.a]} on each topic?`,
      two ? `${name}, topic by topic, the largest difference first. Select a topic to see its results.`
          : `${name}, topic by topic. This run is the baseline itself: choose another run above to compare them.`),
    two ? strip(numbers) : null,
    heat(order),
    ...filtered("topics", sortable(caption, columns, order.filter((t) => numbers[t] !== null), two ? [3, -1] : [1, -1], (t) => ({ "data-row": t })), label),
    none.length ? make("details", {}, make("summary", {}, `${counted(none.length, "topic")} without a value, because nothing is relevant`),
      make("p", {}, none.map((t) => [make("a", { href: to({ v: "topic", t, w: 0 }) }, label(t)), " · "]))) : null,
    make("p", { class: "note" }, `Gold: the amount of text to find, in ${core.unit}.`),
  ];
}

// ---------------------------------------------------------------------------------------- one topic

/** Return the beginning of a text on one line, at most `most` characters; cut it after a word, and append an ellipsis. */
function beginning(text, most) {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= most) return line;
  return `${line.slice(0, most + 1).replace(/\s\S*$|.$/u, "")}…`;
}

/** Make a placeholder for the beginning of the text [start, end) of a document, which `quote` fills in. */
const quoted = (topic, document, start, end) =>
  core.known && document >= 0 && start >= 0 && end > start
    ? make("span", { class: "quoted", dir: "auto", "data-text": topic.text[document], "data-start": start, "data-end": end })
    : null;

/** Fill in the placeholders whose texts are in this file. A topic may have many texts, and other files load slowly. */
async function quote() {
  const known = new Map();
  for (const place of byId("main").querySelectorAll(".quoted")) {
    const name = `d${place.dataset.text}`;
    if (byId(name) === null) continue;
    if (!known.has(name)) known.set(name, slicer(await block(name)));
    const [start, end, { slice, title }] = [Number(place.dataset.start), Number(place.dataset.end), known.get(name)];
    const text = beginning(slice(start, Math.min(end, start + 200)), 100);
    place.replaceChildren(...(title && !text.includes(title) ? [make("b", {}, title), ": "] : []), text);
  }
}

const listOf = (topic, run) => topic.lists.find((one) => one.run === run) || null;
/** Return the path of a result. For runs with passages, which may happen to be elements, return its offsets instead. */
const whereOf = (topic, list, i) => {
  if (list.path[i] >= 0 && !core.passages[list.run]) return topic.paths[list.path[i]];
  if (list.document[i] < 0 || list.start[i] < 0) return "";
  return core.unit === "documents" ? "" : `${count(list.start[i])}–${count(list.end[i])}`;
};

/** Return the path that appears when the user points at the offsets of a result, or null. */
const pathOf = (topic, list, i) => (list.path[i] >= 0 && core.passages[list.run] ? topic.paths[list.path[i]] : null);

/** Return where the measure stops reading a list, or null if it reads the whole list. */
const endOf = (list) => list?.ends[core.asked[at.m].name] || null;
/** Count the results that the measure reads. It may read only a part of the last one. */
const readOf = (list) => (endOf(list) ? endOf(list).whole + (endOf(list).part > 0) : list?.rank.length || 0);

/** Return the sizes of a result's four parts: new gold, gold read again, other new text, other text read again. */
function partsOf(list, i) {
  const [size, fresh, gold, found] = [list.size[i], list.new[i], list.gold[i], list.found[i]];
  return { found, "gold-again": gold - found, other: fresh - found, "other-again": size - fresh - (gold - found) };
}

function barOf(list, i, most) {
  const parts = Object.entries(partsOf(list, i)).filter(([, length]) => length > 0);
  return make("span", { class: "bar", "aria-hidden": "true" },
    parts.map(([name, length]) => placed(make("i", { class: name }), { width: percent(length / most) })));
}

/** Add up the amounts of text and gold in the first k results of a list. */
function totals(list, k) {
  const up = (column) => sum(list[column].slice(0, k));
  const [size, fresh, found] = [up("size"), up("new"), up("found")];
  return { size, new: fresh, found, again: size - fresh, other: fresh - found };
}

/** Return the measure's value after each result of a list or, if this is unknown, the share of gold read. */
function courseOf(list) {
  const values = list?.values[core.asked[at.m].name] || [];
  if (values.some((number) => number !== null)) return values;
  let read = 0;
  return (list?.found || []).map((length) => (core.topics[at.t].gold ? (read += length) / core.topics[at.t].gold : null));
}

/** Return whether any shown list has values of the measure after its results. */
const followed = (topic) =>
  sides().some((side) => listOf(topic, runOf(side))?.values[core.asked[at.m].name]?.some((number) => number !== null));

/** After this number of results, results without new gold are hidden at first. */
const MOST_SHOWN = 20;

function tableOf(topic, side, most) {
  const run = runOf(side);
  const list = listOf(topic, run);
  const name = core.asked[at.m].label;
  const gold = core.topics[at.t].gold;
  const title = make("h3", { title: hover(run) }, core.short[run], side || at.a === at.b ? [" ", make("span", { class: "tag" }, "baseline")] : null);
  if (list === null || !list.rank.length) return make("section", { class: "list" }, title, make("p", {}, "The run returned nothing for this topic."));
  const values = courseOf(list);
  const [end, limit] = [endOf(list), core.asked[at.m].limit];
  const all = end ? { ...end, again: end.size - end.new } : totals(list, list.rank.length);
  const stepOf = (i) => (values[i] === null || values[i] === undefined ? null : values[i] - (i ? values[i - 1] : 0));
  const credited = followed(topic) && list.rank.some((_, i) => !list.found[i] && stepOf(i) >= 5e-4);
  const rows = list.rank.map((rank, i) => {
    const parts = partsOf(list, i);
    const document = list.document[i];
    const [beyond, cut] = [i >= readOf(list), end && end.part > 0 && i === end.whole];
    const fresh = beyond ? 0 : cut ? end.found - totals(list, i).found : parts.found;
    const begun = cut ? `read in part: its first ${units(end.part)}, with ${count(fresh)} new gold` : null;
    const reason = beyond ? "not read by the measure" : begun || Object.values(core.reasons)[list.why[i]];
    const shownName = document < 0 ? "unknown document" : topic.documents[document];
    const link = document < 0 ? shownName : make("a", { href: to({ v: "document", w: side, d: shownName, k: i + 1 }) }, shownName);
    const step = stepOf(i);
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
  const dull = rows.slice(MOST_SHOWN).filter((row) => !row.classList.contains("has"));
  for (const row of dull) row.hidden = true;
  const unfold = (event) => {
    for (const row of dull) row.hidden = false;
    event.target.closest("tr").remove();
  };
  if (dull.length > 1) rows.splice(MOST_SHOWN, 0, make("tr", { class: "limit" }, make("td", { colspan: 4 },
    make("button", { type: "button", click: unfold }, `${counted(dull.length, "result")} without new gold after rank ${MOST_SHOWN}`))));
  if (end) {
    const line = make("tr", { class: "limit" }, make("td", { colspan: 4 }, `The measure reads no further: ${limit}.`));
    const place = end.whole + (end.part > 0);
    rows.splice(place + (dull.length > 1 && place >= MOST_SHOWN), 0, line);
  }
  const scope = end ? ` Read within ${limit}` : limit === "" ? " Read in the whole list" : " Read";
  const facts = [
    `${counted(list.rank.length, "result")}.${scope}: ${units(all.new)}`, gold ? `, with ${count(all.found)} of ${count(gold)} gold (${(100 * all.found / gold).toFixed(0)} %)` : "",
    all.again ? `; ${count(all.again)} read again` : "", ".",
    credited ? " Contributions count text once. The measure also credits results without new gold." : "",
  ];
  const head = headOf(["Rank", "Result", "Contribution", followed(topic) ? "Value so far" : "Gold so far"], [0, 3]);
  return make("section", { class: "list", "aria-label": `Results of ${core.runs[run]}` }, title,
    make("p", { class: "score" }, `${name} `, make("b", {}, value(measure().values[run][at.t]))), make("p", { class: "note" }, facts),
    make("table", {}, head, make("tbody", {}, rows)));
}

/** Draw the value of the measure after each result of the shown lists, with a slider for the rank. */
function growth(topic) {
  const lines = sides().map((side) => courseOf(listOf(topic, runOf(side))));
  const longest = Math.max(...lines.map((line) => line.length));
  const most = Math.max(0, ...lines.flat().filter((number) => number !== null)) || 1;
  if (longest < 2 || lines.every((line) => line.every((number) => number === null))) return null;
  const drawn = lines.map((line, side) => {
    const path = line.map((number, i) => (number === null ? "" : `${i ? "H" : "M0 100H"}${((100 * i) / longest).toFixed(2)}V${(100 - (96 * number) / most).toFixed(2)}`)).join("");
    return make("svg:path", { d: path ? `${path}H${((100 * line.length) / longest).toFixed(2)}` : "M0 0", class: `line-${side}` });
  });
  const mark = make("svg:path", { class: "mark" });
  const picture = make("svg:svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, drawn, mark);
  const ticks = ticksOf(0, most).slice(1).map(([number, text]) => placed(make("span", { class: "tick-y" }, text), { top: percent(1 - (0.96 * number) / most) }));
  const ranks = [...new Set([0.25, 0.5, 0.75, 1].map((part) => Math.max(1, Math.round(part * longest))))];
  const below = ranks.map((rank, i) => placed(make("span", { class: "tick-x" }, `${i ? "" : "rank "}${rank}`), { left: percent((rank - 0.5) / longest) }));
  const told = make("output", { for: "depth" });
  const slider = make("input", { type: "range", id: "depth", min: 1, max: longest, step: 1, value: longest, input: () => show() });
  function show() {
    const k = Number(slider.value);
    mark.setAttribute("d", `M${(100 * (k - 0.5)) / longest} 0V100`);
    const values = lines.map((line) => line[Math.min(k, line.length) - 1] ?? null);
    told.replaceChildren(`After ${counted(k, "result")}: `, sides().map((side) => `${core.short[runOf(side)]} ${value(values[side])}`).join(", "), ".");
    for (const row of document.querySelectorAll(".list tr[data-place]")) row.classList.toggle("later", row.dataset.place >= k);
  }
  show();
  return make("figure", { class: "growth" },
    make("figcaption", {}, `${followed(topic) ? core.asked[at.m].label : "Share of the gold that was read"} as the reader goes down the list: `,
      sides().map((side) => make("span", { class: `key key-${side}` }, core.short[runOf(side)]))),
    make("div", { class: "axes" }, make("div", { class: "plot" }, ticks, picture), make("div", { class: "below" }, below)),
    make("div", { class: "depth" }, make("label", { for: "depth" }, "Read so far: "), slider, told));
}

/** Return the amount of text in the union of intervals. */
function union(intervals) {
  let [total, reach] = [0, -Infinity];
  for (const [low, high] of [...intervals].sort((x, y) => x[0] - y[0])) {
    total += Math.max(0, high - Math.max(low, reach));
    reach = Math.max(reach, high);
  }
  return total;
}

/** Return how much of [start, end) in a document a list contains, and the first and the last result that add to it. */
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

/** With more gold passages, their table is folded at first. */
const MOST_GOLD = 6;

function goldTable(topic) {
  const { document, start, end } = topic.gold;
  if (!document.length) return make("p", {}, "There is no gold for this topic.");
  const place = (i) => make("span", { class: "path" }, core.unit === "documents" ? "" : ` ${count(start[i])}–${count(end[i])}`);
  const lists = sides().map((side) => listOf(topic, runOf(side)));
  const name = (i) => topic.documents[document[i]];
  const link = (i) => make("a", { href: to({ v: "document", d: name(i), w: 0, k: readOf(lists[0]) }) }, name(i));
  const found = (side) => {
    const covered = document.map((of, i) => coverage(lists[side], of, start[i], end[i]));
    const show = (i) => {
      const [held, first, last] = covered[i];
      const kind = lists[side]?.kinds[core.asked[at.m].limit || ""]?.[i];
      const why = kind ? core.kinds[kind][0] : "";
      if (first === null) return make("span", { class: "miss" }, `✗ ${why || "not found"}`);
      const { rank } = lists[side];
      const part = held === end[i] - start[i] ? "all" : `${((100 * held) / (end[i] - start[i])).toFixed(0)} %`;
      if (why === "too low") return make("span", { class: "miss" }, `✗ ${why}: ${part} by rank ${rank[last]}, but not before the cut-off`);
      return `✓ ${part}, at ${first === last ? `rank ${rank[first]}` : `ranks ${rank[first]} to ${rank[last]}`}${why && `: ${why}`}`;
    };
    return { name: core.short[runOf(side)], first: 1, by: (i) => covered[i][1], show };
  };
  const columns = [
    { name: "Gold", first: 1, by: (i) => i, show: (i) => [link(i), place(i), quoted(topic, document[i], start[i], end[i])] },
    { name: core.unit, first: -1, number: true, by: (i) => end[i] - start[i], show: (i) => count(end[i] - start[i]) },
    ...sides().map(found),
  ];
  const caption = lists.some(endOf) ? "Gold, and which run found it, in whole lists" : "Gold, and which run found it";
  const table = sortable(caption, columns, [...document.keys()], [0, 1]);
  return make("details", { open: document.length > MOST_GOLD ? null : "" }, make("summary", {}, `Gold: ${counted(document.length, "passage")}`), table);
}

const PART_NAMES = { found: "gold, new", "gold-again": "gold, read again", other: "new, not gold", "other-again": "not gold, read again" };

/** Explain colours and marks. If `marked` is true, each explanation is itself marked. */
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
    ...head, moves, goldTable(topic), growth(topic), legend(PART_NAMES, false),
    make("div", { class: sides().length > 1 ? "pair" : null }, sides().map((side) => tableOf(topic, side, most))),
  ];
  return { parts, ready: quote };
}

const missing = (what, is = "are") =>
  make("p", { class: "warning" }, core.folder === null ? `${what} did not fit into this page and ${is} left out.` : `${what} ${is} in the folder ${core.folder}, which is not next to this page.`);

// ---------------------------------------------------------------------------------------- one document

/** Divide a document at the borders of gold and results. `readers` are the indexes of the results with the piece. */
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

/** Return the state of a piece after k results (`STATE_NAMES`, or "unread"). */
function stateOf(piece, k) {
  const times = piece.readers.filter((place) => place < k).length;
  if (!times) return piece.gold ? "missed" : "unread";
  return (piece.gold ? "found" : "other") + (times > 1 ? " again" : "");
}

/** Return functions that slice a text by offsets in the unit of the page. */
function slicer(held) {
  const letters = /[\ud800-\udfff]/.test(held.text) ? Array.from(held.text) : null;
  const point = (unit) => (held.points ? held.points[Math.min(unit, held.points.length - 1)] : unit);
  const length = held.points ? held.points.length - 1 : letters ? letters.length : held.text.length;
  const slice = (start, end) => (letters ? letters.slice(point(start), point(end)).join("") : held.text.slice(point(start), point(end)));
  const nameOf = ([, , , start, end]) => beginning(slice(start, Math.min(end, start + 200)).replace(/^[#\s]+/, ""), 90);
  return { slice, length, nameOf, title: held.headed ? nameOf(held.outline[0]) : "" };
}

/** Return the text as blocks. Each piece becomes a span, is added to `spans`, and is coloured later. */
function textOf(held, pieces, spans) {
  const { slice, length } = slicer(held);
  const points = [...new Set([0, ...held.blocks, length])].sort((x, y) => x - y);
  const names = new Map(held.outline.map(([, , level, start]) => [start, level]));
  let next = 0;
  const touched = [];
  const blocks = points.slice(0, -1).map((begin, i) => {
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
    touched.push(inside.some((part) => part instanceof Element));
    return make("div", { dir: "auto", class: level === undefined || !held.headed ? `block${blank ? " blank" : ""}` : `block head level-${Math.min(level, 3)}`, "data-start": begin, "data-line": held.code ? i + 1 : null }, inside);
  });
  return held.code ? folded(blocks, touched) : blocks;
}

/** Fold lines of code without gold or results, except the two lines before and after each touched line. */
function folded(lines, touched) {
  const near = lines.map((_, i) => touched.slice(Math.max(0, i - 2), i + 3).some(Boolean));
  const parts = [];
  for (let i = 0, after = 0; i < lines.length; i = after) {
    while (after < lines.length && near[after] === near[i]) after += 1;
    const part = lines.slice(i, after);
    const fold = () => make("details", { class: "fold", toggle: () => resized() }, make("summary", {}, counted(part.length, "line")), part);
    parts.push(...(near[i] || part.length < 4 ? part : [fold()]));
  }
  return parts;
}

/** Draw a bracket in the margin for each result, from its start to its end. Overlapping brackets are side by side. */
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

/** Return the amounts of a document's text in each state after k results, and the amount that was read again. */
function lengthsAfter(pieces, k) {
  const lengths = { found: 0, missed: 0, other: 0, again: 0 };
  for (const piece of pieces) {
    const [size, [state]] = [piece.end - piece.start, stateOf(piece, k).split(" ")];
    if (state !== "unread") lengths[state] += size;
    lengths.again += Math.max(0, piece.readers.filter((place) => place < k).length - 1) * size;
  }
  return lengths;
}

/** Describe what was read after k results, of this document and of all documents, with the value of the measure. */
function toldAfter(list, k, lengths, all) {
  const { name, label, limit } = core.asked[at.m];
  const here = lengths.found + lengths.missed;
  const number = k ? list.values[name]?.[k - 1] ?? null : null;
  const limited = endOf(list) && k > endOf(list).whole ? `, which reads no further than ${limit}` : "";
  return [
    make("b", {}, k ? `After result ${k} of ${list.rank.length}` : "Before the first result"),
    ". This document: ",
    here ? `${count(lengths.found)} of ${units(here, "gold ")}` : "no gold for this topic",
    `, ${count(lengths.other)} read in vain, ${count(lengths.again)} read again. All documents: ${count(all.found)} of ${count(core.topics[at.t].gold)} gold, `,
    `${units(all.new)} read.${number === null ? "" : ` ${label} ${value(number)}${limited}.`}`,
  ];
}

/** Make a table of the results of a list in a document, or say that there are none. */
function resultsHere(topic, list, here, d, run) {
  if (!here.length) return make("p", {}, `${run} returned nothing of this document for this topic.`);
  const columns = ["Rank", "Where", core.unit, "new", "gold", "new gold"];
  const rows = here.map((i) => make("tr", { "data-place": i },
    make("td", { class: "number" }, make("a", { href: to({ k: i + 1 }) }, String(list.rank[i]))),
    make("td", { class: "path" }, whereOf(topic, list, i) || topic.documents[d]),
    ["size", "new", "gold", "found"].map((column) => make("td", { class: "number" }, count(list[column][i])))));
  return framed(`Positions of the results of ${run}`, make("table", { class: "here" }, make("caption", {}, `Results of ${run} in this document`),
    headOf(columns, [0, 2, 3, 4, 5]), make("tbody", {}, rows)), " there");
}

/** Make links to the sections of a document, or return null if it has fewer than two. */
function outlineOf(held, page) {
  if (held.outline.length < 2) return null;
  const { nameOf } = slicer(held);
  const jump = (event, start) => {
    event.preventDefault();
    const section = page.querySelector(`[data-start="${start}"]`);
    if (!section) return;
    section.closest("details")?.setAttribute("open", "");
    section.tabIndex = -1;
    section.scrollIntoView();
    section.focus();
  };
  const entries = held.outline.map((section) =>
    placed(make("li", {}, make("a", { href: "#main", click: (event) => jump(event, section[3]) }, nameOf(section) || "…")), { "--level": section[2] }));
  return make("nav", { class: "outline", "aria-label": "Outline" },
    make("details", { open: globalThis.innerWidth > 900 ? "" : null }, make("summary", {}, "Outline"), make("ol", {}, entries)));
}

/** Show a document to the reader of one list: `show(k)` marks what was read after k results. */
function readerOf(topic, d, held, side, both) {
  const [list, run] = [listOf(topic, runOf(side)), core.short[runOf(side)]];
  const [pieces, spans] = [piecesOf(topic, list, d), []];
  const here = list ? [...list.rank.keys()].filter((i) => list.document[i] === d) : [];
  const gutter = make("div", { class: "gutter", role: "group", "aria-label": `Results of ${run} at the margin` });
  const page = make("div", { class: `page${held && !held.wraps ? " kept" : ""}${held && held.code ? " code" : ""}` }, held ? [gutter, ...textOf(held, pieces, spans)] : []);
  const firstOf = (place) => spans.find(({ piece, span }) => piece.readers.includes(place) && span.textContent.trim())?.span;
  for (const i of here) {
    // printed pages have no brackets, and show the rank in the text instead
    const first = firstOf(i);
    if (first) first.dataset.opens = `${first.dataset.opens || ""}[${list.rank[i]}]`;
  }
  const extent = Math.max(1, topic.size[d], ...pieces.map((piece) => piece.end));
  const strips = pieces.map((piece) =>
    ({ piece, span: placed(make("i", {}), { left: percent(piece.start / extent), width: percent((piece.end - piece.start) / extent) }) }));
  const told = make("output", { for: "rank", id: both && side ? "told-too" : "told" });
  const outline = held && !both ? outlineOf(held, page) : null;
  const box = make("section", { "aria-label": `As the reader of ${run}` }, both ? make("h3", { title: hover(runOf(side)) }, run) : null,
    make("div", { class: "overview", "aria-hidden": "true" }, strips.map(({ span }) => span)), resultsHere(topic, list, here, d, run),
    held ? make("div", { class: outline ? "leaf" : "leaf alone" }, outline, page)
      : core.known ? missing("The text of this document", "is")
      : make("p", { class: "warning" }, "The text of this document is missing, because the page was made without documents. The strip above shows where results and gold are in it."));
  function show(k) {
    for (const { span, piece } of [...spans, ...strips]) span.className = stateOf(piece, k) + (piece.readers.includes(k - 1) ? " now" : "");
    for (const one of box.querySelectorAll("[data-place]")) {
      one.classList.toggle("later", one.dataset.place >= k);
      one.classList.toggle("now", Number(one.dataset.place) === k - 1);
    }
    const lengths = lengthsAfter(pieces, k);
    const all = list ? totals(list, k) : { new: 0, found: 0 };
    Object.assign(told.dataset, { ...lengths, k, allFound: all.found, allNew: all.new });
    told.replaceChildren(both ? `${run}: ` : "", ...toldAfter(list, Math.min(k, list ? list.rank.length : 0), lengths, all));
  }
  const mark = () => held && list && brackets(gutter, page, spans, list, topic);
  return { box, told, here, show, mark, length: list ? list.rank.length : 0, look: (place) => firstOf(place)?.scrollIntoView({ block: "center" }) };
}

async function documentView() {
  const topic = await block(`t${at.t}`);
  if (topic === null) return [...heading(`Topic ${core.topics[at.t].name}`), missing("The results for this topic")];
  if (!topic.documents.length) return [...heading("No document"), make("p", {}, "No document is touched for this topic.")];
  const d = Math.max(0, topic.documents.indexOf(at.d));
  const held = core.known ? await block(`d${topic.text[d]}`) : null;
  const shown = at.w < 2 ? [Math.min(at.w, sides().length - 1)] : sides();
  const readers = shown.map((side) => readerOf(topic, d, held, side, shown.length > 1));
  const length = Math.max(...readers.map((one) => one.length));
  const here = readers.flatMap((one) => one.here).sort((x, y) => x - y);
  const slider = make("input", { type: "range", id: "rank", min: 0, max: length, step: 1, value: Math.min(at.k, length), input: () => show(Number(slider.value)) });
  const look = (place) => readers.find((one) => one.here.includes(place))?.look(place);
  const jump = (text, pick) => make("button", { type: "button", click: () => {
    const place = pick(Number(slider.value));
    if (place === undefined) return;
    show(place + 1);
    look(place);
  } }, text);
  const nextMissed = () => {
    const missed = [...byId("main").querySelectorAll(".page .missed")];
    const next = missed.findIndex((span) => span.classList.contains("looked")) + 1;
    missed[next - 1]?.classList.remove("looked");
    missed[next % missed.length]?.classList.add("looked");
    missed[next % missed.length]?.scrollIntoView({ block: "center" });
  };
  const controls = make("div", { class: "slider" },
    make("label", { for: "rank" }, "Read so far: "), slider,
    make("span", { class: "buttons" }, jump("← result here", (k) => here.filter((i) => i < k - 1).pop()), jump("result here →", (k) => here.find((i) => i >= k)),
      make("button", { type: "button", accesskey: "n", id: "missed", click: nextMissed, title: "key n" }, "missed gold ↓")), readers.map((one) => one.told));

  function show(k) {
    at.k = k;
    slider.value = k;
    slider.setAttribute("aria-valuetext", k ? `after result ${k} of ${length}` : "before the first result");
    for (const one of readers) one.show(k);
    try {
      history.replaceState(null, "", hashOf(at));
    } catch {
      // a page in a frame of a notebook has no address
    }
  }

  const which = at.a === at.b ? null : make("p", { class: "which" }, "As the reader of ", [...sides(), 2].map((side) =>
    make("a", { class: "step", href: to({ w: side }), "aria-current": side === at.w ? "true" : null }, side < 2 ? core.short[runOf(side)] : "both, side by side")));
  const redraw = () => {
    for (const one of readers) one.mark();
    show(Number(slider.value));
  };
  return {
    parts: [
      ...heading(topic.documents[d], held?.headed ? [make("b", {}, slicer(held).title), ". "] : "", "Topic ", make("a", { href: to({ v: "topic" }) }, label(at.t))),
      which, controls, legend(STATE_NAMES, true), make("div", { class: readers.length > 1 ? "pair" : null }, readers.map((one) => one.box)),
    ],
    ready: redraw,
    arrived: () => look(at.k - 1),
    resized: redraw,
  };
}

// ---------------------------------------------------------------------------------------- the page

let resized = () => {};

function choose(key, text, names) {
  const id = `choose-${key}`;
  const select = make("select", { id, change: () => { location.hash = to({ [key]: Number(select.value) }); } }, names.map((name, i) => make("option", { value: i }, name)));
  select.value = at[key];
  return make("span", {}, make("label", { for: id }, text), " ", select);
}

function frame() {
  byId("choices").replaceChildren(
    choose("m", "Measure", core.asked.map((one) => one.title)), choose("a", "Run", core.short), choose("b", "Baseline", core.short),
    make("button", { type: "button", click: () => navigator.clipboard?.writeText(location.href) }, "Copy link"),
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
  document.title = `${byId("main").querySelector("h2").textContent} – ${core.title}`;
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
addEventListener("keydown", (event) => {
  if (event.key === "n" && !event.ctrlKey && !event.metaKey && !event.altKey && event.target.type !== "search") byId("missed")?.click();
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
  byId("method").textContent = `Intervals contain the values that the test does not reject; ${core.method}.`;
  fill("notes", core.notes.map((note) => make("li", {}, note)));
  fill("names", core.runs.flatMap((name, r) => (hover(r) ? [make("dt", {}, core.short[r]), make("dd", {}, name)] : [])));
  fill("asked", core.asked.flatMap((one) => [make("dt", {}, one.label),
    make("dd", {}, `${one.summary}; ${one.range}, ${one.higher ? "higher" : "lower"} is better. ${one.paper}.`, one.remarks.map((remark) => ` ${remark}.`))]));
  await draw();
  byId("choices").addEventListener("submit", (event) => event.preventDefault());
})();
