// A box that scrolls sideways (a long formula on a phone) must be reachable by keyboard, and only then be a stop.
"use strict";
// From a folder the browser lets no page read another: the search would ask for each page's text in vain.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS === "object") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
{
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const box = target.closest(".tv-scroll");
      if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  });
  for (const box of document.querySelectorAll("div.math > .tv-scroll")) {
    watch.observe(box);
    watch.observe(box.firstElementChild); // its width changes when the font arrives
  }
}
