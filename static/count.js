// On a count sheet, numbers are saved while they are entered. If saving fails, they
// stay in the form and in this browser, and saving is tried again. Without scripts, the
// button Save saves the page.
"use strict";

const form = document.querySelector("form[data-count]");
if (form && form.querySelector("[name^=quantity-]")) sheet(form);

function sheet(form) {
  const failed = form.querySelector("[data-failed]");
  const status = form.querySelector("[data-status]");
  const result = form.querySelector("[data-result]");
  const scan = form.elements.scan;
  const draftKey = "stockroom.count." + form.dataset.count;
  const rows = [...form.querySelectorAll("tr[data-row]")].filter((tr) => tr.querySelector("[name^=quantity-]"));
  const field = (tr, name) => form.elements[name + "-" + tr.dataset.row];
  const changed = (tr) => field(tr, "quantity").value.trim() !== field(tr, "was").value;
  const entered = form.querySelector("[data-entered]");
  let timer = 0, saving = false, leaving = false;

  const draft = {
    load() {
      try { return JSON.parse(localStorage.getItem(draftKey)) ?? {}; } catch { return {}; }
    },
    save() {
      const kept = {};
      for (const tr of rows) {
        if (changed(tr)) kept[tr.dataset.row] = [field(tr, "quantity").value, field(tr, "base").value, field(tr, "seen").value];
      }
      try {
        if (Object.keys(kept).length) localStorage.setItem(draftKey, JSON.stringify(kept));
        else localStorage.removeItem(draftKey);
      } catch { /* storage may be forbidden */ }
    },
  };

  const name = (tr) => tr.querySelector("b").textContent;
  const numbers = (n) => n + (n === 1 ? " number" : " numbers");

  // say shows a result at the top and next to the button Save.
  const say = (text) => {
    status.textContent = text;
    result.textContent = text;
  };

  const later = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(save, delay);
  };

  // save sends all boxes. Numbers that are entered meanwhile are sent with the next
  // request. With each box, the form sends the version of the stock that the page last
  // received before the number in the box was changed.
  async function save() {
    if (saving) return later(500);
    const sent = new Map(rows.filter(changed).map((tr) => [tr, field(tr, "quantity").value]));
    if (!sent.size) return;
    saving = true;
    const data = new URLSearchParams(new FormData(form));
    data.delete("scan");
    data.set("do", "save");
    try {
      const response = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
      if (response.status === 403) {
        const { once, error } = await response.json();
        if (!once) throw Object.assign(new Error(error), { forbidden: true });
        form.elements.once.value = once; // the user has signed in again
      }
      if (!response.ok || response.redirected) throw new Error(response.status);
      const saved = await response.json();
      form.elements.once.value = saved.once;
      for (const row of saved.rows) update(row, sent, saved.error);
      const wrong = saved.rows.filter((row) => row.error);
      const done = [...sent.keys()].filter((tr) => !changed(tr));
      const problem = saved.error || (wrong.length ? numbers(wrong.length) + " not saved. Correct the marked rows: " + wrong.map((row) => name(rows.find((tr) => tr.dataset.row === String(row.n)))).join(", ") + "." : "");
      failed.hidden = !problem;
      failed.textContent = problem;
      const refused = wrong.length ? numbers(wrong.length) + " not saved. " : "";
      const accepted = done.length ? "Saved " + (done.length > 3 ? numbers(done.length) : done.map((tr) => name(tr) + ": " + (field(tr, "quantity").value || "empty")).join(", ")) + "." : "";
      say((refused + accepted).trim());
      entered.textContent = form.querySelectorAll("tr[data-row]").length - rows.filter((tr) => field(tr, "was").value === "").length;
    } catch (problem) {
      failed.hidden = false;
      failed.textContent = "Not saved. " + (problem.forbidden ? problem.message + " Your numbers are kept in this browser." : "Your numbers are kept in this browser, and Stockroom will try again.");
      if (!problem.forbidden) later(3000);
    } finally {
      saving = false;
    }
    draft.save();
    if (failed.hidden && rows.some((tr) => changed(tr) && sent.get(tr) !== field(tr, "quantity").value)) later(500);
  }

  // update shows the saved state of a row. It does not overwrite a number that was
  // entered after the request was sent. If the request was rejected, it does not
  // overwrite any number of the request.
  function update(row, sent, rejected) {
    const tr = rows.find((tr) => tr.dataset.row === String(row.n));
    if (!tr) return;
    const box = field(tr, "quantity");
    const note = tr.querySelector("[data-note]");
    clearError(tr);
    note.textContent = row.error || row.note;
    note.classList.toggle("error", Boolean(row.error));
    if (row.error) box.setAttribute("aria-invalid", "true");
    if (row.error || (rejected && sent.has(tr))) return;
    const isNewer = changed(tr) && box.value !== sent.get(tr);
    field(tr, "was").value = row.shown;
    field(tr, "base").value = row.base;
    tr.dataset.counted = row.counted;
    if (isNewer) return;
    field(tr, "seen").value = row.seen;
    box.value = row.shown;
  }

  // clearError removes the error of a row.
  function clearError(tr) {
    const box = field(tr, "quantity");
    box.removeAttribute("aria-invalid");
    document.getElementById(box.id + "-error")?.remove(); // the error that the server rendered; the note replaces it
    const note = tr.querySelector("[data-note].error");
    if (!note) return;
    note.textContent = "";
    note.classList.remove("error");
  }

  function add(tr) {
    const box = field(tr, "quantity");
    if (!/^\d*$/.test(box.value.trim())) {
      say(name(tr) + ": not added. Correct the number in its row first.");
      box.focus();
      return;
    }
    if (box.value !== "" && !changed(tr)) field(tr, "seen").value = tr.dataset.counted; // the new number continues the saved count
    box.value = String((parseInt(box.value, 10) || 0) + 1);
    tr.scrollIntoView({ block: "center" });
    say(name(tr) + ": " + box.value + ". Saving…");
    draft.save();
    later(500);
  }

  // addCode adds one to the row of a product. If the page has no row for the product, it
  // returns false.
  function addCode(code) {
    const wanted = code.trim().toLowerCase();
    const tr = rows.find((tr) => [tr.dataset.sku, tr.dataset.id].some((known) => known && known.toLowerCase() === wanted));
    if (tr) add(tr);
    return Boolean(tr);
  }

  form.addEventListener("input", (event) => {
    if (!event.target.name.startsWith("quantity-")) return;
    if (event.target.hasAttribute("aria-invalid")) {
      clearError(event.target.closest("tr"));
      failed.hidden = !form.querySelector("[name^=quantity-][aria-invalid]");
    }
    draft.save();
    later(800);
  });
  form.addEventListener("submit", (event) => {
    if (event.submitter && event.submitter.value === "save") {
      event.preventDefault();
      if (rows.some(changed)) save();
      else say("Nothing to save. All numbers on this page are already saved.");
      return;
    }
    if (scan.value.trim() && addCode(scan.value)) {
      event.preventDefault();
      scan.value = "";
      scan.focus();
      return;
    }
    leaving = true;
  });
  window.addEventListener("online", () => later(0));
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && rows.some(changed)) event.preventDefault();
  });

  for (const [number, [value, base, seen]] of Object.entries(draft.load())) {
    const tr = rows.find((tr) => tr.dataset.row === number);
    if (!tr) continue;
    field(tr, "quantity").value = value;
    field(tr, "base").value = base;
    field(tr, "seen").value = seen;
  }
  if (rows.some(changed)) later(0);
  camera();

  // camera adds a button that reads barcodes with the camera, if the browser supports
  // it.
  function camera() {
    if (!("BarcodeDetector" in window) || !navigator.mediaDevices) return;
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn", textContent: "Use camera" });
    const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true, hidden: true, className: "camera" });
    let stream = null, last = "", lastAt = 0;
    status.before(button);
    status.parentElement.after(video);
    const stop = () => {
      stream?.getTracks().forEach((track) => track.stop());
      stream = null;
      video.hidden = true;
      button.textContent = "Use camera";
    };
    const look = async (detector) => {
      if (!stream) return;
      const [found] = await detector.detect(video).catch(() => []);
      // Ignore the same code for two seconds, so that one barcode is not counted
      // twice.
      if (found && (found.rawValue !== last || Date.now() - lastAt > 2000)) {
        last = found.rawValue;
        lastAt = Date.now();
        if (!addCode(last)) status.textContent = last + " is not on this page.";
      }
      setTimeout(() => look(detector), 200);
    };
    button.addEventListener("click", async () => {
      if (stream) return stop();
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
        video.srcObject = stream;
        video.hidden = false;
        button.textContent = "Stop camera";
        await video.play();
        look(new BarcodeDetector());
      } catch {
        stop();
        status.textContent = "The camera can't be used.";
      }
    });
  }
}
