import { h, s, setText, fixed, button, controls, slider, live } from "./kit.js";

const sigmoid = (x) => 1 / (1 + Math.exp(-x));
const dot = (a, b) => a[0] * b[0] + a[1] * b[1];

// One step of gradient descent on -log sigmoid(v.u) for the true pair, -log sigmoid(-v.u) for the others.
function step(v, rows, rate) {
  const errors = rows.map((u, i) => (i === 0 ? 1 : 0) - sigmoid(dot(v, u)));
  const moved = rows.map((u, i) => u.map((x, k) => x + rate * errors[i] * v[k]));
  const centre = v.map((x, k) => x + rate * rows.reduce((sum, u, i) => sum + errors[i] * u[k], 0));
  return [centre, moved];
}

const loss = (v, rows) => rows.reduce((sum, u, i) => sum - Math.log(sigmoid(i === 0 ? dot(v, u) : -dot(v, u))), 0);

export default {
  render({ model, el }) {
    const centre = model.get("centre");
    const names = model.get("names");
    let rate = model.get("rate");
    let v, rows, steps;
    const voice = live();
    const half = 2.2;
    const size = 300;
    const at = (x) => size / 2 + (x / half) * (size / 2);
    const arrow = (colour, dashed) => s("line", {
      x1: at(0), y1: at(0), stroke: `var(--tv-${colour})`, "stroke-width": 2.5, "stroke-dasharray": dashed ? "5 4" : undefined,
    });
    const vectors = [[centre, "vector", false], ...names.map((name, i) => [name, i ? "id" : "vector", i > 0])].map(([name, colour, dashed]) => {
      const line = arrow(colour, dashed);
      const dotted = s("circle", { r: 4, fill: `var(--tv-${colour})` });
      const label = s("text", { fill: `var(--tv-${colour}-ink)`, "font-size": 13 }, name);
      return { line, dotted, label, node: s("g", {}, line, dotted, label) };
    });
    const picture = s("svg", {
      viewBox: `0 0 ${size} ${size}`, width: size, style: "max-width:100%;height:auto", role: "img", "aria-label": model.get("alt"),
    },
    s("line", { x1: 0, x2: size, y1: at(0), y2: at(0), stroke: "var(--tv-border)" }),
    s("line", { y1: 0, y2: size, x1: at(0), x2: at(0), stroke: "var(--tv-border)" }),
    vectors.map(({ node }) => node));
    const cells = names.map((name, i) => ["dot", "p", "error"].map((what) => h("td", { "data-tv": `${what}-${i}` })));
    const lossText = h("dd", { "data-tv": "loss" });
    const stepText = h("dd", { "data-tv": "steps" });

    function draw() {
      [v, ...rows].forEach(([x, y], i) => {
        const { line, dotted, label } = vectors[i];
        line.setAttribute("x2", at(x));
        line.setAttribute("y2", at(-y));
        dotted.setAttribute("cx", at(x));
        dotted.setAttribute("cy", at(-y));
        label.setAttribute("x", Math.min(Math.max(at(x) + (x < 0.4 ? -8 : 8), 4), size - 4));
        label.setAttribute("y", Math.min(Math.max(at(-y) + (y < 0 ? 16 : -6), 12), size - 4));
        label.setAttribute("text-anchor", x < 0.4 ? (at(x) < 70 ? "start" : "end") : (at(x) > size - 70 ? "end" : "start"));
      });
      rows.forEach((u, i) => {
        const p = sigmoid(dot(v, u));
        [dot(v, u), p, (i === 0 ? 1 : 0) - p].forEach((x, j) => setText(cells[i][j], fixed(x, 3)));
      });
      setText(lossText, fixed(loss(v, rows), 3));
      setText(stepText, String(steps));
    }
    function reset() {
      v = [...model.get("v")];
      rows = model.get("rows").map((u) => [...u]);
      steps = 0;
      draw();
      voice.say(`Start: the loss is ${fixed(loss(v, rows), 3)}.`);
    }
    function advance() {
      const before = loss(v, rows);
      [v, rows] = step(v, rows, rate);
      steps += 1;
      draw();
      voice.say(`Step ${steps}: the loss goes from ${fixed(before, 3)} to ${fixed(loss(v, rows), 3)}; `
        + `the true pair has probability ${fixed(sigmoid(dot(v, rows[0])), 3)}.`);
    }
    const speed = slider({
      label: "Learning rate", name: "rate", min: 0.1, max: 2, step: 0.1, value: rate,
      show: (x) => fixed(x, 1), change: (x) => { rate = x; },
    });
    el.append(
      controls(
        button("One step", advance, { class: "tv-button tv-main", "data-tv": "step" }),
        button("Start again", reset, { "data-tv": "reset" }), speed.node),
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, picture),
        h("div", {},
          h("div", { class: "tv-scroll" }, h("table", { class: "tv-grid" },
            h("caption", { class: "tv-hidden" }, `Pairs with ${centre}`),
            h("thead", {}, h("tr", {}, [`${centre} and`, "v \u00b7 u", "\u03c3", "error"].map((head) => h("th", { scope: "col" }, head)))),
            h("tbody", {}, names.map((name, i) => h("tr", {}, h("th", { scope: "row" }, `${name}${i ? " (noise)" : " (true)"}`), cells[i]))))),
          h("dl", { class: "tv-counts tv-space" }, h("dt", {}, "steps"), stepText, h("dt", {}, "loss"), lossText))),
      voice.node,
    );
    reset();
    return () => {};
  },
};
