// One page for all reviews: asks the server for an item, lets its form show it, and sends what the annotator decides.

import { FORMS } from "/forms.js";
import { make, replace } from "/elements.js";

const at = (name) => document.getElementById(name);
const state = { session: null, item: null, form: null, since: 0, hidden: 0, busy: false };

async function ask(path, body) {
  const answer = await fetch(path, body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.detail ?? `the server answered ${answer.status}`);
  return said;
}

let clearing = 0;
export function tell(text) {
  at("status").textContent = text;
  clearTimeout(clearing);
  if (text) clearing = setTimeout(() => { at("status").textContent = ""; }, 4000);
}

function showProgress({ done, count }) {
  at("progress").max = count;
  at("progress").value = done;
  at("progress-label").textContent = `${done} of ${count} done`;
}

async function open(place) {
  if (place === null || place < 0 || place >= state.session.count) {
    tell(place === null ? "Everything in this queue is done." : "There is nothing further in this queue.");
    return;
  }
  state.item = await ask(`/api/item?place=${place}`);
  state.since = performance.now();
  state.hidden = 0;
  state.form = FORMS[state.session.form]({
    item: state.item,
    more: (from, to) => ask(`/api/turns?place=${place}&from=${from}&to=${to}`),
    save,
    tell,
  });
  replace(at("work"), state.form.view);
  const decides = state.item.why !== undefined;
  if (decides) state.form.actions.unshift({ key: "y", label: "Unsure", run: () => save([{ question: "unsure", answer: true }]) });
  at("note").value = state.item.own.find((entry) => entry.note)?.note ?? "";
  at("note-field").hidden = !decides;
  replace(at("buttons"), state.form.actions.map(({ key, label, main, run }) => make(
    "button", { type: "button", className: main ? "main" : "", onclick: () => run() }, `${label} `, make("kbd", {}, key),
  )));
  const keys = [...state.form.actions, ...(state.form.keys ?? []), ...COMMON];
  replace(at("keys-rows"), keys.map(({ key, label }) => make("tr", {}, make("td", {}, make("kbd", {}, key)), make("td", {}, label))));
  document.title = `${place + 1} of ${state.session.count} – review of ${state.session.dataset}`;
  history.replaceState(null, "", `#${place + 1}`);
  scrollTo(0, 0);
  state.form.begin?.();
}

async function save(answers) {
  const seconds = (performance.now() - state.since - state.hidden) / 1000;
  const least = state.item.least ?? state.session.least;
  if (seconds < least) {
    tell(`Read on: an answer counts from ${least} s. ${Math.ceil(least - seconds)} s to go.`);
    return;
  }
  if (state.busy) return;
  state.busy = true;
  try {
    const note = at("note").value.trim();
    const told = note ? answers.map((answer) => ({ note, ...answer })) : answers;
    const said = await ask("/api/decide", { place: state.item.place, seconds, answers: told });
    state.session = { ...state.session, ...said };
    showProgress(state.session);
    tell(said.newer ? "Stored. The dataset has a newer release: end fabula review and start it again to see its rows." : "Stored.");
    const following = state.item.place + 1;
    await open(state.item.own.length && following < state.session.count ? following : said.next);
  } catch (error) {
    tell(`Not stored: ${error.message}`);
  } finally {
    state.busy = false;
  }
}

const COMMON = [
  { key: "n", label: "Next item", run: () => open(state.item.place + 1) },
  { key: "p", label: "Previous item", run: () => open(state.item.place - 1) },
  { key: "?", label: "Show the keys", run: () => at("keys").showModal() },
];

const typing = (element) => element.matches("input[type=text], textarea");

document.addEventListener("keydown", (event) => {
  if (!state.form || at("keys").open || event.altKey || event.metaKey) return;
  if (typing(event.target)) {
    if (event.key === "Enter" && event.ctrlKey) state.form.actions.find((action) => action.main)?.run();
    return;
  }
  if (event.ctrlKey) return;
  if (event.key === "Enter" && event.target.matches("button, a")) return;
  const all = [...state.form.actions, ...(state.form.keys ?? []), ...COMMON];
  const found = all.find(({ key, also }) => key === event.key || also?.includes(event.key));
  if (!found) return;
  event.preventDefault();
  found.run();
});

let hiddenSince = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hiddenSince = performance.now();
  else if (hiddenSince) state.hidden += performance.now() - hiddenSince;
});

at("next").onclick = () => open(state.item.place + 1);
at("previous").onclick = () => open(state.item.place - 1);
at("help").onclick = () => at("keys").showModal();

try {
  state.session = await ask("/api/session");
  at("heading").textContent = state.session.dataset;
  at("who").textContent = `${state.session.reader} reads ${state.session.version.slice(0, 12)}, order: ${state.session.order}`;
  showProgress(state.session);
  const wanted = Number(location.hash.slice(1)) - 1;
  await open(wanted >= 0 && wanted < state.session.count ? wanted : state.session.next ?? 0);
} catch (error) {
  replace(at("work"), make("p", { className: "card" }, error.message));
}
