"use strict";
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column], given = cell.dataset.value;
    return given === undefined ? cell.textContent.trim() : Number(given.replace("inf", "Infinity"));
  };
  heads.forEach((head, column) => head.querySelector("button")?.addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const rows = [...body.rows].sort((a, b) => {
      const [x, y] = [value(a, column), value(b, column)];
      const order = typeof x === "number" && typeof y === "number" ? (x > y) - (x < y) : String(x).localeCompare(String(y));
      return down ? -order : order;
    });
    body.append(...rows);
  }));
  const scope = table.closest("section"), search = scope.querySelector("input[type=search]");
  const only = scope.querySelector("input[type=checkbox]"), shown = scope.querySelector("output");
  const filter = () => {
    const words = search.value.toLowerCase();
    let count = 0;
    for (const row of body.rows) {
      row.hidden = !row.textContent.toLowerCase().includes(words) || (only.checked && !row.dataset.differs);
      count += !row.hidden;
    }
    shown.textContent = `${count} of ${body.rows.length}`;
  };
  search.addEventListener("input", filter);
  only.addEventListener("change", filter);
  filter();
}
