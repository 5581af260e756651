// A field that names a record suggests records while the user types. Without scripts, the
// server shows the matching records as radio buttons after the form is submitted.
"use strict";

const pickFields = () => {
  for (const box of document.querySelectorAll("[data-pick]:not(:has([role=combobox]))")) pickField(box);
};
pickFields();
document.addEventListener("htmx:after:swap", pickFields);

// pickField turns a field into a combobox with a list of suggestions:
// https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
function pickField(box) {
  const input = box.querySelector("input.ctl");
  const was = box.querySelector("input[type=hidden]");
  const list = document.createElement("ul");
  const status = document.createElement("p");
  let timer = 0, request = null, active = -1;

  list.id = input.id + "-list";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  status.className = "vh";
  status.setAttribute("role", "status");
  input.after(list, status);
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-expanded", "false");
  input.setAttribute("aria-controls", list.id);

  const radios = () => [...box.querySelectorAll("input[type=radio]")];
  const adds = () => radios().find((radio) => radio.value === "new");

  // addRecord submits the form in order to open the page that adds a record of a kind,
  // such as a new customer.
  const addRecord = (kind) => {
    const choice = document.createElement("input");
    choice.type = "hidden";
    choice.name = input.name + "-id";
    choice.value = "add:" + kind;
    for (const radio of radios()) radio.checked = false;
    box.append(choice);
    input.form.noValidate = true;
    input.form.requestSubmit();
  };

  // stop cancels the request for suggestions.
  const stop = () => {
    clearTimeout(timer);
    request?.abort();
    request = null;
    list.removeAttribute("aria-busy");
  };

  const close = () => {
    list.replaceChildren();
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };

  const option = (name, note, choose) => {
    const item = document.createElement("li");
    const strong = document.createElement("b");
    const more = document.createElement("span");
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", "false");
    item.id = list.id + "-" + list.children.length;
    strong.textContent = name;
    strong.dir = "auto";
    more.textContent = note;
    more.className = "sub";
    more.dir = "auto";
    item.append(strong, more);
    item.addEventListener("mousedown", (event) => event.preventDefault());
    item.addEventListener("click", choose);
    list.append(item);
  };

  // choose writes the name of the record into the input, and shows the record below it as a
  // checked radio button.
  const choose = (found) => {
    input.value = was.value = found.name;
    let fields = box.querySelector("fieldset");
    if (!fields) {
      fields = document.createElement("fieldset");
      fields.className = "choices";
      box.append(fields);
    }
    for (const radio of radios()) if (radio.value !== "new") radio.closest("label").remove();
    const label = document.createElement("label");
    const radio = document.createElement("input");
    const text = document.createElement("span");
    const name = document.createElement("b");
    const note = document.createElement("span");
    label.className = "choice";
    radio.type = "radio";
    radio.name = input.name + "-id";
    radio.value = found.id;
    name.textContent = found.name;
    name.dir = "auto";
    note.textContent = found.note;
    note.className = "sub";
    note.dir = "auto";
    text.append(name, " ", note);
    label.append(radio, text);
    fields.querySelector("legend") ? fields.querySelector("legend").after(label) : fields.prepend(label);
    radio.checked = true;
    close();
    status.textContent = found.name + " chosen.";
  };

  const add = () => {
    const name = box.querySelector(".reveal input");
    adds().checked = true;
    name.value = input.value;
    close();
    name.focus();
  };

  const show = (found) => {
    close();
    for (const one of found) option(one.name, one.note, () => choose(one));
    const known = found.some((one) => one.id === input.value.trim());
    if (adds() && !known) option("Add “" + input.value.trim() + "”", "Someone new", add);
    for (const { kind, noun } of found.length ? [] : JSON.parse(box.dataset.add || "[]")) {
      option("Add " + (noun ? noun + " " : "") + "“" + input.value.trim() + "”", "Opens another form. What you entered here is kept.", () => addRecord(kind));
    }
    const count = found.length === 1 ? "1 suggestion." : found.length + " suggestions.";
    status.textContent = found.length ? count : "No suggestions. Enter the start of any word of the name.";
    list.hidden = !list.children.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };

  const ask = async () => {
    stop();
    const text = input.value.trim();
    if (text.length < 2) return close();
    const asked = request = new AbortController();
    list.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(box.dataset.pick + "?q=" + encodeURIComponent(text), { signal: asked.signal });
      if (answer.status === 401) {
        close();
        status.textContent = "Your session has ended. Submit the form to sign in. What you entered is kept.";
        return;
      }
      if (!answer.ok) throw new Error(answer.statusText);
      const found = await answer.json();
      if (document.activeElement === input) show(found);
    } catch (error) {
      if (error.name === "AbortError") return;
      close();
      status.textContent = "Suggestions are not available. Submit the form to search.";
    } finally {
      if (request === asked) list.removeAttribute("aria-busy");
    }
  };

  // mark selects a suggestion in the list. It also stops the request for suggestions,
  // so that the list does not change.
  const mark = (at) => {
    stop();
    const items = [...list.children];
    active = (at + items.length) % items.length;
    items.forEach((item, n) => item.setAttribute("aria-selected", String(n === active)));
    items[active].scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", items[active].id);
  };

  input.addEventListener("input", () => {
    for (const radio of radios()) radio.checked = false;
    stop();
    list.setAttribute("aria-busy", "true");
    timer = setTimeout(ask, 200);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    if (event.key === "ArrowDown") mark(active + 1);
    else if (event.key === "ArrowUp") mark(active < 0 ? -1 : active - 1);
    else if (event.key === "Enter" && active >= 0) list.children[active].click();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
}
