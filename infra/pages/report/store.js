"use strict";
// What is of this store and not of the release, so it is shown only where fabula serves: changes since the parent, quarantine.

fabula.views.changes = async function (main) {
  const { make } = fabula;
  main.append(make("h1", {}, "What changed"), make("div", { id: "changes" }, make("p", { class: "quiet" }, "Comparing with the release before …")));
  const box = document.getElementById("changes");
  try {
    const told = await fabula.ask("changes");
    if (!told.old) {
      box.replaceChildren(make("p", {}, told.why));
      return;
    }
    const settings = Object.entries(told.settings);
    box.replaceChildren(
      make("p", {}, `${told.table}: ${fabula.count(told.rows.old)} rows in ${told.old}, ${fabula.count(told.rows.new)} in ${told.new}.`),
      told.counts.length ? fabula.table("Rows that differ", [["rows that were"], ["because of"], ["rows", "number"]], told.counts.map((entry) => [entry.change, entry.why, fabula.count(entry.rows)])) : make("p", {}, "No row differs."),
      told.units.added.length ? make("p", {}, `New: ${told.units.added.slice(0, 50).join(", ")}${told.units.added.length > 50 ? " and more" : ""}.`) : "",
      told.units.removed.length ? make("p", {}, `Gone: ${told.units.removed.slice(0, 50).join(", ")}${told.units.removed.length > 50 ? " and more" : ""}.`) : "",
      settings.length ? fabula.table("Settings that differ", [["setting"], ["before"], ["now"]], settings.map(([name, both]) => [name, JSON.stringify(both.old), JSON.stringify(both.new)])) : "",
      told.changes.length ? make("h2", {}, "Row by row") : "",
      told.changes.length ? fabula.table("Row by row", [["row"], ["was"], ["because of"], ["columns"]], told.changes.map((row) => [
        row.change === "removed" ? row.id : make("a", { href: fabula.address("read", { row: row.id }) }, row.id), row.change, row.why.join(", "), row.columns.join(", ")])) : "",
      told.more ? make("p", { class: "quiet small" }, `and ${fabula.count(told.more)} more: fabula diff ${fabula.release.name} --rows`) : "");
  } catch (error) {
    box.replaceChildren(make("p", { class: "warning" }, error.message));
  }
};

fabula.views.quarantine = async function (main) {
  const { make } = fabula;
  main.append(make("h1", {}, "Quarantine"), make("div", { id: "quarantine" }, make("p", { class: "quiet" }, "Loading …")));
  const box = document.getElementById("quarantine");
  try {
    const { records } = await fabula.ask("quarantine");
    const why = d3.nest().key((record) => record.stage || "").rollup((each) => each.length).entries(records).sort((a, b) => b.value - a.value);
    box.replaceChildren(
      make("p", {}, records.length ? `${fabula.count(records.length)} units or files of the last runs are not in the dataset. They come in when their files or the settings change.` : "Nothing is in quarantine."),
      records.length ? make("p", { class: "chips" }, why.map((entry) => make("span", { class: "chip" }, `${entry.key} ${entry.value}`))) : "",
      records.length ? fabula.table("Quarantine", [["unit"], ["stage"], ["reason"], ["since"]], records.slice(0, 1000).map((record) => [record.unit, record.stage, record.reason, record.time.slice(0, 16).replace("T", " ")])) : "");
  } catch (error) {
    box.replaceChildren(make("p", { class: "warning" }, error.message));
  }
};
