/** The page viewer: three page views (previous, current, next), however long the document. */

import { get, url } from "../base/api.js"
import { h, fill, later, paced, set, text } from "../base/dom.js"
import { on } from "../base/events.js"
import { icon } from "../base/icons.js"
import { number, t } from "../base/words.js"
import { addKeys } from "../frame/keys.js"
import { button, layout } from "../frame/layout.js"
import { close as closeView, href, printerJobPath, printerPath } from "../frame/router.js"
import { printerPages, spoolPages } from "../pages/images.js"
import { openSide, pageAddress, sideControl } from "../pages/sides.js"
import { faceName, PageList, pageLabel, pageName, thumbnails } from "../pages/thumbnails.js"
import { Desk } from "./desk.js"
import { PageView } from "./page-view.js"
import { loadStyle, viewerBar, zoomControl } from "./viewer-bar.js"
import { bounded, landing, views, wheelTurns } from "./zoom.js"

await loadStyle()

/** The printable area stays shown when another page or job is opened. */
let area = false

class Viewer extends Desk {
  offset = 1
  current = 1
  turns = wheelTurns()

  constructor(stage, options) {
    super(stage)
    Object.assign(this, options)
    this.views = [0, 1, 2].map(() => new PageView())
    stage.prepend(...this.views.flatMap(view => [view.element, view.text.element]))
  }

  get page() { return this.pageAt(this.current) }
  get stride() { return this.stage.clientWidth + 24 }
  get held() { return this.views?.[this.current % 3].zoom }
  set held(zoom) { if (this.views) this.views[this.current % 3].zoom = zoom }

  /** A page that is not loaded has the size of the first page. */
  pageAt(n) {
    const [first] = this.list.pages
    return this.list.pages[n - 1] || (first && { number: n, width: first.width, height: first.height })
  }

  measure() {
    const { clientWidth, clientHeight } = this.stage, phone = layout() === "phone"
    const side = phone ? 12 : clientWidth > 500 ? 60 : 28, top = clientWidth < 1000 ? 44 : 28, bottom = phone ? 12 : 28
    this.view = { x: side, y: top, width: Math.max(40, clientWidth - 2 * side),
      height: Math.max(40, clientHeight - top - bottom) }
  }

  draw() {
    const { current, list, view } = this
    views(current, list.count).forEach((n, i) => {
      const pageView = this.views[i], page = n && this.pageAt(n)
      if (pageView.page?.number !== n) pageView.zoom = pageView.carried?.number === n ? pageView.carried.zoom : null
      pageView.show(list.source, page)
      if (!page) return
      pageView.place(pageView.zoom || this.fitted(page), view, (n - this.offset) * this.stride)
      set(pageView.element, n === current
        ? { role: "img", "aria-label": pageName(list, page).join(""), "aria-hidden": null }
          : { role: null, "aria-label": null, "aria-hidden": "true" })
      this.mark(pageView, page)
    })
  }

  mark({ content }, { width, height, margins }) {
    if (!area || !margins) return void content.replaceChildren()
    const { top, right, bottom, left } = margins, part = (value, all) => value / all * 100 + "%"
    const mm = value => number(Math.round(value * 2540 / 72) / 100), sides = [top, right, bottom, left].map(mm)
    const words = new Set(sides).size === 1 ? t("viewer.margins", { mm: sides[0] })
      : t("viewer.margins-each", { top: sides[0], right: sides[1], bottom: sides[2], left: sides[3] })
    if (content.words === words && content.firstChild) return
    content.words = words
    fill(content, h("div", { class: "area", style: {
      top: part(top, height), bottom: part(bottom, height), left: part(left, width), right: part(right, width),
    } }, h("span", null, words)))
  }

  refine() {
    const bounds = { width: this.stage.clientWidth, height: this.stage.clientHeight }
    // The current page first: its images are the ones that the reader waits for.
    const isCurrent = view => view.page?.number === this.current
    for (const view of [...this.views].sort((a, b) => isCurrent(b) - isCurrent(a)))
      view.refine(bounds, isCurrent(view) && !this.animation)
  }

  /** Sets the position between pages. The page views are reassigned when it passes the middle of a page. */
  move(offset) {
    this.offset = offset
    const current = Math.min(Math.max(Math.round(offset), 1), this.list.count)
    if (current !== this.current) {
      this.current = current
      this.list.need(Math.max(0, current - 2), Math.min(current, this.list.count - 1))
      this.pageChanged()
    }
    this.changed()
  }

  /** Turns pages. A turn during the motion of the turn before begins where that one ends. */
  turnBy(pages) { this.turn((this.target ?? this.current) + pages) }

  stop() {
    super.stop()
    this.target = null
  }

  /** Shows a page; the next and the previous one slide in. The zoom stays. */
  turn(n) {
    if (!this.page) return
    n = Math.min(Math.max(n, 1), this.list.count)
    this.stop()
    const from = Math.abs(n - this.offset) <= 1.5 ? this.offset : n, held = this.held, next = this.views[n % 3]
    if (held && n !== this.current && this.page) {
      const zoom = { scale: held.scale, center: bounded(held.center, held.scale, this.pageAt(n), this.view) }
      next.carried = { number: n, zoom }
      if (next.page?.number === n) next.zoom = zoom
    }
    this.slide(from, n)
  }

  slide(from, to) {
    this.animate(part => this.move(from + (to - from) * part), () => {
      this.target = null
      for (const view of this.views) if (view.page?.number !== this.current) view.zoom = null
      this.zoomChanged()
      this.changed()
    })
    if (this.animation) this.target = to
  }

  excess(dx) {
    this.start ??= this.current
    // At the first and the last page a drag moves the page only a little.
    const offset = this.offset + dx / this.stride, out = offset < 1 || offset > this.list.count
    this.move(Math.min(Math.max(this.offset + dx / this.stride * (out ? 0.3 : 1), this.start - 1), this.start + 1))
  }

  pan(dx, dy, inside) {
    // A page between two places returns to its place before its content moves.
    if (this.page && !inside && this.offset !== this.current) return this.excess(-dx)
    super.pan(dx, dy, inside)
  }

  release(vx, vy) {
    if (this.offset === this.current) { this.start = null; return super.release(vx, vy) }
    const start = this.start ?? this.current
    this.start = null
    this.slide(this.offset, landing(this.offset, start, -vx, this.list.count))
  }

  wheel(dx, dy, event) {
    if (this.held) {
      const before = this.held.center
      this.stop()
      super.pan(-dx, -dy, true)
      const hasMoved = this.held?.center.x !== before.x || this.held?.center.y !== before.y
      if (hasMoved) return void (this.moved = event.timeStamp)
      // The momentum that took the page to its edge does not turn it.
      if (event.timeStamp - this.moved < 300) return void (this.moved = event.timeStamp)
    }
    const turn = this.turns(Math.abs(dx) > Math.abs(dy) ? dx : dy, event.timeStamp)
    if (turn) this.turnBy(turn)
  }

  close() {
    super.close()
    this.views.forEach(view => view.clear())
  }
}

let desk, list, strip, shown, parts, ends

/** Returns what a route shows: the pages of a job of the spool, or of a simulated printer. */
function subject({ id: job, name: printer, query }) {
  if (printer)
    return { job, printer, source: printerPages(printer, job), address: n => href(printerJobPath(printer, job, n)),
      home: href(printerPath(printer)) }
  const side = query.side === "document" ? "document" : "printed"
  return { job, side, source: spoolPages(job, side), address: n => pageAddress(job, side, n),
    home: href("/jobs/" + job), control: sideControl(side, openOther) }
}

/** Opens the viewer. */
export function mount({ main }, route) {
  const stage = h("div", { class: "stage", tabindex: 0, role: "group", "data-first": true })
  desk = new Viewer(stage, { pageChanged, zoomChanged: () => parts.zoom.show(),
    tap: () => layout() === "phone" && main.classList.toggle("bare") })
  const zoom = zoomControl(desk), download = route.name ? "viewer.download-image" : "viewer.download"
  parts = {
    main, stage, zoom, title: h("p", { class: "page-title" }), note: h("p", { class: "page-note", hidden: true }),
    previous: button(t("viewer.previous"), "back", () => desk.turnBy(-1), "icon-only turn previous",
      { disabled: true }),
    next: button(t("viewer.next"), "next", () => desk.turnBy(1), "icon-only turn next", { disabled: true }),
    area: h("button", { type: "button", class: "button toggle", "aria-label": t("viewer.area"),
      title: t("viewer.area") + " (A)", "aria-pressed": String(area), onclick: toggleArea }, icon("area"),
      h("span", null, t("viewer.area"))),
    download: h("a", { class: "button", download: true, "aria-label": t(download), title: t(download) },
      icon("download"), h("span", null, t(download))),
  }
  const keys = addKeys([
    { keys: ["ArrowRight", "ArrowDown"], label: "viewer.turn", show: "← →", run: event => arrow(event) },
    { keys: ["ArrowLeft", "ArrowUp"], run: event => arrow(event) },
    { keys: ["PageDown", " "], run: event => desk.turnBy(event.shiftKey ? -1 : 1) },
    { keys: ["PageUp"], run: () => desk.turnBy(-1) },
    { keys: ["Home"], run: () => desk.turn(1) },
    { keys: ["End"], run: () => desk.turn(list.count) },
    ...desk.zoomKeys(),
    { keys: ["a"], label: "viewer.area", show: "A", run: toggleArea },
    ...route.name ? [] : [{ keys: ["c"], label: "pages.side-compare", show: "C", run: () => openOther("compare") }],
    { keys: ["Escape"], run: () => closeView(shown.home) },
  ])
  const refresh = paced(() => {
    list.stale()
    return list.need(desk.current - 1)
  }, 500)
  const changed = ({ "job-id": job, printer }) => {
    if (job === shown.job && printer === (shown.printer ?? printer)) refresh()
  }
  ends = [keys, on("job", changed), on("reset", refresh), refresh.cancel]
  update(route, true)
}

/** Shows another page or side of the same job, or another job. */
export async function update(route, first = false) {
  const asked = subject(route)
  if (!first && asked.source.key === shown.source.key) {
    if (route.page !== desk.current) desk.turn(route.page)
    return
  }
  desk.stop()
  strip?.close()
  list?.close()
  shown = asked
  list = desk.list = new PageList(shown.source, loaded)
  desk.views.forEach(view => { view.show(); view.zoom = null })
  desk.current = desk.offset = route.page
  const sheets = h("nav", { class: "strip", "aria-label": t("viewer.sheets"), onclick: choose })
  strip = thumbnails(sheets, {
    axis: "y", box: { width: 85, height: 120 }, blank: true, gap: 14, bars: 44, pair: true, address: shown.address,
    caption: page => [page.blank ? t("pages.blank") : [pageLabel(page), faceName(list, page)].filter(Boolean).join(" "),
      shown.printer && stateOf(page)],
  })
  const bar = viewerBar(shown, parts.area, parts.zoom.element, parts.download)
  // A click on the name scrolls to the top of a zoomed page.
  bar.element.querySelector(".viewer-name").addEventListener("click", () => desk.pan(0, 1e6, true))
  const choosing = document.activeElement?.closest(".segments")
  fill(parts.main, bar.element, h("div", { class: "viewer-body" }, sheets,
    h("main", { class: "page-desk" }, parts.stage, parts.title, parts.note, parts.previous, parts.next)))
  if (!first) (choosing ? bar.element.querySelector("input:checked") : parts.stage).focus()
  const loading = list
  const [job] = await Promise.all([shown.side && get("jobs/" + shown.job).catch(() => null), list.need(route.page - 1)])
  if (loading !== list) return
  const detail = job || list.job
  if (detail || shown.printer) bar.show(detail || {})
  parts.detail = detail
  // The address may be beyond the end. The first page gives the size of pages that are not loaded.
  desk.current = desk.offset = Math.min(Math.max(route.page, 1), Math.max(list.count, 1))
  await Promise.all([list.need(0), list.need(desk.current - 1)])
  if (loading !== list) return
  pageChanged()
  desk.measure()
  desk.changed()
}

export function unmount() {
  desk.close()
  list.close()
  strip.close()
  ends.forEach(end => end())
  desk = list = strip = shown = null
}

function loaded() {
  set(parts.note, { hidden: !list.problem })
  text(parts.note, list.problem?.message || "")
  strip.show(list, desk.current - 1)
  desk.changed()
  if (desk.page) showTitle()
}

const replaceAddress = later(() => {
  // Only the address changes; the router has nothing to open. After "back", the entry may be that of another view
  // before this view is closed.
  if (!desk || !/\/pages\/\d+$/.test(location.pathname)) return
  history.replaceState(history.state, "", shown.address(desk.current))
}, 200)

/** Returns "waiting" or "printing" for a page that is not printed. A printer shows no image of such a page. */
function stateOf({ state }) {
  if (!shown.printer) return state === "waiting" ? state : ""
  return state === "printed" ? "" : state || "waiting"
}

function showTitle() {
  const [page, where] = pageName(list, desk.page), state = stateOf(desk.page)
  const place = where + (state ? ", " + t("pages." + state) : "")
  fill(parts.title, h("b", null, page), place)
  set(parts.stage, { "aria-label": page + place })
  text(document.getElementById("status"), page + place)
}

function pageChanged() {
  if (!desk.page) return
  const n = desk.current
  showTitle()
  strip.select(n - 1)
  set(parts.previous, { disabled: n <= 1 })
  set(parts.next, { disabled: n >= list.count })
  set(parts.download, { href: downloadAddress(n),
    download: shown.printer ? `${shown.printer}-${shown.job}-${n}.png` : true })
  replaceAddress()
}

/** The page image of a simulated printer, the printed sides as one PDF, or the document that contains the page. */
function downloadAddress(n) {
  const { job, side, source } = shown
  if (!side) return source.image({ number: n })
  if (side === "printed") return url(`jobs/${job}/sheets.pdf`)
  let rest = n
  const found = parts.detail?.documents?.find(document => (rest -= document.pages ?? Infinity) <= 0)
  return url(`jobs/${job}/documents/${found?.number ?? 1}`)
}

/** Arrow keys turn pages. In a zoomed page they move the page first. */
function arrow({ key, repeat }) {
  const horizontal = key === "ArrowLeft" || key === "ArrowRight"
  const direction = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1
  if (desk.held) {
    const { x, y } = desk.held.center, distance = -direction * (horizontal ? desk.view.width : desk.view.height) / 6
    desk.stop()
    desk.pan(horizontal ? distance : 0, horizontal ? 0 : distance, true)
    if (repeat || desk.held.center.x !== x || desk.held.center.y !== y) return
  }
  desk.turnBy(direction)
}

/** Turns to a thumbnail's page. Its link would add the page to the history. */
function choose(event) {
  const index = event.target.closest(".thumb")?.index
  if (index == null || event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  desk.turn(index + 1)
}

function toggleArea() {
  area = !area
  set(parts.area, { "aria-pressed": String(area) })
  desk.changed()
}

/** Opens the document or the comparison at the page that the printed side shows first. */
function openOther(other) {
  openSide(shown.job, other, desk.page?.pages?.[0] ?? desk.current)
}
