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
      make("p", { className: "said" }, turn.text)));
}

export function makeTurns(turns, label) {
  return make("ol", { className: "turns whole", "aria-label": label }, turns.map((turn) => makeTurn(turn)));
}

export function makeSummary(item, question, chips = []) {
  return make("section", { className: "card aside", "aria-label": "Summary" },
    make("p", { className: "quiet small" }, item.title || item.unit || ""),
    make("p", { className: "story" }, item.summary),
    make("p", { className: "facts" }, chips.map((chip) => make("span", { className: "chip" }, chip))),
    make("p", { className: "ask" }, question));
}

export function keepInView(element) {
  element.scrollIntoView({ block: "nearest" });
}
