// A sentence's rows travel with their tokens. Without positions one attention head cannot tell two orders apart.
import { h, setText, count, fixed, button, choice, controls, live, grid, tint } from "./kit.js";

/** One unmasked attention head with identity projections: softmax(X X^T / sqrt(d)) X. */
function attend(x) {
  const scale = Math.sqrt(x[0].length);
  return x.map((query) => {
    const scores = x.map((key) => query.reduce((sum, q, j) => sum + q * key[j], 0) / scale);
    const top = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - top));
    const total = weights.reduce((a, b) => a + b, 0);
    return query.map((_, j) => x.reduce((sum, value, k) => sum + (weights[k] / total) * value[j], 0));
  });
}

export default {
  render({ model, el }) {
    const tokens = model.get("tokens"); // the sentence, in its first order
    const vectors = model.get("vectors"); // one row a place in the first order
    const positions = model.get("positions"); // the position table
    const orders = model.get("orders"); // orders[k][place] = which word of the first order stands there
    const digits = model.get("digits");
    const watched = model.get("watched"); // the word whose attention output is shown
    let turn = 0;
    let coded = false;

    const rowsOf = (order) => order.map((word, place) =>
      vectors[word].map((x, j) => x + (coded ? positions[place][j] : 0)));
    const columnHeads = vectors[0].map((_, j) => String(j + 1));
    const sheet = grid({
      caption: "The rows of the sentence, by position",
      rowHeads: tokens.map((token, place) => [h("span", { class: "tv-num" }, String(place)), " ", h("span", { class: "tv-tok" }, token)]),
      columnHeads, values: vectors, digits, name: "row",
    });
    const outputs = grid({
      caption: `What one attention head gives for ${tokens[watched]}`,
      rowHeads: ["in the first order", "in this order"], columnHeads, values: [vectors[0], vectors[0]], digits, name: "output",
    });
    const sentence = h("p", { class: "tv-title", "data-tv": "sentence" });
    const found = h("dd", { "data-tv": "found" });
    const gap = h("dd", { "data-tv": "gap" });
    const voice = live();

    function show(say) {
      const order = orders[turn];
      const [first, now] = [rowsOf(orders[0]), rowsOf(order)];
      const texts = now.map((row) => row.map((x) => fixed(x, digits)).join(" "));
      order.forEach((word, place) => {
        setText(sheet.rows[place].querySelector(".tv-tok"), tokens[word]);
        now[place].forEach((x, j) => { setText(sheet.cells[place][j], fixed(x, digits)); tint(sheet.cells[place][j], x); });
      });
      setText(sentence, order.map((word) => tokens[word]).join(" "));
      // Which rows of the first order are still there, each counted once?
      const rest = [...texts];
      const same = first.filter((row) => {
        const at = rest.indexOf(row.map((x) => fixed(x, digits)).join(" "));
        if (at >= 0) rest.splice(at, 1);
        return at >= 0;
      }).length;
      setText(found, `${count(same)} of ${count(tokens.length)}`);
      const [before, after] = [attend(first)[watched], attend(now)[order.indexOf(watched)]];
      [before, after].forEach((row, i) => row.forEach((x, j) => {
        setText(outputs.cells[i][j], fixed(x, digits));
        tint(outputs.cells[i][j], x);
      }));
      const difference = Math.max(...before.map((x, j) => Math.abs(x - after[j])));
      setText(gap, fixed(difference, digits));
      if (say) {
        voice.say(`${sentence.textContent}: ${found.textContent} rows are rows of the first order, `
          + `and the attention output for ${tokens[watched]} differs by ${gap.textContent}.`);
      }
    }

    const mode = choice({
      label: "Position code", name: "positions", value: "off",
      options: [["off", "rows only"], ["on", "rows plus positions"]],
      change: (key) => { coded = key === "on"; show(true); },
    });
    el.append(
      controls(
        button("Shuffle", () => { turn = turn + 1 < orders.length ? turn + 1 : 1; show(true); }, { class: "tv-button tv-main", "data-tv": "shuffle" }),
        button("First order", () => { turn = 0; show(true); }, { "data-tv": "reset" }),
        mode.node),
      sentence,
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, sheet.node),
        h("div", { class: "tv-scroll" },
          h("p", { class: "tv-title" }, `One attention head\u2019s output for \u201c${tokens[watched]}\u201d`),
          outputs.node,
          h("dl", { class: "tv-counts tv-space" },
            h("dt", {}, "rows also found in the first order"), found,
            h("dt", {}, "largest difference of the outputs"), gap))),
      voice.node,
    );
    show(false);
  },
};
