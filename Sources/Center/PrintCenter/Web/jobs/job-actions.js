/** Runs the actions on jobs: popovers, confirmations and messages. Loaded on the first action. */

import { get, patch, post, session } from "../base/api.js"
import { can } from "./actions.js"
import { fill, h, later, text } from "../base/dom.js"
import { ended, nameOf } from "./jobtext.js"
import { icon, printerIcon } from "../base/icons.js"
import { confirm, menu, popover, report, toast } from "../frame/popover.js"
import { go, href } from "../frame/router.js"
import { printers } from "../base/spool.js"
import { t } from "../base/words.js"

const undo = run => ({ label: t("key.undo"), key: "Z", run: () => run().catch(report) })
const call = (job, action, body) => post(`jobs/${job["job-id"]}/${action}`, body)

/** Holds a job. `until`: "indefinite", "night", a time of day; without it until it is released. */
export async function hold(job, until) {
  await call(job, "hold", until ? { until } : {}).then(() =>
    toast(t("is-held", { name: nameOf(job) }), undo(() => call(job, "release", {}))), report)
}

/** Releases a held job, and offers to hold it again. */
export async function release(job) {
  const until = job["hold-until"]
  await call(job, "release", {}).then(() =>
    toast(t("is-released", { name: nameOf(job) }), undo(() => call(job, "hold", until ? { until } : {}))), report)
}

/** Cancels a job. Only a printing job needs a confirmation; a waiting job can be reprinted by Undo. */
export async function cancel(job, anchor) {
  if (["printing", "stopped", "stopping"].includes(job.phase) &&
      !await confirm(anchor, t("cancel-title", { name: nameOf(job) }), t("cancel-text"), t("cancel-job"))) return
  await call(job, "cancel", {}).then(({ job: now }) => toast(t("is-canceled", { name: nameOf(job) }),
    now && ended(now) && can(now, "reprint") && !job["pages-completed"] ? undo(() => call(job, "reprint", {})) : undefined), report)
}

/** Continues a stopped job. */
export const resume = job => call(job, "resume", {}).catch(report)

/** Opens the choices for the end of a hold. */
export function holdMenu(job, anchor) {
  popover(anchor, t("hold"), close => {
    const at = h("input", { type: "time", class: "field", value: "18:00", "aria-label": t("hold.time") })
    const choose = until => { close(); hold(job, until) }
    return h("div", { class: "form" }, h("h2", null, t("hold")),
      h("button", { class: "item", onclick: () => choose("indefinite") }, t("hold.released")),
      h("button", { class: "item", onclick: () => choose("night") }, t("hold.night")),
      h("div", { class: "inline" }, at, h("button", { class: "button", onclick: () => at.value && choose(at.value) }, t("hold.at"))))
  })
}

/** Opens the list of printers and calls `run(name)` with the chosen one. */
export function choosePrinter(anchor, except, run) {
  popover(anchor, t("move-to"), close => [h("h2", null, t("move-to")), printers.filter(printer => printer.name !== except).map(printer =>
    h("button", { class: "item", onclick: () => { close(); run(printer.name) } }, h("span", { class: "mark" }, printerIcon(printer.phase)),
      h("span", { class: "grow" }, printer.name), h("span", { class: "quiet" }, printer["queued-jobs"] ? t("n-jobs", { n: printer["queued-jobs"] }) : "")))])
}

/** Moves a job to another printer, and offers to move it back. */
export function move(job, anchor) {
  choosePrinter(anchor, job.printer, printer => call(job, "move", { printer }).then(() =>
    toast(t("is-moved", { name: nameOf(job), printer }), undo(() => call(job, "move", { printer: job.printer }))), report))
}

/** The options of a job as the values of a form. A hold has its own commands. */
const valuesOf = (job, options) => ({
  copies: String(job.copies || 1),
  ...Object.fromEntries(options.filter(({ name }) => name !== "job-hold-until").map(({ name, value }) => [name, value])),
})

/** The first sides of a job as they would be printed with the options of a form: {element, load, end}. */
function sidesPreview(job, form, printer) {
  const sides = h("div", { class: "sides" }), note = h("p", { class: "note", role: "status" })
  const element = h("section", { class: "sides-preview", "aria-label": t("new.preview"), hidden: true }, sides, note)
  let request = null
  const load = later(async () => {
    if (!form.check()) return
    request?.abort()
    const { signal } = request = new AbortController()
    try {
      const answer = await post("previews", { job: job["job-id"], printer: printer(), options: form.values() }, signal)
      const resolution = devicePixelRatio > 1.4 ? 48 : 24, shown = answer["sides-list"].slice(0, 4)
      fill(sides, shown.map(side => side.blank ? h("span", { class: "blank", style: { "aspect-ratio": `${side.width} / ${side.height}` } })
        : h("img", { src: `/api/v1/previews/${answer.id}/sides/${side.number}/image?dpi=${resolution}`, width: side.width, height: side.height, alt: t("new.list", { n: side.pages.length, list: side.pages.join(", ") }) })))
      const total = answer.copies > 1 ? t("new.sheets-copies", { n: answer.sheets, total: answer.sheets * answer.copies }) : t("new.sheets-total", { n: answer.sheets })
      text(note, [total, shown.length < answer.sides && t("new.first", { n: shown.length }), ...answer.notices].filter(Boolean).join(" "))
      element.hidden = false
      // The number of pages of a job that was not prepared yet.
      form.setPages(answer.pages)
    } catch (error) {
      // The documents are not kept, a newer preview has replaced this one, or the service is busy.
      if (error.errors?.length) form.fail(error.errors)
      else if (error.name !== "AbortError" && error.status === 404) element.hidden = true
    }
  }, 250)
  return { element, load, end() { load.cancel(); request?.abort() } }
}

/** Opens the popover with the options of a waiting job, and a preview that follows them. */
export async function change(job, anchor) {
  const path = "jobs/" + job["job-id"]
  try {
    const [{ optionForm }, { options = [] }] = await Promise.all([import("../forms/options.js"), get(path)])
    let preview = null
    const form = optionForm({ base: valuesOf(job, options), without: ["job-hold-until"], changed: () => preview?.load() })
    form.setPages(job.pages)
    await form.load(job.printer)
    preview = sidesPreview(job, form, () => job.printer)
    popover(anchor, t("change-options"), close => changeForm(job, form, preview, close), { closed: preview.end })
    preview.load()
  } catch (error) { report(error) }
}

function changeForm(job, form, preview, close) {
  const error = h("div", { class: "field-error", role: "alert" })
  const send = async event => {
    event.preventDefault()
    if (!form.check()) return form.focusError()
    const options = form.values()
    if (!Object.keys(options).length) return close()
    try {
      await patch("jobs/" + job["job-id"], { options })
      close()
      toast(t("is-changed", { name: nameOf(job) }))
    } catch (problem) { showProblem(problem, form, error) }
  }
  return h("form", { class: "form reprint", novalidate: true, onsubmit: send }, h("h2", null, t("change-title", { name: nameOf(job) })),
    form.element, preview.element, error, h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("save"))))
}

/** Shows an error beside its field, or at the end of the form. */
function showProblem(problem, form, error) {
  const rest = form.fail(problem.errors || [])
  fill(error, rest.length || !problem.errors?.length ? [icon("warning"), rest[0] || problem.message || t("no-connection")] : [])
  form.focusError()
}

/**
 * Opens the popover for a reprint: printer, first page, and the options of the job, which can be changed.
 * `printer` and `options`: the first choices, if they differ from those of the job.
 */
export async function reprint(job, anchor, { printer = job.printer, options: chosen } = {}) {
  const path = "jobs/" + job["job-id"]
  try {
    const [{ optionForm }, { options = [] }] = await Promise.all([import("../forms/options.js"), get(path)])
    let preview = null
    const form = optionForm({ base: valuesOf(job, options), chosen, changed: () => preview?.load() })
    form.setPages(job.pages)
    await form.load(printer)
    const target = { ...job, printer }
    preview = sidesPreview(job, form, () => target.printer)
    popover(anchor, t("reprint"), close => reprintForm(target, form, preview, close), { closed: preview.end })
    preview.load()
  } catch (error) { report(error) }
}

function reprintForm(job, form, preview, close) {
  const choose = () => { job.printer = choice.value; form.load(choice.value).then(preview.load, report) }
  const choice = h("select", { class: "field", onchange: choose },
    printers.map(printer => h("option", { value: printer.name, selected: printer.name === job.printer }, printer.name)))
  const from = h("input", { class: "field", type: "number", min: 1, max: job.pages || 1, value: 1 })
  const error = h("div", { class: "field-error", role: "alert" })
  const send = async event => {
    event.preventDefault()
    if (!form.check()) return form.focusError()
    try {
      const first = Number(from.value)
      const { job: made } = await call(job, "reprint", { printer: choice.value, options: form.values(), ...first > 1 ? { from: first } : {} })
      close()
      toast(t("is-reprinted", { n: made["job-id"] }), { label: t("show"), run: () => go(href("/jobs/" + made["job-id"])) })
    } catch (problem) { showProblem(problem, form, error) }
  }
  const row = (key, field) => h("label", { class: "labeled" }, t(key), field)
  return h("form", { class: "form reprint", novalidate: true, onsubmit: send }, h("h2", null, t("reprint-title", { name: nameOf(job) })),
    row("printer", choice), job.pages > 1 && row("from-page", from), form.element, preview.element, error,
    h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("print"))))
}

function rename(job, anchor) {
  popover(anchor, t("rename"), close => {
    const field = h("input", { class: "field", value: nameOf(job), "aria-label": t("rename"), maxlength: 255 })
    const send = event => { event.preventDefault(); close(); patch("jobs/" + job["job-id"], { name: field.value }).catch(report) }
    return h("form", { class: "form", onsubmit: send }, h("h2", null, t("rename")), field,
      h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("save"))))
  })
}

/** Opens the menu with the rarer actions. */
export function moreMenu(job, anchor) {
  const then = fn => () => setTimeout(() => fn(job, anchor), 0)
  const id = job["job-id"]
  menu(anchor, t("more"), [
    can(job, "hold") && { label: t("hold-until-menu"), icon: "pause", run: then(holdMenu) },
    can(job, "change") && { label: t("change-options"), key: "O", run: then(change) },
    can(job, "change") && { label: t("rename"), run: then(rename) },
    { label: t("viewer"), key: "Space", run: () => go(href(`/jobs/${id}/pages/1`, { side: "printed" })) },
    { label: t("compare"), key: "C", run: () => go(href(`/jobs/${id}/compare/1`)) },
    null,
    ...(job.documents || []).map(doc => doc.kept && { label: t("download", { name: doc.name }), icon: "download", href: `/api/v1/jobs/${id}/documents/${doc.number}`, download: doc.name }),
    { label: t("download-sheets"), icon: "download", href: `/api/v1/jobs/${id}/sheets.pdf`, download: nameOf(job) + ".pdf" },
  ].filter(item => item !== false && item !== undefined))
}

/** Runs an action on several jobs. Canceling asks first. Calls `done()` after the answer. */
export async function bulk(action, jobs, anchor, done, printer) {
  const ids = jobs.map(job => job["job-id"])
  if (action === "cancel" && !await confirm(anchor, t("cancel-many", { n: ids.length }), t("cancel-text"), t("cancel-jobs"))) return
  try {
    const { results } = await post("jobs/actions", { action, jobs: ids, printer })
    const good = results.filter(result => result.done).length, bad = results.length - good
    const failure = results.find(result => !result.done)?.detail
    const back = { hold: "release", release: "hold" }[action]
    const again = () => post("jobs/actions", { action: back, jobs: results.filter(result => result.done).map(result => result["job-id"]) })
    toast(t("bulk." + action, { n: good }) + (bad ? " " + (bad === 1 ? failure + "." : t("bulk.failed", { n: bad })) : ""),
      back && good ? undo(again) : { label: t("show"), run: () => go(href("/jobs", { show: action === "cancel" ? "ended" : "" })) })
    done()
  } catch (error) { report(error) }
}
