// What pages can do a little better where scripts run. Nothing needs it.
"use strict";

// The key / leads to the search box, unless somebody switched that off: a
// single key can be hit by mistake, and by those who speak to their computer.
const shortcutsOff = "stockroom.shortcuts-off";
const kept = {
  get off() {
    try { return localStorage.getItem(shortcutsOff) === "1"; } catch { return false; }
  },
  set off(value) {
    try { localStorage.setItem(shortcutsOff, value ? "1" : "0"); } catch { /* storage may be forbidden */ }
  },
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing || kept.off) return;
  const box = document.getElementById("find") || document.getElementById("q");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});

// The arrows go from the search box through what was found and back; Enter
// opens it, as it opens any link.
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const box = document.getElementById("find") || document.getElementById("q");
  const found = [...document.querySelectorAll("#found tbody tr")].map((row) => row.querySelector("a")).filter(Boolean);
  const stops = [box, ...found];
  const at = stops.indexOf(document.activeElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!box || at < 0 || !next) return;
  event.preventDefault();
  next.focus();
});

// Menus that open over the page close when one looks elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.account[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const hits = document.getElementById("hits");
  if (hits?.firstChild && event.target.closest(".search")) {
    hits.replaceChildren();
    document.getElementById("q").focus();
  }
  for (const menu of document.querySelectorAll("details.account[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A list that was swapped in takes the focus with it, where the link that
// asked for it is gone.
document.addEventListener("htmx:after:swap", () => {
  if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
});

const hint = document.querySelector(".search kbd");
if (hint) hint.hidden = kept.off;

const setting = document.querySelector("[data-shortcuts]");
if (setting) {
  const box = setting.querySelector("input");
  box.checked = !kept.off;
  box.addEventListener("change", () => {
    kept.off = !box.checked;
    if (hint) hint.hidden = kept.off;
  });
  setting.hidden = false;
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}
