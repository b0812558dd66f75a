// The lattice of one word under a unigram language model: every piece at every place, and the best way through.
import { h, setText, count, fixed, percent, button, controls, live } from "./kit.js";

const LONGEST = 14; // characters of the word, the mark of the space not counted

function logAdd(a, b) {
  const [large, small] = a > b ? [a, b] : [b, a];
  return small === -Infinity ? large : large + Math.log1p(Math.exp(small - large));
}

/** Every known piece at every place; a character without one costs the unknown piece. */
function lattice(word, pieces, longest, unknown) {
  const edges = [];
  const letters = [...word];
  for (let start = 0; start < letters.length; start += 1) {
    for (let end = start + 1; end <= Math.min(letters.length, start + longest); end += 1) {
      const piece = letters.slice(start, end).join("");
      if (pieces.has(piece)) edges.push({ start, end, piece, value: pieces.get(piece) });
      else if (end === start + 1) edges.push({ start, end, piece, value: unknown, stranger: true });
    }
  }
  return { edges, length: letters.length };
}

/** The most probable way (edges, score), the number of all ways, and their probability together. */
function solve({ edges, length }) {
  const score = Array(length + 1).fill(-Infinity);
  const all = Array(length + 1).fill(-Infinity);
  const ways = Array(length + 1).fill(0);
  const best = Array(length + 1).fill(null);
  [score[0], all[0], ways[0]] = [0, 0, 1];
  for (const edge of edges) { // in order of start, so that what leads to its start is final
    const candidate = score[edge.start] + edge.value;
    if (candidate > score[edge.end]) { score[edge.end] = candidate; best[edge.end] = edge; }
    all[edge.end] = logAdd(all[edge.end], all[edge.start] + edge.value);
    ways[edge.end] += ways[edge.start];
  }
  const path = [];
  for (let end = length; end > 0; end = path[0].start) path.unshift(best[end]);
  return { path, score: score[length], ways: ways[length], share: Math.exp(score[length] - all[length]) };
}

const CSS = `
.tvl-grid { display: grid; gap: 3px; grid-auto-flow: row dense; min-width: min-content; }
.tvl-letter { text-align: center; font-family: var(--tv-mono); font-weight: 600; }
.tvl-edge { border: 1px solid var(--tv-border); border-radius: 4px; background: var(--tv-raised); text-align: center; padding: 0.1rem 0.1rem; line-height: 1.25; }
.tvl-edge b { display: block; font-family: var(--tv-mono); font-weight: 400; }
.tvl-edge span { font-size: 0.74em; color: var(--tv-probability-ink); }
.tvl-edge.tvl-best { border: 2px solid var(--tv-token); background: color-mix(in srgb, var(--tv-token) 22%, transparent); }
.tvl-edge.tvl-best b { font-weight: 700; }
.tvl-word { min-width: 9rem; max-width: 100%; }
`;

export default {
  render({ model, el }) {
    const names = model.get("pieces");
    const values = model.get("log_probabilities");
    const pieces = new Map(names.map((piece, i) => [piece, values[i]]));
    const longest = Math.max(...names.map((piece) => [...piece].length));
    const unknown = Math.min(...values) - 10;

    const input = h("input", {
      type: "text", class: "tvl-word", maxlength: LONGEST, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "data-tv": "word", "aria-label": "Word to cut", oninput: () => draw(),
    });
    input.value = model.get("word");
    const field = h("div", { class: "tvl-grid", role: "list", "aria-label": "Every piece at every place" });
    const best = h("p", { class: "tv-title", "data-tv": "best" });
    const facts = {
      score: h("dd", { "data-tv": "score" }), edges: h("dd", { "data-tv": "edges" }),
      ways: h("dd", { "data-tv": "ways" }), share: h("dd", { "data-tv": "share" }),
    };
    const voice = live();

    function draw() {
      const word = `\u2581${input.value.replaceAll(" ", "\u2581")}`;
      const net = lattice(word, pieces, longest, unknown);
      const { path, score, ways, share } = solve(net);
      field.style.gridTemplateColumns = `repeat(${net.length}, minmax(2.5rem, 1fr))`;
      const heads = [...word].map((letter, i) =>
        h("div", { class: "tvl-letter", style: `grid-row:1;grid-column:${i + 1}`, "aria-hidden": "true" }, letter));
      // The best way stands in the second row; all other pieces fill the rows below, short ones first.
      const rest = net.edges.filter((edge) => !path.includes(edge)).sort((a, b) => (a.end - a.start) - (b.end - b.start));
      const box = (edge, chosen) => h("div", {
        role: "listitem", class: chosen ? "tvl-edge tvl-best" : "tvl-edge",
        style: `grid-column:${edge.start + 1} / ${edge.end + 1}${chosen ? ";grid-row:2" : ""}`,
      }, h("b", {}, edge.piece), h("span", {}, edge.stranger ? "unknown" : fixed(edge.value, 2)));
      field.replaceChildren(...heads, ...path.map((edge) => box(edge, true)), ...rest.map((edge) => box(edge, false)));
      setText(best, path.map((edge) => edge.piece).join(" | "));
      setText(facts.score, fixed(score, 2));
      setText(facts.edges, count(net.edges.length));
      setText(facts.ways, count(ways));
      setText(facts.share, percent(share, 1));
      voice.say(`${count(ways)} ways to cut it; the best has ${path.length} pieces and ${percent(share, 1)} of the probability.`);
    }
    const examples = model.get("examples").map((word, i) =>
      button(word, () => { input.value = word; draw(); }, { "data-tv": `example-${i}` }));
    el.append(
      controls(h("label", {}, "Word: ", input), ...examples),
      best,
      h("div", { class: "tv-scroll", tabindex: "0", role: "group", "aria-label": "The lattice, scrolls sideways" }, field),
      h("dl", { class: "tv-counts" },
        h("dt", {}, "log-probability of the best way, in nats"), facts.score, h("dt", {}, "pieces that fit somewhere"), facts.edges,
        h("dt", {}, "ways to cut the word"), facts.ways, h("dt", {}, "share of the best way among them all"), facts.share),
      voice.node,
      h("style", {}, CSS),
    );
    draw();
    return () => {};
  },
};
