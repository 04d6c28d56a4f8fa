/** Keeps the counts and printers that several views show, and follows their events. */

import { get, session } from "./api.js"
import { later, paced } from "./dom.js"
import { getShared, on } from "./events.js"

/** Counts of all jobs: {all, queue, active, attention, held, ended, printers}. */
export let counts = { printers: {} }
/** All printers, in the order of the service. */
export let printers = []

const watchers = new Set()
let loads = 0, shown = 0, failed = false

/** Calls `run()` after the counts or printers changed. Returns a function that ends it. */
export function onSpool(run) {
  watchers.add(run)
  return () => watchers.delete(run)
}

/** Loads the counts and printers again. Failures leave the old ones; the footer shows the connection. */
export async function loadSpool(load = get) {
  const number = ++loads
  const answers = Promise.all([session.service === "printsim" ? counts : load("jobs/counts"), load("printers")])
  answers.then(() => { failed = false }, () => { failed = true })
  const [newCounts, list] = await answers
  if (number < shown) return  // A later load was faster.
  shown = number
  counts = newCounts
  printers = list.printers
  for (const el of document.querySelectorAll("[data-count=queue]")) el.textContent = counts.queue
  watchers.forEach(run => run())
}

/** Follows the events. The rows of the list come first; bursts of events cause at most three loads in a second. */
export function followSpool() {
  const load = later(paced(() => loadSpool(getShared).catch(() => setTimeout(load, 2000)), 300), 150)
  on("job", event => { if (event.kind !== "job-progress") load() })
  on("printer", load)
  on("reset", load)
  on("connection", ({ state }) => { if (state === "live" && failed) load() })
}
