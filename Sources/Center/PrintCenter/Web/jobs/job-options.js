/** The popovers with the options of a job: changes of a waiting job, and reprints, with a preview. */

import { get, patch, post, url } from "../base/api.js"
import { fill, h, later, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { report, toast } from "../base/messages.js"
import { printers } from "../base/spool.js"
import { t } from "../base/words.js"
import { optionForm, sheetsText } from "../forms/options.js"
import { popover } from "../frame/popover.js"
import { go, href } from "../frame/router.js"
import { nameOf } from "./jobtext.js"

/** The options of a job as the values of a form. A hold has its own commands. */
const valuesOf = (job, options) => ({
  copies: String(job.copies || 1),
  ...Object.fromEntries(options.filter(({ name }) => name !== "job-hold-until")
    .map(({ name, value }) => [name, value])),
})

/** The first sides of a job as they would be printed with the options of a form: {element, load, end}. */
function sidesPreview(job, form, printer, secret) {
  const sides = h("div", { class: "sides" }), note = h("p", { class: "note", role: "status" })
  const element = h("section", { class: "sides-preview", "aria-label": t("new.preview"), hidden: true }, sides, note)
  let request = null
  const draw = (id, { number, blank, width, height, pages }) =>
    blank ? h("span", { class: "blank", style: { "aspect-ratio": `${width} / ${height}` } })
      : h("img", {
        src: url(`previews/${id}/sides/${number}/image`, { dpi: devicePixelRatio > 1.4 ? 48 : 24 }), width, height,
        alt: t("new.list", { n: pages.length, list: pages.join(", ") }),
      })
  const load = later(async () => {
    if (!form.check()) return
    request?.abort()
    const { signal } = request = new AbortController()
    try {
      const body = { job: job["job-id"], printer: printer(), options: form.values(), ...secret?.body() }
      const answer = await post("previews", body, signal), shown = answer["sides-list"].slice(0, 4)
      fill(sides, shown.map(side => draw(answer.id, side)))
      const first = shown.length < answer.sides && t("new.first", { n: shown.length })
      text(note, [sheetsText(answer), first, ...answer.notices].filter(Boolean).join(" "))
      element.hidden = false
      // The number of pages of a job that was not prepared yet.
      form.setPages([answer.pages])
      secret?.show(false)
    } catch (error) {
      if (error.isPassword) secret?.show(true)
      // The documents are not kept, a newer preview has replaced this one, or the service is busy.
      if (error.errors?.length) form.fail(error.errors)
      else if (error.name !== "AbortError" && error.status === 404) element.hidden = true
    }
  }, 250)
  return { element, load, end() { load.cancel(); request?.abort() } }
}

/**
 * Opens a popover with the options of a job, and a preview that follows them. `printer()` returns the chosen printer.
 * `settings`: what `optionForm` needs besides; `content(form, preview, close)` returns the popover's form.
 */
async function openOptions(job, anchor, title, printer, { secret, ...settings }, content) {
  try {
    const { options = [] } = await get("jobs/" + job["job-id"])
    let preview = null
    const form = optionForm({ base: valuesOf(job, options), ...settings, changed: () => preview?.load() })
    form.setPages(job.pages == null ? null : [job.pages])
    await form.load(printer())
    preview = sidesPreview(job, form, printer, secret)
    secret?.changed(preview.load)
    popover(anchor, title, close => content(form, preview, close), { closed: preview.end })
    preview.load()
  } catch (error) { report(error) }
}

/** Returns the form of a popover. `send()` is called when its values are right. */
function formOf(title, label, form, preview, rows, send) {
  const error = h("div", { class: "field-error", role: "alert" })
  const submit = async event => {
    event.preventDefault()
    if (!form.check()) return form.focusError()
    try { await send() } catch (problem) { showProblem(problem, form, error) }
  }
  return h("form", { class: "form reprint", novalidate: true, onsubmit: submit }, h("h2", null, title), rows,
    form.element, preview.element, error,
    h("div", { class: "buttons" }, h("button", { class: "button primary" }, label)))
}

/** Shows an error beside its field, or at the end of the form. */
function showProblem(problem, form, error) {
  const rest = form.fail(problem.errors || [])
  const sentence = rest[0] || !problem.errors?.length && (problem.message || t("no-connection"))
  fill(error, sentence && [icon("warning"), sentence])
  form.focusError()
}

/**
 * The password of the documents of an ended job, which the service no longer has: a row that is hidden until a request
 * needs the password.
 */
function passwordRow() {
  let change = () => {}
  const input = h("input", { type: "password", class: "field", autocomplete: "off", maxlength: 127,
    oninput: () => change() })
  const row = h("label", { class: "labeled", hidden: true }, t("new.password"), input)
  return {
    row,
    body: () => input.value ? { "document-password": input.value } : {},
    changed(run) { change = run },
    show(isNeeded) { if (isNeeded) row.hidden = false },
  }
}

/** Opens the popover with the options of a waiting job, and a preview that follows them. */
export const change = (job, anchor) => openOptions(job, anchor, t("change-options"), () => job.printer,
  { without: ["job-hold-until"] }, (form, preview, close) =>
    formOf(t("change-title", { name: nameOf(job) }), t("save"), form, preview, null, async () => {
      const options = form.values()
      if (!Object.keys(options).length) return close()
      await patch("jobs/" + job["job-id"], { options })
      close()
      toast(t("is-changed", { name: nameOf(job) }))
    }))

/**
 * Opens the popover for a reprint: printer, first page, and the options of the job, which can be changed.
 * `printer` and `options`: the first choices, if they differ from those of the job.
 */
export function reprint(job, anchor, { printer = job.printer, options: chosen } = {}) {
  const id = job["job-id"]
  const secret = passwordRow()
  return openOptions(job, anchor, t("reprint"), () => printer, { chosen, secret }, (form, preview, close) => {
    const choose = () => { printer = choice.value; form.load(printer).then(preview.load, report) }
    const choice = h("select", { class: "field", onchange: choose },
      printers.map(({ name }) => h("option", { value: name, selected: name === printer }, name)))
    const from = h("input", { class: "field", type: "number", min: 1, max: job.pages || 1, value: 1 })
    const row = (key, field) => h("label", { class: "labeled" }, t(key), field)
    const rows = [row("printer", choice), secret.row, job.pages > 1 && row("from-page", from)]
    return formOf(t("reprint-title", { name: nameOf(job) }), t("print"), form, preview, rows, async () => {
      const body = { printer: choice.value, options: form.values(), ...secret.body(),
        ...from.value > 1 ? { from: Number(from.value) } : {} }
      const { job: made } = await post(`jobs/${id}/reprint`, body)
      close()
      toast(t("is-reprinted", { n: made["job-id"] }),
        { label: t("show"), run: () => go(href("/jobs/" + made["job-id"])) })
    })
  })
}
