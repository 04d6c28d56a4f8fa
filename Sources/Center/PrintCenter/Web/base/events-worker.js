/**
 * Reads the event stream. As a shared worker it reads one stream for all tabs of the browser, and loads what several
 * tabs need after an event; without shared workers a page imports `readEvents` and reads its own stream.
 */

/**
 * Returns a function that reports messages, and after each event of a job the job itself as "job-now".
 * So one request shows an event in all tabs. During a burst jobs are left out; the lists load them later.
 */
function withJobs(report, signal) {
  const loading = new Map()
  const load = async id => {
    loading.set(id, false)
    try {
      const answer = await fetch("/api/v1/jobs/" + id, { signal })
      if (answer.ok) report({ event: "job-now", data: await answer.json() })
    } catch { /* the lists load it */ }
    const again = loading.get(id)
    loading.delete(id)
    if (again && !signal.aborted) load(id)
  }
  return message => {
    report(message)
    const id = message.event === "job" && message.data["job-id"]
    if (loading.has(id)) loading.set(id, true)
    else if (id && loading.size < 8) load(id)
  }
}

/**
 * Reads the events after the event `after` until `signal` aborts, and reports each: {event, data}, and the connection:
 * {state: "live"}, {state: "waiting", until}, {state: "out"} (the session has ended).
 */
export async function readEvents(tell, signal, after) {
  const report = withJobs(tell, signal)
  let last = String(after), failures = 0
  while (!signal.aborted) {
    try {
      const answer = await fetch("/api/v1/events", { headers: { "Last-Event-ID": last }, signal, cache: "no-store" })
      if (answer.status === 401) return report({ state: "out" })
      if (!answer.ok) throw new Error(answer.statusText)
      failures = 0
      report({ state: "live" })
      for await (const message of messages(answer.body)) {
        if (!message.id) continue  // the greeting of the server
        last = message.id
        report(message)
      }
    } catch { /* retried below */ }
    if (signal.aborted) return
    const wait = Math.min(2000 * 2 ** failures++, 30000)
    report({ state: "waiting", until: Date.now() + wait })
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}

/** Splits a body into messages {id, event, data} (text/event-stream). */
async function* messages(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ""
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (rest + value).replace(/\r\n?/g, "\n").split("\n\n")
    rest = blocks.pop()
    for (const block of blocks) {
      const message = parse(block)
      if (message) yield message
    }
  }
}

function parse(block) {
  const message = { event: "message" }
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) || []
    if (name === "data") message.data = (message.data || "") + value
    else if (name) message[name] = value
  }
  if (message.data === undefined) return null
  message.data = JSON.parse(message.data)
  return message
}

/** The least time between two loads of the same address, in milliseconds. */
const pause = 100
const loads = new Map()

/**
 * Loads an address: {status, text}; status 0 without a connection. Requests that arrive while a load runs share the
 * next one, so that each answer is newer than its request.
 */
function load(address) {
  const entry = loads.get(address)
  if (entry) return entry.next ??= entry.rest.then(() => start(address))
  return start(address)
}

function start(address) {
  const entry = { next: null }
  loads.set(address, entry)
  const answer = fetch(address, { headers: { Accept: "application/json" } })
    .then(async answer => ({ status: answer.status, text: await answer.text() })).catch(() => ({ status: 0, text: "" }))
  entry.rest = Promise.all([answer, new Promise(done => setTimeout(done, pause))])
    .then(() => { if (!entry.next) loads.delete(address) })
  return answer
}

if (typeof SharedWorkerGlobalScope !== "undefined") {
  const ports = new Set()
  let stream, state = null, newest = 0
  const open = after => {
    stream = new AbortController()
    state = null
    newest = after
    readEvents(message => {
      if (message.state) state = message
      if (message.id) newest = Number(message.id)
      for (const port of ports) port.postMessage(message)
    }, stream.signal, after)
  }
  /** Adds a page that has loaded its data after the event `after`. */
  const join = (port, after) => {
    ports.add(port)
    if (!stream || stream.signal.aborted || state?.state === "out") return open(after)
    if (state) port.postMessage(state)
    // The page was not yet there when the stream passed the events in between.
    if (newest > after) port.postMessage({ event: "reset", data: {} })
  }
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = async ({ data }) => {
      if (data.after != null) return join(port, data.after)
      if (data.load) return port.postMessage({ id: data.id, ...await load(data.load) })
      ports.delete(port)
      if (!ports.size) stream.abort()
    }
  }
}
