"use strict";
// What all views share: the release's figures, elements made of text, files loaded on demand, the index of all rows.

const fabula = { release: JSON.parse(document.getElementById("release").textContent), served: "served" in document.documentElement.dataset };

/* Returns an element. Children are nodes or text; text of the data is never read as HTML. */
fabula.make = function (name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key in element && !key.includes("-") && key !== "list") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

/* Returns a text as nodes, with what stands between backticks as code. */
fabula.inline = (text) => text.split("`").map((part, place) => (place % 2 ? fabula.make("code", {}, part) : part));

fabula.count = (number) => Number(number).toLocaleString("en-GB");
fabula.share = (part, whole) => (whole ? `${(100 * part / whole).toFixed(part / whole < 0.1 ? 1 : 0)} %` : "0 %");
fabula.rows = (number) => `${fabula.count(number)} ${fabula.release.words.row[number === 1 ? 0 : 1]}`;
fabula.units = (number) => `${fabula.count(number)} ${fabula.release.words.unit[number === 1 ? 0 : 1]}`;
fabula.say = (text) => { document.getElementById("status").textContent = text; };

/* Returns a table: heads are [text, "number" or ""], cells are text or nodes. */
fabula.table = function (caption, heads, rows) {
  const { make } = fabula;
  return make("div", { class: "scrolling", tabIndex: 0, role: "region", "aria-label": caption },
    make("table", {},
      make("caption", { class: "unseen" }, caption),
      make("thead", {}, make("tr", {}, heads.map(([text, kind]) => make("th", { scope: "col", class: kind || "" }, text)))),
      make("tbody", {}, rows.map((cells) => make("tr", {}, cells.map((cell, place) => make("td", { class: heads[place][1] || "" }, cell)))))));
};

/* Files. Those that end in .gz are unpacked here, unless the server has said how they are packed and the browser has done it. */
fabula.unpack = async function (buffer) {
  const bytes = new Uint8Array(buffer);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return new TextDecoder().decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
};

fabula.kept = new Map();
fabula.load = function (path) {
  if (!fabula.kept.has(path)) {
    const loading = fetch(path).then(async (answer) => {
      if (!answer.ok) {
        const told = await answer.json().catch(() => ({}));  // what fabula's own server says; another one may send anything
        throw new Error(`${path}: ${(told && told.detail) || `the server says ${answer.status}`}`);
      }
      return JSON.parse(await fabula.unpack(await answer.arrayBuffer()));
    });
    loading.catch(() => fabula.kept.delete(path));
    fabula.kept.set(path, loading);
    if (fabula.kept.size > 40) fabula.kept.delete(fabula.kept.keys().next().value);
  }
  return fabula.kept.get(path);
};

fabula.ask = async function (name, parameters) {
  const answer = await fetch(`../api/${name}?${new URLSearchParams(parameters || {})}`);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.detail || `the server says ${answer.status}`);
  return told;
};

/* The index of all rows: it comes in parts, and views are told of each. */
fabula.index = { rows: [], units: [], byId: new Map(), byUnit: new Map(), whole: false, started: false, watchers: new Set() };

fabula.watchIndex = function (watcher) {
  fabula.index.watchers.clear();
  fabula.index.watchers.add(watcher);
  if (!fabula.index.started) fabula.startIndex();
  else watcher();
};

fabula.startIndex = async function () {
  const index = fabula.index;
  index.started = true;
  const parts = fabula.release.parts;
  try {
    for (let first = 0; first < parts.length; first += 4) {  // a few at once, in order
      const loaded = await Promise.all(parts.slice(first, first + 4).map((part) => fabula.load(part.index)));
      for (const [place, part] of loaded.entries()) {
        fabula.kept.delete(parts[first + place].index);  // what is kept is the index
        fabula.addPart(part);
      }
      index.whole = first + 4 >= parts.length;
      index.watchers.forEach((watcher) => watcher());
    }
    index.whole = true;
  } catch (error) {
    index.failed = location.protocol === "file:"
      ? "A browser loads no rows from files on a disk. Run fabula report, or serve this folder: python -m http.server"
      : `The rows cannot be loaded: ${error.message}`;
    index.started = false;
  }
  index.watchers.forEach((watcher) => watcher());
};

fabula.addPart = function (part) {
  const index = fabula.index;
  const units = part.units.map(([id, title, split, chunk, turns, kept, rejected]) => ({ id, title, split, chunk, turns, kept, rejected, rows: [] }));
  for (const unit of units) {
    index.units.push(unit);
    index.byUnit.set(unit.id, unit);
  }
  const columns = part.rows;
  for (let place = 0; place < columns.id.length; place++) {
    const unit = units[columns.unit[place]];
    const row = {
      id: columns.id[place], unit, reason: part.reasons[columns.reason[place]], confidence: columns.confidence[place],
      turns: columns.turns[place], words: columns.words[place], series: columns.series[place], summary: columns.summary[place], opening: (columns.opening || [])[place] || "", low: "",
    };
    unit.rows.push(row);
    index.rows.push(row);
    index.byId.set(row.id, row);
  }
};

/* Loads what a row has beyond the index: its turns, facts, drawings. */
fabula.loadRow = async function (row) {
  const chunk = await fabula.load(row.unit.chunk);
  return { unit: chunk.units[row.unit.id], told: chunk.rows.find((each) => each.id === row.id && each.unit === row.unit.id) };
};

/* Words that two texts share, by rough stems: what the reader marks. */
fabula.STOP = new Set(("a about after again all also am an and any are as at back be because been before but by can could did do does " +
  "down for from get go going good got had has have he her here him his how i if in into is it its just know let like little look " +
  "make me more my no not now of off oh okay on one or our out over really right say see she so some something than that the their " +
  "them then there they thing think this time to two up us very want was we well were what when where which who will with would yeah " +
  "yes you your").split(" "));
fabula.WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)?/gu;
fabula.stem = (word) => {
  const low = word.toLowerCase().replace(/['’]\w*$/, "");
  if (low.length < 3 || fabula.STOP.has(low)) return "";
  return low.length > 5 ? low.replace(/(ings?|edly|ed|ies|es|ly|s)$/, "") : low.replace(/s$/, "");
};
fabula.stems = (text) => new Set((text.match(fabula.WORD) || []).map(fabula.stem).filter(Boolean));

/* Returns a text as nodes, with the words marked whose stems are among those given, and words that hold what was searched for. */
fabula.markWords = function (text, stems, searched) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(fabula.WORD)) {
    const stem = fabula.stem(found[0]);
    const low = found[0].toLowerCase();
    const hit = searched.some((word) => low.includes(word));
    if (!hit && (!stem || !stems.has(stem))) continue;
    nodes.push(text.slice(from, found.index), fabula.make("mark", { class: hit ? "hit" : null }, found[0]));
    from = found.index + found[0].length;
  }
  nodes.push(text.slice(from));
  return nodes;
};
