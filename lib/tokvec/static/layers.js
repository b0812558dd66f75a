// One word in its sentences, layer by layer: where its occurrences lie, and how far its two senses have parted.
import { h, s, setText, count, fixed, button, slider, select, choice, controls, live } from "./kit.js";

const [WIDE, HIGH, EDGE] = [300, 240, 16]; // the map
const [CURVE_WIDE, CURVE_HIGH, LEFT, FLOOR] = [300, 150, 34, 24]; // the curve

export default {
  render({ model, el }) {
    const encoders = model.get("encoders"); // { key: { label, words: { word: { points, same, cross, right } } } }
    const words = model.get("words"); // { word: { senses: [2], labels: [0 or 1 ...], sentences: [...] } }
    let encoder = model.get("encoder");
    let word = model.get("word");
    let layer = model.get("layer");
    let chosen = -1; // the occurrence whose sentence is shown
    const voice = live();
    const most = Math.max(...Object.values(words).map((one) => one.labels.length));
    const layersOf = (key) => encoders[key].words[word].same.length - 1;

    // ---- the map: filled circles for the first sense, hollow squares for the second
    const marks = Array.from({ length: most }, (_, i) => {
      const disc = s("circle", { r: 6, fill: "var(--tv-vector)", stroke: "var(--tv-surface)", "stroke-width": 1 });
      const box = s("rect", { x: -5.5, y: -5.5, width: 11, height: 11, fill: "var(--tv-surface)", stroke: "var(--tv-text)", "stroke-width": 2 });
      const ring = s("circle", { r: 11, fill: "none", stroke: "var(--tv-token)", "stroke-width": 2.5 });
      const node = s("g", { "data-tv": `point-${i}`, style: "cursor: pointer", onclick: () => pick(i) }, disc, box, ring);
      return { node, disc, box, ring };
    });
    const map = s("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", style: "width: 100%; max-width: 420px; display: block" },
      s("rect", { x: 0.5, y: 0.5, width: WIDE - 1, height: HIGH - 1, rx: 6, fill: "var(--tv-raised)", stroke: "var(--tv-border)" }),
      marks.map((mark) => mark.node));

    // ---- the curve: mean cosine by layer
    const paths = ["same", "cross"].map((name) => s("path", {
      fill: "none", stroke: name === "same" ? "var(--tv-vector)" : "var(--tv-text)", "stroke-width": 2.5,
      "stroke-dasharray": name === "same" ? undefined : "6 4",
    }));
    const pointer = s("line", { y1: 4, y2: CURVE_HIGH - FLOOR, stroke: "var(--tv-muted)", "stroke-width": 1 });
    const label = (x, y, text, anchor = "middle") => s("text", { x, y, "font-size": 12, "text-anchor": anchor, fill: "var(--tv-text)" }, text);
    const ticks = Array.from({ length: 13 }, (_, i) => label(0, CURVE_HIGH - 8, String(i)));
    const bounds = [label(LEFT - 6, 12, "", "end"), label(LEFT - 6, CURVE_HIGH - FLOOR, "", "end")];
    const curve = s("svg", { viewBox: `0 0 ${CURVE_WIDE} ${CURVE_HIGH}`, role: "img", style: "width: 100%; max-width: 420px; display: block" },
      s("line", { x1: LEFT, y1: CURVE_HIGH - FLOOR, x2: CURVE_WIDE - 6, y2: CURVE_HIGH - FLOOR, stroke: "var(--tv-border)" }),
      pointer, paths, ticks, bounds);

    const legend = [0, 1].map((i) => h("span", { "data-tv": `sense-${i}` }));
    const [same, cross, gap, right] = ["same", "cross", "gap", "right"].map((name) => h("dd", { "data-tv": name }));
    const sentence = h("p", { class: "tv-note", role: "status", "aria-live": "polite", "data-tv": "sentence" });

    const which = select({
      label: "Word", name: "word", value: word, options: Object.keys(words).map((one) => [one, one]),
      change: (value) => { word = value; chosen = -1; show(true); },
    });
    const source = choice({
      label: "Encoder", name: "encoder", value: encoder, options: Object.entries(encoders).map(([key, one]) => [key, one.label]),
      change: (key) => {
        // The same depth in the other encoder, the first and the last layer staying first and last.
        layer = Math.round((layer / layersOf(encoder)) * layersOf(key));
        encoder = key;
        depth.input.max = layersOf(key);
        depth.set(layer);
        show(true);
      },
    });
    const depth = slider({
      label: "Layer", name: "layer", min: 0, max: layersOf(encoder), value: layer, change: (value) => { layer = value; show(true); },
    });
    const next = button("Next sentence", () => pick((chosen + 1) % words[word].labels.length), { "data-tv": "next" });

    function pick(i) {
      chosen = i;
      show(false);
    }

    function show(say) {
      const { senses, labels, sentences } = words[word];
      const now = encoders[encoder].words[word];
      const points = now.points[layer];
      // One scale for all layers would show the growth of the vectors, not of the distance: each layer fills the map.
      const spread = (axis) => Math.max(...points.map((p) => Math.abs(p[axis])), 1e-9);
      const scale = Math.min((WIDE / 2 - EDGE) / spread(0), (HIGH / 2 - EDGE) / spread(1));
      marks.forEach(({ node, disc, box, ring }, i) => {
        node.style.display = i < points.length ? "" : "none";
        if (i >= points.length) return;
        const [x, y] = [WIDE / 2 + points[i][0] * scale, HIGH / 2 - points[i][1] * scale];
        node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        disc.style.display = labels[i] === 0 ? "" : "none";
        box.style.display = labels[i] === 1 ? "" : "none";
        ring.style.display = i === chosen ? "" : "none";
      });
      map.setAttribute("aria-label", `The ${count(points.length)} occurrences of ${word} at layer ${layer}, in two dimensions`);

      const values = [...now.same, ...now.cross];
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const last = now.same.length - 1;
      const across = (i) => LEFT + 8 + (i / last) * (CURVE_WIDE - LEFT - 22);
      const up = (v) => 10 + ((high - v) / (high - low || 1)) * (CURVE_HIGH - FLOOR - 18);
      ["same", "cross"].forEach((name, k) => paths[k].setAttribute("d",
        now[name].map((v, i) => `${i ? "L" : "M"} ${across(i).toFixed(1)} ${up(v).toFixed(1)}`).join(" ")));
      ["x1", "x2"].forEach((end) => pointer.setAttribute(end, across(layer)));
      ticks.forEach((tick, i) => { tick.style.display = i <= last ? "" : "none"; tick.setAttribute("x", across(Math.min(i, last))); });
      setText(bounds[0], fixed(high, 2));
      setText(bounds[1], fixed(low, 2));
      curve.setAttribute("aria-label", `Mean cosine by layer: same sense from ${fixed(now.same[0], 2)} to ${fixed(now.same[last], 2)}, `
        + `different senses from ${fixed(now.cross[0], 2)} to ${fixed(now.cross[last], 2)}`);

      senses.forEach((sense, i) => setText(legend[i], sense));
      setText(same, fixed(now.same[layer], 3));
      setText(cross, fixed(now.cross[layer], 3));
      setText(gap, fixed(now.same[layer] - now.cross[layer], 3));
      setText(right, `${count(now.right[layer])} of ${count(labels.length)}`);
      setText(sentence, chosen < 0 ? "Press Next sentence, or a mark, to read where it comes from."
        : `${senses[labels[chosen]]}: \u201c${sentences[chosen]}\u201d`);
      if (say) {
        voice.say(`${word}, layer ${layer}: same sense ${same.textContent}, different senses ${cross.textContent}, `
          + `${right.textContent} nearer to their own sense.`);
      }
    }

    el.append(
      controls(which.node, source.node),
      depth.node,
      h("div", { class: "tv-columns" },
        h("div", {},
          h("p", {}, "\u25cf ", legend[0], "\u2003\u25a1 ", legend[1]), map,
          h("div", { class: "tv-space" }, controls(next), sentence)),
        h("div", {},
          h("p", {}, "mean cosine by layer: \u2014 same sense, - - different senses"), curve,
          h("dl", { class: "tv-counts" },
            h("dt", {}, "cosine, same sense"), same, h("dt", {}, "cosine, different senses"), cross,
            h("dt", {}, "gap"), gap, h("dt", {}, "nearer to their own sense"), right))),
      voice.node,
    );
    show(false);
  },
};
