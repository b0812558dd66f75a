// RoPE as clocks: each pair of coordinates is a hand, a position turns it, and only the angle between two hands counts.
import { h, s, setText, count, fixed, button, slider, controls, live, grid } from "./kit.js";

const SIZE = 120; // of one dial, in the SVG's own units
const RADIUS = 46;

/** The angle (radians) by which pair i turns for each position (Su et al. 2021, section 3.2). */
const frequency = (i, width, base) => base ** ((-2 * i) / width);

/** Turn every pair (0, 1), (2, 3), ... of a vector by its frequency times the position. */
function rotate(vector, position, base) {
  return vector.map((x, j) => {
    const angle = position * frequency(j >> 1, vector.length, base);
    const other = vector[j ^ 1];
    return j % 2 ? other * Math.sin(angle) + x * Math.cos(angle) : x * Math.cos(angle) - other * Math.sin(angle);
  });
}

/** What each pair adds to the dot product of two vectors. */
const pairwise = (a, b) => Array.from({ length: a.length / 2 }, (_, i) => a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1]);

export default {
  render({ model, el }) {
    const query = model.get("query");
    const key = model.get("key");
    const base = model.get("base");
    const last = model.get("last"); // the largest position
    let [m, n] = [model.get("m"), model.get("n")];
    const pairs = query.length / 2;
    const voice = live();
    const longest = Math.max(...[query, key].flatMap((v) => pairwise(v, v).map(Math.sqrt)));

    const dials = Array.from({ length: pairs }, (_, i) => {
      const hand = (name, attributes) => s("g", { "data-hand": name }, s("line", { x1: 0, y1: 0, ...attributes }),
        s("text", { "font-size": 13, "text-anchor": "middle", "dominant-baseline": "middle", fill: "var(--tv-text)" }, name));
      const hands = [
        hand("q", { stroke: "var(--tv-vector)", "stroke-width": 4, "stroke-linecap": "round" }),
        hand("k", { stroke: "var(--tv-vector)", "stroke-width": 3, "stroke-dasharray": "5 4" }),
      ];
      const arc = s("path", { fill: "none", stroke: "var(--tv-muted)", "stroke-width": 1.5 });
      const face = s("svg", { viewBox: `${-SIZE / 2} ${-SIZE / 2} ${SIZE} ${SIZE}`, width: SIZE, height: SIZE, style: "display: block; margin: 0 auto", "aria-hidden": "true" },
        s("circle", { r: RADIUS, fill: "var(--tv-raised)", stroke: "var(--tv-border)" }), arc, hands);
      const note = h("p", { class: "tv-note", style: "text-align: center" }, `pair ${i + 1}: ${fixed(frequency(i, query.length, base), 2)} rad a step`);
      return { node: h("div", {}, face, note), hands, arc };
    });
    const zeros = Array.from({ length: pairs }, () => [0, 0]);
    const sheet = grid({
      caption: "For each pair: the angle between its two hands, and what it adds to the product",
      rowHeads: zeros.map((_, i) => `pair ${i + 1}`), columnHeads: ["angle between, rad", "adds"], values: zeros, digits: 4, name: "pair",
    });
    const total = h("dd", { "data-tv": "product" });
    const distance = h("dd", { "data-tv": "distance" });

    const mSlider = slider({ label: "query at position m", name: "m", min: 0, max: last, value: m, change: (value) => { m = value; show(true); } });
    const nSlider = slider({ label: "key at position n", name: "n", min: 0, max: last, value: n, change: (value) => { n = value; show(true); } });
    const move = (by) => {
      if (m + by < 0 || n + by < 0 || m + by > last || n + by > last) {
        voice.say(`One of the two stands at the end: positions run from 0 to ${count(last)}.`);
        return;
      }
      [m, n] = [m + by, n + by];
      mSlider.set(m);
      nSlider.set(n);
      show(true);
    };

    function draw(group, x, y, reach) {
      const [line, label] = group.children;
      line.setAttribute("x2", x.toFixed(2));
      line.setAttribute("y2", (-y).toFixed(2));
      const length = Math.hypot(x, y) || 1;
      label.setAttribute("x", ((x / length) * reach).toFixed(2));
      label.setAttribute("y", ((-y / length) * reach).toFixed(2));
    }

    /** The short arc from the query's hand to the key's. */
    function sweep(from, to) {
      const turn = Math.atan2(Math.sin(to - from), Math.cos(to - from));
      const point = (angle) => `${(14 * Math.cos(angle)).toFixed(2)} ${(-14 * Math.sin(angle)).toFixed(2)}`;
      return `M ${point(from)} A 14 14 0 0 ${turn > 0 ? 0 : 1} ${point(from + turn)}`;
    }

    function show(say) {
      const [q, k] = [rotate(query, m, base), rotate(key, n, base)];
      const adds = pairwise(q, k);
      dials.forEach(({ hands, arc }, i) => {
        const scale = (RADIUS - 4) / longest;
        draw(hands[0], q[2 * i] * scale, q[2 * i + 1] * scale, RADIUS + 9);
        draw(hands[1], k[2 * i] * scale, k[2 * i + 1] * scale, RADIUS + 9);
        const [from, to] = [Math.atan2(q[2 * i + 1], q[2 * i]), Math.atan2(k[2 * i + 1], k[2 * i])];
        arc.setAttribute("d", sweep(from, to));
        const between = Math.abs(Math.atan2(Math.sin(to - from), Math.cos(to - from)));
        [between, adds[i]].forEach((value, j) => setText(sheet.cells[i][j], fixed(value, 4)));
      });
      setText(total, fixed(adds.reduce((a, b) => a + b, 0), 4));
      setText(distance, fixed(m - n, 0));
      if (say) voice.say(`Query at ${count(m)}, key at ${count(n)}: difference ${distance.textContent}, product ${total.textContent}.`);
    }

    el.append(
      h("div", { class: "tv-controls" }, dials.map((dial) => dial.node)),
      controls(mSlider.node, nSlider.node),
      controls(button("both one back", () => move(-1), { "data-tv": "back" }), button("both one on", () => move(1), { "data-tv": "on" })),
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, sheet.node),
        h("dl", { class: "tv-counts" }, h("dt", {}, "m \u2212 n"), distance, h("dt", {}, "query \u00b7 key, all pairs"), total)),
      voice.node,
    );
    show(false);
  },
};
