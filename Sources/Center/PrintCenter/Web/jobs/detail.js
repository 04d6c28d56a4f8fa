/** Shows one job: state, pages, timeline, details, actions. */

import { get, post, printerAPI, session } from "../base/api.js"
import { fill, h, keyed, later, paced, set, text } from "../base/dom.js"
import { icon, phaseIcon } from "../base/icons.js"
import { announce, report } from "../base/messages.js"
import { printers } from "../base/spool.js"
import { clock, day, has, lang, quote, size, t, time, word } from "../base/words.js"
import { bar, button, layout } from "../frame/layout.js"
import { entitle } from "../frame/notices.js"
import { go, href, printerPath, route } from "../frame/router.js"
import { act, actionsOf } from "./actions.js"
import { conditionText } from "./condition.js"
import { can, ended, hasBar, heading, nameOf, part, showsPages, tone } from "./jobtext.js"

const most = 40

/**
 * Creates the detail in a pane: `show(id)`, `none()`, `refresh()`, `check()` after an event,
 * `take(job)`, `job()`, `anchor()` for popovers,
 * `focus()`, `why()`, `unmount()`. The anchor is the button with the key, or the menu button.
 */
export function detail(pane) {
  let job = null, wanted = null, parts = null, request = null, said = ["", 0], taken = 0

  async function load() {
    const id = wanted
    request?.abort()
    request = new AbortController()
    try {
      const answer = await get("jobs/" + id, null, request.signal)
      if (id === wanted) draw(answer)
    } catch (error) {
      if (error.status === 404) missing(t("job-missing", { n: String(id) }))
      else if (error.name !== "AbortError" && error.status) missing(error.message)
    }
  }
  const refresh = paced(() => { if (wanted) return load() }, 100)
  /** Loads the job after an event, unless the event has brought it. */
  const check = later(() => { if (Date.now() - taken > 900) refresh() }, 900)

  function missing(sentence) {
    close()
    fill(pane, bar({ back: back(), label: "" }),
      h("div", { class: "empty" }, h("h2", { "data-first": true }, sentence)))
  }

  function close() {
    parts?.pages?.unmount?.()
    parts = null
    job = null
    pane.inert = false
  }

  function draw(answer) {
    const before = job
    if (!parts || job?.["job-id"] !== answer["job-id"]) build(answer)
    job = answer
    drawActions()
    drawHead()
    drawState()
    drawTimeline()
    // Equal rows stay, so that a link keeps the focus.
    const rows = fill(h("dl", { class: "details" }), details(job, showTimeline))
    if (!parts.details.isEqualNode(rows)) fill(parts.details, [...rows.childNodes])
    parts.pages?.update(job)
    nameWindow()
    if (before?.["job-id"] === job["job-id"]) speak(before)
  }

  /** The title of the window names the job while its detail is the main view. */
  function nameWindow() {
    if (route.view === "jobs") entitle(`${nameOf(job)} – ${t("app")}`)
  }

  function build(first) {
    close()
    parts = {
      actions: h("div", { class: "actions" }), title: h("h1", { "data-first": true }), sub: h("p", { class: "sub" }),
      state: h("section", { "aria-label": t("state") }), box: h("div"), lines: h("ol", { class: "timeline" }),
      details: h("dl", { class: "details" }),
    }
    parts.history = h("section", null, h("h2", null, t("timeline")), parts.lines)
    const more = button(t("more"), "more", event => act("moreMenu", job, event.currentTarget), "icon-only more")
    parts.more = more
    const header = bar({ back: back(), label: t("job-n", { n: String(first["job-id"]) }), more })
    header.querySelector(".actions").replaceWith(parts.actions)
    const columns = h("div", { class: "columns" }, parts.history,
      h("section", null, h("h2", null, t("details")), parts.details))
    fill(pane, header, h("div", { class: "scroll detail", tabindex: -1 },
      parts.title, parts.sub, parts.state, parts.box, columns))
    // On a phone the detail has replaced the list, which had the focus.
    if (layout() === "phone" &&
        (document.activeElement === document.body || !document.activeElement.checkVisibility())) focus()
    const mine = parts
    import("../pages/pages.js").then(({ pagesPanel }) => {
      if (mine !== parts) return
      mine.pages = pagesPanel({ job })
      mine.box.replaceWith(mine.pages.el)
    }).catch(report)
  }

  function focus() {
    if (parts) set(parts.title, { tabindex: -1 }).focus({ preventScroll: true })
  }

  /** The buttons keep their elements, so that the focus stays while the job changes. */
  function drawActions() {
    const focused = parts.actions.contains(document.activeElement)
    keyed(parts.actions, actionsOf(job), action => action.key || action.name, action =>
      button("", null, event => act(event.currentTarget.action.name, job, event.currentTarget),
        action.danger ? "danger" : ""),
    (el, action) => {
      if (el.action?.name !== action.name) {
        const short = h("span", { class: "short", "aria-hidden": "true" }, action.short || action.label)
        fill(el, icon(action.icon), h("span", { class: "long" }, action.label), short)
      }
      el.action = action
      set(el, { "aria-label": action.label, title: action.key && `${action.label} (${action.key})` })
    })
    parts.more.hidden = !showsPages(job) && !can(job, "change")
    if (!focused || parts.actions.contains(document.activeElement)) return
    const next = parts.actions.firstElementChild || pane.querySelector(".more:not([hidden])") || parts.title
    next.focus()
  }

  function drawHead() {
    text(parts.title, nameOf(job))
    const isTwoSided = job.options.some(({ name, value }) => name === "sides" && value !== "one-sided")
    const paper = [job.paper?.label, isTwoSided && t("both-sides")].filter(Boolean).join(", ")
    const count = job.pages == null ? "" : t("n-pages", { n: job.pages })
    const pages = count && job.sheets ? t("pages-on-sheets", { pages: count, sheets: t("n-sheets", { n: job.sheets }) })
      : count
    const dot = () => h("span", { class: "dot-between wide-only" }, " · ")
    const who = [job.owner, job.printer].filter(Boolean), what = [pages, paper].filter(Boolean)
    const spread = (items, kind) =>
      items.map((item, index) => [(kind || index > 0) && dot(), h("span", { class: "wide-only" }, item)])
    fill(parts.sub, h("span", { class: "phone-only" }, [t("job-n", { n: String(job["job-id"]) }), ...who].join(" · ")),
      h("span", { class: "phone-only" }, what.join(", ")),
      spread(who), spread(what, true), spread([t("submitted", { time: time(job["time-at-creation"]) })], true))
  }

  function drawState() {
    const kind = tone(job) || (ended(job) || job.phase === "held" ? "calm" : "")
    const empty = () => h("div", { class: "grow" }, h("h2"), h("p"),
      h("div", { class: "pieces", "aria-hidden": "true" }), h("div", { class: "buttons" }))
    if (!parts.state.firstChild) fill(parts.state, h("span", { class: "state" }), empty())
    parts.state.className = "panel " + kind
    const [mark, body] = parts.state.children, [title, sentence, pieces, buttons] = body.children
    fill(mark, phaseIcon(job.phase, part(job)))
    const head = heading(job)
    text(title, head)
    text(sentence, job.condition ? conditionText({ page: job.cause?.page, ...job.condition }, head) : "")
    drawPieces(pieces)
    drawRemedies(buttons)
  }

  /** The buttons of the remedies that act on a printer. The remedies that act on the job are its actions. */
  function drawRemedies(buttons) {
    const run = (path, body) => post(path, body).then(refresh, report)
    const remedies = (job.condition?.remedies || []).filter(({ action }) =>
      action === "resume-printer" && session.administrator).map(({ printer }) =>
      [t("remedy.resume-printer", { printer }), "play", () => run(printerAPI(printer) + "/resume")])
    const repair = simulatedRepair(run)
    if (repair) remedies.push(repair)
    buttons.hidden = !remedies.length
    keyed(buttons, remedies, ([label]) => label, ([label, symbol, solve]) => button(label, symbol, solve), () => {})
  }

  /** The button that solves the problem of a simulated printer, as [label, icon, run]; nothing if there is none. */
  function simulatedRepair(run) {
    const { printer, cause, phase } = job, code = cause?.code
    const isSimulated = printers.some(({ name, simulated }) => name === printer && simulated)
    if (!isSimulated || !code || !session.administrator || !["stopped", "printing", "waiting"].includes(phase)) return
    if (/^media-(empty|needed|low)$/.test(code))
      return [t("simulator.load-open"), null, () => go(href(printerPath(printer)))]
    if (has("printers.clear." + code))
      return [t("printers.clear." + code), null, () => run(printerAPI(printer) + "/simulator/clear", { name: code })]
  }

  /** One segment for each page up to 40 pages, above that one bar. */
  function drawPieces(pieces) {
    const show = hasBar(job) || !ended(job) && job["pages-completed"] > 0
    pieces.hidden = !show
    pieces.style.gap = job.pages > 20 ? "2px" : ""
    if (!show) return
    const many = job.pages > most, done = job["pages-completed"], current = job.phase === "printing" ? done : -1
    const widths = many ? [part(job)]
      : Array.from({ length: job.pages }, (_, page) => page < done ? 1 : page === current ? 0.5 : 0)
    keyed(pieces, widths.map((width, page) => ({ width, page })), item => item.page,
      () => h("div", { class: "bar-line" }, h("i")),
      (el, { width }) => { el.firstChild.style.width = width * 100 + "%" })
  }

  function drawTimeline() {
    keyed(parts.lines, withDays(joinPages(job.timeline)), item => item.key,
      () => h("li", null, h("time"), h("span", { class: "knot" }), h("span")), (el, item) => {
      const [date, at] = [item.day, clock(item.time)]
      if (el.stamp !== date + at) fill(el.children[0], date && h("span", { class: "day" }, date), at)
      el.stamp = date + at
      set(el.children[0], { datetime: item.time })
      text(el.children[2], eventText(item))
    })
    parts.lines.className = `timeline ${ended(job) ? "" : "live"} ${tone(job)}`
  }

  /** On a phone the timeline appears only after it is asked for. */
  function showTimeline() {
    parts.history.classList.add("open")
    parts.history.scrollIntoView({ block: "nearest" })
  }

  /** Announces the selected job's changes: its state at once, its progress at most every 10 seconds. */
  function speak(before) {
    if (before.phase === job.phase &&
        (before["pages-completed"] === job["pages-completed"] || Date.now() - said[1] < 10000)) return
    const sentence = `${nameOf(job)}: ${heading(job)}`
    if (sentence === said[0]) return
    said = [sentence, Date.now()]
    announce(sentence)
  }

  return {
    show(id) {
      if (id === wanted && job) return nameWindow()
      ;[wanted, job, said] = [id, null, ["", 0]]
      // Until the job is loaded, the pane shows the job before, whose buttons must not act.
      pane.inert = Boolean(parts)
      load()
    },
    none() { wanted = null; close(); fill(pane, bar({ label: "" })) },
    refresh, check, job: () => job,
    take(answer) { if (answer["job-id"] === wanted) { taken = Date.now(); draw(answer) } },
    anchor: key => [...parts?.actions.children || []].find(el => el.action.key === key && el.checkVisibility()) ||
      pane.querySelector(".more") || pane,
    focus,
    why() {
      if (!parts) return false
      parts.state.tabIndex = -1
      parts.state.focus()
      parts.state.scrollIntoView({ block: "nearest" })
    },
    unmount() { refresh.cancel(); check.cancel(); request?.abort(); wanted = null; close() },
  }
}

const back = () => ({ label: t("jobs"), href: href("/jobs", route.query) })

const isPage = ({ kind }) => kind === "page"

/** The text of an event: the service's sentence, in other languages a sentence for its kind. */
function eventText({ kind, page, pages, text: sentence }) {
  if (lang === "en" && sentence) return sentence
  return page ? t("printing-page", { n: page, of: pages }) : word("timeline.", kind, sentence || kind)
}

/** Page events share one line: the last of a run replaces the others. */
function joinPages(events) {
  const lines = []
  for (const event of events) {
    const last = lines.at(-1)
    if (isPage(event) && last && isPage(last)) lines[lines.length - 1] = { ...event, key: last.key }
    else lines.push({ ...event, key: event.number })
  }
  return lines
}

/** Adds the day to the first event of each day, unless all events are of today. */
function withDays(events) {
  const today = day(new Date()), days = events.map(({ time }) => day(time))
  return events.map((event, i) => ({ ...event,
    day: days.every(one => one === today) || days[i] === days[i - 1] ? "" : days[i] }))
}

/** The rows of the details: printer, options that are set, files, origin. */
function details(job, showTimeline) {
  const row = (label, ...value) => h("div", null, h("dt", null, label), h("dd", null, value))
  const phone = el => set(el, { class: "phone-only" })
  const link = ({ number, name }) => h("a", {
    href: `/api/v1/jobs/${job["job-id"]}/documents/${number}`, download: name || true,
  }, name || t("document"))
  const format = ({ type, "document-format": media }) => type || (media || "").replace(/^.*\//, "").toUpperCase()
  return [
    job.pages > 0 && phone(row(t("printed"), t("n-of-pages", { n: job["pages-completed"], of: job.pages }))),
    phone(row(t("sent"), time(job["time-at-creation"]))),
    row(t("printer"), h("a", { href: href(printerPath(job.printer)) }, job.printer)),
    job.options.map(option =>
      row(word("detail.", option.name, option.label), word("value." + option.name + ".", option.value))),
    job["reprint-of"] && row(t("reprint-of"),
      h("a", { href: href("/jobs/" + job["reprint-of"]) }, t("job-n", { n: String(job["reprint-of"]) }))),
    job["moved-from"] && row(t("moved-from"), job["moved-from"]),
    job.documents.map(file => row(t("file"), file.kept ? link(file) : file.name || t("document"),
      h("span", null, ", " + [format(file), file.size != null && size(file.size)].filter(Boolean).join(", ")))),
    job.output && row(t("output"), job.output.file || job.output.folder),
    job.warnings.map(warning => row(t("note"), quote(warning))),
    phone(row(t("timeline"), h("button", { class: "link", onclick: showTimeline },
      t("n-events", { n: job.timeline.length })))),
  ]
}
