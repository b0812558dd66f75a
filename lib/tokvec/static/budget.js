// Where the parameters of a GPT-2 are: two embedding tables that grow with d, blocks that grow with d squared.
import { h, setText, count, percent, choice, slider, controls, live } from "./kit.js";

/** Parameters by part. The token table is stored once: the output layer reuses it. */
function parameters({ vocabulary, context, width: d, layers }) {
  const attention = d * 3 * d + 3 * d + d * d + d;
  const feedForward = d * 4 * d + 4 * d + 4 * d * d + d;
  const layerNorms = 2 * 2 * d;
  return {
    tokens: vocabulary * d,
    positions: context * d,
    blocks: layers * (attention + feedForward + layerNorms) + 2 * d,
  };
}

const PARTS = [["tokens", "token table"], ["positions", "position table"], ["blocks", "blocks"]];

export default {
  render({ model, el }) {
    const presets = Object.fromEntries(model.get("presets")); // name -> { vocabulary, context, width, layers }
    const shape = { ...presets[model.get("preset")] };
    const voice = live();

    const bars = PARTS.map(([key]) => h("span", { class: `tv-bar tv-bar-${key}` }));
    const rows = PARTS.map(([key, label]) => {
      const number = h("td", { "data-tv": key });
      const share = h("td", { "data-tv": `${key}-share` });
      return { key, number, share, node: h("tr", {},
        h("th", { scope: "row" }, h("span", { class: `tv-key tv-bar-${key}`, "aria-hidden": "true" }), label), number, share) };
    });
    const total = h("td", { "data-tv": "total" });
    const both = h("strong", { "data-tv": "embedding-share" });
    const sentence = h("p", {}, "The two tables hold ", both, " of all parameters.");

    function update(say) {
      const parts = parameters(shape);
      const all = parts.tokens + parts.positions + parts.blocks;
      PARTS.forEach(([key], k) => { bars[k].style.width = `${(100 * parts[key]) / all}%`; });
      for (const { key, number, share } of rows) {
        setText(number, count(parts[key]));
        setText(share, percent(parts[key] / all));
      }
      setText(total, count(all));
      setText(both, percent((parts.tokens + parts.positions) / all));
      const name = Object.keys(presets).find((key) =>
        ["vocabulary", "context", "width", "layers"].every((field) => presets[key][field] === shape[field]));
      pick.set(name);
      if (say) {
        voice.say(`${name ? `GPT-2 ${name}` : "This shape"}: ${count(all)} parameters, `
          + `${percent((parts.tokens + parts.positions) / all)} of them in the tables.`);
      }
    }

    const sliders = {};
    const pick = choice({
      label: "Model", name: "preset", value: model.get("preset"),
      options: Object.keys(presets).map((key) => [key, key]),
      change: (key) => {
        Object.assign(shape, presets[key]);
        for (const field of ["vocabulary", "width", "layers"]) sliders[field].set(shape[field]);
        update(true);
      },
    });
    const dial = (field, label, min, max, step) => {
      sliders[field] = slider({
        label, min, max, step, value: shape[field], name: field,
        change: (value) => { shape[field] = value; update(true); },
      });
      return sliders[field].node;
    };

    el.append(
      controls(h("span", {}, "GPT-2"), pick.node),
      h("div", { class: "tv-stack", "aria-hidden": "true" }, bars),
      h("div", { class: "tv-columns" },
        h("div", { class: "tv-scroll" }, h("table", { class: "tv-grid tv-plain" },
          h("caption", { class: "tv-hidden" }, "Parameters by part of the model"),
          h("thead", {}, h("tr", {}, h("td", {}, ""), h("th", { scope: "col" }, "parameters"), h("th", { scope: "col" }, "share"))),
          h("tbody", {}, rows.map((row) => row.node),
            h("tr", { class: "tv-rule" }, h("th", { scope: "row" }, "all"), total, h("td", {}, percent(1)))))),
        h("div", {},
          dial("vocabulary", "V, tokens in the vocabulary", 257, 262144, 1),
          dial("width", "d, numbers in a vector", 64, 12288, 64),
          dial("layers", "layers", 1, 96, 1))),
      sentence, voice.node,
    );
    update(false);
  },
};
