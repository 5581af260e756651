// This script improves pages. Every page also works without it.
"use strict";

// The key / moves the focus to the search box. Users can turn this off (WCAG 2.2, 2.1.4),
// because speech input or a slip of the finger can press a single key by mistake.
const shortcutsOff = "stockroom.shortcuts-off";
const shortcuts = {
  get off() {
    try { return localStorage.getItem(shortcutsOff) === "1"; } catch { return false; }
  },
  set off(value) {
    try { localStorage.setItem(shortcutsOff, value ? "1" : "0"); } catch { /* storage may be forbidden */ }
  },
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || typing || shortcuts.off) return;
  const box = document.getElementById("find") || document.getElementById("q");
  if (!box) return;
  event.preventDefault();
  box.focus();
  box.select();
});

// While the search box is empty, it lists the records that were last opened in this tab.
// Signing out clears the list.
const recent = {
  key: "stockroom.recent",
  get list() {
    try { return JSON.parse(sessionStorage.getItem(this.key)) ?? []; } catch { return []; }
  },
  set list(list) {
    try { sessionStorage.setItem(this.key, JSON.stringify(list.slice(0, 8))); } catch { /* storage may be forbidden */ }
  },
  links() {
    const list = document.createElement("ul");
    list.className = "body plainlist recent";
    for (const { path, kind, name } of this.list) {
      const link = document.createElement("a");
      link.href = path;
      link.dir = "auto";
      link.textContent = name;
      const item = document.createElement("li");
      item.append(link, " ", Object.assign(document.createElement("span"), { className: "sub", textContent: kind }));
      list.append(item);
    }
    return list;
  },
};

const record = document.querySelector("main[data-record]");
if (record) {
  const opened = { path: location.pathname, kind: record.dataset.record, name: record.querySelector("h1").textContent.trim() };
  recent.list = [opened, ...recent.list.filter((other) => other.path !== opened.path)];
}
if (document.querySelector("main.plain")) recent.list = [];

const recentCard = document.querySelector("[data-recent]");
if (recentCard && recent.list.length) {
  recentCard.append(recent.links());
  recentCard.hidden = false;
}

document.getElementById("q")?.addEventListener("focus", (event) => {
  const hits = document.getElementById("hits");
  if (!hits || event.target.value || hits.firstChild || !recent.list.length) return;
  hits.append(Object.assign(document.createElement("h2"), { textContent: "Recently viewed" }), recent.links());
});
document.getElementById("q")?.addEventListener("input", () => {
  const hits = document.getElementById("hits");
  if (hits?.querySelector(".recent")) hits.replaceChildren();
});

// The arrow keys move the focus between the search box and the results. Enter opens the
// result with the focus.
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const box = document.getElementById("find") || document.getElementById("q");
  const found = [...document.querySelectorAll("#found tbody tr, .recent li")].map((row) => row.querySelector("a")).filter(Boolean);
  const stops = [box, ...found];
  const at = stops.indexOf(document.activeElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (!box || at < 0 || !next) return;
  event.preventDefault();
  next.focus();
});

// A click outside an open menu closes it, and so does Escape.
const menus = "details:is(.account, .menu)[open]";
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(menus)) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const hits = document.getElementById("hits");
  if (hits?.firstChild && event.target.closest(".search")) {
    document.getElementById("q").focus();
    hits.replaceChildren(); // after focus(), because the focus event fills the list with recently viewed records
  }
  for (const menu of document.querySelectorAll(menus)) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// If htmx has replaced the link that had the focus, the focus moves to the main element.
document.addEventListener("htmx:after:swap", () => {
  if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
});

// Users can drop files anywhere on the file field of a form.
for (const zone of document.querySelectorAll("[data-drop]")) {
  const input = zone.querySelector("input[type=file]");
  const over = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    zone.classList.toggle("over", event.type === "dragover");
    if (event.type === "drop") {
      input.files = event.dataTransfer.files;
      input.focus();
    }
  };
  for (const type of ["dragover", "dragleave", "drop"]) zone.addEventListener(type, over);
}

const hint = document.querySelector(".search kbd");
if (hint) hint.hidden = shortcuts.off;

const setting = document.querySelector("[data-shortcuts]");
if (setting) {
  const box = setting.querySelector("input");
  box.checked = !shortcuts.off;
  box.addEventListener("change", () => {
    shortcuts.off = !box.checked;
    if (hint) hint.hidden = shortcuts.off;
  });
  setting.hidden = false;
}

// Submit a form that the program kept, for example during a sign-in.
document.querySelector("form[data-send]")?.requestSubmit();

// During an htmx request, the part of the page that will be replaced is marked as busy. If
// the request fails, an alert says why.
const trouble = (text, link) => {
  document.getElementById("trouble")?.remove();
  if (!text) return;
  const alert = Object.assign(document.createElement("p"), { id: "trouble", className: "alert bad", textContent: text + " " });
  alert.setAttribute("role", "alert");
  if (link) alert.append(Object.assign(document.createElement("a"), { href: link, textContent: "Sign in" }));
  document.body.append(alert);
};
// forbidden says why a request was refused: the page was opened in another session, or the
// user has no permission.
const forbidden = async (response) => {
  const { once, error } = await response.json();
  trouble(once ? "You have signed in again since you opened this page. Reload the page." : error);
};
document.addEventListener("htmx:before:request", (event) => {
  event.detail.ctx.target?.setAttribute("aria-busy", "true");
});
document.addEventListener("htmx:finally:request", (event) => {
  event.detail.ctx.target?.removeAttribute("aria-busy");
});
document.addEventListener("htmx:before:response", (event) => {
  const status = event.detail.ctx.response.status;
  if (status === 401) {
    event.preventDefault();
    trouble("Your session has ended.", "/login?next=" + encodeURIComponent(location.pathname + location.search));
  } else if (status === 403) {
    event.preventDefault();
    forbidden(event.detail.ctx.response.raw);
  } else if (status >= 500) {
    event.preventDefault();
    trouble("This part of the page can't be loaded right now. Try again in a moment.");
  } else {
    trouble("");
  }
});
document.addEventListener("htmx:error", () => {
  trouble(navigator.onLine ? "The server can't be reached. Try again in a moment." : "You are offline. Check the connection and try again.");
});
addEventListener("online", () => trouble(""));

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = "Copied";
});
const showCopy = () => { // browsers allow access to the clipboard only over HTTPS
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
};
showCopy();
document.addEventListener("htmx:after:swap", showCopy);

// Scroll a long menu to the link of the current page.
document.querySelector(".side .nav [aria-current]")?.scrollIntoView({ block: "nearest" });

// Scroll a long row of tabs to the current tab.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  const bar = tab.parentElement;
  bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// A click on a row of a list opens the row's record, unless the user selects text or clicks
// a control in the row.
document.addEventListener("click", (event) => {
  const row = event.target.closest(".records tbody tr");
  if (!row || event.defaultPrevented || event.target.closest("a, button, label, input, select, textarea, summary") || String(getSelection())) return;
  const link = row.querySelector("td > a[href]");
  if (!link) return;
  if (event.ctrlKey || event.metaKey) open(link.href, "_blank", "noopener");
  else link.click();
});

// Replace the history entry of a page that answers a form. The button Back then opens
// the page again, and does not ask whether to submit the form a second time. If the form
// has a draft, the address contains its key, and the page then shows the entered values.
history.replaceState(history.state, "", document.querySelector("form[data-draft]")?.getAttribute("action") ?? location.href);

// In the booking form, keep the last day from being before the first day.
document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (event.target.name !== "from" || !form || !form.elements.last || !form.querySelector("[value=availability]")) return;
  if (form.elements.last.value < event.target.value) form.elements.last.value = event.target.value;
});
