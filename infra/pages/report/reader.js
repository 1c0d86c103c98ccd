"use strict";
// The rows: a list with search and filters, and beside it a row's dialogue and its summary with the words that they share.

fabula.reader = { first: 0, shown: 60, found: [], state: {}, around: 0 };

fabula.views.read = function (main, state) {
  const { make, reader } = fabula;
  const before = JSON.stringify({ ...reader.state, row: "" });
  reader.state = state;
  if (before !== JSON.stringify({ ...state, row: "" })) [reader.first, reader.shown] = [0, 60];
  reader.around = 0;
  if (!document.getElementById("results")) {
    main.append(make("h1", { class: "unseen" }, `${fabula.release.words.row[1]} of ${fabula.release.name}`),
      make("div", { class: "reading" },
        make("section", { class: "finding", "aria-label": "Search and list" }, reader.form(), make("p", { class: "small quiet", id: "found" }), make("p", { class: "small quiet", id: "unlisted" }), make("button", { type: "button", id: "earlier", hidden: true, onclick: reader.showEarlier }, "Show earlier ones"), make("ol", { id: "results" }), make("button", { type: "button", id: "more", hidden: true, onclick: reader.showMore }, "Show more")),
        make("article", { class: "row card", id: "row", "aria-label": "The row", tabIndex: -1 })));
  }
  reader.fill();
  fabula.watchIndex(reader.list);
};

fabula.reader.form = function () {
  const { make, release, reader } = fabula;
  const reasons = Object.keys(release.counts.reasons).filter(Boolean).sort();
  const choose = (id, label, options) => make("div", {}, make("label", { htmlFor: id }, label), make("select", { id, onchange: reader.apply }, options.map(([value, text]) => make("option", { value }, text))));
  const confident = release.measures.find((measure) => measure.name === "confidence");
  let waiting = 0;
  return make("form", { class: "filters", role: "search", onsubmit: (event) => { event.preventDefault(); reader.apply(); } },
    make("div", { class: "wide" }, make("label", { htmlFor: "q" }, `Search in ${release.words.row[1]}`),
      make("input", { type: "search", id: "q", placeholder: "words of the summary, a title, an id", autocomplete: "off", spellcheck: false, oninput: () => { clearTimeout(waiting); waiting = setTimeout(reader.apply, 160); } })),
    make("div", { class: "wide", hidden: !release.counts.turns }, make("label", { class: "tick" }, make("input", { type: "checkbox", id: "said", onchange: reader.apply }), " search in the dialogues too")),
    choose("split", "Split", [["", "all"], ["train", "train"], ["validation", "validation"], ["test", "test"]]),
    choose("reason", "Kept or not", [["", "all"], ["kept", "kept"], ["rejected", "left out"], ...reasons.map((reason) => [reason, reason])]),
    confident ? make("div", {}, make("label", { htmlFor: "least" }, `${confident.label}, from and to`), make("div", { class: "range" },
      make("input", { type: "number", id: "least", min: 0, max: 1, step: 0.05, placeholder: "0", onchange: reader.apply }),
      make("input", { type: "number", id: "most", min: 0, max: 1, step: 0.05, placeholder: "1", "aria-label": `${confident.label}, at most`, onchange: reader.apply }))) : null,
    choose("order", "Order", [["", "as in the dataset"], ["sure", "surest first"], ["unsure", "least sure first"], ["long", "longest first"]]),
    make("div", { id: "only" }));
};

/* Shows the state of the address in the form. */
fabula.reader.fill = function () {
  const { make, reader } = fabula;
  for (const name of ["q", "split", "reason", "least", "most", "order"]) {
    const field = document.getElementById(name);
    if (field && field !== document.activeElement) field.value = reader.state[name] || "";
  }
  document.getElementById("said").checked = reader.state.said === "1";
  const only = document.getElementById("only");
  only.replaceChildren(...(reader.state.unit ? [make("button", { type: "button", onclick: () => fabula.go("read", { ...reader.state, unit: "" }) }, `only ${reader.state.unit}  ✕`)] : []));
};

fabula.reader.apply = function () {
  const { reader } = fabula;
  const state = { ...reader.state, row: "" };
  for (const name of ["q", "split", "reason", "least", "most", "order"]) {
    const field = document.getElementById(name);
    if (field) state[name] = field.value.trim();
  }
  state.said = document.getElementById("said").checked ? "1" : "";
  fabula.said.failed = "";  // whoever searches again tries again
  fabula.go("read", state, true);
};

/* The words that are searched for. */
fabula.reader.searched = (state) => (state.q || "").toLowerCase().split(/\s+/).filter(Boolean);

/* Tells whether a row is searched for; words of the search must all be in its summary, its id, its unit's title, or what is said. */
fabula.reader.matcher = function (state) {
  const words = fabula.reader.searched(state);
  const least = state.least ? +state.least : -1, most = state.most ? +state.most : 2;
  const bounded = least >= 0 || most <= 1;
  const isSaid = state.said ? fabula.said.finder() : () => false;
  return (row) => {
    if (state.unit && row.unit.id !== state.unit) return false;
    if (state.split && row.unit.split !== state.split) return false;
    if (state.reason === "kept" ? row.reason : state.reason === "rejected" ? !row.reason : state.reason && row.reason !== state.reason) return false;
    if (bounded && (row.confidence === null || row.confidence < least || row.confidence > most)) return false;
    if (!words.length) return true;
    row.low = row.low || `${row.id} ${row.unit.id} ${row.unit.title} ${row.summary || row.opening}`.toLowerCase();
    return words.every((word) => row.low.includes(word) || isSaid(row, word));
  };
};

fabula.reader.ORDERS = {
  sure: (a, b) => (b.confidence ?? -1) - (a.confidence ?? -1),
  unsure: (a, b) => (a.confidence ?? 2) - (b.confidence ?? 2),
  long: (a, b) => b.words - a.words,
};

fabula.reader.list = function () {
  const { make, reader, index } = fabula;
  const box = document.getElementById("results");
  if (!box) return;
  const { state } = reader;
  reader.found = index.rows.filter(reader.matcher(state));
  if (state.said && state.q && index.whole && fabula.said.progress() && !fabula.said.loading && !fabula.said.failed) fabula.said.load(reader.list, reader.tellFound);
  if (reader.ORDERS[state.order]) reader.found.sort(reader.ORDERS[state.order]);
  const told = reader.tellFound();
  document.getElementById("unlisted").textContent = reader.tellUnlisted();
  if (index.whole) fabula.say(index.failed || told);
  const place = state.row ? reader.found.findIndex((row) => row.id === state.row) : -1;
  if (place >= 0 && (place < reader.first || place >= reader.shown)) {  // the list shows a part of a long one, around the row
    reader.first = Math.max(0, place - 30);
    reader.shown = place + 30;
  }
  box.replaceChildren(...reader.found.slice(reader.first, reader.shown).map((row) => reader.entry(row)));
  reader.offerMore();
  const chosen = (state.row && index.byId.get(state.row)) || (state.row ? null : reader.found[0]);
  document.querySelector(".reading").classList.toggle("chosen", Boolean(state.row));
  if (chosen) reader.show(chosen);
  else {
    reader.current = null;
    const absent = state.row && index.whole ? `No row has the id ${state.row}.` : index.whole ? "Nothing is found. Take a filter away, or search for fewer words." : "Loading …";
    document.getElementById("row").replaceChildren(make("p", { class: "quiet" }, index.failed || absent));
  }
};

/* Says how many rows are found, and in how much of the dialogues; returns the first of these. */
fabula.reader.tellFound = function () {
  const { reader, index } = fabula;
  const kept = fabula.count(reader.found.filter((row) => !row.reason).length);
  const told = `${fabula.count(reader.found.length)} of ${fabula.count(index.rows.length)} listed, ${kept} of them kept${index.whole ? "" : ", loading …"}`;
  const heard = reader.state.said && reader.state.q ? fabula.said.progress() : "";
  const place = document.getElementById("found");
  if (place) place.textContent = index.failed || (heard ? `${told}. ${heard}` : told);
  return told;
};

/* Says how many rows that were left out the report counts and does not list: of each unit it has the first ones of every reason. */
fabula.reader.tellUnlisted = function () {
  const { release, index, reader } = fabula;
  const unit = reader.state.unit && index.byUnit.get(reader.state.unit);
  if (reader.state.reason === "kept" || (reader.state.unit && !unit)) return "";
  const missing = unit ? unit.kept + unit.rejected - unit.rows.length : d3.sum(Object.values(release.counts.reasons)) - d3.sum(release.parts, (part) => part.listed);
  return missing ? `${fabula.count(missing)} more that were left out of ${unit ? unit.id : "the release"} are not listed here: the table of rejects has all of them.` : "";
};

fabula.reader.entry = function (row) {
  const { make, reader } = fabula;
  return make("li", {}, make("a", { href: fabula.address("read", { ...reader.state, row: row.id }), "data-row": row.id, "aria-current": reader.state.row === row.id ? "true" : null },
    make("span", { class: "meta" }, make("span", { class: "id" }, row.id), row.confidence === null ? "" : make("span", {}, row.confidence.toFixed(2)), row.reason ? make("span", { class: "out" }, row.reason) : ""),
    make("span", { class: "line" }, row.summary.slice(0, 180) || row.opening || "(the release has no text of it)")));
};

fabula.reader.offerMore = function () {
  const { reader } = fabula;
  document.getElementById("more").hidden = reader.found.length <= reader.shown;
  document.getElementById("earlier").hidden = reader.first === 0;
};

fabula.reader.showMore = function () {
  const { reader } = fabula;
  const from = reader.shown;
  reader.shown += 100;
  document.getElementById("results").append(...reader.found.slice(from, reader.shown).map((row) => reader.entry(row)));
  reader.offerMore();
};

fabula.reader.showEarlier = function () {
  const { reader } = fabula;
  const to = reader.first;
  reader.first = Math.max(0, to - 100);
  document.getElementById("results").prepend(...reader.found.slice(reader.first, to).map((row) => reader.entry(row)));
  reader.offerMore();
};

/* Moves to the row after or before the one that is shown. */
fabula.reader.step = function (by) {
  const { reader } = fabula;
  const now = reader.found.indexOf(reader.current);
  const next = reader.found[Math.min(Math.max(now + by, 0), reader.found.length - 1)];
  if (next) fabula.go("read", { ...reader.state, row: next.id }, true);
};

fabula.reader.show = async function (row) {
  const { make, reader } = fabula;
  const box = document.getElementById("row");
  if (reader.current === row && box.childElementCount > 1 && reader.drawn === `${row.id} ${reader.around} ${reader.state.q}`) return;
  const moved = reader.current !== row;
  reader.current = row;
  let loaded;
  try {
    loaded = await fabula.loadRow(row);
  } catch (error) {
    box.replaceChildren(make("p", { class: "warning" }, `This row cannot be loaded: ${error.message}`));
    return;
  }
  if (reader.current !== row || !document.getElementById("row")) return;
  reader.drawn = `${row.id} ${reader.around} ${reader.state.q}`;
  const { unit, told } = loaded;
  const spans = told.spans || [];
  const spoken = spans.flatMap(([start, stop]) => unit.turns.slice(start, stop));
  const inSummary = fabula.stems(row.summary), inDialogue = new Set(spoken.flatMap((turn) => [...fabula.stems(turn[2])]));
  const shared = new Set([...inSummary].filter((stem) => inDialogue.has(stem)));
  box.replaceChildren(
    make("div", { class: "row-head" },
      make("button", { type: "button", class: "back", onclick: () => fabula.go("read", { ...reader.state, row: "" }) }, "← List"),
      make("h2", {}, row.id),
      make("p", { class: "chips" }, make("span", { class: "chip" }, row.unit.split), make("span", { class: `chip ${row.reason ? "bad" : "good"}` }, row.reason || "kept"),
        row.confidence === null ? "" : make("span", { class: "chip" }, `${reader.confidence()} ${row.confidence.toFixed(2)}`),
        make("a", { href: fabula.address("units", { unit: row.unit.id }) }, row.unit.title && row.unit.title !== row.unit.id ? `${row.unit.id}: ${row.unit.title}` : row.unit.id))),
    make("div", { class: `beside${spoken.length ? "" : " alone"}` },
      make("section", { class: "summary", "aria-label": row.summary ? "Summary" : "Facts" }, ...reader.summary(row, spoken, shared, inSummary), reader.facts(told)),
      spoken.length ? make("section", { class: "dialogue", "aria-label": "Dialogue" }, make("h3", {}, `Dialogue · ${fabula.count(spoken.length)} turn${spoken.length === 1 ? "" : "s"}`), reader.turns(unit, spans, shared)) : ""),
    ...(told.drawings || []).map((drawing) => fabula.draw(drawing, { unit, row, spoken })));
  for (const link of document.querySelectorAll("#results a")) {
    if (link.dataset.row === row.id) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const current = document.querySelector("#results a[aria-current]");
  if (current && moved) current.scrollIntoView({ block: "nearest" });
  if (moved) box.scrollTop = 0;
};

/* The summary of a row, or its text; a dialogue without a summary has none. */
fabula.reader.summary = function (row, spoken, shared, inSummary) {
  const { make, reader } = fabula;
  if (!row.summary && spoken.length) return [];
  return [
    make("h3", {}, spoken.length ? "Summary" : "Text"),
    make("p", { class: "story" }, row.summary ? fabula.markWords(row.summary, shared, reader.searched(reader.state)) : "The release has no text of this row."),
    spoken.length ? make("p", { class: "quiet small" }, `${shared.size} of ${inSummary.size} content words are in the dialogue.`) : ""];
};

fabula.reader.confidence = () => (fabula.release.measures.find((measure) => measure.name === "confidence") || { label: "confidence" }).label;

fabula.reader.facts = function (told) {
  const { make } = fabula;
  const entries = Object.entries(told.facts || {});
  const label = (name) => (fabula.release.measures.find((measure) => measure.name === name) || {}).label;
  const values = Object.entries(told.values || {}).filter(([name]) => name !== "confidence" && label(name));
  return make("dl", { class: "facts small" }, [...entries, ...values.map(([name, value]) => [label(name), fabula.plots.short(value)])].flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
};

/* The turns of a row, and with `around` some before and after each span. */
fabula.reader.turns = function (unit, spans, shared) {
  const { make, reader } = fabula;
  const list = make("ol", { class: "turns" });
  const add = (from, to, outside) => {
    let said = null;
    for (const [number, speakers, text] of unit.turns.slice(from, to)) {
      const name = speakers.join(", ");
      list.append(make("li", { class: outside ? "outside" : "" }, make("span", { class: "number", "aria-label": `turn ${number}` }, String(number)),
        make("p", {}, name ? make("b", { class: name === said ? "again" : "" }, `${name} `) : "", fabula.markWords(text, outside ? new Set() : shared, reader.searched(reader.state)))));
      said = name;
    }
  };
  let done = 0;
  spans.forEach(([start, stop], place) => {
    const next = place + 1 < spans.length ? spans[place + 1][0] : unit.turns.length;
    add(Math.max(done, start - reader.around), start, true);
    add(start, stop, false);
    done = Math.min(next, stop + reader.around);
    add(stop, done, true);
  });
  const more = spans.length && (spans[0][0] > reader.around || spans[spans.length - 1][1] + reader.around < unit.turns.length);
  return make("div", {}, list, more ? make("button", { type: "button", id: "around", onclick: reader.widen }, "More around it ", make("kbd", { "aria-hidden": "true" }, "c")) : "");
};

fabula.reader.widen = function () {
  const { reader } = fabula;
  reader.around += 5;
  if (reader.current) reader.show(reader.current);
};
