// The MLP language model of chapter 5, alive: prefix, looked-up rows, hidden layer, next-symbol distribution.
// The trained weights come as half-precision numbers in base64; every product is computed here.
import { h, s, setText, fixed, percent, button, controls, live, grid, tint, play } from "./kit.js";

const SYMBOLS = ".abcdefghijklmnopqrstuvwxyz";
const LONGEST = 16;

/** IEEE 754 half precision, little-endian, in base64 -> numbers. */
function halves(base64) {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float64Array.from({ length: bytes.length / 2 }, (_, i) => {
    const bits = view.getUint16(2 * i, true);
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
  });
}

/** x W + b for a row vector x and a matrix W stored row by row. */
function affine(x, W, b) {
  const out = Float64Array.from(b);
  for (let i = 0; i < x.length; i += 1) {
    for (let j = 0; j < out.length; j += 1) out[j] += x[i] * W[i * out.length + j];
  }
  return out;
}

function softmax(z) {
  const largest = Math.max(...z);
  const e = z.map((value) => Math.exp(value - largest));
  const total = e.reduce((a, b) => a + b, 0);
  return e.map((value) => value / total);
}

/** The forward pass for one context of k ids. */
function forward(model, context) {
  const rows = context.map((id) => model.C.subarray(id * model.d, (id + 1) * model.d));
  const e = rows.flatMap((row) => [...row]);
  const hidden = affine(e, model.W1, model.b1).map(Math.tanh);
  return { rows, hidden, p: softmax(affine(hidden, model.W2, model.b2)) };
}

/** A small seeded generator (mulberry32), so that the same clicks write the same names. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Draw an id from a distribution with one random number in [0, 1). */
function draw(p, u) {
  let sum = 0;
  for (let i = 0; i < p.length; i += 1) {
    sum += p[i];
    if (u < sum) return i;
  }
  return p.length - 1;
}

const CSS = `
.tv-mlp-step { margin: 0; font-weight: 600; }
.tv-mlp-step small { font-weight: 400; color: var(--tv-muted); font-size: 0.88rem; }
.tv-mlp-next { display: grid; grid-template-columns: repeat(auto-fill, minmax(4.5rem, 1fr)); gap: 4px; }
.tv-figure .tv-mlp-next .tv-button { position: relative; display: flex; justify-content: space-between; align-items: center; gap: 0.3rem;
  padding: 0.3rem 0.5rem; overflow: hidden; text-align: left; font-variant-numeric: tabular-nums; }
.tv-mlp-next .tv-button > * { position: relative; }
.tv-mlp-next .tv-button b { color: var(--tv-token-ink); }
.tv-mlp-next .tv-button::before { content: ""; position: absolute; inset: 0 auto 0 0; width: var(--tv-share, 0%);
  background: color-mix(in srgb, var(--tv-probability) 45%, transparent); }
.tv-mlp-units { display: block; width: 100%; max-width: 560px; height: auto; }
.tv-mlp-prefix { font-family: var(--tv-mono); width: 12em; max-width: 100%; }
`;

export default {
  render({ model: state, el }) {
    const [k, d, hidden] = state.get("shape");
    const V = SYMBOLS.length;
    const numbers = halves(state.get("weights"));
    const model = { d };
    let at = 0;
    for (const [name, size] of [["C", V * d], ["W1", k * d * hidden], ["b1", hidden], ["W2", hidden * V], ["b2", V]]) {
      model[name] = numbers.subarray(at, at += size);
    }
    const random = generator(state.get("seed"));
    let prefix = "";
    let p = [];
    let stop = () => {};
    const names = [];

    const input = h("input", {
      type: "text", class: "tv-mlp-prefix", "data-tv": "prefix", maxlength: LONGEST, value: state.get("prefix"),
      autocapitalize: "none", autocomplete: "off", spellcheck: "false", "aria-label": "Prefix: the letters so far",
      oninput: () => { stop(); type(input.value); },
    });
    const rows = grid({
      caption: "The rows of the table C that the context looks up",
      rowHeads: Array(k).fill(""), columnHeads: null,
      values: Array.from({ length: k }, () => Array(d).fill(0)), digits: 1, name: "row",
    });
    const heads = rows.rows.map((row) => row.querySelector("th"));
    const across = hidden > 50 ? 40 : hidden;
    const units = Array.from({ length: hidden }, () => s("rect", { "stroke-width": 1.5, stroke: "var(--tv-vector)" }));
    const diagram = s("svg", {
      viewBox: `0 0 ${across * 14} ${Math.ceil(hidden / across) * 14}`, class: "tv-mlp-units", role: "img",
      "aria-label": `${hidden} hidden units`, "data-tv": "units",
    }, units);
    const summary = h("p", { class: "tv-note", "data-tv": "hidden" });
    const next = Array.from(SYMBOLS, (symbol, i) => {
      const value = h("span", {}, "");
      const node = button("", () => { stop(); append(i); }, {
        "data-tv": `next-${symbol}`, "aria-label": "", title: i ? `Append ${symbol}` : "End the name here",
      });
      node.append(h("b", {}, symbol), value);
      return { node, value };
    });
    const written = h("p", { class: "tv-note", "data-tv": "names" });
    const voice = live();

    /** Take the letters a to z of what was typed as the prefix, and run the model. */
    function type(text, quiet = false) {
      prefix = Array.from(text.toLowerCase()).filter((c) => c >= "a" && c <= "z").slice(0, LONGEST).join("");
      if (input.value !== prefix) input.value = prefix;
      const context = [...Array(k).fill(0), ...Array.from(prefix, (c) => SYMBOLS.indexOf(c))].slice(-k);
      const result = forward(model, context);
      p = result.p;
      result.rows.forEach((row, i) => {
        setText(heads[i], SYMBOLS[context[i]]);
        row.forEach((value, j) => {
          setText(rows.cells[i][j], fixed(value, 1));
          tint(rows.cells[i][j], value, 3);
        });
      });
      let positive = 0;
      result.hidden.forEach((value, u) => {
        const size = 11 * Math.sqrt(Math.abs(value));
        const [x, y] = [(u % across) * 14 + 7, Math.floor(u / across) * 14 + 7];
        for (const [name, v] of [["x", x - size / 2], ["y", y - size / 2], ["width", size], ["height", size]]) {
          units[u].setAttribute(name, v.toFixed(2));
        }
        units[u].setAttribute("fill", value > 0 ? "var(--tv-vector)" : "none");
        positive += value > 0;
      });
      setText(summary, `${positive} of ${hidden} units are positive (filled), the others negative (outlined). The size is the strength.`);
      p.forEach((value, i) => {
        next[i].node.style.setProperty("--tv-share", `${(100 * value).toFixed(2)}%`);
        next[i].node.dataset.p = value.toFixed(6);
        next[i].node.setAttribute("aria-label", `${i ? SYMBOLS[i] : "end of the name"}, ${percent(value)}`);
        setText(next[i].value, percent(value));
      });
      if (quiet) return;
      const best = p.indexOf(Math.max(...p));
      voice.say(`After ${prefix ? `\u201c${prefix}\u201d` : "the start"} the likeliest is `
        + `${best ? SYMBOLS[best] : "the end of the name"}, ${percent(p[best])}.`);
    }

    /** Append one symbol; false when it ends the name. */
    function append(id, quiet = false) {
      if (id === 0 || prefix.length >= LONGEST) {
        names.unshift(prefix || "(nothing)");
        names.length = Math.min(names.length, 8);
        setText(written, `Written: ${names.join(", ")}`);
        voice.say(`The name ends: ${names[0]}.`);
        type("", true);
        return false;
      }
      type(prefix + SYMBOLS[id], quiet);
      return true;
    }

    const one = button("Draw one symbol", () => { stop(); append(draw(p, random())); }, { "data-tv": "draw" });
    const name = button("Write a name", () => {
      stop();
      stop = play(() => append(draw(p, random()), true), 260);
    }, { class: "tv-button tv-main", "data-tv": "write" });
    const clear = button("Clear", () => { stop(); type(""); }, { "data-tv": "clear" });

    const step = (number, title, note) => h("p", { class: "tv-mlp-step" }, `${number} ${title} `, h("small", {}, note));
    el.append(
      h("style", {}, CSS),
      controls(input, name, one, clear),
      step("1", "Look up.", `the last ${k} symbols, ${d} numbers each, from one table`),
      h("div", { class: "tv-scroll" }, rows.node),
      step("2", "Mix.", `${k * d} numbers in, ${hidden} tanh units out`),
      diagram, summary,
      step("3", "Predict.", "27 probabilities; press a symbol to append it"),
      h("div", { class: "tv-mlp-next", role: "group", "aria-label": "Next symbol" }, next.map((n) => n.node)),
      written, voice.node,
    );
    type(state.get("prefix"), true);
    return () => stop();
  },
};
