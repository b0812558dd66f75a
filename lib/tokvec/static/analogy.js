import { h, setText, fixed, count, button, choice, controls, live, uid } from "./kit.js";

// All vectors as one Int8Array; each row is scaled by its own largest number, which a cosine does not see.
function unpack(base64, rows) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const codes = new Int8Array(bytes.buffer);
  const width = codes.length / rows;
  const unit = Float64Array.from(codes);
  for (let i = 0; i < rows; i += 1) {
    let square = 0;
    for (let k = 0; k < width; k += 1) square += unit[i * width + k] ** 2;
    for (let k = 0; k < width; k += 1) unit[i * width + k] /= Math.sqrt(square);
  }
  return { unit, width };
}

// How much of a, b and c goes into the target.
const SIGNS = { add: [-1, 1, 1], c: [0, 0, 1], b: [0, 1, 0], "b+c": [0, 1, 1] };

function nearest({ unit, width }, rows, inputs, method, exclude, most) {
  const target = new Float64Array(width);
  inputs.forEach((row, which) => {
    for (let k = 0; k < width; k += 1) target[k] += SIGNS[method][which] * unit[row * width + k];
  });
  const length = Math.hypot(...target) || 1;
  const found = [];
  for (let i = 0; i < rows; i += 1) {
    if (exclude && inputs.includes(i)) continue;
    let dot = 0;
    for (let k = 0; k < width; k += 1) dot += target[k] * unit[i * width + k];
    found.push([i, dot / length]);
  }
  return found.sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, most);
}

export default {
  render({ model, el }) {
    const words = model.get("words").split(" ");
    const index = new Map(words.map((word, i) => [word, i]));
    const table = unpack(model.get("codes"), words.length);
    const most = model.get("shown");
    let method = model.get("method");
    let exclude = model.get("exclude");
    const voice = live();
    const list = uid("tv-words");

    const fields = ["a", "b", "c"].map((name, which) => {
      const id = uid("tv-word");
      const input = h("input", {
        id, type: "text", list, value: model.get("question")[which], size: 11, autocomplete: "off",
        autocapitalize: "off", spellcheck: "false", "data-tv": name, oninput: () => update(false), onchange: () => update(true),
      });
      return { input, node: h("span", { class: "tv-select" }, h("label", { for: id }, name), input) };
    });
    const options = h("datalist", { id: list }, words.slice(0, 400).map((word) => h("option", { value: word })));

    const rows = Array.from({ length: most }, (_, i) => {
      const word = h("th", { scope: "row", "data-tv": `word-${i}` });
      const cosine = h("td", { "data-tv": `cosine-${i}` });
      const note = h("td", { class: "tv-note", "data-tv": `note-${i}` });
      return { word, cosine, note, node: h("tr", {}, h("td", {}, String(i + 1)), word, cosine, note) };
    });
    const formula = h("p", { class: "tv-title", "data-tv": "formula" });

    function update(speak) {
      const typed = fields.map(({ input }) => input.value.trim().toLowerCase());
      const inputs = typed.map((word) => index.get(word));
      fields.forEach(({ input }, which) => input.setAttribute("aria-invalid", String(inputs[which] === undefined)));
      const unknown = typed.filter((_, which) => inputs[which] === undefined);
      if (unknown.length) {
        if (speak) voice.say(`"${unknown[0]}" is not among the ${count(words.length)} words of this figure: try a more common word.`);
        return;
      }
      const [a, b, c] = typed;
      setText(formula, { add: `${b} \u2212 ${a} + ${c}`, c: `nearest to ${c}`, b: `nearest to ${b}`, "b+c": `${b} + ${c}` }[method]);
      const found = nearest(table, words.length, inputs, method, exclude, most);
      found.forEach(([i, cosine], rank) => {
        const own = inputs.includes(i);
        setText(rows[rank].word, words[i]);
        setText(rows[rank].cosine, fixed(cosine, 3));
        setText(rows[rank].note, own ? "an input" : "");
      });
      const [first, cosine] = found[0];
      voice.say(`The nearest word is ${words[first]}, cosine ${fixed(cosine, 3)}`
        + `${inputs.includes(first) ? ": one of the three words you put in." : "."}`);
    }

    const presets = model.get("presets");
    const ask = (question) => {
      question.forEach((word, which) => { fields[which].input.value = word; });
      update(true);
    };
    const rule = button("Exclude the inputs", () => {
      exclude = !exclude;
      rule.setAttribute("aria-pressed", String(exclude));
      update(true);
    }, { "data-tv": "exclude", "aria-pressed": String(exclude) });
    const how = choice({
      label: "What is asked", name: "method", value: method,
      options: [["add", "b \u2212 a + c"], ["b+c", "b + c"], ["c", "nearest to c"], ["b", "nearest to b"]],
      change: (key) => { method = key; update(true); },
    });

    el.append(
      controls(presets.map((question, i) =>
        button(`${question[0]} : ${question[1]} :: ${question[2]}`, () => ask(question), { "data-tv": `preset-${i}` }))),
      controls(fields.map(({ node }) => node), options),
      controls(how.node, rule),
      formula,
      h("div", { class: "tv-scroll" }, h("table", { class: "tv-grid" },
        h("caption", { class: "tv-hidden" }, "The nearest words and their cosines"),
        h("thead", {}, h("tr", {}, ["", "word", "cosine", ""].map((head, i) => h("th", { scope: "col", style: i === 1 ? "text-align:left" : undefined }, head)))),
        h("tbody", {}, rows.map(({ node }) => node)))),
      voice.node,
    );
    update(true);
    return () => {};
  },
};
