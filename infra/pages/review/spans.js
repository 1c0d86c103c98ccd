// The form for spans: which turns does the summary tell of?

import { keepInView, make, makeSummary, makeTurn, openLong, replace } from "/elements.js";

const STEP = 20;
const SHOWN = 6;  // turns at each end of a long span: its end is in sight without a long way down

export function spanForm({ item, more, save, tell }) {
  const own = item.own.find((entry) => entry.question === "span")?.answer;
  let { start, end } = own ?? item.found;
  let turns = item.turns;
  let current = start ?? turns[Math.floor(turns.length / 2)]?.number ?? 0;
  let folds = true;
  const list = make("ol", {
    className: "turns", role: "listbox", tabIndex: 0, "aria-label": "Turns; those of the span are selected", "aria-multiselectable": "true",
  });
  const facts = make("p", { className: "facts" });
  const before = make("button", { type: "button", className: "more", onclick: () => load(-1) }, "Earlier turns");
  const after = make("button", { type: "button", className: "more", onclick: () => load(1) }, "Later turns");

  function draw() {
    const from = start + SHOWN, to = end - SHOWN;
    const inFold = (number) => folds && start !== null && to - from > SHOWN && number >= from && number <= to;
    if (inFold(current)) folds = false;
    replace(list, turns.map((turn) => {
      if (inFold(turn.number)) return turn.number > from ? "" : make("li", {
        className: "turn cut", role: "option", "aria-selected": "true", onclick: () => { folds = false; draw(); },
      }, "", make("span", {}, `… ${to - from + 1} more turns of the span …`));
      const inside = start !== null && turn.number >= start && turn.number <= end;
      const edge = turn.number === start && turn.number === end ? "starts and ends here"
        : turn.number === start ? "starts here" : turn.number === end ? "ends here" : "";
      return makeTurn(turn, {
        id: `turn-${turn.number}`, role: "option", "aria-selected": String(inside),
        className: `turn${inside ? "" : " outside"}${turn.number === current ? " current" : ""}`,
        onclick: () => { current = turn.number; draw(); },
      }, edge && make("span", { className: "edge" }, edge));
    }));
    list.setAttribute("aria-activedescendant", `turn-${current}`);
    before.hidden = turns[0].number === 0;
    after.hidden = turns.at(-1).number >= item.count - 1;
    const span = start === null ? "no turn" : start === end ? `turn ${start}` : `turns ${start} to ${end}`;
    const found = item.found.start === null ? "no turn" : `${item.found.start} to ${item.found.end}`;
    const changed = start !== item.found.start || end !== item.found.end;
    replace(facts, make("span", { className: "chip" }, span), changed ? make("span", { className: "chip" }, `found: ${found}`) : "");
  }

  function move(step) {
    const last = turns.at(-1).number;
    if (current + step > last || current + step < turns[0].number) return load(Math.sign(step), step);
    current += step;
    draw();
    keepInView(document.getElementById(`turn-${current}`));
  }

  async function load(direction, step = 0) {
    const [from, to] = direction < 0
      ? [Math.max(0, turns[0].number - STEP), turns[0].number - 1] : [turns.at(-1).number + 1, turns.at(-1).number + STEP];
    if (to < from || from >= item.count) return;
    const kept = list.firstElementChild;
    const top = kept.getBoundingClientRect().top;
    const got = (await more(from, to)).turns;
    const anchor = turns[0].number;
    turns = direction < 0 ? [...got, ...turns] : [...turns, ...got];
    if (step) current = Math.min(Math.max(current + step, turns[0].number), turns.at(-1).number);
    draw();
    if (step) keepInView(document.getElementById(`turn-${current}`));
    else if (direction < 0) scrollBy(0, document.getElementById(`turn-${anchor}`).getBoundingClientRect().top - top);
  }

  function setStart() {
    start = current;
    end = end === null || end < start ? start : end;
    draw();
  }
  function setEnd() {
    end = current;
    start = start === null || start > end ? end : start;
    draw();
  }

  draw();
  const view = make("div", { className: "columns" },
    makeSummary(item, "Which turns does this tell of? Move the start and the end, then save."),
    make("section", { "aria-label": "Dialogue" }, before, list, after));
  view.querySelector(".facts").replaceWith(facts);
  return {
    view,
    begin() {
      list.focus({ preventScroll: true });
      document.getElementById(`turn-${current}`)?.scrollIntoView({ block: "center" });
    },
    actions: [
      { key: "[", label: "Starts here", run: setStart },
      { key: "]", label: "Ends here", run: setEnd },
      { key: "u", label: "As found", run: () => { ({ start, end } = item.found); draw(); } },
      { key: "0", label: "No turn tells it", run: () => save([{ question: "span", answer: { start: null, end: null } }]) },
      { key: "x", label: "Reject", run: () => save([{ question: "pair", answer: false }]) },
      { key: "Enter", label: "Save the span", main: true, run: () => save([{ question: "span", answer: { start, end } }]) },
    ],
    keys: [
      openLong,
      { key: "↓", also: ["ArrowDown", "j"], label: "Next turn (j)", run: () => move(1) },
      { key: "↑", also: ["ArrowUp", "k"], label: "Turn before (k)", run: () => move(-1) },
      { key: "s", label: "To the start of the span", run: () => move((start ?? current) - current) },
      { key: "e", label: "To the end of the span", run: () => move((end ?? current) - current) },
      { key: "Page ↓", also: ["PageDown"], label: "Ten turns on", run: () => move(10) },
      { key: "Page ↑", also: ["PageUp"], label: "Ten turns back", run: () => move(-10) },
    ],
  };
}
