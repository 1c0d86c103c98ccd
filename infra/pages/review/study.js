// The question study of CRD3, section 4.1: one annotator writes questions about a summary, another answers from the turns.

import { make, makeSummary, makeTurns } from "/elements.js";

const GRADES = [
  ["1", "correct", "Correct"], ["2", "alignment", "Wrong: the turns do not hold it"],
  ["3", "misread", "Wrong: taken otherwise than meant"], ["4", "other", "Wrong: another cause"],
];

const field = (id, label) => {
  const input = make("input", { type: "text", id, autocomplete: "off" });
  return { input, view: make("div", { className: "field" }, make("label", { for: id }, label), input) };
};

export function writeForm({ item, save, tell }) {
  const open = { asked: field("open-asked", "Question"), right: field("open-right", "Right answer: yes or no, a name, a few words") };
  const closed = field("choice-asked", "Question");
  const choices = [0, 1, 2, 3].map((number) => {
    const radio = make("input", { type: "radio", name: "right", id: `right-${number}`, "aria-label": `Answer ${number + 1} is right` });
    const text = make("input", { type: "text", "aria-label": `Answer ${number + 1}`, autocomplete: "off" });
    return { radio, text, view: make("div", { className: "choice" }, radio, text) };
  });
  return {
    view: make("div", { className: "columns" },
      makeSummary(item, "Ask two questions that this summary answers. Another annotator sees only the dialogue."),
      make("div", {},
        make("fieldset", {}, make("legend", {}, "A question with an open answer"), open.asked.view, open.right.view),
        make("fieldset", {}, make("legend", {}, "A question with four answers, one of them right"), closed.view, choices.map((choice) => choice.view)))),
    begin: () => open.asked.input.focus(),
    actions: [{ key: "Ctrl+Enter", label: "Save the questions", main: true, run: () => {
      const texts = choices.map(({ text }) => text.value.trim());
      const right = choices.findIndex(({ radio }) => radio.checked);
      const written = [open.asked.input, open.right.input, closed.input].map((input) => input.value.trim());
      if (written.includes("") || texts.includes("") || right < 0 || new Set(texts).size < 4) {
        return tell("Fill in both questions, four different answers, and mark the right one.");
      }
      return save([
        { question: "write-factoid", answer: { asked: written[0], right: written[1] } },
        { question: "write-choice", answer: { asked: written[2], right: texts[right], choices: texts } },
      ]);
    } }],
  };
}

export function answerForm({ item, save, tell }) {
  const question = `answer-${item.study}`;
  const text = field("given", "Your answer, from the dialogue alone");
  const radios = item.choices.map((choice, number) => ({
    choice, radio: make("input", { type: "radio", name: "given", id: `given-${number}` }),
  }));
  const body = radios.length
    ? radios.map(({ choice, radio }) => make("div", { className: "choice" }, radio, make("label", { for: radio.id }, choice))) : text.view;
  return {
    view: make("div", { className: "columns" },
      make("fieldset", { className: "aside" }, make("legend", {}, item.asked), body),
      make("section", { "aria-label": "Dialogue" }, makeTurns(item.turns, "Turns"))),
    begin: () => (radios[0]?.radio ?? text.input).focus({ preventScroll: true }),
    actions: [
      { key: "x", label: "I cannot tell", run: () => save([{ question, answer: null }]) },
      { key: radios.length ? "Enter" : "Ctrl+Enter", label: "Save the answer", main: true, run: () => {
        const given = radios.length ? radios.find(({ radio }) => radio.checked)?.choice : text.input.value.trim();
        if (!given) return tell("Give an answer, or say that you cannot tell.");
        return save([{ question, answer: given }]);
      } },
    ],
  };
}

export function gradeForm({ item, save }) {
  const question = `grade-${item.study}`;
  return {
    view: make("div", { className: "columns" },
      make("section", { className: "card aside", "aria-label": "Answer" },
        make("h2", {}, item.asked),
        make("p", {}, "Right: ", make("strong", {}, item.right)),
        make("p", {}, "Given: ", make("strong", {}, item.given ?? "declined")),
        make("p", { className: "story" }, item.summary)),
      make("section", { "aria-label": "Dialogue" }, makeTurns(item.turns, "Turns"))),
    actions: GRADES.filter(([, grade]) => item.given !== null || grade !== "correct").map(([key, grade, label]) => ({
      key, label, main: grade === "correct", run: () => save([{ question, answer: grade }]),
    })),
  };
}
