// A form for every kind of review: what is shown, and what each key does.

import { keepInView, make, makeSummary, makeTurn, makeTurns, makeWhy, openLong, replace } from "/elements.js";
import { spanForm } from "/spans.js";
import { answerForm, gradeForm, writeForm } from "/study.js";

const LEVELS = {
  naturalness: ["the first is significantly less natural", "somewhat less natural", "about the same", "somewhat more natural",
    "the first is significantly more natural"],
  preference: ["the first is much worse", "somewhat worse", "about the same", "somewhat better", "the first is much better"],
};

function pairForm({ item, save }) {
  return {
    view: make("div", { className: "columns" },
      makeSummary(item, "Is this a good summary of this dialogue?"),
      make("section", { "aria-label": "Dialogue" }, makeTurns(item.turns, "Turns"))),
    actions: [
      { key: "x", label: "Reject", run: () => save([{ question: "pair", answer: false }]) },
      { key: "Enter", label: "Accept", main: true, run: () => save([{ question: "pair", answer: true }]) },
    ],
    keys: [openLong],
  };
}

function roomForm({ item, save }) {
  return {
    view: make("section", { className: "card alone", "aria-label": "Sentence" },
      make("p", { className: "story" }, item.summary),
      makeWhy(item),
      make("p", { className: "ask" }, "Does this describe a room or a place?")),
    actions: [
      { key: "x", label: "No", run: () => save([{ question: "room", answer: false }]) },
      { key: "Enter", label: "Yes, a room", main: true, run: () => save([{ question: "room", answer: true }]) },
    ],
  };
}

const BEGINNING = 6;  // parts of a scene that are shown at first: an annotator knows most scenes by how they begin

function linksForm({ item, save }) {
  const own = item.own.find((entry) => entry.question === "links")?.answer;
  const chosen = new Set(own ?? item.found);
  let current = Math.max(0, item.scenes.findIndex((scene) => chosen.has(scene.position)));
  const boxes = [];
  const cards = item.scenes.map((scene, place) => {
    const box = make("input", {
      type: "checkbox", id: `scene-${scene.position}`, checked: chosen.has(scene.position),
      onchange: () => { if (box.checked) chosen.add(scene.position); else chosen.delete(scene.position); },
      onfocus: () => point(place),
    });
    boxes.push(box);
    const parts = scene.parts.map(({ speakers, text, spoken }) => make("p", { className: spoken ? "said" : "said action" },
      speakers.length ? `${speakers.join(", ")}: ${text}` : text));
    const rest = parts.slice(BEGINNING);
    rest.forEach((part) => { part.hidden = true; });
    const more = rest.length ? make("button", { type: "button", className: "more", onclick: () => {
      rest.forEach((part) => { part.hidden = false; });
      more.remove();
    } }, `The whole scene (${rest.length} more lines)`) : "";
    return make("section", { className: "card scene" },
      make("label", { for: box.id }, box, scene.heading || `Scene ${scene.position + 1}`), parts, more);
  });
  function point(place) {
    cards[current].classList.remove("current");
    current = Math.min(Math.max(place, 0), cards.length - 1);
    cards[current].classList.add("current");
  }
  const step = (by) => { point(current + by); boxes[current].focus(); keepInView(cards[current]); };
  return {
    view: make("div", { className: "columns" },
      makeSummary(item, "Which scenes does this sentence tell of? Space ticks a scene, o opens it whole."),
      make("section", { "aria-label": "Scenes" }, cards)),
    begin: () => { point(current); boxes[current]?.focus(); cards[current]?.scrollIntoView({ block: "center" }); },
    actions: [
      { key: "0", label: "None of them", run: () => save([{ question: "links", answer: [] }]) },
      { key: "x", label: "Reject", run: () => save([{ question: "pair", answer: false }]) },
      { key: "Enter", label: "Save the scenes", main: true, run: () => save([{ question: "links", answer: [...chosen].sort((a, b) => a - b) }]) },
    ],
    keys: [
      { key: "↓", also: ["ArrowDown", "j"], label: "Next scene (j)", run: () => step(1) },
      { key: "↑", also: ["ArrowUp", "k"], label: "Scene before (k)", run: () => step(-1) },
      { key: "o", label: "The whole scene", run: () => cards[current].querySelector(".more")?.click() },
    ],
  };
}

function rateForm({ item, save, tell }) {
  const marks = new Array(Math.max(item.turns.length - 1, 0)).fill(null);
  let level = null;
  let current = 1;
  const list = make("ol", { className: "turns whole", role: "listbox", tabIndex: 0, "aria-label": "Turns; each reply is good or bad" });
  const facts = make("p", { className: "facts" });
  function draw() {
    replace(list, item.turns.map((turn, place) => {
      const mark = place ? marks[place - 1] : null;
      const word = mark === null ? "" : mark ? "good reply" : "bad reply";
      return makeTurn(turn, {
        id: `turn-${place}`, role: "option", "aria-selected": String(place === current),
        className: `turn${place === current ? " current" : ""}`, onclick: () => { current = Math.max(place, 1); draw(); },
      }, word && make("span", { className: `mark ${mark ? "good" : "bad"}` }, word));
    }));
    list.setAttribute("aria-activedescendant", `turn-${current}`);
    const left = marks.filter((mark) => mark === null).length;
    replace(facts, make("span", { className: "chip" }, left ? `${left} replies to mark` : "all replies marked"),
      make("span", { className: "chip" }, level ? `sense: ${level} of 5` : "sense: 1 to 5"));
  }
  function mark(good) {
    marks[current - 1] = good;
    current = Math.min(current + 1, item.turns.length - 1);
    draw();
    keepInView(document.getElementById(`turn-${current}`));
  }
  const move = (by) => { current = Math.min(Math.max(current + by, 1), item.turns.length - 1); draw(); keepInView(document.getElementById(`turn-${current}`)); };
  draw();
  const view = make("div", { className: "columns" },
    makeSummary(item, "Is each reply a good reply to what was said before it? And does the whole make sense, from 1 (none) to 5 (perfect)?"),
    make("section", { "aria-label": "Dialogue" }, list));
  view.querySelector(".facts").replaceWith(facts);
  return {
    view,
    begin: () => list.focus({ preventScroll: true }),
    actions: [
      { key: "g", label: "Good reply", run: () => mark(true) },
      { key: "b", label: "Bad reply", run: () => mark(false) },
      ...[1, 2, 3, 4, 5].map((number) => ({ key: String(number), label: `Sense ${number}`, run: () => { level = number; draw(); } })),
      { key: "x", label: "Reject", run: () => save([{ question: "pair", answer: false }]) },
      { key: "Enter", label: "Save", main: true, run: () => {
        if (marks.includes(null) || level === null) return tell("Mark every reply with g or b, and the sense with 1 to 5.");
        const rejected = item.own.some((entry) => entry.question === "pair" && entry.answer === false);
        const kept = rejected ? [{ question: "pair", answer: true }] : [];  // who marks the replies takes his rejection back
        return save([{ question: "interactions", answer: marks }, { question: "sense", answer: level }, ...kept]);
      } },
    ],
    keys: [
      openLong,
      { key: "↓", also: ["ArrowDown", "j"], label: "Next reply (j)", run: () => move(1) },
      { key: "↑", also: ["ArrowUp", "k"], label: "Reply before (k)", run: () => move(-1) },
    ],
  };
}

function compareForm({ item, save }) {
  const side = (shown, name) => make("section", { className: "card", "aria-label": name }, make("h2", {}, name),
    shown.turns.length ? makeTurns(shown.turns, `${name}, turns`) : make("p", { className: "story" }, shown.text));
  return {
    view: make("div", { className: "sides" }, side(item.sides[0], "First"), side(item.sides[1], "Second")),
    actions: LEVELS[item.question].map((label, place) => ({
      key: String(place + 1), label, run: () => save([{ question: item.question, answer: place + 1 }]),
    })),
  };
}

const SENSE = ["nonsensical", "poor", "fair", "good", "perfect"];

function levelForm({ item, save }) {
  const own = item.own[0]?.answer;
  return {
    view: make("section", { className: "card alone", "aria-label": "Text" },
      make("p", { className: "story" }, item.summary),
      make("p", { className: "ask" }, "How good is this description of a room? Nobody is told who wrote it."),
      own ? make("p", { className: "facts" }, make("span", { className: "chip" }, `your answer: ${own}`)) : ""),
    actions: SENSE.map((label, place) => ({
      key: String(place + 1), label, run: () => save([{ question: "sense", answer: place + 1 }]),
    })),
  };
}

export const FORMS = {
  span: spanForm, pair: pairForm, room: roomForm, links: linksForm, rate: rateForm, compare: compareForm,
  level: levelForm, write: writeForm, answer: answerForm, grade: gradeForm,
};
