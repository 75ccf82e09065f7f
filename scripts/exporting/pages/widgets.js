// What ipywidgets leave unsaid to those who hear a page: the name of a slider, the name of a row of buttons, and which button is down.
function name() {
  for (const handle of document.querySelectorAll(".widget-slider [role=slider]")) {
    const slider = handle.closest(".widget-slider");
    handle.setAttribute("aria-label", slider.querySelector(".widget-label").textContent);
    handle.setAttribute("aria-valuetext", slider.querySelector(".widget-readout").textContent);
  }
  for (const row of document.querySelectorAll(".widget-toggle-buttons")) {
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", row.querySelector(".widget-label").textContent);
    for (const button of row.querySelectorAll("button")) button.setAttribute("aria-pressed", button.classList.contains("mod-active"));
  }
}
new MutationObserver(name).observe(document.documentElement, { childList: true, subtree: true, characterData: true, attributeFilter: ["class"] });
