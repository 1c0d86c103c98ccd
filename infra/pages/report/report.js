"use strict";
// The page as a whole: views by the address, keys, and what stands at the top and at the foot.

fabula.address = function (view, state) {
  const told = Object.entries(state || {}).filter(([, value]) => value);
  return `#/${view === "overview" ? "" : view}${told.length ? `?${new URLSearchParams(told)}` : ""}`;
};

/* The pages by address; what of this store they show is there only where fabula serves. */
fabula.PAGES = ["overview", "read", "units", ...(fabula.served ? ["changes", "quarantine"] : [])];

fabula.go = function (view, state, instead) {
  const address = fabula.address(view, state);
  if (address === location.hash) return;
  if (instead) {
    history.replaceState(null, "", address);
    fabula.render();
  } else location.hash = address;
};

fabula.read = function () {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: fabula.PAGES.includes(path) ? path : "overview", state: Object.fromEntries(new URLSearchParams(query || "")) };
};

fabula.render = function () {
  const { view, state } = fabula.read();
  const main = document.getElementById("main");
  fabula.index.watchers.clear();
  if (!(view === "read" && document.getElementById("results"))) {
    main.replaceChildren();
    window.scrollTo(0, 0);
  }
  main.className = view;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  fabula.views[view](main, state);
};

fabula.listViews = function () {
  const [, rows] = fabula.release.words.row, [, units] = fabula.release.words.unit;
  const title = (text) => text[0].toUpperCase() + text.slice(1);
  const views = [["overview", "Overview"], ["read", title(rows)]];
  if (units !== rows) views.push(["units", title(units)]);
  if (fabula.served) views.push(["changes", "Changes"], ["quarantine", "Quarantine"]);
  document.getElementById("views").append(...views.map(([view, name]) => fabula.make("a", { href: fabula.address(view), "data-view": view }, name)));
};

fabula.press = function (event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else if (fabula.read().view === "read" && fabula.read().state.row) fabula.go("read", { ...fabula.read().state, row: "" });
    return;
  }
  if (typing || !document.getElementById("keys").checked) return;
  const { view } = fabula.read();
  const search = () => {
    if (view !== "read" && view !== "units") fabula.go("read", {});
    setTimeout(() => (document.getElementById("q") || document.getElementById("unit-search"))?.focus(), 0);
  };
  const keys = {
    "?": () => document.getElementById("help").showModal(), "/": search, o: () => fabula.go("overview"), r: () => fabula.go("read", {}), u: () => fabula.go("units", {}),
    ...(view === "read" ? { j: () => fabula.reader.step(1), k: () => fabula.reader.step(-1), ArrowDown: () => fabula.reader.step(1), ArrowUp: () => fabula.reader.step(-1), c: fabula.reader.widen } : {}),
  };
  if (event.key.startsWith("Arrow") && event.target.closest && event.target.closest(".scrolling, #row")) return;  // it scrolls there
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
};

fabula.start = function () {
  const { release, make } = fabula;
  document.getElementById("name").textContent = release.name;
  document.getElementById("version").textContent = release.version;
  fabula.listViews();
  document.getElementById("foot").append(fabula.served ? "Served by fabula report from the store." :
    `Changes since the release before and the quarantine are of a store, not of a release: fabula report ${release.name} shows them.`);
  if (fabula.served) fabula.ask("pages").then(({ pages }) => document.getElementById("views").append(...pages.map((page) => make("a", { href: page.path }, page.title)))).catch(() => {});
  document.getElementById("help-button").addEventListener("click", () => document.getElementById("help").showModal());
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); document.getElementById("main").focus(); });
  document.addEventListener("keydown", fabula.press);
  window.addEventListener("hashchange", fabula.render);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", fabula.render);  // pictures of dots have the colours of one
  fabula.render();
};

fabula.start();
