/** Keeps the rows of the job list: a window of the service's order, and ended jobs that keep their place. */

import { get } from "../base/api.js"
import { getShared } from "../base/events.js"
import { ended, troubled } from "./jobtext.js"

const reach = 300
/** The phases that follow from a state alone. */
const phases = { "pending-held": "held", completed: "completed", canceled: "canceled", aborted: "failed" }

/** Whether a job belongs to a filter. The search text is the service's matter. */
function fits(job, { show = "all", printer, owner }) {
  if (printer && job.printer !== printer || owner && job.owner !== owner) return false
  if (show === "attention") return troubled(job)
  if (show === "active") return !ended(job) && job.phase !== "held"
  return show === "held" ? job.phase === "held" : show === "ended" ? ended(job) : !ended(job)
}

/**
 * The rows of one filter. Memory is constant: only rows near the last wanted place are kept.
 * A displayed index differs from the service's index by the pinned rows: jobs that left the queue,
 * but keep their row while the person uses the list.
 */
export class JobRows {
  constructor(filter) {
    this.filter = filter
    this.count = null
    this.queue = 0
    this.loaded = new Map()
    this.pins = new Map()
    this.turn = 0
  }

  /** The pinned jobs that the service lists among the ended jobs. */
  get moved() {
    return (this.filter.show || "all") === "all" ? [...this.pins.values()].filter(ended).length : 0
  }

  /** The sections with their numbers of rows. */
  get sections() {
    const queue = this.queue + this.pins.size, after = (this.count || 0) - this.queue - this.moved
    return [{ name: "queue", first: 0, rows: queue }, { name: "ended", first: queue, rows: Math.max(0, after) }]
      .filter(part => part.rows)
  }

  get length() { return (this.count || 0) + this.pins.size - this.moved }

  place(index) {
    const queue = this.queue + this.pins.size
    if (index >= queue) return index - queue + this.queue + this.moved
    return index - [...this.pins.keys()].filter(pin => pin < index).length
  }

  /** The job of a row; undefined until it is loaded. */
  at(index) { return this.pins.get(index) || this.loaded.get(this.place(index)) }

  /** The index of a job among the loaded rows, or -1. */
  indexOf(id) {
    for (const [index, job] of this.pins) if (job["job-id"] === id) return index
    for (const [place, job] of this.loaded) {
      if (job["job-id"] !== id) continue
      const queue = this.queue + this.pins.size
      if (place >= this.queue) return place - this.queue - this.moved + queue
      for (let index = place; index < queue; index++) if (this.at(index) === job) return index
    }
    return -1
  }

  /** Applies an event's members to a loaded job. Returns whether it has changed; the order stays. */
  patch(event) {
    const job = this.find(event["job-id"])
    if (!job) return false
    const released = job.phase === "held" && event["job-state"] === "pending"
    const phase = event.phase || phases[event["job-state"]] || released && "waiting"
    const done = event["job-impressions-completed"]
    const members = { ...event, ...phase && { phase } }
    if (done != null) members["impressions-completed"] = done
    // Without blank backs and copies each side is one page.
    if (done != null && job.copies === 1 && job.impressions === job.pages) members["pages-completed"] = done
    for (const key in members) {
      if (!(key in job) || typeof job[key] !== typeof members[key] ||
          String(job[key]) === String(members[key])) continue
      job[key] = members[key]
      job.patched = true
    }
    // The row of the new phase has its own sentence.
    if (released) job.cause = null
    return job.patched
  }

  /** The loaded row of a job, or undefined. */
  find(id) {
    return [...this.pins.values(), ...this.loaded.values()].find(job => job["job-id"] === id)
  }

  /** Takes over a changed job. Returns whether the job is loaded. */
  put(changed) {
    const job = this.find(changed["job-id"])
    if (!job) return false
    for (const key in job) if (key in changed) job[key] = changed[key]
    return job.patched = true
  }

  has(from, to) {
    for (let index = from; index < to; index++) if (!this.at(index)) return false
    return true
  }

  /**
   * Loads the rows from `from` to `to`. `fresh`: events changed the order, so that other rows are dropped.
   * `keep`: jobs that left the queue keep their row. `commit` is called around the change.
   * Returns false if a later call has replaced this one.
   */
  async load(from, to, { fresh, keep, commit }) {
    const turn = ++this.turn
    // Scrolling loads ahead; after an event the rows in view are enough.
    const ahead = fresh ? 0 : 15, first = Math.max(0, this.count == null ? from : this.place(from) - ahead)
    const load = fresh && this.count != null ? getShared : get
    const answer = await load("jobs",
      { ...this.filter, offset: first, limit: Math.min(500, to - from + 2 * ahead + this.pins.size) })
    const gone = keep && fresh ? await this.gone(from, to, answer) : []
    if (turn !== this.turn) return false
    commit(() => {
      if (fresh) this.loaded.clear()
      this.count = answer.count
      this.queue = answer.queue
      answer.jobs.forEach((job, index) => this.loaded.set(first + index, job))
      for (const place of this.loaded.keys()) if (Math.abs(place - first) > reach) this.loaded.delete(place)
      const listed = new Set(answer.jobs.filter(job => fits(job, this.filter)).map(job => job["job-id"]))
      for (const [index, job] of this.pins) if (listed.has(job["job-id"])) this.pins.delete(index)
      for (const [index, job] of gone) this.pins.set(index, job)
    })
    return true
  }

  /** The jobs of the displayed queue that the new answer has no longer there: [[index, job]]. */
  async gone(from, to, answer) {
    const found = []
    const queue = this.queue + this.pins.size
    for (let index = Math.max(0, from); index < Math.min(to, queue); index++) {
      const old = this.at(index)
      if (!old || this.pins.has(index)) continue
      const same = answer.jobs.find(job => job["job-id"] === old["job-id"])
      if (same && fits(same, this.filter)) continue
      const job = same || await get("jobs/" + old["job-id"]).catch(() => null)
      if (job && !fits(job, this.filter)) found.push([index, job])
    }
    return found
  }
}
