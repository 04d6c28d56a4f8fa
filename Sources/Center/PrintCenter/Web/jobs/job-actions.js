/** Runs the actions on jobs: popovers, confirmations and messages. Loaded on the first action. */

import { get, patch, post, session } from "../base/api.js"
import { h } from "../base/dom.js"
import { printerIcon } from "../base/icons.js"
import { report, toast } from "../base/messages.js"
import { printers } from "../base/spool.js"
import { nextTime, t, time, translated } from "../base/words.js"
import { confirm, menu, popover } from "../frame/popover.js"
import { go, href } from "../frame/router.js"
import { can, ended, nameOf, showsPages } from "./jobtext.js"

const undo = run => ({ label: t("key.undo"), key: "Z", run: () => run().catch(report) })
const call = (job, action, body) => post(`jobs/${job["job-id"]}/${action}`, body)

/** Holds a job until it is released. */
export const hold = job => holdUntil(job)

/** Holds a job. `until`: "indefinite", "night", or a time in UTC; without it until it is released. */
async function holdUntil(job, until) {
  const before = { ...job }
  await call(job, "hold", until ? { until } : {}).then(() => toast(t("is-held", { name: nameOf(job) }),
    undo(() => before.phase === "held" ? holdAgain(before) : call(job, "release", {}))), report)
}

const holdAgain = before => call(before, "hold", before["hold-until"] ? { until: before["hold-until"] } : {})

/** Releases a held job, and offers to hold it again. */
export async function release(job) {
  const before = { ...job }
  await call(job, "release", {}).then(() =>
    toast(t("is-released", { name: nameOf(job) }), undo(() => holdAgain(before))), report)
}

/** Cancels a job. Only a printing job needs a confirmation; a waiting job can be reprinted by Undo. */
export async function cancel(job, anchor) {
  if (["printing", "stopped", "stopping"].includes(job.phase) &&
      !await confirm(anchor, t("cancel-title", { name: nameOf(job) }), t("cancel-text"), t("cancel-job"))) return
  await call(job, "cancel", {}).then(({ job: now }) => toast(t("is-canceled", { name: nameOf(job) }),
    now && ended(now) && can(now, "reprint") && !job["pages-completed"] ? undo(() => call(job, "reprint", {}))
      : undefined), report)
}

/** Continues a stopped job. */
export const resume = job => call(job, "resume", {}).catch(report)

const inUTC = date => date.toISOString().replace(/\.\d+/, "")

/** Opens the choices for the end of a hold. */
function holdMenu(job, anchor) {
  popover(anchor, t("hold"), close => {
    const at = h("input", { type: "time", class: "field", value: "18:00", "aria-label": t("hold.time") })
    const choose = until => { close(); holdUntil(job, until) }
    return h("div", { class: "form" }, h("h2", null, t("hold")),
      h("button", { class: "item", onclick: () => choose("indefinite") }, t("hold.released")),
      h("button", { class: "item", onclick: () => choose("night") }, t("hold.night", { time: time(session.night) })),
      h("div", { class: "inline" }, at,
        h("button", { class: "button", onclick: () => at.value && choose(inUTC(nextTime(at.value))) }, t("hold.at"))))
  })
}

/** Opens the list of printers and calls `run(name)` with the chosen one. */
export function choosePrinter(anchor, except, run) {
  const item = ({ name, phase, "queued-jobs": n }, close) =>
    h("button", { class: "item", onclick: () => { close(); run(name) } },
      h("span", { class: "mark" }, printerIcon(phase)),
      h("span", { class: "grow" }, name), h("span", { class: "quiet" }, n ? t("n-jobs", { n }) : ""))
  popover(anchor, t("move-to"), close => [
    h("h2", null, t("move-to")), printers.filter(({ name }) => name !== except).map(printer => item(printer, close))])
}

/** Moves a job to another printer, and offers to move it back. */
export function move(job, anchor) {
  choosePrinter(anchor, job.printer, printer => call(job, "move", { printer }).then(() =>
    toast(t("is-moved", { name: nameOf(job), printer }), undo(() => call(job, "move", { printer: job.printer }))),
    report))
}

/** Opens the options of a waiting job. */
export const change = async (job, anchor) => (await import("./job-options.js")).change(job, anchor)

/** Opens the form of a reprint. */
export const reprint = async (job, anchor) => (await import("./job-options.js")).reprint(job, anchor)

/** The highest priority: the job is printed before all others of its printer that have a lower one. */
const highest = "100"

/** Prints a waiting job before the others of its printer, and offers to undo it. */
async function printNext(job) {
  const { options } = await get("jobs/" + job["job-id"])
  const before = options.find(({ name }) => name === "job-priority")?.value ?? "50"
  const set = priority => patch("jobs/" + job["job-id"], { options: { "job-priority": priority } })
  await set(highest).then(() => toast(t("is-next", { name: nameOf(job) }), undo(() => set(before))), report)
}

/** Prints a waiting job before the one ahead of it, says how many jobs it passes, and offers to undo it. */
async function moveUp(job) {
  const id = job["job-id"]
  await post(`jobs/${id}/advance`, {}).then(({ passed, "priority-before": before }) =>
    toast(t("has-passed", { name: nameOf(job), n: passed }),
      undo(() => patch("jobs/" + id, { options: { "job-priority": String(before) } }))), report)
}

function rename(job, anchor) {
  popover(anchor, t("rename"), close => {
    const field = h("input", { class: "field", value: nameOf(job), "aria-label": t("rename"), maxlength: 255 })
    const send = event => {
      event.preventDefault()
      close()
      patch("jobs/" + job["job-id"], { name: field.value }).catch(report)
    }
    return h("form", { class: "form", onsubmit: send }, h("h2", null, t("rename")), field,
      h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("save"))))
  })
}

/** Opens the menu with the rarer actions. */
export function moreMenu(job, anchor) {
  const then = fn => () => setTimeout(() => fn(job, anchor), 0)
  const id = job["job-id"], hasPages = showsPages(job)
  menu(anchor, t("more"), [
    can(job, "hold") && { label: t("hold-until-menu"), icon: "pause", run: then(holdMenu) },
    can(job, "change") && { label: t("change-options"), key: "O", run: then(change) },
    can(job, "change") && { label: t("print-next"), icon: "play", run: then(printNext) },
    can(job, "change") && job["jobs-before"] !== 0 && { label: t("move-up"), run: then(moveUp) },
    can(job, "change") && { label: t("rename"), run: then(rename) },
    hasPages && { label: t("viewer"), key: "Space", run: () => go(href(`/jobs/${id}/pages/1`, { side: "printed" })) },
    hasPages && { label: t("compare"), key: "C", run: () => go(href(`/jobs/${id}/compare/1`)) },
    null,
    ...(job.documents || []).map(({ kept, name, number }) => kept && {
      label: t("download", { name }), icon: "download", href: `/api/v1/jobs/${id}/documents/${number}`, download: name,
    }),
    hasPages && { label: t("download-sheets"), icon: "download", href: `/api/v1/jobs/${id}/sheets.pdf`,
      download: nameOf(job) + ".pdf" },
  ].filter(item => item !== false && item !== undefined))
}

/**
 * Runs an action on those of several jobs that allow it. Canceling asks first. Calls `after()` after the answer, which
 * also tells about the other jobs.
 */
export async function bulk(action, chosen, anchor, after, printer) {
  const jobs = chosen.filter(job => can(job, action) && (action !== "hold" || job.phase !== "held"))
  const ids = jobs.map(job => job["job-id"])
  // The jobs that the action changes, as they are before: Undo leaves the others alone.
  const before = jobs.map(job => ({ ...job }))
  if (action === "cancel" &&
      !await confirm(anchor, t("cancel-many", { n: ids.length }), t("cancel-text"), t("cancel-jobs"))) return
  try {
    const { results } = await post("jobs/actions", { action, jobs: ids, printer })
    const good = results.filter(result => result.done).length, bad = chosen.length - good
    const failure = results.find(result => !result.done)?.detail
    const done = new Set(results.filter(result => result.done).map(result => result["job-id"]))
    const changed = before.filter(job => done.has(job["job-id"]))
    const again = {
      hold: () => post("jobs/actions", { action: "release", jobs: changed.map(job => job["job-id"]) }),
      release: () => Promise.all(changed.map(holdAgain)),
    }[action]
    const rest = !bad ? "" : bad === 1 ? translated("bulk.failed-one", failure && failure + ".")
      : t("bulk.failed", { n: bad })
    toast([t("bulk." + action, { n: good }), rest].filter(Boolean).join(" "),
      again && changed.length ? undo(again)
        : { label: t("show"), run: () => go(href("/jobs", { show: action === "cancel" ? "ended" : "" })) })
    after()
  } catch (error) { report(error) }
}
