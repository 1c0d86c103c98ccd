"use strict";
// Plots of counts and curves, by D3. Colours are classes, so that both colour schemes hold; each plot can be read as a table.

fabula.plots = {};

fabula.plots.frame = function (title, note, ...children) {
  const { make } = fabula;
  return make("figure", { class: "plot" }, make("figcaption", {}, make("h3", {}, title), note ? make("p", { class: "quiet small" }, note) : null), ...children);
};

/* An SVG of a box's width, drawn anew when the width changes. */
fabula.plots.svg = function (height, label, draw, role) {
  const box = fabula.make("div", { class: "canvas" });
  let width = 0;
  const paint = () => {
    const now = Math.max(240, Math.floor(box.clientWidth));
    if (!box.clientWidth || now === width) return;
    width = now;
    box.replaceChildren();
    const svg = d3.select(box).append("svg").attr("width", width).attr("height", height).attr("viewBox", `0 0 ${width} ${height}`)
      .attr("role", role || "img").attr("aria-label", label);
    draw(svg, width, height);
  };
  new ResizeObserver(paint).observe(box);
  return box;
};

fabula.plots.short = (value) => (Math.abs(value) >= 1e4 ? d3.format(".2~s")(value) : Math.abs(value) >= 10 || Number.isInteger(value) ? d3.format(",")(Math.round(value)) : String(+value.toPrecision(3)));

/* Every how many edges a tick stands, so that at most `room` of them do. */
fabula.plots.step = (count, room) => [1, 2, 5, 10, 20, 25, 50, 100].find((each) => count / each <= Math.max(3, room)) || 100;

/* Edges between the first and the last bin that hold something. */
fabula.plots.trim = function (edges, ...series) {
  const filled = edges.slice(1).map((_, place) => series.some((counts) => counts[place]));
  const first = Math.max(0, filled.indexOf(true));
  const last = Math.max(first, filled.lastIndexOf(true));
  return { first, last, edges: edges.slice(first, last + 2), series: series.map((counts) => counts.slice(first, last + 1)) };
};

fabula.plots.merge = function (edges, series, most) {
  const step = Math.ceil((edges.length - 1) / most);
  if (step < 2) return { edges, series };
  const starts = d3.range(0, edges.length - 1, step);
  const merged = series.map((counts) => starts.map((start) => d3.sum(counts.slice(start, start + step))));
  return { edges: [...starts.map((start) => edges[start]), edges[edges.length - 1]], series: merged };
};

/* Rows by a measure: those kept, and above them those left out. */
fabula.plots.histogram = function (measure) {
  const { make, plots } = fabula;
  const zeros = new Array(measure.edges.length - 1).fill(0);
  const kept = measure.bins[""] || zeros;
  const out = zeros.map((_, place) => d3.sum(Object.entries(measure.bins), ([reason, counts]) => (reason ? counts[place] : 0)));
  if (!d3.sum(kept) && !d3.sum(out)) return null;
  const trimmed = plots.trim(measure.edges, kept, out);
  const { edges, series } = plots.merge(trimmed.edges, trimmed.series, 50);
  const name = `${measure.label}: ${fabula.rows(d3.sum(kept))} kept, ${fabula.count(d3.sum(out))} left out`;
  const box = plots.svg(190, name, (svg, width, height) => {
    const left = 46, right = 18, top = 8, bottom = 26;  // the last tick's number needs room
    const x = d3.scaleLinear().domain([0, edges.length - 1]).range([left, width - right]);
    const y = d3.scaleLinear().domain([0, d3.max(series[0], (count, place) => count + series[1][place])]).nice(4).range([height - bottom, top]);
    svg.append("g").attr("class", "grid").attr("transform", `translate(${left},0)`)
      .call(d3.axisLeft(y).ticks(4).tickSize(-(width - left - right)).tickFormat(plots.short)).select(".domain").remove();
    const every = plots.step(edges.length, (width - left) / 44);
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
      .call(d3.axisBottom(x).tickValues(d3.range(0, edges.length, every)).tickFormat((place) => plots.short(edges[place])).tickSizeOuter(0));
    const wide = Math.max(1, x(1) - x(0) - 1);
    const bars = svg.append("g").selectAll("g").data(series[0].map((count, place) => [count, series[1][place], place])).enter().append("g");
    bars.append("title").text(([count, rejected, place]) => `${plots.short(edges[place])} to ${plots.short(edges[place + 1])}: ${fabula.count(count)} kept, ${fabula.count(rejected)} left out`);
    bars.append("rect").attr("class", "bar").attr("x", ([, , place]) => x(place)).attr("width", wide)
      .attr("y", ([count]) => y(count)).attr("height", ([count]) => y(0) - y(count));
    bars.append("rect").attr("class", "bar out").attr("x", ([, , place]) => x(place)).attr("width", wide)
      .attr("y", ([count, rejected]) => y(count + rejected)).attr("height", ([count, rejected]) => y(count) - y(count + rejected));
  });
  const rows = series[0].map((count, place) => [`${plots.short(edges[place])} to ${plots.short(edges[place + 1])}`, fabula.count(count), fabula.count(series[1][place])]);
  return plots.frame(measure.label[0].toUpperCase() + measure.label.slice(1), null, box, make("details", { class: "small" }, make("summary", {}, "As a table"),
    fabula.table(measure.label, [[measure.label], ["kept", "number"], ["left out", "number"]], rows)));
};

/* What a setting would change: rows that would be kept at each value of it. The measure of an "at most" rule counts something: the rows
   below an edge have at most one less. */
fabula.plots.threshold = function (rule, measure) {
  const { make, plots } = fabula;
  const zeros = new Array(measure.edges.length - 1).fill(0);
  const kept = measure.bins[""] || zeros;
  const out = measure.bins[rule.reason] || zeros;
  const both = kept.map((count, place) => count + out[place]);
  if (!d3.sum(both)) return null;
  const at = measure.edges.map((_, place) => (rule.least ? d3.sum(both.slice(place)) : d3.sum(both.slice(0, place))));
  const now = d3.sum(kept);
  const span = plots.trim(measure.edges, both);
  const values = measure.edges.map((edge) => (rule.least ? edge : edge - 1));
  const first = Math.max(rule.least ? 0 : 1, span.first - 1), last = Math.min(measure.edges.length - 1, Math.max(span.last, first) + 1);
  const nearest = d3.scan(values, (a, b) => Math.abs(a - rule.value) - Math.abs(b - rule.value));
  const told = make("output", { class: "told" });
  let moveLine = () => {};
  const tell = (place) => {
    const is = values[place] === rule.value;  // what the setting is needs no estimate
    const rows = is ? now : at[place], change = rows - now;
    told.textContent = `${rule.setting} = ${plots.short(values[place])}: ${fabula.rows(rows)} (${change > 0 ? "+" : change < 0 ? "−" : "±"}${fabula.count(Math.abs(change))})`;
    moveLine(place);
  };
  const slider = make("input", { type: "range", min: first, max: last, step: 1, value: nearest, "aria-label": `${rule.setting}, tried`, oninput: () => tell(+slider.value) });
  const box = plots.svg(150, `${fabula.release.words.row[1]} kept by value of ${rule.setting}, which is ${rule.value}`, (svg, width, height) => {
    const left = 46, right = 18, top = 8, bottom = 24;
    const x = d3.scaleLinear().domain([first, last]).range([left, width - right]);
    const y = d3.scaleLinear().domain([0, d3.max(at.slice(first, last + 1))]).nice(3).range([height - bottom, top]);
    svg.append("g").attr("class", "grid").attr("transform", `translate(${left},0)`)
      .call(d3.axisLeft(y).ticks(3).tickSize(-(width - left - right)).tickFormat(plots.short)).select(".domain").remove();
    const every = plots.step(last - first + 1, (width - left) / 50);
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
      .call(d3.axisBottom(x).tickValues(d3.range(first, last + 1, every)).tickFormat((place) => plots.short(values[place])).tickSizeOuter(0));
    const points = d3.range(first, last + 1).map((place) => [place, at[place]]);
    svg.append("path").datum(points).attr("class", "area").attr("d", d3.area().x(([place]) => x(place)).y0(y(0)).y1(([, count]) => y(count)));
    svg.append("path").datum(points).attr("class", "curve").attr("d", d3.line().x(([place]) => x(place)).y(([, count]) => y(count)));
    svg.append("line").attr("class", "now").attr("x1", x(nearest)).attr("x2", x(nearest)).attr("y1", top).attr("y2", height - bottom);
    const tried = svg.append("line").attr("class", "tried").attr("y1", top).attr("y2", height - bottom);
    moveLine = (place) => tried.attr("x1", x(place)).attr("x2", x(place));
    moveLine(+slider.value);
  });
  told.textContent = `${rule.setting} = ${rule.value}: ${fabula.rows(now)} (now)`;
  return plots.frame(rule.setting, `Now ${rule.value}, by which ${fabula.count(d3.sum(out))} are left out: ${rule.reason}.`, box, slider, make("p", { class: "small" }, told));
};

/* Horizontal bars with names. */
fabula.plots.bars = function (title, note, entries) {
  const { make } = fabula;
  const most = d3.max(entries, ([, value]) => value) || 1;
  const bar = (value) => {
    const fill = make("div", { class: "fill" });
    fill.style.width = `${100 * value / most}%`;
    return make("div", { class: "track", "aria-hidden": "true" }, fill);
  };
  return fabula.plots.frame(title, note, make("div", { class: "bars" }, make("table", {}, make("caption", { class: "unseen" }, title),
    make("tbody", {}, entries.map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, bar(value)), make("td", { class: "number" }, fabula.count(value))))))));
};
