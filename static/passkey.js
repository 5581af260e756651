// A form with data-passkey asks the browser for a passkey, and submits the response.
// Browsers without passkeys do not show it.
"use strict";

for (const form of document.querySelectorAll("form[data-passkey]")) passkeyForm(form);

function passkeyForm(form) {
  const creates = form.dataset.passkey === "create";
  const parse = creates ? "parseCreationOptionsFromJSON" : "parseRequestOptionsFromJSON";
  if (!window.PublicKeyCredential?.[parse]) return;
  const alert = form.querySelector("[role=alert]");
  const button = form.querySelector("button");
  form.hidden = false;
  // With the button Back, the browser can show the page as it was left.
  addEventListener("pageshow", event => {
    if (!event.persisted) return;
    form.elements.credential.value = "";
    button.disabled = false;
  });
  form.addEventListener("submit", async event => {
    if (form.elements.credential.value) return;
    event.preventDefault();
    alert.hidden = true;
    button.disabled = true;
    try {
      const publicKey = PublicKeyCredential[parse](JSON.parse(form.dataset.options));
      const credential = await navigator.credentials[creates ? "create" : "get"]({ publicKey });
      form.elements.credential.value = JSON.stringify(credential);
      form.submit();
    } catch (error) {
      alert.textContent = error.name === "InvalidStateError" ? "This device already has a passkey for you." : "No passkey was used. Try again.";
      alert.hidden = false;
      button.disabled = false;
    }
  });
}
