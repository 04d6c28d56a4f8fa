/** Passes the spool's events to the views. */

import { forgetEarly, get, Problem, read, session, url } from "./api.js"
import { readEvents } from "./events-worker.js"

const listeners = new Map()

/**
 * Calls `run(data)` for each event of a kind: "job", "printer", "job-now" (a changed job with all its members),
 * "reset" (load everything again), "connection" ({state: "live" | "waiting" | "out", until}).
 * Returns a function that ends it.
 */
export function on(kind, run) {
  if (!listeners.has(kind)) listeners.set(kind, new Set())
  listeners.get(kind).add(run)
  return () => listeners.get(kind).delete(run)
}

const tell = (kind, data) => listeners.get(kind)?.forEach(run => run(data))

/** The state of the connection: {state, until}. */
export let connection = { state: "waiting", until: 0 }

let lost = false, worker = null, number = 0
const asked = new Map()

/** Gets an API path after an event. Tabs that need the same path at the same time share the request. */
export function getShared(path, params) {
  if (!worker) return get(path, params)
  return new Promise((resolve, reject) => {
    asked.set(++number, { resolve, reject })
    worker.postMessage({ load: url(path, params), id: number })
  })
}

function answer({ id, status, text }) {
  const { resolve, reject } = asked.get(id)
  asked.delete(id)
  try { status ? resolve(read(status, text)) : reject(new Problem(0)) } catch (error) { reject(error) }
}

function receive(message) {
  if (message.id && asked.has(message.id) && message.status !== undefined) return answer(message)
  if (!message.state) {
    // A view that is built later loads its data again.
    forgetEarly()
    return tell(message.event, message.data)
  }
  connection = message
  // The worker starts again without a place after the session had ended.
  if (message.state === "live" && lost) tell("reset", {})
  lost = message.state === "out"
  tell("connection", connection)
}

/**
 * Opens the stream, shared with the other tabs where the browser can. It begins after the last event before the
 * session was loaded, so that no event is missed that happens while the page loads the rest.
 */
export function connect() {
  if (!self.SharedWorker) return void readEvents(receive, new AbortController().signal, session.event)
  // The address contains the build, so a tab of an earlier build has its own worker.
  const { port } = new SharedWorker(import.meta.resolve("./events-worker.js"),
    { type: "module", name: "printq-events" })
  worker = port
  port.onmessage = event => receive(event.data)
  port.postMessage({ after: session.event })
  addEventListener("pagehide", () => port.postMessage("end"))
  // A page that returns from the back-forward cache has missed events.
  addEventListener("pageshow", event => { if (event.persisted) location.reload() })
}
