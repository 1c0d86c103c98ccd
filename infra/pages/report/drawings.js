"use strict";
// Drawings of one unit or row: spans of turns, coverage, speakers, matrices of links and scores, pieces of threads, parts of scores.

fabula.draw = function (drawing, context) {
  const draw = { matrix: fabula.drawMatrix, heat: fabula.drawHeat, pieces: fabula.drawPieces, parts: fabula.drawParts, tree: fabula.drawTree }[drawing.kind];
  return draw ? draw(drawing, context) : "";
};

/* Where the rows lie: turns across, rows in order upwards, as in figure 3 of the CRD3 paper. One series of rows at a time. */
fabula.drawSpans = function (unit, rows) {
  const { make, plots } = fabula;
  const series = new Map();
  for (const row of rows) series.set(row.series, [...(series.get(row.series) || []), row]);
  const names = [...series.keys()];
  const choose = make("select", { id: "series", onchange: () => show(choose.value) }, names.map((name) => make("option", { value: name }, name)));
  const place = make("div", {});
  const show = (name) => {
    const shown = series.get(name);
    const label = `${fabula.count(shown.length)} rows over ${fabula.count(unit.turns.length)} turns: the first lies at turn ${shown[0].spans[0][0]}, the last at turn ${shown[shown.length - 1].spans[0][0]}`;
    place.replaceChildren(plots.svg(46 + Math.min(400, Math.max(22 * Math.min(shown.length, 5), shown.length * 6)), label, (svg, width, height) => {
      const left = 46, right = 10, top = 8, bottom = 36;
      const x = d3.scaleLinear().domain([0, unit.turns.length]).range([left, width - right]);
      const y = d3.scaleLinear().domain([0, shown.length]).range([height - bottom, top]);
      fabula.axes(svg, x, y, { width, height, left, right, bottom, across: "turn", steps: Math.min(4, shown.length) });
      const each = svg.append("g").selectAll("a").data(shown.map((row, number) => ({ row, number }))).enter().append("a")
        .attr("href", ({ row }) => fabula.address("read", { row: row.id })).attr("aria-label", ({ row }) => row.id).attr("tabindex", -1);
      each.append("title").text(({ row }) => `${row.id}${row.confidence === null ? "" : `, ${row.confidence.toFixed(2)}`}${row.reason ? `, ${row.reason}` : ""}: ${row.summary.slice(0, 120)}`);
      each.selectAll("rect").data(({ row, number }) => row.spans.map((span) => ({ span, row, number }))).enter().append("rect")
        .attr("class", ({ row }) => `span${row.reason ? " out" : ""}`).attr("x", ({ span }) => x(span[0])).attr("width", ({ span }) => Math.max(2, x(span[1]) - x(span[0])))
        .attr("y", ({ number }) => y(number + 1)).attr("height", Math.max(1.5, y(0) - y(1) - 0.5));
    }, "group"));
  };
  show(names[0]);
  return plots.frame("Where the rows lie", "Turns of the dialogue from left to right, rows in order from below. Each bar is a row; in the second colour it was left out.",
    names.length > 1 ? make("p", {}, make("label", { htmlFor: "series" }, "Rows of "), choose) : "", place);
};

/* Ticks of turns, scenes and rows are whole numbers; those of a scale from 0 to 1 are not. */
fabula.whole = (ticks, steps) => (steps === 2 ? ticks : ticks.filter(Number.isInteger));

fabula.axes = function (svg, x, y, { width, height, left, right, bottom, across, steps }) {
  svg.append("g").attr("class", "grid").attr("transform", `translate(${left},0)`).call(d3.axisLeft(y).tickValues(fabula.whole(y.ticks(steps || 4), steps)).tickSize(-(width - left - right)).tickFormat(fabula.plots.short)).select(".domain").remove();
  svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`).call(d3.axisBottom(x).tickValues(fabula.whole(x.ticks(Math.max(3, width / 110)))).tickFormat(fabula.plots.short).tickSizeOuter(0));
  svg.append("text").attr("class", "label").attr("x", width - right).attr("y", height - 4).attr("text-anchor", "end").text(across);
};

/* How many kept rows have each turn, and how sure they are there, along the unit. */
fabula.drawCoverage = function (unit, rows) {
  const { plots } = fabula;
  const n = unit.turns.length, kept = rows.filter((row) => !row.reason);
  const over = new Float64Array(n), sure = new Float64Array(n), rated = new Float64Array(n);
  for (const row of kept) {
    for (const [start, stop] of row.spans) {
      for (let turn = start; turn < stop; turn++) {
        over[turn] += 1;
        if (row.confidence !== null) { sure[turn] += row.confidence; rated[turn] += 1; }
      }
    }
  }
  const bins = Math.min(n, 300);
  const mean = (values, from, to) => d3.mean(values.slice(from, to)) || 0;
  const points = d3.range(bins).map((bin) => {
    const from = Math.floor(bin * n / bins), to = Math.max(from + 1, Math.floor((bin + 1) * n / bins));
    const weight = d3.sum(rated.slice(from, to));
    return { from, to, rows: mean(over, from, to), sure: weight ? d3.sum(sure.slice(from, to)) / weight : null };
  });
  const covered = over.filter(Boolean).length;
  const note = `${fabula.share(covered, n)} of the turns are in a kept row.`;
  const most = d3.max(points, (point) => point.rows) || 1;
  const steps = (label, top, ticks, value) => plots.svg(138, label, (svg, width, height) => {
    const left = 46, right = 10, bottom = 38;
    const x = d3.scaleLinear().domain([0, n]).range([left, width - right]);
    const y = d3.scaleLinear().domain([0, top]).nice(3).range([height - bottom, 8]);
    fabula.axes(svg, x, y, { width, height, left, right, bottom, across: "turn", steps: ticks });
    const runs = [];  // of bins that have a value: a gap stays a gap
    for (const point of points.filter((each) => value(each))) {
      const last = runs.length ? runs[runs.length - 1] : [];
      if (last.length && last[last.length - 1].to === point.from) last.push(point);
      else runs.push([point]);
    }
    for (const run of runs) {
      const drawn = [...run, { ...run[run.length - 1], from: run[run.length - 1].to }];
      const shape = (generator) => generator.x((point) => x(point.from)).curve(d3.curveStepAfter);
      svg.append("path").datum(drawn).attr("class", "area").attr("d", shape(d3.area()).y0(y(0)).y1((point) => y(value(point))));
      svg.append("path").datum(drawn).attr("class", "curve").attr("d", shape(d3.line()).y((point) => y(value(point))));
    }
  });
  const confident = kept.some((row) => row.confidence !== null);
  return plots.frame("Coverage along the dialogue", note, fabula.make("p", { class: "small quiet" }, "Kept rows over a turn"), steps(`Kept rows over each turn. ${note}`, most, 3, (point) => point.rows),
    confident ? fabula.make("p", { class: "small quiet" }, `Their mean ${fabula.reader.confidence()}`) : "", confident ? steps(`Mean ${fabula.reader.confidence()} of the kept rows over each turn`, 1, 2, (point) => point.sure) : "");
};

fabula.drawSpeakers = function (unit) {
  const words = new Map();
  for (const [, speakers, text] of unit.turns) {
    const name = speakers.join(", ") || "(nobody named)";
    words.set(name, (words.get(name) || 0) + text.split(/\s+/).length);
  }
  const all = [...words].sort((a, b) => b[1] - a[1]);
  const note = all.length > 15 ? `The 15 of ${all.length} who speak most.` : "";
  return fabula.plots.bars("Speakers, by words", note, all.slice(0, 15));
};

fabula.colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
fabula.shades = () => d3.scaleLinear().domain([0, 0.15, 1]).range([fabula.colour("--sheet"), fabula.colour("--accent-soft"), fabula.colour("--accent")]).interpolate(d3.interpolateRgb).clamp(true);

/* Scenes across, sentences of the synopsis downwards: how likely each link is, and in a frame the one that was chosen. */
fabula.drawMatrix = function (drawing) {
  const { make, plots } = fabula;
  const n = drawing.sentences.length, m = drawing.scenes.length;
  const told = make("p", { class: "small told", "aria-live": "polite" }, "Point at a cell, or go through it with Tab and the arrow keys.");
  const cells = new Map(drawing.cells.map(([sentence, scene, value]) => [`${sentence} ${scene}`, value]));
  const tell = (sentence, scene) => {
    const value = cells.get(`${sentence} ${scene}`);
    told.textContent = `Sentence ${sentence}: “${drawing.sentences[sentence]}” · scene ${scene}: ${drawing.scenes[scene] || "no heading"}${value === undefined ? "" : ` · ${value === null ? "linked" : value.toFixed(2)}`}${drawing.path[sentence] === scene ? " · chosen" : ""}`;
  };
  const label = `Links of ${n} sentences and ${m} scenes; from sentence 0 in scene ${drawing.path[0]} to the last in scene ${drawing.path[n - 1]}`;
  const box = plots.svg(Math.min(520, Math.max(160, n * 12 + 50)), label, (svg, width, height) => {
    const left = 46, right = 10, top = 12, bottom = 36;
    const x = d3.scaleLinear().domain([0, m]).range([left, width - right]);
    const y = d3.scaleLinear().domain([0, n]).range([top, height - bottom]);
    fabula.axes(svg, x, y, { width, height, left, right, bottom, across: "scene" });
    const shade = fabula.shades(), wide = Math.max(2, x(1) - x(0)), tall = Math.max(2, y(1) - y(0));
    svg.append("path").datum(drawing.path).attr("class", "way").attr("d", d3.line().x((scene) => x(scene + 0.5)).y((_, sentence) => y(sentence + 0.5)));
    svg.append("g").selectAll("rect").data(drawing.cells).enter().append("rect").attr("x", ([, scene]) => x(scene)).attr("y", ([sentence]) => y(sentence)).attr("width", wide).attr("height", tall)
      .attr("fill", ([, , value]) => shade(value === null ? 1 : Math.max(0.12, value))).attr("class", ([sentence, scene]) => (drawing.path[sentence] === scene ? "cell chosen" : "cell"));
    svg.on("mousemove", () => {
      const [across, down] = d3.mouse(svg.node());
      const sentence = Math.floor(y.invert(down)), scene = Math.floor(x.invert(across));
      if (sentence >= 0 && sentence < n && scene >= 0 && scene < m) tell(sentence, scene);
    });
  });
  let at = 0;
  box.tabIndex = 0;
  box.setAttribute("role", "application");
  box.setAttribute("aria-label", `${label}. Arrow keys go from sentence to sentence.`);
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    at = Math.min(Math.max(at + step, 0), n - 1);
    tell(at, drawing.path[at]);
  });
  return plots.frame("Scenes and sentences", "Sentences of the synopsis from top to bottom, scenes from left to right. The darker, the likelier the link; a line joins the best ones.", box, told);
};

/* A matrix of scores as dots, and over it the path or the spans that were chosen (figure 4 of the CRD3 paper). */
fabula.drawHeat = function (drawing) {
  const { plots, make } = fabula;
  const bytes = Uint8Array.from(atob(drawing.values), (letter) => letter.charCodeAt(0));
  const [n, m] = [drawing.rows, drawing.columns];
  const shade = fabula.shades();
  const table = d3.range(256).map((level) => d3.rgb(shade(level / 255)));
  const picture = make("canvas", { width: m, height: n });
  const dots = picture.getContext("2d").createImageData(m, n);
  bytes.forEach((level, place) => {
    const colour = table[level];
    dots.data.set([colour.r, colour.g, colour.b, 255], 4 * place);
  });
  picture.getContext("2d").putImageData(dots, 0, 0);
  const height = Math.min(560, Math.max(200, n * 5 + 50));
  const box = plots.svg(height, `${drawing.title}: ${n} by ${m} cells`, (svg, width) => {
    const left = 46, right = 10, top = 10, bottom = 36;
    const x = d3.scaleLinear().domain([0, drawing.across]).range([left, width - right]);
    const y = d3.scaleLinear().domain([0, drawing.down]).range([top, height - bottom]);
    svg.append("image").attr("href", picture.toDataURL()).attr("x", left).attr("y", top).attr("width", width - left - right).attr("height", height - top - bottom).attr("preserveAspectRatio", "none").attr("class", "dots");
    fabula.axes(svg, x, y, { width, height, left, right, bottom, across: drawing.columnName });
    svg.append("g").selectAll("rect").data(drawing.spans).enter().append("rect").attr("class", "chosen-span").attr("x", ([, start]) => x(start)).attr("width", ([, start, stop]) => Math.max(2, x(stop) - x(start)))
      .attr("y", ([row]) => y(row)).attr("height", Math.max(2, y(1) - y(0)));
  });
  return plots.frame(drawing.title, drawing.note, box);
};

/* The pieces that a dialogue is made of, turn by turn, with how well each turn follows. */
fabula.drawPieces = function (drawing, { spoken }) {
  const { make } = fabula;
  const rows = drawing.pieces.map(([turn, kind, source, author, start, stop]) => [
    String(turn), spoken[turn] ? spoken[turn][1].join(", ") : "", kind, `${source || "made here"}${source ? `, sentences ${start} to ${stop - 1}` : ""}`, author, turn > 0 ? String(drawing.scores[turn - 1] ?? "") : ""]);
  return make("section", { class: "more" }, make("h3", {}, "What the turns are made of"), fabula.table("Pieces of the dialogue", [["turn", "number"], ["speaker"], ["kind"], ["taken from"], ["author"], ["score", "number"]], rows));
};

/* The parts of a sentence's score: points to the right or left of nothing. */
fabula.drawParts = function (drawing) {
  const { make, plots } = fabula;
  const most = d3.max(drawing.parts, ([, , points]) => Math.abs(points)) || 1;
  const box = plots.svg(drawing.parts.length * 26 + 26, `Score ${drawing.score}: ${drawing.parts.map(([name, , points]) => `${name} ${points}`).join(", ")}`, (svg, width, height) => {
    const left = 110, right = 30;
    const x = d3.scaleLinear().domain([-most, most]).range([left, width - right]);
    const each = svg.selectAll("g").data(drawing.parts).enter().append("g").attr("transform", (_, place) => `translate(0,${place * 26 + 4})`);
    each.append("text").attr("class", "label").attr("x", 0).attr("y", 14).text(([name, count]) => (count > 1 ? `${name} × ${count}` : name));
    each.append("rect").attr("class", ([, , points]) => `bar${points < 0 ? " out" : ""}`).attr("x", ([, , points]) => Math.min(x(0), x(points))).attr("width", ([, , points]) => Math.abs(x(points) - x(0))).attr("height", 18);
    each.append("text").attr("class", "label").attr("x", ([, , points]) => (points < 0 ? x(points) - 4 : x(points) + 4)).attr("y", 14).attr("text-anchor", ([, , points]) => (points < 0 ? "end" : "start")).text(([, , points]) => (points > 0 ? `+${points}` : points));
    svg.append("line").attr("class", "zero").attr("x1", x(0)).attr("x2", x(0)).attr("y1", 0).attr("y2", height - 20);
  });
  const shown = drawing.parts.filter(([, , , words]) => words.length);
  return plots.frame(`Score ${drawing.score}, by its parts`, null, box, shown.length ? make("p", { class: "small quiet" }, shown.map(([name, , , words]) => `${name}: ${words.join(", ")}`).join(" · ")) : "");
};

/* A post and its comments as a tree; what the dialogues use is marked. */
fabula.drawTree = function (drawing) {
  const { make, plots } = fabula;
  const below = d3.nest().key((node) => node.parent).object(drawing.nodes);
  const branch = (parent, depth) => {
    const nodes = below[parent] || [];
    return nodes.length ? make("ul", { class: "tree" }, nodes.map((node) => make("li", { class: node.used.length ? "used" : "" },
      make("p", {}, make("b", {}, node.name), node.used.length ? make("span", { class: "chip good" }, `turn ${node.used.join(", ")}`) : "", node.why ? make("span", { class: "chip bad" }, node.why) : "", ` ${node.text}`),
      depth < 60 ? branch(node.id, depth + 1) : ""))) : "";
  };
  return plots.frame(drawing.title, drawing.note, branch("", 0));
};
