// One attention head over two sentences: type the tokens, read the weights, compare what a word has become.
import { h, setText, fixed, choice, select, controls, live, grid, tint } from "./kit.js";

const MOST = 6; // tokens a sentence

/** A word's vector: from the table, or spelled from its letters (FNV-1a), so that any word has one. */
function vectorOf(word, table, width) {
  if (table[word]) return table[word];
  return Array.from({ length: width }, (_, j) => {
    let hash = 2166136261;
    for (const byte of new TextEncoder().encode(`${word}:${j}`)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
    return ((hash % 201) - 100) / 100;
  });
}

/** Sinusoidal position code (Vaswani et al. 2017, section 3.5): sines on even coordinates, cosines on odd ones. */
function positionCode(position, width) {
  return Array.from({ length: width }, (_, j) => {
    const angle = position / 10000 ** ((j - (j % 2)) / width);
    return j % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** softmax(X X^T / sqrt(d)) X with identity projections. Returns { weights, outputs }. */
function head(x, causal) {
  const scale = Math.sqrt(x[0].length);
  const weights = x.map((query, i) => {
    const scores = x.map((key, j) => (causal && j > i ? -Infinity : dot(query, key) / scale));
    const top = Math.max(...scores);
    const powers = scores.map((score) => Math.exp(score - top));
    const total = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / total);
  });
  return { weights, outputs: weights.map((row) => x[0].map((_, j) => row.reduce((sum, w, k) => sum + w * x[k][j], 0))) };
}

export default {
  render({ model, el }) {
    const table = model.get("table");
    const width = model.get("width");
    const examples = model.get("examples"); // { key: { label, sentences, word } }
    let example = model.get("example");
    let positions = model.get("positions");
    let causal = model.get("causal");
    let sentences = examples[example].sentences.map(split);
    let word = examples[example].word;
    const voice = live();

    function split(text) {
      return text.toLowerCase().split(/\s+/).filter((token) => token !== "").slice(0, MOST);
    }

    // ---- what is drawn once and then only rewritten
    const blank = Array.from({ length: MOST }, () => Array(MOST).fill(0));
    const sides = [0, 1].map((which) => {
      const label = which === 0 ? "First sentence" : "Second sentence";
      const input = h("input", {
        type: "text", class: "tv-sentence", "data-tv": `sentence-${which}`, "aria-label": label, spellcheck: "false",
        value: examples[example].sentences[which], maxlength: 80, size: 24,
        oninput: () => {
          const tokens = split(input.value);
          if (tokens.length === 0) { voice.say("The sentence is empty: type at least one word."); return; }
          sentences[which] = tokens;
          show(true);
        },
      });
      const sheet = grid({
        caption: `${label}: attention weights, one row a token that looks`, rowHeads: Array(MOST).fill(""),
        columnHeads: Array(MOST).fill(""), values: blank, digits: 2, name: `weight-${which}`,
      });
      const heads = [...sheet.node.querySelectorAll("thead th")];
      const node = h("div", { class: "tv-scroll" }, h("p", { class: "tv-title" }, label), input, sheet.node);
      return { input, sheet, heads, node };
    });
    const columnHeads = Array.from({ length: width }, (_, j) => String(j + 1));
    const outputs = grid({
      caption: "The word's vector after the head, in both sentences", rowHeads: ["first", "second"],
      columnHeads, values: [Array(width).fill(0), Array(width).fill(0)], digits: 2, name: "output",
    });
    const stages = ["looked up", "with position", "after the head"];
    const results = stages.map((_, k) => h("dd", { "data-tv": `cosine-${k}` }));
    const title = h("span", { class: "tv-tok" });

    // ---- controls
    const shared = () => sentences[0].filter((token, i) => sentences[1].includes(token) && sentences[0].indexOf(token) === i);
    const which = select({ label: "Compare the word", name: "word", value: word, options: [[word, word]], change: (value) => { word = value; show(true); } });
    const presets = choice({
      label: "Example", name: "example", value: example, options: Object.entries(examples).map(([key, one]) => [key, one.label]),
      change: (key) => {
        example = key;
        sentences = examples[key].sentences.map(split);
        word = examples[key].word;
        sides.forEach((side, i) => { side.input.value = examples[key].sentences[i]; });
        show(true);
      },
    });
    const code = choice({
      label: "Positions", name: "positions", value: positions ? "on" : "off", options: [["off", "no positions"], ["on", "sines and cosines"]],
      change: (key) => { positions = key === "on"; show(true); },
    });
    const mask = choice({
      label: "Mask", name: "mask", value: causal ? "on" : "off", options: [["off", "sees all"], ["on", "sees only what came before"]],
      change: (key) => { causal = key === "on"; show(true); },
    });

    /** The vectors of one sentence at the three stages, and the weights between. */
    function run(tokens) {
      const found = tokens.map((token) => vectorOf(token, table, width));
      const placed = found.map((row, i) => (positions ? row.map((x, j) => x + positionCode(i, width)[j]) : row));
      return { found, placed, ...head(placed, causal) };
    }

    function show(say) {
      const choices = shared();
      if (!choices.includes(word)) word = choices[choices.length - 1];
      which.input.replaceChildren(...choices.map((token) => h("option", { value: token }, token)));
      which.input.disabled = choices.length === 0;
      if (choices.length) which.set(word);
      setText(title, choices.length ? word : "no word in common");
      const results2 = sentences.map(run);
      sides.forEach(({ sheet, heads }, s) => {
        const tokens = sentences[s];
        for (let i = 0; i < MOST; i += 1) {
          sheet.rows[i].hidden = i >= tokens.length;
          heads[i].hidden = i >= tokens.length;
          setText(heads[i], tokens[i] ?? "");
          setText(sheet.rows[i].querySelector("th"), tokens[i] ?? "");
          sheet.rows[i].classList.toggle("tv-chosen", tokens[i] === word && tokens.indexOf(word) === i);
          for (let j = 0; j < MOST; j += 1) {
            const cell = sheet.cells[i][j];
            cell.hidden = j >= tokens.length;
            if (i >= tokens.length || j >= tokens.length) { cell.removeAttribute("data-value"); continue; }
            const weight = results2[s].weights[i][j];
            setText(cell, fixed(weight, 2));
            cell.setAttribute("data-value", weight.toFixed(6));
            tint(cell, weight, 0.6, "probability");
          }
        }
      });
      const at = sentences.map((tokens) => tokens.indexOf(word));
      if (choices.length === 0) {
        results.forEach((node) => setText(node, "\u2013"));
        outputs.cells.flat().forEach((cell) => { setText(cell, "\u2013"); tint(cell, 0); });
        if (say) voice.say("The two sentences share no word, so there is nothing to compare.");
        return;
      }
      const pairs = ["found", "placed", "outputs"].map((stage) => results2.map((result, s) => result[stage][at[s]]));
      pairs.forEach(([a, b], k) => {
        const value = cosine(a, b);
        setText(results[k], fixed(value, 4));
        results[k].setAttribute("data-value", value.toFixed(6));
      });
      pairs[2].forEach((row, s) => row.forEach((value, j) => {
        const cell = outputs.cells[s][j];
        setText(cell, fixed(value, 2));
        cell.setAttribute("data-value", value.toFixed(6));
        tint(cell, value, 2);
      }));
      if (say) {
        voice.say(`${word}: cosine ${results[0].textContent} as looked up, ${results[1].textContent} with position, `
          + `${results[2].textContent} after the head.`);
      }
    }

    el.append(
      controls(presets.node),
      controls(code.node, mask.node),
      h("div", { class: "tv-columns" }, ...sides.map((side) => side.node)),
      h("div", { class: "tv-columns" },
        h("div", {}, controls(which.node),
          h("dl", { class: "tv-counts" }, stages.flatMap((stage, k) => [h("dt", {}, `cosine, ${stage}`), results[k]]))),
        h("div", { class: "tv-scroll" }, h("p", { class: "tv-title" }, "What the head makes of ", title), outputs.node)),
      h("p", { class: "tv-note" }, `Six numbers a word, at most ${MOST} words. A word the table does not know gets numbers spelled from its letters.`),
      voice.node,
    );
    show(false);
  },
};
