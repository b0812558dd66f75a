// The long way and the short way to one row of an embedding table.
// A one-hot vector times the table multiplies every cell by 0 or 1; a lookup reads one row.
import { h, setText, count, fixed, button, select, controls, live, grid, tint, play } from "./kit.js";

/** Every multiplication of x E, column by column: what is multiplied, the product, the sum so far. */
function* longWay(x, table) {
  for (let j = 0; j < table[0].length; j += 1) {
    let sum = 0;
    for (let i = 0; i < table.length; i += 1) {
      const product = x[i] * table[i][j];
      sum += product;
      yield { i, j, product, sum };
    }
  }
}

/** The same product at a size where nobody watches: V x d, counting each multiplication it does. */
function countLongWay(V, d, id) {
  let multiplications = 0;
  let kept = 0;
  for (let j = 0; j < d; j += 1) {
    let sum = 0;
    for (let i = 0; i < V; i += 1) {
      sum += (i === id ? 1 : 0) * ((i + j) % 7 - 3); // the table's values don't matter for the count
      multiplications += 1;
    }
    if (sum === (id + j) % 7 - 3) kept += 1; // and yet the right row comes out
  }
  return { multiplications, kept };
}

export default {
  render({ model, el }) {
    const tokens = model.get("tokens");
    const table = model.get("table");
    const [V, d] = [table.length, table[0].length];
    const digits = model.get("digits");
    let id, walk, done, stop = () => {};

    const columns = table[0].map((_, j) => `column ${j + 1}`);
    const E = grid({
      caption: "The embedding table, with the one-hot vector beside it",
      rowHeads: tokens.map((token, i) => `${token}`),
      columnHeads: columns.map((_, j) => String(j + 1)),
      values: table, digits, name: "table",
    });
    // The one-hot vector stands upright beside the rows it multiplies.
    const ones = E.rows.map((row, i) => {
      const cell = h("td", { class: "tv-onehot", "data-tv": `onehot-${i}` }, "0");
      row.querySelector("th").after(cell);
      return cell;
    });
    E.node.querySelector("thead td").after(h("th", { scope: "col" }, "one-hot"));
    const result = (label, name, rule) => {
      const cells = columns.map((_, j) => h("td", { class: "tv-cell", "data-tv": `${name}-${j}` }, ""));
      const row = h("tr", { class: rule ? "tv-rule" : undefined }, h("th", { scope: "row" }, label), h("td", {}, ""), cells);
      E.node.querySelector("tbody").append(row);
      return cells;
    };
    const product = result("product", "product", true);
    const lookup = result("lookup", "lookup", false);

    const counts = {
      multiplications: h("dd", { "data-tv": "multiplications" }),
      kept: h("dd", { "data-tv": "kept" }),
      read: h("dd", { "data-tv": "read" }),
    };
    const gpt2 = {
      multiplications: h("dd", { "data-tv": "gpt2-multiplications" }, "\u2026"),
      kept: h("dd", { "data-tv": "gpt2-kept" }, "\u2026"),
      times: h("dd", { "data-tv": "gpt2-times" }, "\u2026"),
    };
    const sentence = h("p", { class: "tv-sum", "data-tv": "sum" });
    const voice = live();

    function reset() {
      stop();
      id = Number(pick.input.value);
      const oneHot = tokens.map((_, i) => Number(i === id));
      walk = longWay(oneHot, table);
      done = 0;
      ones.forEach((cell, i) => setText(cell, oneHot[i]));
      E.rows.forEach((row, i) => row.classList.toggle("tv-chosen", i === id));
      E.cells.flat().forEach((cell) => { cell.classList.remove("tv-now"); cell.style.removeProperty("--tv-fill"); });
      product.forEach((cell) => { setText(cell, ""); cell.style.removeProperty("--tv-fill"); });
      lookup.forEach((cell, j) => { setText(cell, fixed(table[id][j], digits)); tint(cell, table[id][j]); });
      setText(counts.multiplications, "0");
      setText(counts.kept, count(d));
      setText(counts.read, count(d));
      setText(sentence, `Token \u201c${tokens[id]}\u201d is row ${id}. Press Step.`);
      step.removeAttribute("aria-disabled");
      voice.say("");
    }

    /** Do one multiplication; false when there is none left. */
    function advance() {
      const { value, done: over } = walk.next();
      if (over) return false;
      done += 1;
      const { i, j, product: term, sum } = value;
      E.cells.flat().forEach((cell) => cell.classList.remove("tv-now"));
      E.cells[i][j].classList.add("tv-now");
      if (i === id) tint(E.cells[i][j], table[i][j]);
      setText(product[j], fixed(sum, digits));
      tint(product[j], sum);
      setText(counts.multiplications, count(done));
      setText(sentence, `${Number(i === id)} \u00d7 ${fixed(table[i][j], digits)} = ${fixed(term, digits)}`
        + `, sum of column ${j + 1} so far: ${fixed(sum, digits)}`);
      if (done === V * d) {
        const same = product.every((cell, k) => cell.textContent === lookup[k].textContent);
        E.cells.flat().forEach((cell) => cell.classList.remove("tv-now"));
        step.setAttribute("aria-disabled", "true");
        voice.say(`${count(done)} multiplications for ${count(d)} numbers. `
          + (same ? "The product is the row that the lookup reads." : "The product differs from the lookup."));
        return false;
      }
      return true;
    }

    const pick = select({
      label: "Token", name: "token", value: String(model.get("token_id")),
      options: tokens.map((token, i) => [String(i), token]), change: reset,
    });
    const step = button("Step", () => { stop(); advance(); }, { class: "tv-button tv-main", "data-tv": "step" });
    const run = button("Run to the end", () => { stop(); stop = play(advance, 140); }, { "data-tv": "run" });
    const again = button("Start again", reset, { "data-tv": "reset" });
    const scale = button("Count it at GPT-2\u2019s shape", () => {
      const [rows, width] = model.get("gpt2_shape");
      const { multiplications, kept } = countLongWay(rows, width, 464);
      setText(gpt2.multiplications, count(multiplications));
      setText(gpt2.kept, count(kept));
      setText(gpt2.times, `${count(multiplications / kept)} times`);
      voice.say(`At ${count(rows)} rows of ${count(width)}: ${count(multiplications)} multiplications to keep `
        + `${count(kept)} numbers, ${count(multiplications / kept)} times the work of reading them.`);
    }, { "data-tv": "gpt2" });

    el.append(
      controls(pick.node, step, run, again),
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, E.node),
        h("div", {},
          sentence,
          h("dl", { class: "tv-counts tv-space" },
            h("dt", {}, "multiplications so far"), counts.multiplications,
            h("dt", {}, "numbers kept"), counts.kept,
            h("dt", {}, "numbers the lookup reads"), counts.read),
          h("div", { class: "tv-controls tv-space" }, scale),
          h("dl", { class: "tv-counts tv-space" },
            h("dt", {}, "multiplications"), gpt2.multiplications,
            h("dt", {}, "numbers kept"), gpt2.kept,
            h("dt", {}, "the work of a lookup"), gpt2.times))),
      voice.node,
    );
    reset();
    return () => stop();
  },
};
