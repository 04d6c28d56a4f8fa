/** The bar of the viewer and of the comparison. */

import { addStyle, h, set, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { number, t } from "../base/words.js"
import { button } from "../frame/layout.js"
import { actual } from "./zoom.js"

let loading
/** Loads the style of the viewer and the comparison once. */
export const loadStyle = () => loading ||= addStyle(import.meta.resolve("./viewer.css"))

/** Returns the control − Fit +, with `show(desk)`, which updates its text. */
export function zoomControl(desk) {
  const label = h("button", { type: "button", class: "button", onclick: () => desk.toggleFit() }, t("viewer.fit"))
  const less = button(t("viewer.zoom-out"), "minus", () => desk.zoomStep(-1), "icon-only")
  const more = button(t("viewer.zoom-in"), "plus", () => desk.zoomStep(1), "icon-only")
  const element = h("div", { class: "zoom", role: "group", "aria-label": t("viewer.zoom") }, less, label, more)
  return { element, show() {
    text(label, desk.held ? number(Math.round(desk.held.scale / actual * 100)) + " %" : t("viewer.fit"))
    set(label, { "aria-label": desk.held ? t("viewer.show-fit", { zoom: label.textContent })
      : t("viewer.show-actual") })
    set(less, { disabled: !desk.held })
  } }
}

/**
 * Returns the bar of job number `job`, with `show(detail)` for the loaded job. `home`: where the view goes back to;
 * `printer`: the simulated printer that remembers the job, or nothing; `control`: the element in the middle, or
 * nothing.
 */
export function viewerBar({ job, home, printer, control }, ...actions) {
  const name = h("h1"), place = h("p")
  const element = h("header", { class: "viewer-bar" },
    h("a", { class: "button quiet icon-only", href: home,
      "aria-label": t(printer ? "viewer.back-printer" : "viewer.back") }, icon("back")),
    h("div", { class: "viewer-name" + (control ? "" : " grow") }, name, place), control,
    h("div", { class: "viewer-actions" }, actions))
  return { element, show(detail) {
    text(name, detail["job-name"] ?? t("viewer.job", { id: String(job) }))
    text(place, t("viewer.job-on", { id: String(job), printer: printer ?? detail.printer }))
  } }
}
