// Random points in more and more dimensions: their distances, their cosines, and the law on top of each.
import { h, s, setText, fixed, percent, slider, live } from "./kit.js";

const [WIDTH, HEIGHT, FOOT, BINS] = [420, 200, 24, 40];

/** The i-th number of a small seeded generator (mulberry32), uniform on [0, 1). */
function uniform(seed, i) {
  let t = (seed + Math.imul(i + 1, 0x6D2B79F5)) | 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

/** n points of the unit cube, and n normal vectors (Box and Muller), d numbers each. */
function draw(n, d, seed) {
  const points = new Float64Array(n * d);
  const vectors = new Float64Array(n * d);
  for (let i = 0; i < n * d; i += 1) {
    points[i] = uniform(seed, i);
    const radius = Math.sqrt(-2 * Math.log(1 - uniform(seed, n * d + 2 * i)));
    vectors[i] = radius * Math.cos(2 * Math.PI * uniform(seed, n * d + 2 * i + 1));
  }
  return { points, vectors };
}

/** Distances of all pairs of points, cosines of all pairs of vectors. */
function pairs(n, d, { points, vectors }) {
  const distances = [];
  const cosines = [];
  const lengths = Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let k = i * d; k < (i + 1) * d; k += 1) sum += vectors[k] * vectors[k];
    return Math.sqrt(sum);
  });
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      let [square, product] = [0, 0];
      for (let k = 0; k < d; k += 1) {
        const difference = points[i * d + k] - points[j * d + k];
        square += difference * difference;
        product += vectors[i * d + k] * vectors[j * d + k];
      }
      distances.push(Math.sqrt(square));
      cosines.push(product / (lengths[i] * lengths[j]));
    }
  }
  return { distances, cosines };
}

function histogram(values, low, high) {
  const counts = new Array(BINS).fill(0);
  for (const value of values) {
    const bin = Math.floor(((value - low) / (high - low)) * BINS);
    if (bin >= 0 && bin < BINS) counts[bin] += 1;
  }
  return counts;
}

function logGamma(x) {
  // Stirling's series, after moving x up to where it is exact to twelve digits
  let [shift, y] = [0, x];
  while (y < 12) { shift -= Math.log(y); y += 1; }
  const z = 1 / (y * y);
  return shift + (y - 0.5) * Math.log(y) - y + Math.log(2 * Math.PI) / 2 + (1 / 12 - z * (1 / 360 - z / 1260)) / y;
}

function cosineDensity(c, d) {
  const constant = logGamma(d / 2) - logGamma((d - 1) / 2) - Math.log(Math.PI) / 2;
  return Math.exp(constant + ((d - 3) / 2) * Math.log1p(-c * c));
}

function panel(title, low, high, ticks, colour, name) {
  const x = (value) => 8 + ((value - low) / (high - low)) * (WIDTH - 16);
  const bars = Array.from({ length: BINS }, (_, i) => s("rect", {
    x: x(low + (i * (high - low)) / BINS) + 0.5, width: (WIDTH - 16) / BINS - 1, style: `fill: var(--tv-${colour})`,
  }));
  const curve = s("path", { style: "fill: none; stroke: var(--tv-text); stroke-width: 2" });
  const svg = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, role: "img", "aria-label": title, style: "width: 100%; height: auto; display: block", "data-tv": name },
    bars, curve, ticks.map(([value, label]) => s("text", { x: x(value), y: HEIGHT + 17, "text-anchor": "middle", style: "fill: var(--tv-muted); font-size: 13px" }, label)));
  const update = (counts, total, density) => {
    // height: share of all pairs per unit of the axis, so that bars and curve can be compared
    const scale = BINS / ((high - low) * total);
    const at = Array.from({ length: 401 }, (_, i) => low + ((i + 0.5) * (high - low)) / 402);
    const heights = at.map(density).map((y) => (Number.isFinite(y) ? y : 0));
    const inside = heights.filter((_, i) => i > 10 && i < 390);
    const most = 1.1 * Math.max(...counts.map((n) => n * scale), ...inside);
    counts.forEach((n, i) => {
      const height = ((n * scale) / most) * HEIGHT;
      bars[i].setAttribute("y", HEIGHT - height);
      bars[i].setAttribute("height", height);
    });
    curve.setAttribute("d", at.map((value, i) =>
      `${i ? "L" : "M"}${x(value).toFixed(1)} ${Math.max(0, HEIGHT - (heights[i] / most) * HEIGHT).toFixed(1)}`).join(""));
    svg.setAttribute("data-counts", counts.join(" "));
  };
  return { node: h("div", {}, h("p", { class: "tv-title" }, title), svg), update };
}

export default {
  render({ model, el }) {
    const dimensions = model.get("dimensions");
    const n = model.get("points");
    const seed = model.get("seed");
    const left = panel("Distances in the unit cube, over their expected mean", 0, 2, [[0, "0"], [0.5, "0.5"], [1, "1"], [1.5, "1.5"], [2, "2"]], "vector", "distances");
    const right = panel("Cosines of random directions", -1, 1, [[-1, "\u22121"], [-0.5, "\u22120.5"], [0, "0"], [0.5, "0.5"], [1, "1"]], "token", "cosines");
    const numbers = {};
    const list = h("dl", { class: "tv-counts" }, [
      ["ratio", "farthest pair over nearest"], ["spread", "standard deviation of the cosines"],
      ["law", "the law: one over the root of d"], ["beyond", "cosines beyond 0.4 in size"],
    ].flatMap(([name, label]) => {
      numbers[name] = h("dd", { "data-tv": name });
      return [h("dt", {}, label), numbers[name]];
    }));
    const voice = live();
    const show = (index) => {
      const d = dimensions[index];
      const { distances, cosines } = pairs(n, d, draw(n, d, seed));
      const mean = Math.sqrt(d / 6);
      const deviation = Math.sqrt(7 / 120) / mean;
      left.update(histogram(distances.map((x) => x / mean), 0, 2), distances.length,
        (x) => Math.exp(-((x - 1) ** 2) / (2 * deviation ** 2)) / (deviation * Math.sqrt(2 * Math.PI)));
      right.update(histogram(cosines, -1, 1), cosines.length, (c) => cosineDensity(c, d));
      const average = cosines.reduce((a, b) => a + b, 0) / cosines.length;
      const spread = Math.sqrt(cosines.reduce((a, c) => a + (c - average) ** 2, 0) / cosines.length);
      const ratio = distances.reduce((a, b) => Math.max(a, b)) / distances.reduce((a, b) => Math.min(a, b));
      const beyond = cosines.filter((c) => Math.abs(c) > 0.4).length / cosines.length;
      setText(numbers.ratio, fixed(ratio, 2));
      setText(numbers.spread, fixed(spread, 4));
      setText(numbers.law, fixed(1 / Math.sqrt(d), 4));
      setText(numbers.beyond, percent(beyond));
      voice.say(`${d} dimensions: the farthest pair is ${fixed(ratio, 2)} times as far as the nearest; cosines spread by ${fixed(spread, 3)}.`);
    };
    const bar = slider({
      label: "Dimensions", min: 0, max: dimensions.length - 1, value: dimensions.indexOf(model.get("dimension")), name: "dimension",
      show: (index) => String(dimensions[index]), change: show,
    });
    el.append(bar.node, h("div", { class: "tv-columns" }, left.node, right.node), list, voice.node);
    show(dimensions.indexOf(model.get("dimension")));
    return () => {};
  },
};
