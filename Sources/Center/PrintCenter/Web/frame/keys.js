/** Runs keyboard commands. */

import { kept } from "../base/dom.js"
import { undoLast } from "../base/messages.js"

const tables = new Set()
let lettersOn = kept.get("keys") !== "off", prefix = "", prefixTimer

/**
 * Adds commands: {keys: ["j", "ArrowDown"], label, show: "J", run(event), when?()}. Later tables win.
 * "g j" is a sequence; "Ctrl+Enter" and "Shift+ArrowDown" name modifiers. `run` returns false if nothing was done.
 * A command without `label` is not listed. Returns a function that removes the commands.
 */
export function addKeys(commands) {
  tables.add(commands)
  return () => tables.delete(commands)
}

const typing = el => el?.matches?.("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]")
const single = key => key.length === 1 || key.startsWith("g ")

function name(event) {
  const modifiers = (event.ctrlKey || event.metaKey ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "")
  const letter = event.key.length === 1
  return modifiers + (event.shiftKey && !letter ? "Shift+" : "") + (letter ? event.key.toLowerCase() : event.key)
}

function find(key) {
  for (const table of [...tables].reverse())
    for (const command of table) if (command.keys.includes(key) && (!command.when || command.when())) return command
}

function pressed(event) {
  if (event.defaultPrevented || event.isComposing) return
  let key = name(event)
  if (typing(event.target) && !key.startsWith("Ctrl+") && key !== "Escape") return
  // The browser closes open popovers with Escape; their other keys stay theirs.
  if (document.querySelector("[popover]:popover-open:not(.list)") && !key.startsWith("Ctrl+")) return
  if ((key === "Enter" || key === " ") &&
      event.target.closest("button, a, summary, [role=button], label, input")) return
  if (prefix) key = prefix + key
  clearTimeout(prefixTimer)
  prefix = ""
  if (single(key) && key !== " " && !lettersOn) return
  if (key === "g") {
    prefix = "g "
    prefixTimer = setTimeout(() => { prefix = "" }, 1500)
    return
  }
  const command = find(key)
  if (command && command.run(event) !== false) event.preventDefault()
}

/** Whether single-letter keys are on; `letters(value)` turns them on or off, and the choice is kept. */
const letters = value => {
  if (value !== undefined) { lettersOn = value; kept.set("keys", value ? "on" : "off") }
  return lettersOn
}

/** The commands of the present view that have a name, the newest table first. */
export const commands = () => [...tables].reverse().flat()
  .filter(command => command.label && (!command.when || command.when()))

/** Opens the panel that lists the commands, the newest table first. */
export async function showKeys(anchor) {
  const { keysPanel } = await import("./keys-panel.js")
  keysPanel(anchor, commands(), letters)
}

/** Starts to listen for keys. */
export function startKeys() {
  document.addEventListener("keydown", pressed)
  addKeys([{ keys: ["z"], label: "key.undo", show: "Z", run: undoLast }])
}
