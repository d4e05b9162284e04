"use strict";
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

// The number of a cell is in its data or is its text, such as "3 of 10"; without any it is below all others.
const cellValue = (table, row, column) => {
  const cell = row.cells[column], text = cell.dataset.value ?? cell.textContent.trim();
  if (!table.tHead.rows[0].cells[column].classList.contains("number")) return text;
  const number = parseFloat(text.replace("inf", "Infinity"));
  return text === "" ? -Infinity : Number.isNaN(number) ? Infinity : number;
};

const sortBy = (table, column, down) => {
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [x, y] = [cellValue(table, a, column), cellValue(table, b, column)];
    const order = typeof x === "number" && typeof y === "number" ? (x > y) - (x < y) : String(x).localeCompare(String(y));
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows);
};

const clearFilters = new Map();
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const rows = table.tBodies[0].rows, heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    sortBy(table, column, down);
  }));
  const scope = table.closest("section"), search = scope.querySelector("input[type=search]");
  const only = scope.querySelector("input[type=checkbox]"), shown = scope.querySelector("output");
  const filter = () => {
    const words = search.value.toLowerCase();
    let count = 0;
    for (const row of rows) {
      row.hidden = !row.textContent.toLowerCase().includes(words) || (only.checked && !row.dataset.differs);
      count += !row.hidden;
    }
    const hidden = rows.length - count;
    shown.textContent = `${count} of ${rows.length}${hidden ? `; ${hidden} hidden by the filter` : ""}`;
  };
  search.addEventListener("input", filter);
  only.addEventListener("change", filter);
  clearFilters.set(table, () => { search.value = ""; only.checked = false; filter(); });
  filter();
}

// A link may lead into a closed block of the graph, or to a row that the filter hides.
const reveal = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let block = target.closest("details"); block; block = block.parentElement.closest("details")) block.open = true;
  if (target.tagName === "DETAILS") target.open = true;
  if (target.hidden) clearFilters.get(target.closest("table"))?.();
  target.scrollIntoView({ block: "center", inline: "center" });
};
addEventListener("hashchange", reveal);

for (const view of document.querySelectorAll(".viewport")) {
  const svg = view.querySelector("svg"), controls = view.closest("section").querySelector(".zoom");
  if (!svg) continue;
  const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
  let scale = 1;
  const zoom = (factor) => {
    const fit = Math.min(1, view.clientWidth / width, view.clientHeight / height || 1);
    const next = Math.min(4, Math.max(0.1, factor ? scale * factor : fit));
    const [x, y] = [view.scrollLeft + view.clientWidth / 2, view.scrollTop + view.clientHeight / 2];
    svg.setAttribute("width", width * next);
    svg.setAttribute("height", height * next);
    view.scrollTo(x * next / scale - view.clientWidth / 2, y * next / scale - view.clientHeight / 2);
    scale = next;
  };
  controls.hidden = false;
  for (const button of controls.querySelectorAll("button")) button.addEventListener("click", () => zoom(Number(button.dataset.zoom)));
  view.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.1 : 1 / 1.1);
  }, { passive: false });
  view.addEventListener("keydown", (event) => {
    if (event.target === view && "+-0".includes(event.key)) zoom({ "+": 1.25, "-": 0.8, "0": 0 }[event.key]);
  });
  // A mouse drags the drawing; fingers scroll it anyway. Beyond 4 pixels it is a drag and no click on a link.
  let start = null, moved = false;
  view.addEventListener("pointerdown", (event) => {
    moved = false;
    if (event.pointerType === "mouse" && event.button === 0) start = [event.clientX + view.scrollLeft, event.clientY + view.scrollTop];
  });
  addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [start[0] - event.clientX, start[1] - event.clientY];
    moved ||= Math.hypot(x - view.scrollLeft, y - view.scrollTop) > 4;
    view.classList.toggle("dragged", moved);
    if (moved) view.scrollTo(x, y);
  });
  addEventListener("pointerup", () => { start = null; view.classList.remove("dragged"); });
  view.addEventListener("click", (event) => { if (moved) event.preventDefault(); }, true);
  view.addEventListener("dragstart", (event) => event.preventDefault());
  const lit = svg.querySelector(".lit");
  if (lit) {
    const [box, frame] = [lit.getBoundingClientRect(), view.getBoundingClientRect()];
    view.scrollTo(box.left - frame.left - (frame.width - box.width) / 2, box.top - frame.top - (frame.height - box.height) / 2);
  } else view.scrollLeft = (view.scrollWidth - view.clientWidth) / 2;
}
reveal();
