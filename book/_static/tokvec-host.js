// The host of the book's figures on a built page: what anywidget is in a live notebook.
// A figure arrives as <div data-tv-figure="onehot" data-tv-state="{...}">fallback</div>, its module as
// a string in window.tokvecFigures (a classic script, because file:// pages may not import modules).
// The host turns the string into a Blob URL, imports it, and renders when the figure comes near.
"use strict";
(() => {
  /** anywidget's model, over plain JSON: get, set, on, off, save_changes. */
  class PageModel {
    constructor(state) {
      this.state = state;
      this.listeners = new Map();
    }
    get(name) {
      return this.state[name];
    }
    set(name, value) {
      if (Object.is(this.state[name], value)) return;
      this.state[name] = value;
      this.emit(`change:${name}`, value);
      this.emit("change", value);
    }
    on(event, callback) {
      if (!this.listeners.has(event)) this.listeners.set(event, new Set());
      this.listeners.get(event).add(callback);
    }
    off(event, callback) {
      if (callback) this.listeners.get(event)?.delete(callback);
      else if (event) this.listeners.delete(event);
      else this.listeners.clear();
    }
    emit(event, value) {
      for (const callback of [...(this.listeners.get(event) ?? [])]) callback(this, value);
    }
    save_changes() {} // there is no kernel to tell
    send() {}
  }

  const modules = new Map();
  function load(name) {
    if (!modules.has(name)) {
      const source = window.tokvecFigures?.[name];
      if (source === undefined) return Promise.reject(new Error(`no module for the figure "${name}" on this page`));
      const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      modules.set(name, import(url).then((module) => module.default));
    }
    return modules.get(name);
  }

  async function mount(place) {
    const name = place.dataset.tvFigure;
    try {
      const figure = await load(name);
      figure.render({ model: new PageModel(JSON.parse(place.dataset.tvState)), el: place });
    } catch (error) {
      // The static fallback stays where it is: the reader still sees the numbers.
      console.error(`tokvec figure "${name}":`, error);
    }
  }

  function start() {
    const places = document.querySelectorAll("[data-tv-figure]");
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        mount(target);
      }
    }, { rootMargin: "800px 0px" });
    places.forEach((place) => observer.observe(place));
    // On paper every figure is drawn as it starts; those not reached yet print their fallback.
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
