/** Shows short messages, and speaks to screen readers. */

import { connectHow, Problem } from "./api.js"
import { h, fill } from "./dom.js"
import { t } from "./words.js"

const toastBox = document.body.appendChild(h("div", { class: "toast", role: "status" }))
let timer, undo = null

/**
 * Shows a short message. `action`: {label, run, key}; with key "Z" the Z key runs it.
 * The message stays 10 seconds, longer while the pointer or the focus is on it.
 */
export function toast(message, action) {
  undo = action?.key ? action.run : null
  const run = () => { hide(); action.run() }
  fill(toastBox, h("div", null, h("span", { class: "grow" }, message), action?.key && h("kbd", null, action.key),
    action && h("button", { onclick: run }, action.label)))
  clearTimeout(timer)
  timer = setTimeout(fade, 10000)
}

const hide = () => { fill(toastBox); undo = null }
const fade = () => toastBox.matches(":hover, :focus-within") ? timer = setTimeout(fade, 3000) : hide()

/** Undoes the last action that a toast offered to undo. Returns whether there was one. */
export function undoLast() {
  const run = undo
  if (run) { hide(); run() }
  return Boolean(run)
}

/** Whether a module, its style sheet or its words could not be loaded. */
export const isFailedImport = error => error instanceof TypeError && /import/i.test(error.message)

/** Reports a failed call or import. `Problem.status` 0: no connection. */
export async function report(error) {
  if (error?.name === "AbortError") return
  if (isFailedImport(error)) {
    // After an upgrade the service has only the files of its own build. The page of this build replaces the old one.
    const answer = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" }).catch(() => null)
    if (answer?.status === 404) return location.reload()
    error = new Problem(0)
  }
  const how = () => t("no-connection") + " " + connectHow()
  toast(error?.status === 0 ? how() : error?.errors?.[0]?.detail || error?.message || String(error))
  if (error?.status === undefined) console.error(error)
}

/** Speaks a sentence to screen readers. `urgent` uses role=alert. */
export function announce(sentence, urgent = false) {
  document.getElementById(urgent ? "alert" : "status").textContent = sentence
}
