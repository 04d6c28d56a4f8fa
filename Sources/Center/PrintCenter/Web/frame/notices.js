/**
 * Tells a person about own jobs that stop, fail or end: by speech, by a mark in the title of the window and in its
 * icon, and by notifications of the desktop, if the person has turned these on.
 */

import { session } from "../base/api.js"
import { kept, later } from "../base/dom.js"
import { getShared, on } from "../base/events.js"
import { announce, toast } from "../base/messages.js"
import { t } from "../base/words.js"
import { ended, heading, nameOf } from "../jobs/jobtext.js"
import { go, href } from "./router.js"

const urgent = ["stopped", "suspended", "failed"], told = [...urgent, "completed"]
/** The phase of each own job that needs a person or has ended, at the last look; nothing before the first look. */
let phases = null, title = "", isMarked = false
/** The jobs with events since the last look. A job can also appear among the last 20 because others were removed. */
let touched = new Set()

/** Sets the title of the window. A mark before it stays until the person looks at the window. */
export function entitle(text) {
  title = text
  document.title = (isMarked ? "● " : "") + title
}

function mark(value) {
  isMarked = value
  entitle(title)
}

/** Whether the desktop shows notifications. */
export const notifies = () => kept.get("notify") === true && self.Notification?.permission === "granted"

/** Turns the notifications on or off. Returns whether they are on. */
export async function setNotifies(value) {
  const isAllowed = value && self.Notification && await Notification.requestPermission() === "granted"
  kept.set("notify", Boolean(isAllowed))
  if (value && !isAllowed) toast(t("notify.denied"))
  return Boolean(isAllowed)
}

function show(job) {
  const text = `${nameOf(job)}: ${heading(job)}`
  if (urgent.includes(job.phase)) announce(text, true)
  if (document.hasFocus()) return
  mark(true)
  if (!notifies()) return
  // The other tabs show the same notification, which replaces this one.
  const notification = new Notification(nameOf(job),
    { body: heading(job), tag: `job-${job["job-id"]}`, icon: import.meta.resolve("./icon.svg") })
  notification.onclick = () => {
    window.focus()
    go(href("/jobs/" + job["job-id"]))
    notification.close()
  }
}

const look = later(async () => {
  const ask = filter => getShared("jobs", { show: filter, owner: session.user, limit: 20 })
  const since = touched
  touched = new Set()
  const answers = await Promise.all([ask("attention"), ask("ended")]).catch(() => null)
  if (!answers) return
  const jobs = answers.flatMap(answer => answer.jobs).filter(job => told.includes(job.phase))
  const isNew = job => phases?.get(job["job-id"]) !== job.phase &&
    (since.has(job["job-id"]) || phases && !ended(job))
  jobs.filter(isNew).forEach(show)
  phases = new Map(jobs.map(job => [job["job-id"], job.phase]))
  const isBad = answers[0].jobs.some(job => urgent.includes(job.phase))
  const name = isBad ? "./icon-attention.svg" : "./icon.svg", link = document.querySelector("link[rel=icon]")
  if (link.href !== import.meta.resolve(name)) link.href = import.meta.resolve(name)
}, 1000)

/** Starts to follow the own jobs. */
export function startNotices() {
  on("job", event => {
    if (event.kind === "job-progress") return
    touched.add(event["job-id"])
    look()
  })
  on("reset", look)
  addEventListener("focus", () => mark(false))
  look()
}
