/** Builds the frame of the page: sidebar, list, detail, tab bar; and adapts it to the width of the window. */

import { session } from "../base/api.js"
import { addStyle, h, fill, set } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { counts } from "../base/spool.js"
import { t } from "../base/words.js"
import { href, go, route } from "./router.js"

const widths = { wide: "(min-width: 1280px)", split: "(min-width: 1024px)", tablet: "(min-width: 768px)" }

/** Returns "wide" (sidebar, list, detail), "split" (list, detail), "tablet" (detail, list in a popover) or "phone". */
export const layout = () => Object.keys(widths).find(name => matchMedia(widths[name]).matches) || "phone"

const changes = new Set()
/** Calls `run(layout)` when the width of the window changes the layout. Returns a function that ends it. */
export function onLayout(run) {
  changes.add(run)
  return () => changes.delete(run)
}

let sidebar, list, main, full, app

let narrow
/** Loads the styles of windows under 1280 pixels before the first such layout. */
const narrowStyles = () => layout() === "wide" ? null : narrow ||= addStyle(import.meta.resolve("./narrow.css"))

/** Builds the frame. Returns the sidebar element. */
export async function buildFrame() {
  await narrowStyles()
  sidebar = h("nav", { class: "sidebar", "aria-label": t("app") })
  list = h("section", { class: "pane list" })
  main = h("main", { class: "pane main" })
  full = h("div", { class: "full", hidden: true })
  app = h("div", { class: "app" }, sidebar, list, main)
  document.body.prepend(app, full, tabs())
  for (const query of Object.values(widths)) matchMedia(query).addEventListener("change", async () => {
    await narrowStyles()
    adapt()
    changes.forEach(run => run(layout()))
  })
  list.addEventListener("toggle", event => document.querySelectorAll(".opens-list").forEach(button =>
    button.setAttribute("aria-expanded", String(event.newState === "open"))))
  return sidebar
}

function tabs() {
  const tab = (path, name, label) =>
    h("a", { href: href(path), "data-tab": name }, icon({ jobs: "layers", new: "plus", printers: "printer" }[name]),
      t(label))
  return h("nav", { class: "tabs", "aria-label": t("tabs") }, tab("/jobs", "jobs", "jobs"),
    tab("/new", "new", "new-job"), tab("/printers", "printers", "printers"))
}

/** Shows the panes of a route and returns them; `reset` empties them for a new view. */
export function show(next, reset = false) {
  full.hidden = !next.full
  if (sidebar.matches(":popover-open")) sidebar.hidePopover()
  app.inert = app.hidden = next.full
  set(document.body, { "data-view": next.view, "data-pane": next.pane, "data-full": next.full })
  for (const tab of document.querySelectorAll("[data-tab]"))
    set(tab, { "aria-current": tab.dataset.tab === next.view && "page" })
  const panes = next.full ? { main: full } : { list, main }
  for (const pane of reset ? Object.values(panes) : []) {
    fill(pane)
    pane.className = pane.className.split(" view-")[0] + " view-" + next.view
  }
  adapt()
  return panes
}

/** In the tablet layout the lists of jobs and printers are popovers. */
function adapt() {
  const form = layout(), floating = form === "tablet" && ["jobs", "printers"].includes(document.body.dataset.view)
  if (floating !== list.hasAttribute("popover")) set(list, { popover: floating && "auto" })
  // On a phone the list alone is the main content; a new job shows both panes.
  const { pane, view } = document.body.dataset
  set(list, { role: form === "phone" && pane === "list" && view !== "new" ? "main" : null })
  const sideFloats = form !== "wide"
  if (sideFloats !== sidebar.hasAttribute("popover")) set(sidebar, { popover: sideFloats && "auto" })
  set(document.body, { "data-layout": form })
}

/** Opens or closes a pane that floats in this layout, at the button that opens it. */
async function toggle(pane, anchor, focus = true) {
  if (pane.matches(":popover-open")) return pane.hidePopover()
  if (performance.now() - (pane.closedAt || -999) < 200) return
  pane.addEventListener("beforetoggle", () => { pane.closedAt = performance.now() })
  const { place } = await import("./popover.js")
  pane.showPopover({ source: anchor })
  place(pane, anchor)
  if (focus) (pane.querySelector("[data-first]") || pane.querySelector("a, button"))?.focus()
}

/** Closes the list if it is a popover. */
export const closeList = () => { if (list.matches(":popover-open")) list.hidePopover() }

/** Opens the list popover of the tablet layout. */
export function openList(focus = true) {
  const button = main.querySelector(".opens-list")
  if (layout() === "tablet" && button && !list.matches(":popover-open")) toggle(list, button, focus)
}

/** The button that opens the sidebar as a popover (1024–1279); for the bar of a list. */
export const sidebarButton = () => h("button", {
  class: "button icon-only opens-sidebar", "aria-label": t("sidebar"),
  onclick: event => toggle(sidebar, event.currentTarget),
}, icon("menu"))

/**
 * Returns the bar of a detail pane. `back`: {label, href} of the phone's back link; `label`: the quiet title;
 * `actions`: buttons; `more`: the button that a phone keeps in the bar while it shows `actions` at the bottom.
 */
export function bar({ back, label, actions = [], more }) {
  const mine = name => route.view === name
  const listButton = (name, key, symbol, count) => h("button", {
    class: "button" + (mine(name) ? " opens-list" : ""), "aria-expanded": mine(name) && "false",
    onclick: event => mine(name) ? toggle(list, event.currentTarget) : go(href("/" + name)),
  }, icon(symbol), t(key), count && h("span", { class: "count", "data-count": "queue" }, counts.queue),
  mine(name) && icon("down"))
  return h("header", { class: "bar" },
    h("div", { class: "bar-nav" },
      session.service !== "printsim" && listButton("jobs", "jobs", "layers", true),
      listButton("printers", "printers", "printer"),
      session.service !== "printsim" &&
        h("a", { class: "button primary", href: href("/new") }, icon("plus"), t("new"))),
    back && h("a", { class: "bar-back", href: back.href }, icon("back"), back.label),
    h("div", { class: "bar-label grow" }, label),
    h("div", { class: "actions" }, actions), more)
}

/** Returns a button. `kind`: "primary", "danger", "icon-only" or "". */
export const button = (label, symbol, run, kind = "", props = {}) => h("button", {
  type: "button", class: "button " + kind, "aria-label": kind.includes("icon-only") && label, onclick: run, ...props,
}, symbol && icon(symbol), !kind.includes("icon-only") && label)

/** Returns a section with a heading. */
export const section = (title, aside, ...body) =>
  h("section", { class: "part" }, h("header", null, h("h2", null, title), aside), body)

/** Returns a segmented control. `choices`: [[value, label]]; `change(value)`. Its buttons are a radio group. */
export function segments(label, choices, value, change) {
  const name = "seg" + Math.random().toString(36).slice(2)
  return h("div", { class: "segments", role: "radiogroup", "aria-label": label }, choices.map(([key, words]) =>
    h("label", null,
      h("input", { type: "radio", name, value: key, checked: key === value, onchange: () => change(key) }),
      h("span", null, words))))
}
