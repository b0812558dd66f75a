// The few helpers that every figure shares. Plain DOM and SVG, no libraries.
// A figure's module imports from "./kit.js" and nothing else; Python joins the two texts.

// ---------------------------------------------------------------- elements

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element: h("p", { class: "tv-note", onclick: f }, "text", child). */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Write text only when it differs, so that nothing is redrawn or announced for nothing. */
export function setText(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

// ---------------------------------------------------------------- numbers

/** 38597376 -> "38,597,376", whatever the reader's locale: the prose quotes the same digits. */
export function count(n) {
  return minus(String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ","));
}

/** A number with a fixed number of decimals and a real minus sign; never "-0.00". */
export function fixed(x, digits = 2) {
  const text = x.toFixed(digits);
  return minus(Number(text) === 0 ? text.replace("-", "") : text);
}

/** 0.316 -> "31.6 %". */
export function percent(x, digits = 1) {
  return `${fixed(100 * x, digits)}\u00a0%`;
}

function minus(text) {
  return text.replace("-", "\u2212");
}

// ---------------------------------------------------------------- controls

let serial = 0;
/** An id that is unique on the page, for labels. */
export function uid(prefix = "tv") {
  serial += 1;
  return `${prefix}-${serial}`;
}

/** A real <button>. `press` runs on click, Enter and Space. */
export function button(label, press, attributes = {}) {
  return h("button", { type: "button", class: "tv-button", onclick: press, ...attributes }, label);
}

/**
 * A labelled slider. Returns { node, input, set(value) }; `change(value)` runs while it is dragged.
 * `show` turns the value into the text beside it, which a screen reader hears as well.
 */
export function slider({ label, min, max, step = 1, value, change, show = count, name }) {
  const id = uid("tv-slider");
  const output = h("output", { for: id, class: "tv-value", "data-tv": name ? `${name}-value` : undefined });
  const input = h("input", { id, type: "range", min, max, step, "data-tv": name });
  const update = () => {
    const text = show(Number(input.value));
    setText(output, text);
    input.setAttribute("aria-valuetext", text);
  };
  input.value = value;
  input.addEventListener("input", () => {
    update();
    change(Number(input.value));
  });
  update();
  const node = h("div", { class: "tv-slider" }, h("label", { for: id }, label), output, input);
  return { node, input, set: (next) => { input.value = next; update(); } };
}

/** A labelled <select>. `options` is a list of [value, text]. Returns { node, input, set(value) }. */
export function select({ label, options, value, change, name }) {
  const id = uid("tv-select");
  const input = h("select", { id, "data-tv": name, onchange: () => change(input.value) },
    options.map(([key, text]) => h("option", { value: key }, text)));
  input.value = value;
  const node = h("div", { class: "tv-select" }, h("label", { for: id }, label), input);
  return { node, input, set: (next) => { input.value = next; } };
}

/**
 * One choice out of a few, as a row of buttons that say which one is pressed.
 * Returns { node, set(key) }.
 */
export function choice({ label, options, value, change, name }) {
  const buttons = options.map(([key, text]) => {
    const node = button(text, () => { set(key); change(key); }, { "data-tv": name ? `${name}-${key}` : undefined });
    return [key, node];
  });
  const set = (key) => {
    for (const [other, node] of buttons) node.setAttribute("aria-pressed", String(other === key));
  };
  set(value);
  return { node: h("div", { class: "tv-choice", role: "group", "aria-label": label }, buttons.map((b) => b[1])), set };
}

/** A row of controls. */
export function controls(...children) {
  return h("div", { class: "tv-controls" }, ...children);
}

/** A line that a screen reader reads out when it changes. Returns { node, say(text) }. */
export function live(name = "says") {
  const node = h("p", { class: "tv-live", role: "status", "aria-live": "polite", "data-tv": name });
  return { node, say: (text) => setText(node, text) };
}

// ---------------------------------------------------------------- tables

/**
 * A table of numbers whose cells are updated in place (rebuilding them would lose the focus).
 * Returns { node, rows, cells }: `rows[i]` is a <tr>, `cells[i][j]` a <td>.
 */
export function grid({ caption, rowHeads, columnHeads, values, digits = 2, name, corner = "" }) {
  const cells = values.map((row, i) => row.map((value, j) =>
    h("td", { class: "tv-cell", "data-tv": name ? `${name}-${i}-${j}` : undefined }, fixed(value, digits))));
  const rows = cells.map((row, i) => h("tr", {}, h("th", { scope: "row" }, rowHeads[i]), row));
  const node = h("table", { class: values[0].length > 5 ? "tv-grid tv-many" : "tv-grid" },
    h("caption", { class: "tv-hidden" }, caption),
    columnHeads && h("thead", {}, h("tr", {}, corner === null ? null : h("td", {}, corner),
      columnHeads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows));
  return { node, rows, cells };
}

/** Tint a cell by the size of its number. The digits and their sign stay the message. */
export function tint(cell, value, most = 1, colour = "vector") {
  const share = Math.round(Math.min(1, Math.abs(value) / most) * 34);
  cell.style.setProperty("--tv-fill", `color-mix(in srgb, var(--tv-${colour}) ${share}%, transparent)`);
}

// ---------------------------------------------------------------- motion

/** Does the reader ask for less motion? */
export function still() {
  return window.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
}

/**
 * Call `step` every `pause` milliseconds until it returns false. With reduced motion all steps are
 * taken at once. Returns a function that stops it.
 */
export function play(step, pause = 120) {
  if (still()) {
    while (step() !== false);
    return () => {};
  }
  let timer = window.setInterval(() => { if (step() === false) stop(); }, pause);
  const stop = () => { window.clearInterval(timer); timer = undefined; };
  return stop;
}

// ---------------------------------------------------------------- the frame

/**
 * What every figure gets around it: <figure>, the stage it draws on, its caption. Python's joined
 * module ends in `export default framed(...)`, so figures need not think of it.
 */
export function framed(figure) {
  return {
    render({ model, el }) {
      const stage = h("div", { class: "tv-stage", role: "group", "aria-label": model.get("alt") });
      const caption = h("figcaption", {}, model.get("caption"));
      el.replaceChildren(h("figure", { class: "tv-figure", "data-tv-ready": "" }, stage, caption));
      return figure.render({ model, el: stage });
    },
  };
}
