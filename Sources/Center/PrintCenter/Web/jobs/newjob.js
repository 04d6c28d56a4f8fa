/** The view of a new job: files, options, and a preview of the sheets. */

import { del, get, post, upload, url } from "../base/api.js"
import { fill, h, kept, keyed, set, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { announce, report, toast } from "../base/messages.js"
import { onSpool, printers } from "../base/spool.js"
import { lang, quote, size, t, translated, word } from "../base/words.js"
import { choose, field, optionForm, sheetsText } from "../forms/options.js"
import { dropped } from "../frame/drop.js"
import { addKeys } from "../frame/keys.js"
import { button, segments, sidebarButton } from "../frame/layout.js"
import { close, go, href } from "../frame/router.js"
import { nameOf } from "./jobtext.js"
import { presetRow } from "./presets.js"

const imageLimit = 40, parallel = 3
/** The options that put pages on sheets. */
const layoutOptions = ["number-up", "sides", "imposition-template", "copies", "printq-poster", "page-delivery"]
/** The files of the job: {name, size, part, upload, error, sending}. They stay while other views are open. */
let files = [], restored = false
let printer, form, mode = "sheets", view, ends, wait, request, preview, sending = null, running = 0
/** The password of the encrypted files, and whether a preview has asked for it. The password is stored nowhere. */
let password = "", asked = false

const ready = () => files.filter(file => !file.error && file.upload?.state === "ready")
const pending = () => files.filter(file => !file.error && file.upload?.state !== "ready")
const needsPassword = () => files.length > 0 && (asked || files.some(file => file.upload?.["needs-password"]))
/** The member of a request with the password. */
const secret = () => needsPassword() && password ? { "document-password": password } : {}
const keep = () => kept.set("new",
  { printer, options: form?.raw(), uploads: files.flatMap(file => file.upload?.id || []) })

/** Shows the view. */
export async function mount({ list, main }, route) {
  const saved = kept.get("new") || {}
  build(list, main)
  ends = [
    onSpool(showPrinters),
    addKeys([{ keys: ["Ctrl+Enter"], label: "new.print", show: "Ctrl+Enter", run: () => void print() },
      { keys: ["Escape"], run: () => close(href("/jobs")) }]),
  ]
  useOptions(saved.options)
  choosePrinter([route.query.printer, saved.printer].find(name => printers.some(item => item.name === name)) ||
    (printers.find(item => item.default) || printers[0])?.name)
  if (!restored) {
    restored = true
    for (const id of saved.uploads || []) follow(add({ name: "" }), get("uploads/" + id), true)
  }
  update()
}

/** Shows a form whose options have the values `chosen` where these differ from the defaults of the printer. */
function useOptions(chosen) {
  const before = form?.element.isConnected ? form.element : view.options
  form = optionForm({ chosen, changed: () => { keep(); later() } })
  before.replaceWith(form.element)
}

/** Takes the files that were dropped. */
export function update() {
  addFiles(dropped.splice(0))
  showFiles()
}

/** Ends the view. Uploads continue. */
export function unmount() {
  ends.forEach(end => end())
  clearTimeout(wait)
  request?.abort()
  view = null
}

function build(list, main) {
  set(list, { "aria-label": t("new-job") })
  const take = () => { addFiles([...input.files]); input.value = "" }
  const input = h("input", { type: "file", multiple: true, hidden: true, onchange: take })
  const pick = () => input.click()
  view = {
    files: h("ul", { class: "files", "aria-label": t("new.files") }), options: h("div"),
    note: h("p", { class: "quiet grow" }),
    desk: h("div", { class: "desk", tabindex: 0, role: "group", "aria-label": t("new.preview") }), pick,
    print: button(t("new.print"), null, print, "primary", { title: "Ctrl+Enter" }),
    problem: h("p", { class: "field-error form-error", hidden: true }),
  }
  view.printer = field(t("printer"), id => choose([], "", { id, onchange: event => choosePrinter(event.target.value) },
    view.jobs = h("span", { class: "aside" })))
  view.password = field(t("new.password"), id => h("input", { id, type: "password", class: "field", value: password,
    autocomplete: "off", maxlength: 127, oninput: event => { password = event.target.value; later() } }))
  fill(list, h("header", { class: "bar" }, sidebarButton(), h("h1", { class: "grow" }, t("new-job")),
    h("div", { class: "actions" }, button(t("cancel"), null, cancel), view.print)),
  h("form", { class: "job-form", onsubmit: event => event.preventDefault() }, view.files, input,
    h("button", { type: "button", class: "link", "data-first": true, onclick: pick }, t("new.add")), view.problem,
    h("div", { class: "option-group" }, view.password.row),
    h("div", { class: "option-group" }, view.printer.row, presetRow(() => form.raw(), options => {
      useOptions(options)
      choosePrinter(printer)
    })), view.options))
  fill(main, h("header", { class: "bar" }, h("h2", null, t("new.preview")), view.note,
    segments(t("new.view"), [["sheets", t("new.sheets")], ["pages", t("new.pages")]], mode,
      value => { mode = value; later(0) })), view.desk)
}

function showPrinters() {
  const select = view.printer.row.querySelector("select"), item = printers.find(({ name }) => name === printer)
  if ([...select.options].map(option => option.value).join() !== printers.map(({ name }) => name).join())
    fill(select, printers.map(({ name }) => h("option", { value: name }, name)))
  if (printer) select.value = printer
  text(view.jobs, item?.["queued-jobs"] ? t("n-jobs", { n: item["queued-jobs"] }) : "")
  // A person wrote the message of a paused printer; other messages are English.
  const why = item?.message && (lang === "en" || item.phase === "paused") ? ": " + item.message : ""
  view.printer.note(!item || ["ready", "printing", "preparing"].includes(item.phase) ? "" :
    t("new.printer-state", { state: word("printer.", item.phase) + why }))
}

async function choosePrinter(name) {
  printer = name
  showPrinters()
  keep()
  try {
    if (name) await form.load(name)
    if (!view || printer !== name) return
    view.loaded = true
    showFiles()
    later(0)
  } catch (error) { report(error) }
}

function add(file) {
  files.push(file)
  return file
}

function addFiles(list) {
  for (const file of list) add({ file, name: file.name, size: file.size, part: 0 })
  if (list.length) { fail(); send(); showFiles() }
}

/** Starts waiting uploads, a few at the same time, so that connections for previews remain. */
function send() {
  for (const file of files) {
    if (running >= parallel) return
    if (!file.file || file.sending || file.upload) continue
    running++
    file.sending = upload(file.file, part => { file.part = part; showFiles() })
    follow(file, file.sending.done).finally(() => { running--; send() })
  }
}

/** Waits until the service has counted the pages of an upload. `quietly`: forgets an upload that does not exist. */
async function follow(file, first, quietly = false) {
  try {
    file.upload = await first
    while (file.upload.state === "reading" && files.includes(file)) {
      showFiles()
      await new Promise(resolve => setTimeout(resolve, 300))
      file.upload = await get("uploads/" + file.upload.id)
    }
    Object.assign(file, { name: file.upload.name, size: file.upload.size })
    if (file.upload.state === "failed") file.error = translated("error.document", file.upload.detail)
    announce(file.error || `${file.name}: ${pagesOf(file)}`)
  } catch (error) {
    if (quietly || error.name === "AbortError") files = files.filter(item => item !== file)
    else file.error = error.message || t("no-connection")
  }
  if (form) keep()
  showFiles()
}

function remove(file) {
  const at = files.indexOf(file)
  files.splice(at, 1)
  file.sending?.abort()
  if (file.upload) del("uploads/" + file.upload.id).catch(() => {})
  keep()
  showFiles()
  ;(view.files.children[at]?.querySelector("button") || view.files.nextElementSibling.nextElementSibling).focus()
}

const pagesOf = ({ upload }) => upload.pages == null ? "" : t("n-pages", { n: upload.pages })

/** Returns the state of a file: its error, its pages and size, or how far it is. */
function stateOf(file) {
  if (file.error) return file.error
  if (file.upload?.state === "ready") return [[pagesOf(file), size(file.size)].filter(Boolean).join(", "),
    ...file.upload.notices.map(quote)].join(". ")
  if (file.upload || file.part === 1) return t("new.reading")
  return t("new.uploading", { n: Math.floor((file.part || 0) * 100) })
}

function showFiles() {
  if (!view) return
  keyed(view.files, files, file => file, file => h("li", null, icon("file"), h("div", { class: "grow" },
    h("div", { class: "name" }), h("div", { class: "state" }, h("progress", { max: 1 }), h("span"))),
  button("", "close", () => remove(file), "icon-only plain")), (row, file) => {
    const bar = row.querySelector("progress")
    text(row.querySelector(".name"), file.name)
    set(text(row.querySelector("span"), stateOf(file)), { class: file.error ? "field-error" : null })
    set(row, { class: file.error ? "failed" : file.upload?.notices?.length ? "noted" : null })
    set(bar, { value: file.part, "aria-label": file.name })
    bar.hidden = Boolean(file.error || file.upload)
    set(row.lastChild, { "aria-label": t("new.remove", { name: file.name }) })
  })
  showPassword()
  const list = ready(), known = list.length && list.every(file => file.upload.pages != null)
  form.setPages(known && list.length === files.length ? list.map(file => file.upload.pages) : null)
  showPreview()
  const key = list.map(file => file.upload.id).join()
  if (key !== view.key) { view.key = key; later(0) }
}

/** Shows the field for the password while a file needs it. `sentence`: what is wrong with the password. */
function showPassword(sentence = "") {
  view.password.row.parentElement.hidden = !needsPassword()
  view.password.fail(sentence)
}

function later(delay = 300) {
  clearTimeout(wait)
  wait = setTimeout(loadPreview, delay)
}

/** Requests a preview of the present options; the former request ends. After an error the last valid preview stays. */
async function loadPreview() {
  request?.abort()
  if (!view?.loaded) return
  const valid = form.check(), uploads = ready().map(file => file.upload.id)
  if (!uploads.length) { preview = null; return showPreview() }
  if (!valid) return
  // Without its password, the service cannot lay the document out.
  if (needsPassword() && !password) { preview = null; return showPreview() }
  const options = form.values(), own = request = new AbortController()
  // The pages of the documents, each on its own sheet.
  if (mode === "pages") {
    for (const name of layoutOptions) delete options[name]
    Object.assign(options, { "number-up": "1", sides: "one-sided" })
  }
  set(view.desk, { "aria-busy": "true" })
  try {
    const answer = await post("previews", { printer, uploads, options, ...secret() }, own.signal)
    if (!view) return
    preview = { ...answer, mode }
    // The service may learn the number of pages only when it lays the document out.
    const only = uploads.length === 1 && ready().find(file => file.upload.id === uploads[0])
    if (only) only.upload.pages ??= answer.pages
    fail()
    showFiles()
  } catch (error) {
    if (error.name === "AbortError" || !view) return
    // A newer preview of this session has replaced it, or the service is busy.
    if (error.status === 409) return
    if (!error.isPassword && leaveOut(error, uploads)) return
    if (error.status === 503) later(1500)
    else if (error.isPassword) {
      asked = true
      preview = null
      fail()
      showPreview()
      showPassword(password ? t("new.wrong-password") : "")
    } else fail(error)
  }
  set(view.desk, { "aria-busy": null })
}

/** Shows the error of a preview at the file that caused it. The preview then shows the other files. */
function leaveOut({ errors = [] }, uploads) {
  const [, index] = errors[0]?.field.match(/^uploads\/(\d+)$/) || []
  const file = index && files.find(({ upload }) => upload?.id === uploads[index])
  if (!file) return false
  file.error = errors[0].detail
  announce(`${file.name}: ${file.error}`)
  showFiles()
  return true
}

/** Shows an error beside its field, or below the files; without an error removes the old one. */
function fail(error) {
  const rest = error ? form.fail(error.errors || []) : []
  const sentence = rest.join(" ") || (error && !error.errors?.length ? error.message || t("no-connection") : "")
  view.problem.hidden = !sentence
  fill(view.problem, sentence && icon("warning"), sentence)
  if (sentence) announce(sentence)
}

function describe() {
  if (!preview) return ""
  const waiting = pending().map(file => file.name), { mode, sides, notices = [] } = preview
  return [
    mode === "sheets" && sheetsText(preview),
    preview["sides-list"].length < sides && t("new.first", { n: imageLimit }),
    ...notices.map(notice => quote(notice.replace(/^./, letter => letter.toUpperCase()).replace(/[^.]$/, "$&."))),
    waiting.length && t("new.added-later", { name: waiting.join(", ") }),
  ].filter(Boolean).join(" ")
}

function showPreview() {
  text(view.note, describe())
  const rows = new Map()
  for (const side of preview?.["sides-list"] || []) {
    const key = preview.mode + (preview.mode === "sheets" ? side.sheet : side.number)
    rows.set(key, { key, side, sides: [...rows.get(key)?.sides || [], side] })
  }
  if (preview) for (const file of pending()) rows.set(file, { key: file, file, sides: [] })
  const isTwoSided = [...rows.values()].some(row => row.sides.length > 1)
  set(view.desk, { class: "desk " + (preview ? "by-" + preview.mode : "") + (isTwoSided ? " two" : "") })
  if (!rows.size) { view.desk.items = null; return fill(view.desk, empty()) }
  if (!view.desk.items) fill(view.desk)
  keyed(view.desk, [...rows.values()], row => row.key,
    () => h("section", { class: "sheet" }, h("h3"), h("div", { class: "faces" })), showSheet)
}

const empty = () => h("div", { class: "empty" }, h("h2", null, pending().length ? t("new.wait")
  : files.length && needsPassword() ? t("new.password-missing") : t("new.none")),
  !files.length && [h("p", null, t("new.none-how")), button(t("new.choose"), "plus", view.pick, "primary")])

function showSheet(el, { file, side, sides }) {
  const sheets = preview.mode === "sheets", shape = sides[0] || preview["sides-list"][0]
  const title = file ? [file.name.replace(/\.\w+$/, ""), t(file.upload ? "new.reading" : "new.uploading-short")]
    : sheets ? [t("new.sheet", { n: side.sheet }), t("new.of", { n: preview.sheets })] : []
  fill(el.firstChild, title[0], title[1] && h("span", null, title[1]))
  const known = preview["sides-list"].some(side => side.face === "back") ? ["front", "back"] : ["front"]
  const faces = file ? known.map((face, index) => ({ number: -1 - index, face })) : sides
  keyed(el.lastChild, faces, face => face.number,
    () => h("figure", null, h("div", { class: "paper" }), h("figcaption")), (figure, face) => {
    const paper = figure.firstChild, turns = face.turns || 0, pages = file ? [] : face.pages
    const caption = file ? "" : face.blank ? t("new.blank") : t("new.list", { n: pages.length, list: pages.join(", ") })
    // A side whose content is turned is shown upright, as it is read.
    const [wide, high] = turns % 2 ? [shape.height, shape.width] : [shape.width, shape.height]
    const isComing = file || !face.blank && !paper.firstChild?.loaded
    set(paper, { class: file ? "paper" : "paper turn-" + turns, style: { "aspect-ratio": `${wide} / ${high}` },
      "data-loading": isComing && (file ? "" : t("loading")) })
    text(figure.lastChild, sheets && face.face && !file ? t("new." + face.face, { pages: caption })
      : caption.charAt(0).toUpperCase() + caption.slice(1))
    const dpi = devicePixelRatio > 1.4 || shape.width > 700 ? 96 : 48
    const source = url(`previews/${preview.id}/sides/${face.number}/image`, { dpi })
    if (file || face.blank) return fill(paper)
    const image = paper.firstChild ||
      paper.appendChild(h("img", { loading: "lazy", decoding: "async", onerror: again, onload: arrived }))
    if (image.getAttribute("src") !== source) { image.tries = 0; set(image, { src: source }) }
    set(image, { alt: figure.lastChild.textContent })
  })
}

function arrived({ target }) {
  target.loaded = true
  set(target.parentElement, { "data-loading": null })
}

/** Requests an image again after the service was busy. Images of a replaced preview no longer exist. */
function again({ target }) {
  const source = target.getAttribute("src")
  target.tries = (target.tries || 0) + 1
  if (target.tries < 5) setTimeout(() => {
    const isCurrent = target.isConnected && target.getAttribute("src") === source &&
      !view?.desk.hasAttribute("aria-busy")
    if (isCurrent) target.src = source
  }, 500 * target.tries)
}

async function print() {
  if (sending || !view) return
  if (!files.length) return fail({ message: t("new.no-file") })
  if (!form.check()) return form.focusError()
  const own = sending = {}
  set(view.print, { "aria-disabled": "true" })
  if (pending().length) announce(t("new.prints-later"))
  try {
    while (sending === own && pending().length) await new Promise(resolve => setTimeout(resolve, 200))
    // The job was canceled, or all its files were removed.
    if (sending !== own || !files.length) return
    if (files.some(file => file.error)) return fail({ message: t("new.failed-file") })
    if (needsPassword() && !password) {
      showPassword(t("new.password-missing"))
      return view.password.focus()
    }
    const uploads = files.map(file => file.upload.id)
    const { job } = await post("jobs", { printer, uploads, options: form.values(), ...secret() })
    files = []
    forgetPassword()
    kept.set("new", { printer })
    preview = null
    toast(t("new.sent", { name: nameOf(job), printer: job.printer }))
    if (view) go(href("/jobs/" + job["job-id"]), { replace: true })
  } catch (error) {
    if (!view) return report(error)
    fail(error)
    form.focusError()
  } finally {
    if (sending === own) sending = null
    if (view) set(view.print, { "aria-disabled": null })
  }
}

function forgetPassword() {
  password = ""
  asked = false
}

/** Deletes the uploads and goes back. The options stay for the next new job. */
function cancel() {
  for (const file of files.splice(0)) {
    file.sending?.abort()
    if (file.upload) del("uploads/" + file.upload.id).catch(() => {})
  }
  preview = sending = null
  forgetPassword()
  keep()
  close(href("/jobs"))
}
