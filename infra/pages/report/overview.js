"use strict";
// The first view: what the dataset is, how much of it there is, what was left out and what a setting would change.

fabula.views = fabula.views || {};

fabula.views.overview = function (main) {
  const { make, release, plots } = fabula;
  const reasons = Object.entries(release.counts.reasons).filter(([reason]) => reason).sort((a, b) => b[1] - a[1]);
  const kept = release.counts.reasons[""] || 0;
  const out = d3.sum(reasons, ([, count]) => count);
  const tile = (value, label, link) => make(link ? "a" : "div", { class: "tile", href: link || null }, make("strong", {}, value), make("span", {}, label));
  const histograms = release.measures.map(plots.histogram).filter(Boolean);
  const measures = new Map(release.measures.map((measure) => [measure.name, measure]));
  const thresholds = release.thresholds.map((rule) => measures.has(rule.measure) && plots.threshold(rule, measures.get(rule.measure))).filter(Boolean);
  const unlicensed = release.licenses.includes("unspecified");
  main.append(
    make("section", { class: "lead" },
      make("h1", {}, release.name),
      make("p", { class: "story" }, fabula.inline(release.about || "A dataset made by fabula.")),
      unlicensed ? make("p", { class: "warning", role: "note" }, "No licence is stated for this text. Find out under which terms the sources may be used before you publish the data, or a model that was trained on it.") : null,
      make("div", { class: "tiles" },
        tile(fabula.count(kept), `${release.words.row[1]} kept`, "#/read?reason=kept"),
        tile(fabula.count(out), "left out", reasons.length ? "#/read?reason=rejected" : null),
        tile(fabula.count(release.counts.units), release.words.unit[1], "#/units"),
        release.counts.turns ? tile(fabula.count(release.counts.turns), "turns") : "")),
    make("section", {}, make("h2", {}, "Tables and splits"), fabula.views.tables()),
    histograms.length ? make("section", {}, make("h2", {}, "Lengths and confidence"),
      make("p", { class: "quiet small legend" }, make("span", { class: "swatch" }), "kept ", make("span", { class: "swatch out" }), "left out"),
      make("div", { class: "grid-of-plots" }, histograms)) : "",
    reasons.length ? make("section", {}, make("h2", {}, "What was left out, and why"), fabula.views.rejects(reasons, kept + out)) : "",
    thresholds.length ? make("section", {}, make("h2", {}, "What a setting would change"),
      make("p", { class: "quiet small" }, "How many rows would be kept at another value. The rules after the one that dropped a row were not asked, so a looser setting may bring fewer."),
      make("div", { class: "grid-of-plots" }, thresholds)) : "",
    release.figures.length ? make("section", {}, make("h2", {}, "Figures"),
      fabula.table("Figures", [["figure"], ["value", "number"]], release.figures.map((row) => [row.metric, row.value]))) : "",
    ...fabula.views.quality(),
    release.faults.length ? make("section", {}, make("h2", {}, "Known faults"), make("ul", {}, release.faults.map((fault) => make("li", {}, fabula.inline(fault))))) : "",
    make("section", {}, make("h2", {}, "Licence and attribution"),
      make("p", {}, `${release.licenses.join(", ")}${release.attribution ? `, with credit to ${release.attribution}` : ""}. ATTRIBUTION.md lists whom the rows credit.`),
      Object.keys(release.withheld).length ? make("p", {}, `Kept out on request: ${Object.entries(release.withheld).map(([why, count]) => `${count} (${why})`).join("; ")}.`) : ""));
};

fabula.views.tables = function () {
  const splits = ["train", "validation", "test"];
  const filled = fabula.release.tables.filter((table, place) => !place || d3.sum(Object.values(table.rows)));
  const rows = filled.map((table) => [
    table.name, ...splits.map((split) => (split in table.rows ? fabula.count(table.rows[split]) : "")), fabula.count(d3.sum(Object.values(table.rows)))]);
  const units = splits.map((split) => fabula.release.units[split] || 0);
  const name = fabula.release.sharded ? `shards of ${fabula.release.words.unit[1]}` : fabula.release.words.unit[1];
  rows.push([fabula.make("em", {}, name), ...units.map(fabula.count), fabula.count(d3.sum(units))]);
  return fabula.table("Rows of each table by split", [["table"], ...splits.map((split) => [split, "number"]), ["rows", "number"]], rows);
};

fabula.views.rejects = function (reasons, all) {
  const { make } = fabula;
  const explained = new Map(fabula.release.rejects.map((entry) => [entry.reason, entry]));
  const settings = [...explained.values()].some((entry) => entry.setting || entry.note);  // of some pipelines no setting decides
  const heads = [["reason"], ["rows", "number"], ["share", "number"], ...(settings ? [["setting that decides"], ["to let half of them pass, or all"]] : [])];
  return fabula.table("Rows left out, by reason", heads, reasons.slice(0, 40).map(([reason, count]) => {
    const told = explained.get(reason) || {};
    const pass = told.half === null || told.half === undefined ? told.note || "" : `${told.half}, or ${told.every}`;
    return [make("a", { href: `#/read?reason=${encodeURIComponent(reason)}` }, reason), fabula.count(count), fabula.share(count, all),
      ...(settings ? [make("code", {}, told.setting || ""), pass] : [])];
  }));
};
