// Choose five letters: how well do they stand apart from the others, compared with all 65,780 groups of five?
import { h, s, setText, count, fixed, button, choice, controls, live } from "./kit.js";

const SIZE = 5;
const BINS = 64;

/** Mean cosine within the group minus mean cosine across, for one group. */
function separation(S, sums, group) {
  let inside = 0;
  let touching = 0;
  for (let a = 0; a < group.length; a += 1) {
    touching += sums[group[a]];
    for (let b = a + 1; b < group.length; b += 1) inside += 2 * S[group[a]][group[b]];
  }
  const [m, n] = [group.length, S.length];
  return inside / (m * (m - 1)) - (touching - inside) / (m * (n - m));
}

/** Every group of five, in lexicographic order. */
function* groups(n) {
  for (let a = 0; a < n; a += 1)
    for (let b = a + 1; b < n; b += 1)
      for (let c = b + 1; c < n; c += 1)
        for (let d = c + 1; d < n; d += 1)
          for (let e = d + 1; e < n; e += 1) yield [a, b, c, d, e];
}

const CSS = `
.tv-groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(40px, 1fr)); gap: 4px; }
.tv-figure .tv-groups .tv-button { padding: 0.2rem; font-family: var(--tv-mono); }
.tv-figure .tv-groups .tv-button[aria-pressed="true"] { background: var(--tv-vector-ink); border-color: var(--tv-vector-ink); color: var(--tv-surface); }
.tv-histogram { display: block; width: 100%; max-width: 520px; height: auto; }
.tv-histogram text { font: 13px var(--tv-sans); fill: var(--tv-muted); text-anchor: middle; }
`;

export default {
  render({ model, el }) {
    const letters = Array.from(model.get("letters"));
    const n = letters.length;
    const every = [...groups(n)];
    // One matrix of cosines a choice; only the rows below the diagonal are stored.
    const worlds = model.get("cosines").map((lower) => {
      const S = letters.map((_, i) => letters.map((__, j) => (i === j ? 0 : lower[Math.max(i, j)][Math.min(i, j)])));
      const sums = S.map((row) => row.reduce((a, b) => a + b, 0));
      const all = Float64Array.from(every, (group) => separation(S, sums, group));
      const [least, most] = all.reduce(([a, b], x) => [Math.min(a, x), Math.max(b, x)], [Infinity, -Infinity]);
      return { S, sums, all, least, most, best: every[all.indexOf(most)] };
    });
    const low = Math.floor(Math.min(...worlds.map((w) => w.least)) * 20) / 20;
    const high = Math.ceil(Math.max(...worlds.map((w) => w.most)) * 20) / 20;
    const bin = (x) => Math.min(BINS - 1, Math.floor((x - low) / (high - low) * BINS));
    for (const world of worlds) {
      world.counts = Array(BINS).fill(0);
      for (const x of world.all) world.counts[bin(x)] += 1;
    }
    let world = worlds[0];

    const [W, H, FOOT] = [440, 170, 46];
    const wide = W / BINS;
    const bars = Array.from({ length: BINS }, (_, i) => s("rect", { x: (i * wide + 0.5).toFixed(2), width: (wide - 1).toFixed(2) }));
    const raise = () => {
      const tallest = Math.max(...world.counts);
      bars.forEach((bar, i) => {
        const height = world.counts[i] / tallest * (H - 14);
        bar.setAttribute("y", (H - height).toFixed(2));
        bar.setAttribute("height", height.toFixed(2));
      });
    };
    const place = (x) => (x - low) / (high - low) * W;
    const ticks = [];
    for (let x = Math.ceil(low * 5) / 5; x < high; x += 0.2) {
      ticks.push(s("text", { x: Math.min(W - 14, Math.max(14, place(x))).toFixed(1), y: H + 16 }, fixed(x, 1)));
    }
    const mark = s("line", { y1: 0, y2: H, stroke: "var(--tv-text)", "stroke-width": 2.5 });
    const histogram = s("svg", { viewBox: `0 0 ${W} ${H + FOOT}`, class: "tv-histogram", role: "img", "data-tv": "histogram",
      "aria-label": "Histogram of all groups of five; a line marks the chosen one" },
      bars, s("line", { x1: 0, x2: W, y1: H, y2: H, stroke: "var(--tv-border)" }), mark, ticks,
      s("text", { x: W / 2, y: H + 31 }, "mean cosine within the group minus mean cosine across"));

    const chosen = new Set(Array.from(model.get("group"), (c) => letters.indexOf(c)));
    const buttons = letters.map((letter, i) => button(letter, () => {
      if (chosen.has(i)) chosen.delete(i);
      else chosen.add(i);
      show();
    }, { "data-tv": `letter-${letter}`, "aria-pressed": "false" }));
    const out = { statistic: h("dd", { "data-tv": "statistic" }), better: h("dd", { "data-tv": "as-good" }), p: h("dd", { "data-tv": "p" }) };
    const voice = live();

    function show() {
      buttons.forEach((node, i) => node.setAttribute("aria-pressed", String(chosen.has(i))));
      const group = [...chosen].sort((a, b) => a - b);
      const complete = group.length === SIZE;
      mark.style.visibility = complete ? "visible" : "hidden";
      let from = BINS;
      if (complete) {
        const { S, sums, all } = world;
        const statistic = separation(S, sums, group);
        const asGood = all.reduce((sum, x) => sum + (x >= statistic - 1e-9), 0);
        const p = asGood / all.length;
        mark.setAttribute("x1", place(statistic).toFixed(1));
        mark.setAttribute("x2", place(statistic).toFixed(1));
        from = bin(statistic);
        setText(out.statistic, fixed(statistic, 4));
        setText(out.better, `${count(asGood)} of ${count(all.length)}`);
        setText(out.p, fixed(p, 5));
        const names = group.map((i) => letters[i]).join(" ");
        voice.say(`${names}: ${count(asGood)} of ${count(all.length)} groups stand apart as well or better, p = ${fixed(p, 5)}.`);
      } else {
        for (const node of Object.values(out)) setText(node, "\u2013");
        const more = SIZE - group.length;
        voice.say(more > 0 ? `Choose ${more} more.` : `Take ${-more} away: a group has five letters.`);
      }
      // Darker where a group is at least as good: the p-value is the share of this area.
      bars.forEach((bar, i) => bar.setAttribute("fill", i >= from ? "var(--tv-gradient)" : "color-mix(in srgb, var(--tv-vector) 55%, transparent)"));
    }

    const set = (group) => { chosen.clear(); group.forEach((i) => chosen.add(i)); show(); };
    const spell = (word) => Array.from(word, (c) => letters.indexOf(c));
    const which = choice({
      label: "Which cosines", name: "runs", value: "0", options: model.get("names").map((name, i) => [String(i), name]),
      change: (i) => { world = worlds[Number(i)]; raise(); show(); },
    });
    el.append(
      h("style", {}, CSS),
      which.node,
      controls(
        button("The vowels", () => set(spell("aeiou")), { "data-tv": "vowels" }),
        button("The best five", () => set(world.best), { "data-tv": "best" }),
        button("None", () => set([]), { "data-tv": "none" })),
      h("div", { class: "tv-groups", role: "group", "aria-label": "Five letters" }, buttons),
      histogram,
      h("dl", { class: "tv-counts" },
        h("dt", {}, "within minus across"), out.statistic,
        h("dt", {}, "groups at least as good"), out.better,
        h("dt", {}, "p, exactly"), out.p),
      voice.node,
    );
    raise();
    show();
    return () => {};
  },
};
