/**
 * The script of every page. The page is whole without it: it adds search, filters, and what a link within the page opens.
 * One listener serves all rows; the texts to search are read once, at the first search.
 */
export const SCRIPT = `"use strict";
(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const openAround = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  };

  for (const box of document.querySelectorAll("[data-searchable]")) {
    const form = box.querySelector("form");
    const search = form.querySelector("input");
    const selects = [...form.querySelectorAll("select")];
    const status = form.querySelector("[role=status]");
    const nothing = box.querySelector(".nothing");
    const openAll = form.querySelector("[data-open-all]");
    const groups = [...box.querySelectorAll("[data-group]")];
    const valuesOf = (element, name) => (element.getAttribute("data-" + name) || "").split("\\n");
    const rows = [...box.querySelectorAll("[data-row]")].map((element) => ({
      element,
      count: Number(element.getAttribute("data-row")),
      values: selects.map((select) => valuesOf(element, select.dataset.facet)),
    }));
    const total = rows.reduce((sum, row) => sum + row.count, 0);
    const details = () => box.querySelectorAll("[data-row]:not([hidden]) details, details[data-row]:not([hidden])");

    selects.forEach((select, at) => {
      const counts = new Map();
      for (const { values, count } of rows)
        for (const value of values[at])
          if (value) counts.set(value, (counts.get(value) || 0) + (values[at].length > 1 ? 1 : count));
      const options = [...counts].sort((one, other) => collator.compare(one[0], other[0]));
      for (const [value, count] of options) select.append(new Option(value + " (" + count + ")", value));
      select.closest("label").hidden = options.length < 2;
    });
    openAll.hidden = details().length === 0;

    const show = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        let matches = selects.every((select, at) => !select.value || row.values[at].includes(select.value));
        if (matches && words.length > 0) {
          row.text ??= row.element.textContent.toLowerCase();
          matches = words.every((word) => row.text.includes(word));
        }
        if (row.element.hidden === matches) row.element.hidden = !matches;
        if (matches) shown += row.count;
      }
      for (const group of groups) group.hidden = !group.querySelector("[data-row]:not([hidden])");
      nothing.hidden = shown > 0;
      const some = shown === total ? String(total) : shown + " of " + total;
      status.textContent = some + " " + status.dataset.noun;
    };
    const clear = () => {
      form.reset();
      show();
    };
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const button of box.querySelectorAll("[data-clear]"))
      button.addEventListener("click", () => {
        clear();
        search.focus();
      });
    openAll.addEventListener("click", () => {
      const all = [...details()];
      const open = all.some((one) => !one.open);
      for (const one of all) one.open = open;
    });
    let frame = 0;
    const nameButton = () => {
      frame = 0;
      openAll.textContent = [...details()].some((one) => !one.open) ? "Expand all" : "Collapse all";
    };
    box.addEventListener("toggle", () => {
      frame ||= requestAnimationFrame(nameButton);
    }, true);
    box.addEventListener("reveal", clear);
    form.hidden = rows.length < 2;
    show();
    nameButton();
  }

  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) target.closest("[data-searchable]")?.dispatchEvent(new Event("reveal"));
    openAround(target);
    target.scrollIntoView();
    // Rows above it may get their height only now.
    requestAnimationFrame(() => requestAnimationFrame(() => target.scrollIntoView()));
  };
  addEventListener("hashchange", follow);
  follow();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    closed = [];
  });
})();
`;
