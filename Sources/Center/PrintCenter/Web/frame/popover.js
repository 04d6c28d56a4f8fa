/** Shows popovers, menus and confirmations. Loaded with its styles on the first use. */

import { addStyle, h, fill } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { t } from "../base/words.js"

await addStyle(import.meta.resolve("./popover.css"))

/** Puts an open popover below its anchor, or above where there is more room. A large popover scrolls. */
export function place(box, anchor) {
  const from = anchor.getBoundingClientRect(), gap = 8, edge = 8
  const wide = innerWidth, high = innerHeight
  const below = high - from.bottom - gap - edge, above = from.top - gap - edge
  const under = below >= Math.min(box.scrollHeight, 240) || below >= above
  box.style.maxHeight = (under ? below : above) + "px"
  const { width, height } = box.getBoundingClientRect()
  const left = from.left + width > wide - edge ? from.right - width : from.left
  box.style.left = Math.max(edge, Math.min(left, wide - width - edge)) + "px"
  box.style.top = (under ? from.bottom + gap : from.top - gap - height) + "px"
  box.classList.add("pointing")
  box.classList.toggle("above", !under)
  const point = from.left + from.width / 2 - box.getBoundingClientRect().left
  box.style.setProperty("--point", Math.max(18, Math.min(point, width - 18)) + "px")
}

/**
 * Closes a popover with fields after Escape, a click outside or another view. A click outside keeps what was typed, and
 * moves the focus back into the popover. Returns a function that ends this.
 */
function closeForm(box, anchor, close) {
  let isTyped = false
  const escape = event => {
    if (event.key !== "Escape" || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  const click = event => {
    // A click on the anchor is its second call.
    if (event.composedPath().includes(box) || anchor.contains(event.target)) return
    if (!isTyped || event.target.closest?.("a[href]")) return close()
    event.preventDefault()
    event.stopPropagation()
    box.querySelector("input, select, textarea").focus()
  }
  box.addEventListener("input", () => { isTyped = true })
  addEventListener("keydown", escape, true)
  addEventListener("popstate", close)
  addEventListener("click", click, true)
  return () => {
    removeEventListener("keydown", escape, true)
    removeEventListener("popstate", close)
    removeEventListener("click", click, true)
  }
}

/**
 * Opens a popover at `anchor`. A click outside and Escape close it; the focus then returns to the anchor. A click
 * outside does not close it after something was typed. `content(close)` returns its nodes. Returns {box, close}. A
 * second call for the same anchor closes it.
 */
export function popover(anchor, label, content, { kind = "", role = "dialog", closed } = {}) {
  if (anchor.openPopover) return anchor.openPopover.close()
  // The click on the anchor has just closed the popover; it must not open it again. A key may open another popover.
  if (anchor.closed === label && performance.now() - (anchor.closedAt || -999) < 200) return
  const box = h("div", { popover: "auto", class: "popover " + kind, role, "aria-label": label })
  let end = null
  const close = () => {
    if (box.matches(":popover-open")) box.hidePopover()
    // A command of a menu may open the next popover at the same anchor.
    anchor.closedAt = undefined
  }
  box.append(fill(h("div", { class: "popover-body" }), content(close)))
  ;(anchor.closest("[popover], .pane, .full, nav") || document.body).append(box)
  if (box.querySelector("form, input:not([type=checkbox]), select")) {
    box.popover = "manual"
    end = closeForm(box, anchor, close)
  }
  const again = () => anchor.isConnected ? place(box, anchor) : close()
  box.addEventListener("beforetoggle", event => {
    if (event.newState === "open") return
    end?.()
    ;[anchor.closed, anchor.closedAt] = [label, performance.now()]
    anchor.openPopover = null
  })
  box.addEventListener("toggle", event => {
    if (event.newState === "open") return
    removeEventListener("resize", again)
    const inside = box.contains(document.activeElement) || document.activeElement === document.body
    box.remove()
    anchor.removeAttribute("aria-expanded")
    if (inside && anchor.isConnected) anchor.focus({ preventScroll: true })
    closed?.()
  })
  anchor.openPopover = { box, close }
  anchor.setAttribute("aria-expanded", "true")
  box.showPopover({ source: anchor })
  again()
  addEventListener("resize", again)
  const first = box.querySelector("[autofocus]") || box.querySelector("button, input, select, a[href]")
  first?.focus()
  return anchor.openPopover
}

/**
 * Opens a menu. `items`: {label, icon, key, run, danger, checked, href}; null draws a line.
 * Arrow keys, Home and End move between the items.
 */
export function menu(anchor, label, items) {
  return popover(anchor, label, close => items.map(item => item ? menuItem(item, close) : h("hr")),
    { kind: "menu", role: "menu" })
    ?.box.addEventListener("keydown", moveInMenu)
}

function menuItem(item, close) {
  const run = () => { close(); item.run?.() }
  return h(item.href ? "a" : "button", {
    class: "item" + (item.danger ? " danger" : ""), href: item.href, download: item.download, onclick: run,
    role: item.checked === undefined ? "menuitem" : "menuitemradio", "aria-checked": item.checked?.toString(),
  }, item.icon ? icon(item.icon)
    : item.checked !== undefined && h("span", { class: "tick" }, item.checked && icon("check")),
  h("span", { class: "grow" }, item.label), item.key && h("kbd", null, item.key))
}

function moveInMenu(event) {
  const items = [...event.currentTarget.querySelectorAll(".item")]
  const at = items.indexOf(document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  event.stopPropagation()
  items.at(to % items.length).focus()
}

/** Asks before an action that loses something. Resolves to true if the person chose `action`. */
export function confirm(anchor, title, detail, action, keep = t("keep")) {
  return new Promise(resolve => {
    let answer = false
    const opened = popover(anchor, title, close => [
      h("h2", null, title), h("p", null, detail),
      h("div", { class: "buttons" },
        h("button", { class: "button", onclick: close }, keep),
        h("button", { class: "button danger", autofocus: true, onclick: () => { answer = true; close() } }, action)),
    ], { kind: "ask", role: "alertdialog", closed: () => resolve(answer) })
    if (!opened) resolve(false)
  })
}
