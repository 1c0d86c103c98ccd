"use strict";
// The units: a list of them, and of one where its rows lie, how sure they are, how much of it they cover, who speaks.

fabula.unitList = { shown: 100 };

fabula.views.units = function (main, state) {
  const { make } = fabula;
  const [, many] = fabula.release.words.unit;
  main.append(make("h1", {}, state.unit ? "" : many[0].toUpperCase() + many.slice(1)), make("div", { id: "unit" }, make("p", { class: "quiet" }, "Loading …")));
  fabula.watchIndex(() => {
    const box = document.getElementById("unit");
    if (!box) return;
    if (fabula.index.failed) box.replaceChildren(make("p", { class: "warning" }, fabula.index.failed));
    else if (!state.unit) fabula.listUnits(box, state);
    else if (fabula.index.byUnit.has(state.unit)) {
      fabula.index.watchers.clear();
      fabula.showUnit(main, fabula.index.byUnit.get(state.unit));
    } else if (fabula.index.whole) box.replaceChildren(make("p", {}, `The release has no ${fabula.release.words.unit[0]} ${state.unit}.`));
  });
};

fabula.listUnits = function (box, state) {
  const { make, index } = fabula;
  let field = document.getElementById("unit-search");
  if (!field) {
    field = make("input", { type: "search", id: "unit-search", value: state.q || "", oninput: () => fabula.listUnits(box, state) });
    box.replaceChildren(make("p", {}, make("label", { htmlFor: "unit-search" }, "Name or title "), field), make("div", { id: "unit-table" }));
  }
  const wanted = field.value.toLowerCase();
  const found = index.units.filter((unit) => !wanted || `${unit.id} ${unit.title}`.toLowerCase().includes(wanted));
  const rows = found.slice(0, fabula.unitList.shown).map((unit) => [
    make("a", { href: fabula.address("units", { unit: unit.id }) }, unit.id), unit.title === unit.id ? "" : unit.title, unit.split, fabula.count(unit.turns), fabula.count(unit.kept), fabula.count(unit.rejected)]);
  document.getElementById("unit-table").replaceChildren(
    make("p", { class: "quiet small" }, `${fabula.units(found.length)}${index.whole ? "" : ", loading …"}`),
    fabula.table(fabula.release.words.unit[1], [[fabula.release.words.unit[0]], ["title"], ["split"], ["turns", "number"], ["kept", "number"], ["left out", "number"]], rows),
    found.length > rows.length ? make("button", { type: "button", onclick: () => { fabula.unitList.shown += 300; fabula.listUnits(box, state); } }, "Show more") : "");
};

fabula.showUnit = async function (main, unit) {
  const { make } = fabula;
  let chunk;
  try {
    chunk = await fabula.load(unit.chunk);
  } catch (error) {
    main.replaceChildren(make("p", { class: "warning" }, `It cannot be loaded: ${error.message}`));
    return;
  }
  const told = chunk.units[unit.id];
  const places = new Map(chunk.rows.filter((row) => row.unit === unit.id).map((row) => [row.id, row.spans || []]));
  const rows = unit.rows.map((row) => ({ ...row, spans: places.get(row.id) || [] })).filter((row) => row.spans.length);
  const words = d3.sum(told.turns, (turn) => turn[2].split(/\s+/).length);
  const explore = fabula.served && fabula.release.words.explores;
  main.replaceChildren(
    make("p", { class: "small" }, make("a", { href: "#/units" }, `← all ${fabula.release.words.unit[1]}`)),
    make("h1", {}, unit.title && unit.title !== unit.id ? `${unit.id}: ${unit.title}` : unit.id),
    make("p", { class: "chips" }, make("span", { class: "chip" }, unit.split), make("span", { class: "chip good" }, `${fabula.count(unit.kept)} kept`), make("span", { class: "chip bad" }, `${fabula.count(unit.rejected)} left out`),
      make("span", {}, `${fabula.count(told.turns.length)} turns, ${fabula.count(words)} words`), make("a", { href: fabula.address("read", { unit: unit.id }) }, `Read its ${fabula.release.words.row[1]}`)),
    ...(rows.length > 2 ? [fabula.drawSpans(told, rows), fabula.drawCoverage(told, rows)] : []),
    ...told.drawings.map((drawing) => fabula.draw(drawing, { unit: told, rows })),
    explore ? fabula.exploreBox(unit) : "",
    told.turns.some((turn) => turn[1].length) ? fabula.drawSpeakers(told) : "");
};

fabula.exploreBox = function (unit) {
  const { make } = fabula;
  const box = make("div", {});
  const start = async () => {
    box.replaceChildren(make("p", { class: "quiet" }, "Computing …"));
    try {
      const { drawings } = await fabula.ask("explore", { unit: unit.id });
      box.replaceChildren(...(drawings.length ? drawings.map((drawing) => fabula.draw(drawing, { unit })) : [make("p", { class: "quiet" }, "There is nothing to draw.")]));
    } catch (error) {
      box.replaceChildren(make("p", { class: "warning" }, error.message));
    }
  };
  return make("section", { class: "explore" }, make("button", { type: "button", id: "explore", onclick: start }, `Compute ${fabula.release.words.explores}`), box);
};
