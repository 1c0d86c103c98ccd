"use strict";
// Search in what is said. The dialogues are not in the index: they are loaded, part by part, once somebody asks to search in them.

fabula.said = { units: new Map(), spans: new Map(), chunks: new Set(), loading: false, failed: "" };

/* Keeps a loaded chunk as it is searched: by unit its turns in lower case, by row its spans. */
fabula.said.add = function (chunk) {
  const { said } = fabula;
  for (const [unit, { turns }] of Object.entries(chunk.units)) said.units.set(unit, turns.map(([, speakers, text]) => `${speakers.join(" ")} ${text}`.toLowerCase()));
  for (const row of chunk.rows) said.spans.set(`${row.unit} ${row.id}`, row.spans || []);
};

/* Loads all dialogues, four parts at once. `list` is called as the loaded parts double, and at the end: to list all rows anew after
   each four would take time by the square of the release. `tell` is called after the others. Calling again while it loads does nothing. */
fabula.said.load = async function (list, tell) {
  const { said, index } = fabula;
  if (said.loading) return;
  said.loading = true;
  said.failed = "";
  let listed = 0;
  try {
    const missing = () => [...new Set(index.units.map((unit) => unit.chunk))].filter((chunk) => !said.chunks.has(chunk));
    for (let chunks = missing().slice(0, 4); chunks.length; chunks = missing().slice(0, 4)) {
      const loaded = await Promise.all(chunks.map((chunk) => fabula.load(chunk)));
      loaded.forEach((chunk, place) => { said.add(chunk); said.chunks.add(chunks[place]); });
      if (said.chunks.size >= 2 * listed) {
        listed = said.chunks.size;
        list();
      } else tell();
    }
  } catch (error) {
    said.failed = `Not all dialogues could be loaded: ${error.message}`;
  }
  said.loading = false;
  list();
};

fabula.said.progress = function () {
  const { said, index } = fabula;
  const all = new Set(index.units.map((unit) => unit.chunk)).size;
  return said.failed || (index.whole && said.chunks.size >= all ? "" : `Searched in ${fabula.count(said.chunks.size)} of ${fabula.count(all)} parts of the dialogues so far.`);
};

/* Returns a function that tells whether a word is said in a row. Turns are looked through once a unit and word, however many rows share them. */
fabula.said.finder = function () {
  const { said } = fabula;
  const counts = new Map();
  const count = (unit, word) => {
    const key = `${unit} ${word}`;
    if (!counts.has(key)) {
      const sums = [0];
      for (const text of said.units.get(unit) || []) sums.push(sums[sums.length - 1] + text.includes(word));
      counts.set(key, sums);
    }
    return counts.get(key);
  };
  return (row, word) => {
    const spans = said.spans.get(`${row.unit.id} ${row.id}`);
    if (!spans || !spans.length) return false;
    const sums = count(row.unit.id, word);
    return spans.some(([start, stop]) => sums[stop] > sums[start]);
  };
};
