// The book in one figure: a sentence becomes tokens, tokens become ids, ids become rows of numbers.
import { h, setText, count, fixed, live, tint } from "./kit.js";

export default {
  render({ model, el }) {
    const tokens = model.get("tokens");
    const ids = model.get("ids");
    const vectors = model.get("vectors"); // the first few numbers of each token's row
    const width = model.get("width");
    const digits = model.get("digits");
    const most = model.get("most");
    const voice = live();

    const heads = tokens.map((token, place) => h("button", {
      type: "button", class: "tv-button tv-tok-button", "aria-pressed": "false", "data-tv": `token-${place}`,
      onclick: () => choose(place),
    }, token));
    const idCells = ids.map((id, place) => h("td", { class: "tv-idcell", "data-tv": `id-${place}` }, String(id)));
    const rows = vectors[0].map((_, j) => vectors.map((vector, place) => {
      const cell = h("td", { class: "tv-cell", "data-tv": `x-${place}-${j}` }, fixed(vector[j], digits));
      tint(cell, vector[j], most);
      return cell;
    }));
    const shade = (place, on) => {
      heads[place].setAttribute("aria-pressed", String(on));
      for (const cell of [idCells[place], ...rows.map((row) => row[place])]) cell.classList.toggle("tv-lit", on);
    };

    function choose(place) {
      const same = ids.flatMap((id, other) => (id === ids[place] ? [other] : []));
      tokens.forEach((_, other) => shade(other, same.includes(other)));
      voice.say(`${tokens[place]}: id ${ids[place]}, `
        + (same.length > 1
          ? `in ${count(same.length)} places, with the same ${count(width)} numbers in each.`
          : `one place, one row of ${count(width)} numbers, unlike any other.`));
    }

    el.append(
      h("p", { class: "tv-sentence" }, model.get("sentence")),
      h("div", { class: "tv-scroll" }, h("table", { class: "tv-grid tv-cover-grid" },
        h("caption", { class: "tv-hidden" }, "Tokens, their ids, and the first numbers of their vectors"),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "tv-hidden" }, "row")),
          heads.map((head) => h("th", { scope: "col" }, head)))),
        h("tbody", {},
          h("tr", {}, h("th", { scope: "row" }, "id"), idCells),
          rows.map((row, j) => h("tr", {}, h("th", { scope: "row" }, String(j + 1)), row)),
          h("tr", {}, h("th", { scope: "row" }, h("span", { class: "tv-hidden" }, "more")),
            tokens.map(() => h("td", { class: "tv-more" }, "\u22ee")))))),
      voice.node,
    );
    voice.say(`${count(tokens.length)} tokens, ${count(new Set(ids).size)} different ids, ${count(width)} numbers each. Press a token.`);
  },
};
