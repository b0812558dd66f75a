// One query, four ways to search 221 passages: shared words, weighted words, averaged word vectors, an encoder.
// The vectors are stored as whole numbers (int8), so every score here is computed from exact sums.
import { h, setText, fixed, select, controls, live } from "./kit.js";

const SHOWN = 3;

/** Lower-cased runs of letters, digits and apostrophes. */
function words(text) {
  return text.toLowerCase().replaceAll("\u2019", "'").match(/(?:[\p{L}\p{N}]|')+/gu) ?? [];
}

/** Base64 to rows of signed bytes. */
function decode(text, width) {
  const bytes = Int8Array.from(atob(text), (c) => c.charCodeAt(0));
  return Array.from({ length: bytes.length / width }, (_, i) => bytes.subarray(i * width, (i + 1) * width));
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

function cosine(a, b) {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
}

/** Shared words over all words of the two. */
function jaccard(a, b) {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** Counts weighted by rarity, ln((1 + n) / (1 + n_w)) + 1, as one Map a text; cosine of two of them. */
function tfidf(documents) {
  const n = documents.length;
  const frequency = new Map();
  for (const document of documents) {
    for (const word of new Set(document)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const weigh = (list) => {
    const weights = new Map();
    for (const word of list) {
      if (!frequency.has(word)) continue;
      weights.set(word, (weights.get(word) ?? 0) + Math.log((1 + n) / (1 + frequency.get(word))) + 1);
    }
    return weights;
  };
  const length = (w) => Math.sqrt([...w.values()].reduce((sum, x) => sum + x * x, 0));
  const rows = documents.map(weigh);
  const lengths = rows.map(length);
  return (list) => {
    const q = weigh(list);
    const own = length(q);
    return rows.map((row, i) => {
      let sum = 0;
      for (const [word, weight] of q) sum += weight * (row.get(word) ?? 0);
      return own === 0 || lengths[i] === 0 ? 0 : sum / (own * lengths[i]);
    });
  };
}

/** Best first; equal to nine decimals means equal, and then the earlier passage comes first. */
function rank(scores) {
  const rounded = scores.map((x) => Math.round(x * 1e9));
  return scores.map((_, i) => i).sort((a, b) => rounded[b] - rounded[a] || a - b);
}

export default {
  render({ model, el }) {
    const passages = model.get("passages"); // [name, text]
    const queries = model.get("queries"); // [kind, text, index of the answer]
    const vectors = Object.fromEntries(Object.entries(model.get("vectors")).map(([name, { width, data }]) =>
      [name, decode(data, width)]));
    const texts = passages.map(([, text]) => words(text));
    const sets = texts.map((list) => new Set(list));
    const weighted = tfidf(texts);
    const byVectors = (name) => (q) => {
      const query = vectors[name][passages.length + q];
      return passages.map((_, i) => cosine(vectors[name][i], query));
    };
    const methods = [
      ["overlap", "Word overlap", "token", (q) => sets.map((set) => jaccard(new Set(words(queries[q][1])), set))],
      ["tfidf", "TF-IDF", "token", (q) => weighted(words(queries[q][1]))],
      ["glove", "Averaged GloVe", "vector", byVectors("glove")],
      ["minilm", "MiniLM", "vector", byVectors("minilm")],
    ];

    const voice = live();
    const columns = methods.map(([key, title, colour, scores]) => {
      const verdict = h("p", { class: "tv-note", "data-tv": `${key}-verdict` });
      const items = Array.from({ length: SHOWN }, (_, i) => {
        const score = h("span", { class: "tv-value", "data-tv": `${key}-score-${i}` });
        const badge = h("strong", {}, "");
        const text = h("span", { "data-tv": `${key}-text-${i}` });
        const bar = h("span", { class: "tv-searchbar", "aria-hidden": "true" });
        bar.style.background = `var(--tv-${colour})`;
        const node = h("li", {}, h("span", { class: "tv-searchline" }, bar, score, badge), text);
        return { node, score, badge, text, bar };
      });
      const node = h("section", { class: "tv-searchcolumn", "aria-label": title }, h("p", { class: "tv-title" }, title),
        verdict, h("ol", {}, items.map((item) => item.node)));
      return { key, title, scores, verdict, items, node };
    });

    const show = (q) => {
      const [, query, answer] = queries[q];
      const asked = new Set(words(query));
      const told = [];
      for (const column of columns) {
        const scores = column.scores(q);
        const order = rank(scores);
        const place = order.indexOf(answer) + 1;
        const found = scores[answer] > 5e-10 || column.key === "glove" || column.key === "minilm";
        const verdict = found ? `answer at rank ${place}` : "answer not found: no shared word";
        setText(column.verdict, verdict);
        told.push(`${column.title}: ${found ? `rank ${place}` : "not found"}`);
        column.items.forEach((item, i) => {
          const id = order[i];
          const zero = !(scores[id] > 5e-10) && column.key !== "glove" && column.key !== "minilm";
          item.node.hidden = zero;
          item.node.classList.toggle("tv-searchanswer", id === answer && !zero);
          setText(item.score, fixed(scores[id], 3));
          setText(item.badge, id === answer && !zero ? "answer" : "");
          item.bar.style.width = `${Math.max(0, Math.min(1, scores[id])) * 5}rem`;
          item.text.replaceChildren(...passages[id][1].split(/((?:[\p{L}\p{N}]|['\u2019])+)/u).map((part) =>
            (asked.has(words(part)[0]) ? h("u", {}, part) : part)));
        });
      }
      voice.say(`${query}: ${told.join("; ")}.`);
    };

    const group = (kind, label) => h("optgroup", { label }, queries.flatMap(([k, text], i) =>
      (k === kind ? [h("option", { value: i }, text)] : [])));
    const picker = select({ label: "Ask", options: [], value: 0, change: (value) => show(Number(value)), name: "query" });
    picker.input.append(group("meaning", "No word in common with the answer"), group("words", "A name, a number, a rare word"));
    picker.set(String(model.get("query")));
    const step = (by) => {
      const next = (Number(picker.input.value) + by + queries.length) % queries.length;
      picker.set(String(next));
      show(next);
    };
    const arrow = (label, text, by, name) =>
      h("button", { type: "button", class: "tv-button", "aria-label": label, "data-tv": name, onclick: () => step(by) }, text);

    const style = h("style", {}, `
      .tv-searchcolumns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, max(15rem, 40%)), 1fr)); gap: 1rem 1.2rem; }
      .tv-searchcolumn { min-width: 0; }
      .tv-searchcolumn ol { margin: 0.4rem 0 0; padding: 0; list-style: none; }
      .tv-searchcolumn li { padding: 0.4rem 0.5rem; border-left: 3px solid transparent; font-size: 0.86rem; }
      .tv-searchcolumn li + li { border-top: 1px solid var(--tv-border); }
      .tv-searchcolumn li.tv-searchanswer { border-left-color: var(--tv-text); background: var(--tv-raised); }
      .tv-searchline { display: flex; align-items: center; gap: 0.5rem; }
      .tv-searchbar { display: inline-block; height: 0.5rem; border-radius: 2px; }
      .tv-searchpick, .tv-searchpick .tv-select { flex: 1 1 auto; min-width: 0; max-width: 100%; }
      .tv-searchpick select { width: 100%; min-width: 0; }
    `);
    picker.node.classList.add("tv-searchpick");
    el.append(style, controls(picker.node, arrow("Previous query", "\u2190", -1, "previous"), arrow("Next query", "\u2192", 1, "next")),
      h("div", { class: "tv-searchcolumns" }, columns.map((column) => column.node)), voice.node);
    show(model.get("query"));
    return () => {};
  },
};
