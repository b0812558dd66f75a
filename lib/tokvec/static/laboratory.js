// Six tokens, six coordinates: read rows, rename ids, edit a coordinate, learn on one row.
import { h, setText, count, fixed, percent, button, select, slider, controls, live, grid, tint } from "./kit.js";

const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

/** Two answers: the probability of the right one, and the cross-entropy loss. */
function predict(e, right, wrong) {
  const p = 1 / (1 + Math.exp(-(dot(e, right) - dot(e, wrong))));
  return { p, loss: -Math.log(p) };
}

/** One step of gradient descent on the input row alone: dL/de = -(1 - p) (w_right - w_wrong). */
function learn(e, right, wrong, rate) {
  const { p } = predict(e, right, wrong);
  return e.map((x, i) => x + rate * (1 - p) * (right[i] - wrong[i]));
}

export default {
  render({ model, el }) {
    const names = model.get("tokens"); // by first id
    const glosses = model.get("glosses");
    const digits = model.get("digits");
    const { input, right, wrong, rate } = model.get("lesson");
    const output = model.get("output");
    let table, order, steps; // order[id] = which token has this id now
    let picked = 0; // the token (not the id) whose coordinate is edited

    const idOf = (token) => order.indexOf(token);
    const columnHeads = names[0] && model.get("table")[0].map((_, j) => String(j + 1));
    const label = (id, token) => [h("span", { class: "tv-num" }, String(id)), " ", h("span", { class: "tv-tok" }, names[token])];

    const sheet = grid({
      caption: "The embedding table: one row a token", rowHeads: names.map((_, i) => label(i, i)),
      columnHeads, values: model.get("table"), digits, name: "row",
    });
    const sequence = model.get("sequence"); // tokens
    const read = grid({
      caption: "The rows read for the sequence", rowHeads: sequence.map((token) => label(token, token)),
      columnHeads, values: sequence.map((token) => model.get("table")[token]), digits, name: "read",
    });
    const ids = h("span", { class: "tv-value", "data-tv": "ids" });
    const voice = live();
    const p = h("dd", { "data-tv": "probability" });
    const loss = h("dd", { "data-tv": "loss" });
    const taken = h("dd", { "data-tv": "steps" });
    const changed = h("dd", { "data-tv": "moved" });

    /** Write everything that is shown from what is known; mark the cells that differ from `before`. */
    function show(before) {
      const moved = new Set();
      sheet.rows.forEach((row, id) => {
        const token = order[id];
        const [number, name] = row.querySelectorAll("th > span");
        setText(number, id);
        setText(name, names[token]);
        table[token].forEach((value, j) => {
          const cell = sheet.cells[id][j];
          setText(cell, fixed(value, digits));
          tint(cell, value);
          const differs = before !== undefined && fixed(before[token][j], digits) !== fixed(value, digits);
          cell.classList.toggle("tv-now", differs);
          if (differs) moved.add(token);
        });
      });
      read.rows.forEach((row, k) => {
        const token = sequence[k];
        setText(row.querySelector("th > span"), idOf(token));
        table[token].forEach((value, j) => {
          setText(read.cells[k][j], fixed(value, digits));
          tint(read.cells[k][j], value);
          read.cells[k][j].classList.toggle("tv-now", moved.has(token) && sheet.cells[idOf(token)][j].classList.contains("tv-now"));
        });
      });
      setText(ids, `[${sequence.map(idOf).join(", ")}]`);
      const now = predict(table[input], output[right], output[wrong]);
      setText(p, percent(now.p));
      setText(loss, fixed(now.loss, 3));
      setText(taken, count(steps));
      if (before !== undefined) setText(changed, [...moved].map((token) => names[token]).join(", ") || "none");
      return moved;
    }

    function reset(say = true) {
      table = model.get("table").map((row) => [...row]);
      order = names.map((_, i) => i);
      steps = 0;
      setText(changed, "none");
      show();
      edit.set(table[picked][Number(coordinate.input.value)]);
      if (say) voice.say("Everything is as it was.");
    }

    function rename() {
      const [a, b] = model.get("swap"); // tokens
      const [i, j] = [idOf(a), idOf(b)];
      const was = read.cells.flat().map((cell) => cell.textContent);
      [order[i], order[j]] = [b, a];
      show();
      const same = was.every((text, k) => read.cells.flat()[k].textContent === text);
      voice.say(`${names[a]} and ${names[b]} changed ids and rows. The sequence is now ${ids.textContent}, `
        + (same ? "and it reads the same vectors." : "and it reads other vectors."));
    }

    function put(value) {
      const before = table.map((row) => [...row]);
      const j = Number(coordinate.input.value);
      table[picked][j] = value;
      show(before);
      const places = sequence.filter((token) => token === picked).length;
      voice.say(`Coordinate ${j + 1} of ${names[picked]} is ${fixed(value, digits)}: one number in the table, `
        + `${count(places)} ${places === 1 ? "place" : "places"} in the sequence.`);
    }

    function step() {
      const before = table.map((row) => [...row]);
      const was = predict(table[input], output[right], output[wrong]);
      table[input] = learn(table[input], output[right], output[wrong], rate);
      steps += 1;
      const moved = show(before);
      edit.set(table[picked][Number(coordinate.input.value)]);
      voice.say(`p(${right}) from ${percent(was.p)} to ${p.textContent}, loss from ${fixed(was.loss, 3)} to ${loss.textContent}. `
        + `${count(moved.size)} ${moved.size === 1 ? "row" : "rows"} of ${count(names.length)} moved.`);
    }

    const which = select({
      label: "Token", name: "edit-token", value: "0", options: names.map((name, i) => [String(i), name]),
      change: (value) => { picked = Number(value); edit.set(table[picked][Number(coordinate.input.value)]); },
    });
    const coordinate = select({
      label: "coordinate", name: "edit-coordinate", value: "0", options: columnHeads.map((head, j) => [String(j), head]),
      change: () => edit.set(table[picked][Number(coordinate.input.value)]),
    });
    picked = model.get("edit");
    which.set(String(picked));
    const edit = slider({
      label: "its value", name: "edit-value", min: -1, max: 1, step: 0.05, value: 0, change: put,
      show: (value) => fixed(value, digits),
    });

    const part = (title, ...children) => h("section", { class: "tv-part" }, h("p", { class: "tv-title" }, title), ...children);
    el.append(
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, h("p", { class: "tv-title" }, "The table"), sheet.node),
        h("div", { class: "tv-scroll" }, h("p", { class: "tv-title" }, "What the sequence ", ids, " reads"), read.node,
          h("p", { class: "tv-note" }, glosses))),
      h("div", { class: "tv-columns" },
        part("Rename", button(`Swap the ids of ${names[model.get("swap")[0]]} and ${names[model.get("swap")[1]]}`, rename, { "data-tv": "rename" })),
        part("Edit", controls(which.node, coordinate.node), edit.node),
        part("Learn",
          h("p", { class: "tv-note" }, `After ${names[input]} came ${right}, not ${wrong}.`),
          controls(button("Take a step", step, { class: "tv-button tv-main", "data-tv": "learn" }),
            button("Start again", () => reset(), { "data-tv": "reset" })),
          h("dl", { class: "tv-counts" },
            h("dt", {}, "steps taken"), taken,
            h("dt", {}, `p(${right})`), p,
            h("dt", {}, "loss"), loss,
            h("dt", {}, "rows that moved last"), changed))),
      voice.node,
    );
    reset(false);
  },
};
