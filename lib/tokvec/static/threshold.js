// Two histograms of similarities, true pairs above and unrelated ones below, and one line: what is right of it is kept.
import { h, s, setText, count, fixed, percent, slider, choice, controls, live } from "./kit.js";

const [WIDTH, HALF, LEFT, AXIS] = [440, 84, 12, 26];

/** What lies at or above bin `first`: kept true pairs, kept unrelated ones, precision and recall. */
function judge(signal, noise, first, ratio) {
  const sum = (list) => list.reduce((total, n) => total + n, 0);
  const kept = sum(signal.slice(first));
  const wrong = sum(noise.slice(first));
  const all = sum(signal);
  // the unrelated pairs are counted as if there were `ratio` of them for every true one
  const false_ = (wrong / sum(noise)) * all * ratio;
  return { kept, wrong, recall: kept / all, precision: kept + false_ > 0 ? kept / (kept + false_) : NaN };
}

export default {
  render({ model, el }) {
    const [signal, noise] = [model.get("signal"), model.get("noise")];
    const [start, width] = [model.get("start"), model.get("width")];
    const bins = signal.length;
    let first = Math.round((model.get("threshold") - start) / width);
    let ratio = 1;

    const x = (bin) => LEFT + (bin / bins) * (WIDTH - 2 * LEFT);
    const top = (list) => Math.max(...list) / list.reduce((a, b) => a + b, 0);
    const tallest = Math.max(top(signal), top(noise));
    const bars = (list, up, colour) => {
      const total = list.reduce((a, b) => a + b, 0);
      return list.map((n, i) => {
        const height = (n / total / tallest) * (HALF - 8);
        return s("rect", {
          x: x(i) + 0.5, width: x(i + 1) - x(i) - 1, height, y: up ? HALF - height : HALF + AXIS,
          style: `fill: var(--tv-${colour})`,
        });
      });
    };
    const [above, below] = [bars(signal, true, "vector"), bars(noise, false, "id")];
    const labels = [];
    for (let i = 0; i <= bins; i += 1) {
      const value = start + i * width;
      if (Math.abs(value * 5 - Math.round(value * 5)) < 1e-6) {
        labels.push(s("text", { x: x(i), y: HALF + 18, "text-anchor": "middle", style: "fill: var(--tv-muted); font-size: 13px; paint-order: stroke; stroke: var(--tv-surface); stroke-width: 6px" },
          fixed(value, 1)));
      }
    }
    const text = (label, y) => s("text", { x: WIDTH - LEFT, y, "text-anchor": "end", style: "fill: var(--tv-text); font-size: 13px" }, label);
    const line = s("line", { y1: 0, y2: 2 * HALF + AXIS, style: "stroke: var(--tv-gradient); stroke-width: 3" });
    const svg = s("svg", {
      viewBox: `0 0 ${WIDTH} ${2 * HALF + AXIS}`, role: "img", "aria-label": "Two histograms with the threshold between them",
      style: "width: 100%; height: auto; touch-action: none; cursor: ew-resize; display: block", "data-tv": "plot",
    }, above, below, text(model.get("labels")[0], 16), text(model.get("labels")[1], 2 * HALF + AXIS - 6), line, labels);

    const numbers = {};
    const list = h("dl", { class: "tv-counts", style: "margin-top: 0.9rem" }, [
      ["recall", "recall: true pairs kept"], ["precision", "precision: kept pairs that are true"],
      ["kept", "true pairs kept"], ["wrong", "unrelated pairs kept"],
    ].flatMap(([name, label]) => {
      numbers[name] = h("dd", { "data-tv": name });
      return [h("dt", {}, label), numbers[name]];
    }));
    const voice = live();
    const value = (bin) => start + bin * width;
    const draw = () => {
      const found = judge(signal, noise, first, ratio);
      line.setAttribute("x1", x(first));
      line.setAttribute("x2", x(first));
      above.forEach((bar, i) => { bar.style.opacity = i >= first ? 1 : 0.35; });
      below.forEach((bar, i) => { bar.style.opacity = i >= first ? 1 : 0.35; });
      const precision = Number.isNaN(found.precision) ? "nothing kept" : percent(found.precision);
      setText(numbers.recall, percent(found.recall));
      setText(numbers.precision, precision);
      setText(numbers.kept, `${count(found.kept)} of ${count(signal.reduce((a, b) => a + b, 0))}`);
      setText(numbers.wrong, `${count(found.wrong)} of ${count(noise.reduce((a, b) => a + b, 0))}`);
      voice.say(`At ${fixed(value(first), 2)}: recall ${percent(found.recall)}, precision ${precision}.`);
    };
    const bar = slider({
      label: "Threshold", min: 0, max: bins, value: first, name: "threshold", show: (bin) => fixed(value(bin), 2),
      change: (bin) => { first = bin; draw(); },
    });
    const drag = (event) => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * WIDTH;
      first = Math.max(0, Math.min(bins, Math.round(((at - LEFT) / (WIDTH - 2 * LEFT)) * bins)));
      bar.set(first);
      draw();
    };
    svg.addEventListener("pointerdown", (event) => { svg.setPointerCapture(event.pointerId); drag(event); });
    svg.addEventListener("pointermove", (event) => { if (svg.hasPointerCapture(event.pointerId)) drag(event); });
    const rates = choice({
      label: "Unrelated pairs for every true one", value: "1", name: "ratio",
      options: [["1", "1 to 1"], ["10", "10 to 1"], ["1000", "1,000 to 1"]], change: (key) => { ratio = Number(key); draw(); },
    });
    el.append(svg, bar.node, controls(h("span", {}, "Unrelated pairs for every true one:"), rates.node), list, voice.node);
    draw();
    return () => {};
  },
};
