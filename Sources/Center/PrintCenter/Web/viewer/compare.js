/** Compares a page of the document with its printout: side by side, overlaid, or in turn. */

import { get } from "../base/api.js"
import { h, fill, set, text } from "../base/dom.js"
import { has, number, quote, t } from "../base/words.js"
import { addKeys } from "../frame/keys.js"
import { layout, segments } from "../frame/layout.js"
import { close as closeView, go, href } from "../frame/router.js"
import { spoolPages } from "../pages/images.js"
import { openSide, pageAddress, sideControl } from "../pages/sides.js"
import { PageList, virtual } from "../pages/thumbnails.js"
import { Desk } from "./desk.js"
import { PageView } from "./page-view.js"
import { loadStyle, viewerBar, zoomControl } from "./viewer-bar.js"
import { actual, bounded } from "./zoom.js"

await loadStyle()

const sides = ["document", "printed"]
let mode = "side"

class Compare extends Desk {
  held = null
  views = sides.map(() => new PageView())

  constructor(stage, options) {
    super(stage)
    Object.assign(this, options)
  }

  measure() {
    const { clientWidth, clientHeight } = this.stage, pane = mode === "side" ? clientWidth / 2 : clientWidth
    const edge = clientWidth < 700 ? 12 : 36, width = Math.max(40, pane - (mode === "side" ? 1.5 : 2) * edge)
    // The pages begin below their captions.
    this.stage.style.setProperty("--edge", edge + "px")
    const height = Math.min(Math.max(40, clientHeight - 82),
      this.page ? width * this.page.height / this.page.width : 1e9)
    this.view = { x: edge, y: 54, width, height }
  }

  anchor(point) {
    const at = super.anchor(point)
    return mode === "side" && point.x > 0 ? { x: at.x - this.stage.clientWidth / 2 + this.view.x / 2, y: at.y } : at
  }

  draw() {
    this.views.forEach((view, i) => view.place(this.zoom, this.view, mode === "side" && i ? -this.view.x / 2 : 0))
  }

  refine() {
    const { clientWidth, clientHeight: height } = this.stage
    const bounds = { width: mode === "side" ? clientWidth / 2 : clientWidth, height }
    for (const view of this.views) view.refine(bounds)
  }

  /** Zooms until an area fills half of the view. */
  zoomTo({ x, y, width, height }) {
    const { page, view } = this, scale = Math.min(view.width / width / 2, view.height / height / 2, 4 * actual)
    this.stop()
    this.hold({ scale: Math.max(scale, this.fit),
      center: bounded({ x: x + width / 2, y: y + height / 2 }, Math.max(scale, this.fit), page, view) })
  }

  close() {
    super.close()
    this.views.forEach(view => view.clear())
  }
}

let desk, parts, job, page, lists, rows, results, asking, ends, timer

export function mount({ main }, route) {
  const mix = h("input", { type: "range", min: 0, max: 100, value: 50, "aria-label": t("compare.mix"),
    oninput: applyMode })
  const stage = h("div", { class: "stage", tabindex: 0, role: "group", "data-first": true })
  desk = new Compare(stage, { zoomChanged: () => parts.zoom.show() })
  parts = {
    main, stage, mix, zoom: zoomControl(desk), notes: sides.map(() => h("span")),
    title: h("h2"), found: h("ol"), all: h("nav", { class: "all-pages", "aria-label": t("compare.all") }),
    foot: h("p", { class: "quiet" }),
  }
  fill(stage, sides.map((side, i) => h("figure", { "data-side": side }, desk.views[i].element,
    h("figcaption", null, h("b", null, t("pages.side-" + side)), parts.notes[i]))), mix)
  const choose = value => () => {
    mode = value
    parts.modes.querySelector(`[value=${value}]`).checked = true
    applyMode()
  }
  const turn = by => () => page + by >= 1 && page + by <= lists[0].count &&
    go(pageAddress(job, "compare", page + by), { replace: true })
  const leave = side => openSide(job, side, side === "printed" ? results.get(page)?.answer?.printed ?? page : page)
  parts.modes = segments(t("compare.mode"), ["side", "overlay", "blink"].map(key => [key, t("compare." + key)]), mode,
    value => choose(value)())
  ends = [addKeys([
    { keys: ["ArrowRight", "PageDown"], label: "viewer.turn", show: "← →", run: turn(1) },
    { keys: ["ArrowLeft", "PageUp"], run: turn(-1) },
    ...desk.zoomKeys(),
    { keys: ["s"], label: "compare.side", show: "S", run: choose("side") },
    { keys: ["o"], label: "compare.overlay", show: "O", run: choose("overlay") },
    { keys: ["b"], label: "compare.blink", show: "B", run: choose("blink") },
    { keys: [" "], run: () => stage.toggleAttribute("data-printed") },
    { keys: ["Escape"], run: () => closeView(href("/jobs/" + job)) },
  ]), () => clearInterval(timer)]
  job = route.id
  asking = new AbortController()
  results = new Map()
  lists = sides.map(side => new PageList(spoolPages(job, side), listed))
  const bar = viewerBar({ job, home: href("/jobs/" + job), control: sideControl("compare", leave) }, parts.modes,
    parts.zoom.element)
  rows = virtual(parts.all, "y", () => h("a", { class: "page-row" }, h("span"), h("span")), row)
  fill(main, bar.element, h("div", { class: "viewer-body" }, h("main", { class: "page-desk" }, stage),
    h("aside", { class: "found" }, h("div", { class: "found-list" }, parts.title, parts.found),
      h("h2", null, t("compare.all")), parts.all, parts.foot)))
  applyMode()
  describe(bar, asking.signal)
  update(route)
}

/** Shows the name of the job, and what is compared. */
async function describe(bar, signal) {
  const detail = await get("jobs/" + job, null, signal).catch(() => null)
  parts.detail = detail
  if (detail) {
    bar.show(detail)
    const type = detail.documents?.[0]?.type, paper = detail.paper?.label
    text(parts.notes[0], [type, paper].filter(Boolean).join(", "))
    parts.paper = [detail.printer, paper].filter(Boolean).join(", ")
    text(parts.notes[1], parts.paper)
  }
}

export async function update(route) {
  if (route.id !== job) {
    const { main } = parts
    unmount()
    return mount({ main }, route)
  }
  page = route.page
  desk.held = null
  const result = ask(page)
  if (!result.answer) text(parts.title, t("compare.working", { n: page }))
  await lists[0].need(page - 1)
  if (!desk || page !== route.page) return
  listed()
  show(0, lists[0].pages[page - 1])
  if (!result.answer) show(1)
  desk.measure()
  await result.done
  if (!desk || page !== route.page) return
  const { answer, problem } = result
  const side = answer ? answer.printed === undefined ? page : answer.printed : null
  if (side) await lists[1].need(side - 1)
  if (!desk || page !== route.page) return
  const paper = side && lists[1].pages[side - 1]
  show(1, paper)
  for (const view of desk.views) mark(view, paper || view.page, answer?.differences || [])
  showFound(answer, problem)
  desk.measure()
  if (desk.page) desk.hold(desk.zoom)
}

export function unmount() {
  asking.abort()
  desk.close()
  rows.close()
  lists.forEach(list => list.close())
  ends.forEach(end => end())
  desk = job = null
}

function show(i, shown) {
  const view = desk.views[i]
  view.show(lists[i].source, shown)
  view.content.replaceChildren()
  set(view.element, { role: "img", "aria-label": t("pages.side-" + sides[i]) + ", " + t("compare.page", { n: page }) })
}

/** Shows the list of pages and the size of the page as soon as they are known. */
function listed() {
  const [list] = lists
  desk.page = list.pages[page - 1] || list.pages[0]
  rows.set(new Array(list.count).fill(layout() === "phone" ? 44 : 30))
  rows.reveal(page - 1)
  if (list.problem) text(parts.title, list.problem.message)
}

/** Asks for the differences of a page once. Pages are compared one after another. */
function ask(n) {
  if (!results.has(n)) {
    const result = {}
    results.set(n, result)
    result.done = compare(n, result)
  }
  return results.get(n)
}

async function compare(n, result) {
  const { signal } = asking
  while (!result.answer && !result.problem && !signal.aborted) {
    try {
      result.answer = await get(`jobs/${job}/compare/${n}`, null, signal)
    } catch (problem) {
      // 503: the server draws other pages first.
      if (problem.status === 503) await new Promise(resolve => setTimeout(resolve, 1000))
      else result.problem = problem
    }
  }
  if (!signal.aborted) rows.draw()
}

let queue = Promise.resolve()
const count = answer => answer.same ? 0 : new Set(answer.differences.map(difference => difference.number)).size
const summary = answer =>
  answer.printed === null ? t("pages.waiting") : count(answer) ? t("compare.differences", { n: count(answer) })
    : t("compare.same")

function row(el, i) {
  set(el, { href: pageAddress(job, "compare", i + 1), "aria-current": i + 1 === page && "page" })
  text(el.firstChild, t("compare.page", { n: i + 1 }))
  const result = results.get(i + 1)
  text(el.lastChild, result?.answer ? summary(result.answer) : result?.problem ? "–" : "")
  if (!result) queue = queue.then(() => el.isConnected && desk && ask(i + 1).done)
}

/**
 * Draws the numbered areas, whose places are those of the printed side. Of the area outside the printable area, only
 * that part is hatched.
 */
function mark({ content }, paper, list) {
  if (!paper) return
  const part = (value, all) => value / all * 100 + "%", numbered = new Set()
  fill(content, list.map(({ number: n, x, y, width, height, cause }) => {
    const el = h("div", { class: "difference", "data-cause": cause, style: {
      left: part(x, paper.width), width: part(width, paper.width), top: part(y, paper.height),
      height: part(height, paper.height),
    } })
    if (cause === "printable-area" && paper.margins)
      el.append(h("i", { style: { "clip-path": outside({ x, y, width, height }, paper) } }))
    if (!numbered.has(n)) el.append(h("b", null, number(n)))
    numbered.add(n)
    return el
  }))
}

/** Returns the clip path of the part of an area that lies outside the printable area. */
function outside({ x, y, width, height }, { margins: { top, right, bottom, left }, ...page }) {
  const part = (value, all) => Math.min(Math.max(value / all * 100, 0), 100) + "%"
  const x0 = part(left - x, width), x1 = part(page.width - right - x, width), y0 = part(top - y, height)
  const y1 = part(page.height - bottom - y, height)
  const inner = [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]].map(point => point.join(" ")).join(", ")
  return `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${inner})`
}

function showFound(answer, problem) {
  if (!answer && !problem) return
  const gray = answer?.differences.some(difference => difference.cause === "color")
  text(parts.notes[1], [parts.paper, gray && t("compare.gray")].filter(Boolean).join(", "))
  text(parts.title, problem ? problem.message : t("compare.title", { page, differences: summary(answer) }))
  text(document.getElementById("status"), parts.title.textContent)
  const first = new Map()
  for (const difference of answer?.differences || [])
    if (!first.has(difference.number)) first.set(difference.number, difference)
  fill(parts.found, [...first.values()].map(difference => h("li", null,
    h("button", { type: "button", onclick: () => desk.zoomTo(difference) },
      h("b", { class: "n" }, number(difference.number)), t("compare.cause-" + difference.cause)),
    h("p", null, quote(difference.detail)),
    difference.remedy && (difference.reprint
      ? h("button", { type: "button", class: "link",
        onclick: event => reprint(event.currentTarget, difference.reprint) }, remedy(difference))
      : h("p", null, quote(difference.remedy))))))
  text(parts.foot, answer?.tolerance ? t("compare.how", { tolerance: answer.tolerance, dpi: answer.dpi }) : "")
}

/** Returns the text of a remedy in the language of the page. */
function remedy({ remedy: words, reprint: { printer, options } }) {
  const name = printer ? "printer" : Object.keys(options || {})[0] || "again"
  return has("compare.remedy-" + name) ? t("compare.remedy-" + name, { printer }) : words
}

/** Opens the form of a reprint with the options that correct a difference. */
async function reprint(anchor, changes) {
  const { reprint: open } = await import("../jobs/job-options.js")
  if (parts.detail) open(parts.detail, anchor, changes)
}

/** Shows the present mode. Blinking changes once a second; with less motion only the space bar changes it. */
function applyMode() {
  parts.stage.dataset.mode = mode
  parts.stage.style.setProperty("--mix", parts.mix.value / 100)
  parts.mix.hidden = mode !== "overlay"
  clearInterval(timer)
  if (mode === "blink" && !matchMedia("(prefers-reduced-motion: reduce)").matches)
    timer = setInterval(() => parts.stage.toggleAttribute("data-printed"), 1000)
  desk.measure()
  desk.changed()
}
