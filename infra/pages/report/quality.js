"use strict";
// How well the release agrees with what people judged, and what a review of it would bring.

fabula.views = fabula.views || {};

fabula.views.quality = function () {
  const { make, release } = fabula;
  const compared = release.quality.map((each) => make("section", {}, make("h2", {}, `Compared with ${each.gold}`),
    make("p", { class: "quiet small" }, `${each.counted}. Judged ${each.judged || "at a date that nobody has stated"}${each.measured ? `, compared ${each.measured}` : ""}.`),
    fabula.table(`Quality, compared with ${each.gold}`, [["figure"], ["value", "number"], ["95 % interval", "number"]], each.figures.map((figure) => [
      figure.name, figure.value.toFixed(3), figure.low === null ? "" : `${figure.low.toFixed(3)} to ${figure.high.toFixed(3)}`]))));
  return release.curve ? [...compared, make("section", {}, make("h2", {}, "What a review would bring"), fabula.plots.review(release.curve))] : compared;
};

fabula.plots.ORDERS = { worth: "by expected gain", confidence: "least sure first", random: "at random" };

/* F1 of a release against the share of its rows that a reader has looked at: a line and a band for each order. */
fabula.plots.review = function (curve) {
  const { make, plots } = fabula;
  const gold = `${fabula.count(curve.rows)} ${curve.row} of ${fabula.count(curve.units)} ${curve.unit}`;
  const whose = curve.recorded ? `Not measured on this release, which has too little gold. Recorded on ${gold}: ${curve.recorded}.` : `Simulated on the gold of this release: ${gold}.`;
  const orders = Object.entries(curve.orders);
  const box = plots.svg(260, `Pooled F1 by the share of ${curve.row} looked at, for ${orders.length} orders`, (svg, width, height) => {
    const left = 46, right = 22, top = 8, bottom = 40;
    const x = d3.scaleLinear().domain([0, 1]).range([left, width - right]);
    const lowest = d3.min(orders, ([, points]) => d3.min(points, (point) => point[2]));
    const y = d3.scaleLinear().domain([Math.floor(10 * lowest) / 10, 1]).range([height - bottom, top]);
    svg.append("g").attr("class", "grid").attr("transform", `translate(${left},0)`)
      .call(d3.axisLeft(y).ticks(4).tickSize(-(width - left - right))).select(".domain").remove();
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - bottom})`)
      .call(d3.axisBottom(x).ticks(5).tickFormat(d3.format(".0%")).tickSizeOuter(0));
    svg.append("text").attr("class", "label").attr("x", (left + width - right) / 2).attr("y", height - 6).attr("text-anchor", "middle").text(`share of the ${curve.row} looked at`);
    for (const [name, points] of orders) {
      svg.append("path").datum(points).attr("class", `band order-${name}`).attr("d", d3.area().x((point) => x(point[0])).y0((point) => y(point[2])).y1((point) => y(point[3])));
      svg.append("path").datum(points).attr("class", `curve order-${name}`).attr("d", d3.line().x((point) => x(point[0])).y((point) => y(point[1])));
    }
  });
  const shares = orders[0][1].map((point) => point[0]);
  const cell = (point) => `${point[1].toFixed(3)} (${point[2].toFixed(3)} to ${point[3].toFixed(3)})`;
  return plots.frame(`F1 of the release by the share of ${curve.row} looked at`, whose,
    make("p", { class: "quiet small legend" }, orders.flatMap(([name]) => [make("span", { class: `swatch order-${name}` }), `${plots.ORDERS[name] || name} `])), box,
    make("details", { class: "small" }, make("summary", {}, "As a table"),
      fabula.table("Pooled F1 with its 95 % interval", [["looked at"], ...orders.map(([name]) => [plots.ORDERS[name] || name, "number"])],
        shares.map((share, place) => [d3.format(".0%")(share), ...orders.map(([, points]) => cell(points[place]))]))));
};
