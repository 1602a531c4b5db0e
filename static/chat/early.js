/**
 * What is clicked or sent before the modules are there is done as soon as they are: `main.js` does
 * again what is marked `data-early`. No module, so that it runs before there is anything to click.
 */
{
  const BUTTONS = "#log button[type=button]";
  const FORMS = "#composer, #log form";

  const keep = (event, element) => {
    if (!element || "ready" in document.body.dataset) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    element.dataset.early = "";
  };
  const listen = (type, find) =>
    addEventListener(type, (event) => keep(event, find(event)), { capture: true });

  listen("click", ({ target }) => target.closest(BUTTONS));
  listen("submit", ({ target }) => target.closest(FORMS));
  listen("keydown", ({ key, shiftKey, isComposing, keyCode, target }) => {
    const isSending = key === "Enter" && !shiftKey && !isComposing && keyCode !== 229;
    return isSending && target.id === "composer-text" && target.form;
  });
}
