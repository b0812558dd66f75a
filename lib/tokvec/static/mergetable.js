// The worked corpus of byte-pair encoding, merge by merge: count all pairs, join the commonest, again.
import { h, setText, count, button, controls, live, play } from "./kit.js";

const TOP = 8; // pairs shown

/** How often each pair of neighbours occurs, in the order in which pairs are first met. */
function countPairs(words) {
  const pairs = new Map();
  for (const { symbols, n } of words) {
    for (let i = 0; i + 1 < symbols.length; i += 1) {
      const key = `${symbols[i]}\u0000${symbols[i + 1]}`;
      pairs.set(key, (pairs.get(key) ?? 0) + n);
    }
  }
  return pairs;
}

/** The commonest pair; of equals the one met first. */
function commonest(pairs) {
  let best = null;
  for (const [key, n] of pairs) if (best === null || n > best.n) best = { pair: key.split("\u0000"), n };
  return best;
}

function join(symbols, [left, right]) {
  const joined = [];
  for (let i = 0; i < symbols.length; i += 1) {
    if (symbols[i] === left && symbols[i + 1] === right) { joined.push(left + right); i += 1; } else joined.push(symbols[i]);
  }
  return joined;
}

const CSS = `
.tvm-word { display: inline-flex; flex-wrap: wrap; gap: 3px; }
.tvm-word .tv-tok { font-family: var(--tv-mono); }
.tvm-word .tvm-new { outline: 2px solid var(--tv-token); font-weight: 700; }
.tv-figure table.tv-grid td.tvm-left { text-align: left; }
.tv-figure table.tv-grid tr.tvm-best > * { font-weight: 700; background: color-mix(in srgb, var(--tv-token) 16%, transparent); }
.tv-figure ol.tvm-done { margin: 0; padding-left: 2.2em; columns: 2 9rem; }
.tvm-done li { margin: 0; }
.tvm-done code, .tvm-pair { font-family: var(--tv-mono); background: none; border: 0; padding: 0; color: var(--tv-token-ink); }
`;

export default {
  render({ model, el }) {
    const end = model.get("end");
    const start = model.get("words").map(([word, n]) => ({ symbols: [...word, end], n }));
    let words, done, stop = () => {};

    const wordCells = start.map((_, i) => h("span", { class: "tvm-word", "data-tv": `word-${i}` }));
    const wordTable = h("table", { class: "tv-grid" },
      h("caption", { class: "tv-hidden" }, "The words of the corpus in their present tokens, and how often each occurs"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "times"), h("th", { scope: "col", style: "text-align:left" }, "word, in its present tokens"))),
      h("tbody", {}, start.map(({ n }, i) => h("tr", {}, h("td", {}, `${n} \u00d7`), h("td", { class: "tvm-left" }, wordCells[i])))));
    const pairRows = Array.from({ length: TOP }, (_, i) => {
      const pair = h("th", { scope: "row", class: "tvm-pair", "data-tv": `pair-${i}` });
      const n = h("td", { "data-tv": `pair-count-${i}` });
      return { node: h("tr", {}, pair, n), pair, n };
    });
    const pairTable = h("table", { class: "tv-grid" },
      h("caption", { class: "tv-hidden" }, "The commonest pairs now"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col", style: "text-align:left" }, "pair"), h("th", { scope: "col" }, "count"))),
      h("tbody", {}, pairRows.map((row) => row.node)));
    const list = h("ol", { class: "tvm-done", "data-tv": "merges" });
    const voice = live();

    function writeWord(cell, symbols, fresh) {
      while (cell.children.length < symbols.length) cell.append(h("span", { class: "tv-tok" }));
      while (cell.children.length > symbols.length) cell.lastChild.remove();
      symbols.forEach((symbol, i) => {
        setText(cell.children[i], symbol);
        cell.children[i].classList.toggle("tvm-new", symbol === fresh);
      });
    }
    function draw() {
      const fresh = done.length ? done.at(-1).pair.join("") : null;
      words.forEach(({ symbols }, i) => writeWord(wordCells[i], symbols, fresh));
      const pairs = countPairs(words);
      const best = commonest(pairs);
      const ranked = [...pairs].sort((a, b) => b[1] - a[1]); // stable: equals stay in the order met
      pairRows.forEach((row, i) => {
        row.node.hidden = i >= ranked.length;
        row.node.classList.toggle("tvm-best", i === 0 && i < ranked.length);
        setText(row.pair, i < ranked.length ? ranked[i][0].replace("\u0000", " + ") : "");
        setText(row.n, i < ranked.length ? count(ranked[i][1]) : "");
      });
      while (list.children.length > done.length) list.lastChild.remove();
      while (list.children.length < done.length) {
        const { pair, n } = done[list.children.length];
        list.append(h("li", {}, h("code", {}, `${pair[0]} + ${pair[1]}`), ` (${count(n)})`));
      }
      next.setAttribute("aria-disabled", String(best === null));
      back.setAttribute("aria-disabled", String(done.length === 0));
      const left = words.reduce((sum, { symbols, n }) => sum + n * symbols.length, 0);
      const said = done.length ? `Merge ${done.length}: ${done.at(-1).pair.join(" + ")}, seen ${count(done.at(-1).n)} times. ` : "";
      voice.say(`${said}The corpus is ${count(left)} tokens long${best === null ? ", one a word: no pair is left." : "."}`);
    }
    function replay(steps) {
      words = start.map(({ symbols, n }) => ({ symbols, n }));
      done = [];
      for (let k = 0; k < steps; k += 1) advance();
    }
    function advance() {
      const best = commonest(countPairs(words));
      if (best === null) return false;
      words = words.map(({ symbols, n }) => ({ symbols: join(symbols, best.pair), n }));
      done.push(best);
      return true;
    }
    const next = button("Next merge", () => { stop(); advance(); draw(); }, { class: "tv-button tv-main", "data-tv": "next" });
    const back = button("Back", () => { stop(); replay(Math.max(0, done.length - 1)); draw(); }, { "data-tv": "back" });
    const all = button("Run to the end", () => { stop(); stop = play(() => { const more = advance(); draw(); return more; }, 500); }, { "data-tv": "run" });
    const again = button("Start again", () => { stop(); replay(0); draw(); }, { "data-tv": "reset" });

    el.append(
      controls(next, back, all, again),
      voice.node,
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, wordTable),
        h("div", { class: "tv-scroll" }, pairTable),
        h("div", {}, h("p", { class: "tv-note" }, "Learned so far, in order:"), list)),
      h("style", {}, CSS),
    );
    replay(model.get("steps"));
    draw();
    return () => stop();
  },
};
