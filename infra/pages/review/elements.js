// Elements of a page. Text is always set as text: nothing that a source says is ever read as HTML.

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat());
}

export function makeTurn(turn, extra = {}, ...marks) {
  return make("li", { className: "turn", ...extra },
    make("span", { className: "number", "aria-hidden": "true" }, String(turn.number)),
    make("div", {},
      make("span", { className: "speaker" }, turn.speakers.join(", ")), ...marks,
      makeSaid(turn.text)));
}

const LONG = 600;  // characters: a longer turn shows its beginning and end until it is opened

function makeSaid(text) {
  if (text.length <= LONG) return make("p", { className: "said" }, text);
  const cut = make("span", { className: "cut chip" }, `… ${text.length - LONG} more letters …`);  // no button: an option holds none
  const said = make("p", { className: "said" }, text.slice(0, LONG * 2 / 3), " ", cut, " ", text.slice(-LONG / 3));
  cut.onclick = (event) => { event.stopPropagation(); said.replaceChildren(text); };
  return said;
}

export const openLong = { key: "o", label: "Open what is folded", run: () => document.querySelectorAll(".cut").forEach((each) => each.click()) };

export function makeTurns(turns, label) {
  return make("ol", { className: "turns whole", "aria-label": label }, turns.map((turn) => makeTurn(turn)));
}

export function makeSummary(item, question, chips = []) {
  return make("section", { className: "card aside", "aria-label": "Summary" },
    make("p", { className: "quiet small" }, item.title || item.unit || ""),
    item.before ? make("p", { className: "beside" }, item.before) : "",
    make("p", { className: "story" }, item.summary),
    item.after ? make("p", { className: "beside" }, item.after) : "",
    make("p", { className: "facts" }, chips.map((chip) => make("span", { className: "chip" }, chip))),
    makeWhy(item),
    make("p", { className: "ask" }, question));
}

export function makeWhy(item) {
  const sure = typeof item.confidence === "number" ? `confidence ${item.confidence.toFixed(2)}` : "";
  const files = item.files || [];
  const links = files.map((file) => make("a", { href: file.url, target: "_blank", rel: "noopener", ...(file.url.endsWith(".bin") ? { download: file.name.split("/").pop() } : {}) }, file.name));
  const told = [item.why, sure, files.length ? "" : item.source].filter(Boolean).join(" · ");
  return make("p", { className: "why quiet small" }, told, links.map((link) => [told || link !== links[0] ? " · " : "", link]).flat());
}

export function keepInView(element) {
  element.scrollIntoView({ block: "nearest" });
}
