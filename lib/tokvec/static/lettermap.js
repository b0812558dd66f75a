// The letters of an embedding table on a plane: drag one, and see which rows its vector is nearest to.
// The plane is fixed, the one in which the trained table spreads most. Cosines are those of all ten numbers.
import { h, s, setText, fixed, count, button, select, slider, controls, live } from "./kit.js";

const VOWELS = "aeiou";
const STEP = 0.15; // what one press of an arrow key moves a letter by, in the table's own units

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const cosine = (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));

/** The rows nearest to `row`, itself left out, the most similar first. */
function nearest(table, row, most) {
  return table.map((other, i) => [i, cosine(table[row], other)])
    .filter(([i]) => i !== row)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, most);
}

/** Mean cosine over the pairs (i, j) of two lists of rows, i and j different. */
function meanCosine(table, left, right) {
  let [sum, pairs] = [0, 0];
  for (const i of left) {
    for (const j of right) {
      if (i === j) continue;
      sum += cosine(table[i], table[j]);
      pairs += 1;
    }
  }
  return sum / pairs;
}

const CSS = `
.tv-map { display: block; width: 100%; height: auto; touch-action: pan-y; user-select: none; }
.tv-map [role="button"] { cursor: grab; touch-action: none; }
.tv-map text { font: 600 15px var(--tv-mono); text-anchor: middle; dominant-baseline: central; pointer-events: none; }
.tv-map .tv-map-value { font: 600 13px var(--tv-sans); fill: var(--tv-text); paint-order: stroke; stroke: var(--tv-surface); stroke-width: 4px; }
.tv-map [role="button"]:focus { outline: none; }
.tv-map [role="button"]:focus-visible .tv-map-ring, .tv-map .tv-map-chosen .tv-map-ring { stroke: var(--tv-text); stroke-width: 2.5; }
`;

export default {
  render({ model, el }) {
    const symbols = Array.from(model.get("symbols"));
    const steps = model.get("steps");
    const tables = model.get("tables");
    const [across, up] = model.get("directions");
    const centre = model.get("centre");
    const V = symbols.length;
    const [W, H] = [480, 440];
    let now = steps.length - 1;
    let chosen = symbols.indexOf(model.get("letter"));
    let table = tables[now].map((row) => [...row]);

    const place = (row) => {
      const away = row.map((x, i) => x - centre[i]);
      return [dot(away, across), dot(away, up)];
    };
    // One scale for all checkpoints, so that what moves is the letters and not the map.
    const spots = tables.flat().map(place);
    const [left, right] = [Math.min, Math.max].map((f) => f(...spots.map((p) => p[0])));
    const [bottom, top] = [Math.min, Math.max].map((f) => f(...spots.map((p) => p[1])));
    const scale = Math.min((W - 48) / (right - left), (H - 48) / (top - bottom));
    const inside = (x, size) => Math.min(size - 16, Math.max(16, x));
    const pixel = ([x, y]) => [
      inside(W / 2 + (x - (left + right) / 2) * scale, W),
      inside(H / 2 - (y - (top + bottom) / 2) * scale, H),
    ];

    const lines = [0, 1, 2].map(() => ({
      line: s("line", { stroke: "var(--tv-vector)", "stroke-linecap": "round" }),
      text: s("text", { class: "tv-map-value" }),
    }));
    const dots = symbols.map((symbol, i) => {
      const kind = i === 0 ? "boundary" : VOWELS.includes(symbol) ? "vowel" : "consonant";
      const shape = {
        vowel: () => s("circle", { r: 12, fill: "var(--tv-vector-ink)" }),
        consonant: () => s("rect", { x: -10.5, y: -10.5, width: 21, height: 21, rx: 4, fill: "var(--tv-surface)" }),
        boundary: () => s("path", { d: "M0 -14 L14 0 L0 14 L-14 0 Z", fill: "var(--tv-surface)" }),
      }[kind]();
      shape.setAttribute("class", "tv-map-ring");
      shape.setAttribute("stroke", "var(--tv-vector)");
      shape.setAttribute("stroke-width", 1.5);
      const node = s("g", { role: "button", tabindex: i === chosen ? 0 : -1, "data-tv": `dot-${symbol}`, "aria-label": `${symbol}, ${kind}` },
        s("circle", { r: 22, fill: "transparent" }), shape,
        s("text", { fill: kind === "vowel" ? "var(--tv-surface)" : "var(--tv-text)" }, symbol));
      node.addEventListener("pointerdown", (event) => grab(event, i));
      node.addEventListener("keydown", (event) => key(event, i));
      node.addEventListener("focus", () => { if (i !== chosen) choose(i); });
      return node;
    });
    const map = s("svg", { viewBox: `0 0 ${W} ${H}`, class: "tv-map", role: "group", "aria-label": "Map of the letters" },
      lines.map((l) => l.line), dots, lines.map((l) => l.text));

    const near = [0, 1, 2].map((i) => h("dd", { "data-tv": `near-${i}` }));
    const nearNames = [0, 1, 2].map((i) => h("dt", { "data-tv": `near-${i}-name` }));
    const title = h("p", { class: "tv-title", "data-tv": "title" });
    const means = { vowels: h("dd", { "data-tv": "vowels" }), consonants: h("dd", { "data-tv": "consonants" }), across: h("dd", { "data-tv": "across" }) };
    const voice = live();

    function draw() {
      const at = table.map((row) => pixel(place(row)));
      dots.forEach((node, i) => {
        node.setAttribute("transform", `translate(${at[i][0].toFixed(1)} ${at[i][1].toFixed(1)})`);
        node.classList.toggle("tv-map-chosen", i === chosen);
        node.setAttribute("tabindex", i === chosen ? 0 : -1);
      });
      const found = nearest(table, chosen, 3);
      found.forEach(([i, value], rank) => {
        const [a, b] = [at[chosen], at[i]];
        const { line, text } = lines[rank];
        for (const [name, v] of [["x1", a[0]], ["y1", a[1]], ["x2", b[0]], ["y2", b[1]]]) line.setAttribute(name, v.toFixed(1));
        line.setAttribute("stroke-width", (1 + 6 * Math.max(0, value)).toFixed(2));
        text.setAttribute("x", (a[0] * 0.4 + b[0] * 0.6).toFixed(1));
        text.setAttribute("y", (a[1] * 0.4 + b[1] * 0.6).toFixed(1));
        setText(text, fixed(value, 2));
        setText(nearNames[rank], symbols[i]);
        setText(near[rank], fixed(value, 3));
      });
      setText(title, `Nearest to ${symbols[chosen]}, by cosine`);
      const letters = symbols.map((_, i) => i).slice(1);
      const vowels = letters.filter((i) => VOWELS.includes(symbols[i]));
      const rest = letters.filter((i) => !VOWELS.includes(symbols[i]));
      setText(means.vowels, fixed(meanCosine(table, vowels, vowels), 4));
      setText(means.consonants, fixed(meanCosine(table, rest, rest), 4));
      setText(means.across, fixed(meanCosine(table, vowels, rest), 4));
      return found;
    }

    function say() {
      const found = draw();
      voice.say(`Nearest to ${symbols[chosen]}: ${found.map(([i, value]) => `${symbols[i]} ${fixed(value, 3)}`).join(", ")}.`);
    }

    function choose(i) {
      chosen = i;
      pick.set(symbols[i]);
      say();
    }

    /** Move a letter's vector in the plane of the map; its other eight directions stay. */
    function move(i, dx, dy) {
      table[i] = table[i].map((x, j) => x + dx * across[j] + dy * up[j]);
    }

    let held = null;
    function grab(event, i) {
      event.preventDefault();
      choose(i);
      dots[i].focus({ preventScroll: true });
      held = { i, x: event.clientX, y: event.clientY };
      dots[i].setPointerCapture(event.pointerId);
    }
    const drag = (event) => {
      if (!held) return;
      const ratio = W / map.getBoundingClientRect().width / scale;
      move(held.i, (event.clientX - held.x) * ratio, -(event.clientY - held.y) * ratio);
      [held.x, held.y] = [event.clientX, event.clientY];
      draw();
    };
    const drop = () => { if (held) { held = null; say(); } };
    map.addEventListener("pointermove", drag);
    map.addEventListener("pointerup", drop);
    map.addEventListener("pointercancel", drop);

    function key(event, i) {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!by) return;
      event.preventDefault();
      move(i, by[0] * STEP, by[1] * STEP);
      say();
    }

    const reset = () => { table = tables[now].map((row) => [...row]); say(); };
    const pick = select({
      label: "Letter", name: "letter", value: symbols[chosen], options: symbols.map((c) => [c, c]),
      change: (symbol) => choose(symbols.indexOf(symbol)),
    });
    const time = slider({
      label: "Training steps done", min: 0, max: steps.length - 1, value: now, name: "time",
      show: (i) => count(steps[i]), change: (i) => { now = i; reset(); },
    });
    el.append(
      h("style", {}, CSS),
      controls(time.node),
      controls(pick.node, button("Put all back", reset, { "data-tv": "reset" })),
      h("div", { class: "tv-columns" },
        h("div", { style: "flex: 2 1 22rem" }, map),
        h("div", {},
          title,
          h("dl", { class: "tv-counts" }, [0, 1, 2].flatMap((i) => [nearNames[i], near[i]])),
          h("p", { class: "tv-title tv-space" }, "Mean cosine"),
          h("dl", { class: "tv-counts" },
            h("dt", {}, "vowel with vowel"), means.vowels,
            h("dt", {}, "consonant with consonant"), means.consonants,
            h("dt", {}, "vowel with consonant"), means.across),
          h("p", { class: "tv-note tv-space" }, "Filled circles are vowels, squares consonants, the diamond is the boundary. "
            + "Drag a letter, or focus it and press the arrow keys."))),
      voice.node,
    );
    draw();
    return () => {};
  },
};
