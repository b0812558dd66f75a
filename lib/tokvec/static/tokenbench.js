// A tokeniser bench: the reader types, and byte-level BPE cuts the text while they type.
// All of it happens here: GPT-2's pre-tokeniser, UTF-8, the merges. A slider undoes merges.
import { h, setText, count, fixed, button, slider, controls, live } from "./kit.js";

// GPT-2's pattern. \p{White_Space} instead of \s, which in JavaScript also means U+FEFF.
const PIECES = /'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}/gu;

/** The 256 bytes in GPT-2's order: those with a visible Latin-1 character first. */
const BYTES = (() => {
  const visible = (b) => (b > 0x20 && b < 0x7f) || (b > 0xa0 && b !== 0xad);
  const all = Array.from({ length: 256 }, (_, b) => b);
  return [...all.filter(visible), ...all.filter((b) => !visible(b))];
})();

/** Build a tokeniser from pairs of ids; merge k makes token 256 + k. */
function tokeniser(merges) {
  const idOfByte = new Map(BYTES.map((b, i) => [b, i]));
  const bytes = BYTES.map((b) => [b]);
  const made = new Map(); // left * 2^21 + right -> new id
  merges.forEach(([left, right], k) => {
    bytes.push([...bytes[left], ...bytes[right]]);
    made.set(left * 2097152 + right, 256 + k);
  });
  const utf8 = new TextEncoder(); // writes half a surrogate pair as U+FFFD, as Python's side does

  /** Ids of one piece: join the pair learned earliest, wherever it occurs, until none is known. */
  function encodePiece(piece, limit) {
    let ids = Array.from(utf8.encode(piece), (b) => idOfByte.get(b));
    for (;;) {
      let earliest = limit;
      for (let i = 0; i + 1 < ids.length; i += 1) {
        const id = made.get(ids[i] * 2097152 + ids[i + 1]);
        if (id !== undefined && id < earliest) earliest = id;
      }
      if (earliest === limit) return ids;
      const [left, right] = merges[earliest - 256];
      const joined = [];
      for (let i = 0; i < ids.length; i += 1) {
        if (ids[i] === left && ids[i + 1] === right) { joined.push(earliest); i += 1; } else joined.push(ids[i]);
      }
      ids = joined;
    }
  }

  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** What a token looks like: its characters, a space as a low box; stray bytes in hexadecimal. */
  function show(id) {
    try {
      return decoder.decode(new Uint8Array(bytes[id])).replaceAll(" ", "\u2423").replaceAll("\n", "\u21b5").replaceAll("\t", "\u21e5");
    } catch {
      return bytes[id].map((b) => `\u27e8${b.toString(16).toUpperCase().padStart(2, "0")}\u27e9`).join("");
    }
  }
  return {
    encode: (text, n) => (text.match(PIECES) ?? []).flatMap((piece) => encodePiece(piece, 256 + n)),
    bytes: (text) => utf8.encode(text).length,
    show,
  };
}

const CSS = `
.tv-figure label.tvb-box { display: block; width: 100%; margin: 0; }
.tvb-text { display: block; width: 100%; min-height: 5.2em; padding: 0.5rem 0.6rem; border: 1px solid var(--tv-border); border-radius: 6px;
  background: var(--tv-raised); color: var(--tv-text); font: inherit; resize: vertical; }
.tvb-text:focus-visible { outline: 3px solid var(--tv-focus); outline-offset: 2px; }
.tv-figure ol.tvb-tokens { display: flex; flex-wrap: wrap; gap: 3px 2px; max-height: 22rem; overflow-y: auto; padding: 0; margin: 0; list-style: none; }
.tv-figure ol.tvb-tokens li { display: inline-flex; flex-direction: column; align-items: center; margin: 0; min-width: 1.6em; max-width: 100%; border-radius: 4px;
  background: color-mix(in srgb, var(--tv-token) var(--tvb-shade), transparent); border-bottom: 2px solid var(--tv-token); }
.tvb-tokens li:nth-child(odd) { --tvb-shade: 26%; }
.tvb-tokens li:nth-child(even) { --tvb-shade: 10%; }
.tvb-piece { padding: 0.1em 0.3em 0; font-family: var(--tv-mono); font-size: 0.92em; color: var(--tv-text); white-space: pre-wrap; overflow-wrap: anywhere; }
.tvb-id { padding: 0 0.3em; font-size: 0.72em; color: var(--tv-id-ink); }
.tvb-label { display: block; margin-bottom: 0.25rem; }
`;

export default {
  render({ model, el }) {
    const merges = model.get("merges");
    const bpe = tokeniser(merges);
    let n = Math.min(model.get("n_merges"), merges.length);

    const text = h("textarea", {
      class: "tvb-text", maxlength: 1500, spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      "data-tv": "text", "aria-label": "Text to cut", oninput: () => { draw(); announce(); },
    });
    text.value = model.get("text");
    const list = h("ol", { class: "tvb-tokens", "aria-label": "Tokens, each with its id" });
    const facts = {
      tokens: h("dd", { "data-tv": "tokens" }), characters: h("dd", { "data-tv": "characters" }),
      bytes: h("dd", { "data-tv": "bytes" }), ratio: h("dd", { "data-tv": "ratio" }),
    };
    const last = h("p", { class: "tv-note", "data-tv": "last" });
    const voice = live();

    const items = []; // the list's items are kept and rewritten, never rebuilt
    function draw() {
      const ids = bpe.encode(text.value, n);
      while (items.length < ids.length) {
        const piece = h("span", { class: "tvb-piece" });
        const id = h("span", { class: "tvb-id" });
        items.push({ node: h("li", {}, piece, id), piece, id });
      }
      ids.forEach((id, i) => {
        setText(items[i].piece, bpe.show(id));
        setText(items[i].id, id);
        if (!items[i].node.parentNode) list.append(items[i].node);
      });
      items.slice(ids.length).forEach(({ node }) => node.remove());
      const characters = [...text.value].length;
      setText(facts.tokens, count(ids.length));
      setText(facts.characters, count(characters));
      setText(facts.bytes, count(bpe.bytes(text.value)));
      setText(facts.ratio, ids.length ? fixed(characters / ids.length, 2) : "\u2013");
      if (n === 0) setText(last, "No merge in use: one token a byte.");
      else {
        const [left, right] = merges[n - 1];
        setText(last, `Merge ${count(n)}, the last one in use: \u201c${bpe.show(left)}\u201d + \u201c${bpe.show(right)}\u201d`);
      }
      undo.setAttribute("aria-disabled", String(n === 0));
      redo.setAttribute("aria-disabled", String(n === merges.length));
    }
    function announce() {
      voice.say(`${facts.tokens.textContent} tokens for ${facts.characters.textContent} characters, with ${count(n)} merges.`);
    }
    function move(next) {
      n = Math.max(0, Math.min(merges.length, next));
      merge.set(n);
      draw();
      announce();
    }
    const merge = slider({
      label: "Merges in use", name: "merges", min: 0, max: merges.length, value: n,
      change: (value) => { n = value; draw(); announce(); },
    });
    const undo = button("Undo one", () => move(n - 1), { "data-tv": "undo" });
    const redo = button("Redo one", () => move(n + 1), { "data-tv": "redo" });
    const examples = model.get("examples").map(([label, example], i) =>
      button(label, () => { text.value = example; draw(); announce(); }, { "data-tv": `example-${i}` }));

    el.append(
      h("label", { class: "tvb-box" }, h("span", { class: "tvb-label" }, "Type anything:"), text),
      controls(...examples),
      list,
      h("div", { class: "tv-columns" },
        h("dl", { class: "tv-counts" },
          h("dt", {}, "tokens"), facts.tokens, h("dt", {}, "characters"), facts.characters,
          h("dt", {}, "bytes"), facts.bytes, h("dt", {}, "characters a token"), facts.ratio),
        h("div", {}, merge.node, controls(undo, redo), last)),
      voice.node,
      h("style", {}, CSS),
    );
    draw();
    return () => {};
  },
};
