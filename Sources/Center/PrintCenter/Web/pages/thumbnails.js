/** Shows the thumbnails of all pages, grouped by sheet. Only visible thumbnails have elements and images. */

import { get } from "../base/api.js"
import { h, keyed, set, text } from "../base/dom.js"
import { has, number, t, translated } from "../base/words.js"
import { hasImage, loadImage, paint, resolution, thumbSize } from "./images.js"

const part = 200

/**
 * Returns a page as it is read: the paper of a page whose content is turned is shown turned. `paper`: the size of the
 * paper.
 */
const upright = page => page.turns % 2
  ? { ...page, width: page.height, height: page.width, paper: { width: page.width, height: page.height } } : page

/** The pages of a source (`spoolPages` or `printerPages`). They are loaded in parts of 200, when they are needed. */
export class PageList {
  constructor(source, changed) {
    Object.assign(this, { source, changed, pages: [], count: 0, blank: 0, parts: new Map(),
      ending: new AbortController() })
  }

  /** The number of pages, without blank backs. */
  get total() { return this.count - this.blank }

  /** Loads the pages with the indexes `from` to `to`. */
  need(from = 0, to = from) {
    const first = Math.floor(from / part)
    const numbers = Array.from({ length: Math.floor(to / part) - first + 1 }, (_, i) => first + i)
    for (const i of numbers) if (!this.parts.has(i)) this.parts.set(i, this.load(i))
    return Promise.all(numbers.map(i => this.parts.get(i)))
  }

  async load(i) {
    try {
      const query = { ...this.source.query, from: i * part + 1, limit: part }
      const { pages, available, reason, count, blank, job } = await get(this.source.list, query, this.ending.signal)
      const problem = available ? null : { message: translated("error.pages", reason) }
      Object.assign(this, { count, job, blank: blank || 0, problem })
      this.pages.length = Math.min(this.pages.length, count)
      for (const page of pages) this.pages[page.number - 1] = upright(page)
    } catch (problem) {
      if (problem.name === "AbortError") return
      // The next event of the job tries again.
      this.problem = problem
    }
    this.changed()
  }

  /** Marks the pages as stale. They are loaded again when they are next needed. */
  stale() { this.parts.clear() }

  close() { this.ending.abort() }
}

/** Returns the number that is printed below a page. */
export const pageLabel = ({ label, number: n }) => /\D/.test(label ?? n) ? label : number(Number(label ?? n))

/** Returns "front" or "back" in words, or "" for a page whose sheet has one side. */
export const faceName = (list, { face, number: n, sheet }) =>
  face === "back" || (face && list.pages[n]?.sheet === sheet) ? t("pages." + face) : ""

/** Returns the name of a page: "Page 2 of 5, sheet 1, back". */
export function pageName(list, page) {
  const face = faceName(list, page)
  const sheet = page.sheet ? ", " + t("pages.sheet-n", { n: page.sheet }) + (face && ", " + face) : ""
  return page.blank ? [t("pages.blank"), sheet] : [t("pages.page-of", { n: pageLabel(page), count: list.total }), sheet]
}

/**
 * Returns the indexes of the pages of each group: the sides of one sheet. Pages without a known sheet come `per` to a
 * group.
 */
function groups(pages, count, per) {
  const list = []
  for (let i = 0; i < count; i++) {
    const page = pages[i], before = pages[i - 1]
    if (page?.sheet && before ? page.sheet !== before.sheet : i % per === 0) list.push([i]); else list.at(-1).push(i)
  }
  return list
}

/**
 * Keeps elements for the visible items of a scrolling element, along `axis` ("x" or "y").
 * `create()` returns an element; `update(element, index)` fills it.
 */
export function virtual(scroller, axis, create, update) {
  const [offset, length, place, extent] =
    axis === "x" ? ["scrollLeft", "clientWidth", "left", "width"] : ["scrollTop", "clientHeight", "top", "height"]
  const space = scroller.appendChild(h("div", { class: "space" }))
  let starts = [0]
  const at = position => Math.min(Math.max(starts.findLastIndex(start => start <= position), 0),
    Math.max(starts.length - 2, 0))
  const draw = () => {
    const view = scroller[length], count = starts.length - 1
    // Behind a full view the list has no size, and keeps its elements.
    if (!view) return
    const from = at(scroller[offset] - view / 2), to = at(scroller[offset] + view * 1.5)
    const shown = Array.from({ length: count && to - from + 1 }, (_, i) => from + i)
    // The element with the focus stays, or the focus would be lost.
    const held = [...space.children].find(el => el.contains(document.activeElement))?.item
    if (held < from) shown.unshift(held)
    else if (held > to && held < count) shown.push(held)
    keyed(space, shown, i => i, create, (el, i) => {
      el.item = i
      el.style[place] = starts[i] + "px"
      update(el, i)
    })
  }
  const resize = new ResizeObserver(draw)
  resize.observe(scroller)
  scroller.addEventListener("scroll", draw, { passive: true })
  return {
    draw,
    /** Sets the size of each item. The first visible item keeps its place. */
    set(sizes) {
      const first = at(scroller[offset]), inside = scroller[offset] - starts[first]
      starts = [0]
      for (const size of sizes) starts.push(starts.at(-1) + size)
      space.style[extent] = starts.at(-1) + "px"
      if (first) scroller[offset] = starts[Math.min(first, sizes.length)] + inside
      draw()
    },
    /** Scrolls until an item is visible. */
    reveal(i) {
      if (!(i in starts)) return
      scroller[offset] = Math.min(starts[i], Math.max(scroller[offset], starts[i + 1] - scroller[length]))
      draw()
    },
    close: () => resize.disconnect(),
  }
}

/**
 * Shows the thumbnails of a page list in `scroller`.
 * `box`: the largest size of a thumbnail; `blank`: shows blank backs; `pair`: shows two pages without a sheet together;
 * `gap`: pixels between sheets; `bars`: height of the lines beside a thumbnail; `caption(page)`: returns [text, state].
 */
export function thumbnails(scroller, { axis, box, blank, pair, gap, bars, caption, address }) {
  let list, sheets = [], current = -1, focus = 0
  const size = i => thumbSize(list.pages[i] || list.pages[0] || { width: 595, height: 842 }, box)
  const width = i => Math.max(size(i).width, 72)
  const seen = new IntersectionObserver(entries => {
    for (const { target, isIntersecting } of entries) isIntersecting ? load(target) : target.loading?.abort()
  }, { rootMargin: "200px" })

  async function load(el) {
    const { source, pages } = list, page = pages[el.index]
    if (!page || !hasImage(source, page)) return
    const { width } = size(el.index), dpi = Math.min(resolution(width / page.width, devicePixelRatio), 96)
    // The image of a printed side may differ from the one that was expected.
    const key = [source.key, page.number, dpi, page.state === "printed"].join()
    if (el.shown === key) return
    el.shown = key
    el.loading = new AbortController()
    const scaled = source.whole && Math.round(width * devicePixelRatio)
    try {
      paint(el.querySelector("canvas"), await loadImage(source.image(page, dpi), el.loading.signal, scaled))
      el.isPainted = true
      set(el.firstChild, { "data-loading": null })
    } catch {
      el.shown = null
    }
  }

  function thumb(el, index) {
    const page = list.pages[index], [words, state] = page ? caption(page) : [number(index + 1), "loading"]
    el.index = index
    set(el, {
      href: address(index + 1), "data-state": state, "data-number": index + 1,
      "aria-current": index === current && "page",
      "aria-label": page ? pageName(list, page).join("") + (state ? ", " + t("pages." + state) : "") : words,
      tabindex: index === focus ? 0 : -1,
      style: { width: width(index) + "px", "--w": size(index).width + "px", "--h": size(index).height + "px" },
    })
    text(el.lastChild, words)
    set(el.firstChild, { class: "leaf turn-" + (page?.turns || 0),
      "data-loading": !el.isPainted && (!page || hasImage(list.source, page)) && t("loading") })
    seen.unobserve(el)
    seen.observe(el)
  }

  const items = virtual(scroller, axis,
    () => h("div", { class: "sheet-group", role: "group" }, h("div", { class: "sides" }),
      h("div", { class: "sheet-name" })),
    (el, i) => {
      const indexes = sheets[i], sheet = list.pages[indexes[0]]?.sheet
      const name = sheet ? t("pages.sheet", { n: sheet }) : ""
      list.need(indexes[0], indexes.at(-1))
      set(el, { "aria-label": name || null })
      text(el.lastChild, name)
      keyed(el.firstChild, indexes, index => index, () => h("a", { class: "thumb", draggable: "false" },
        h("span", { class: "leaf" }, h("canvas")), h("span", { class: "caption" })), thumb)
    })
  /** Keeps one page in view that the Tab key reaches. */
  function settle() {
    if (scroller.contains(document.activeElement) || scroller.querySelector(".thumb[tabindex='0']")) return
    focus = scroller.querySelector(".thumb")?.index ?? focus
    items.draw()
  }
  scroller.addEventListener("scrollend", settle)
  const reveal = index => items.reveal(sheets.findIndex(indexes => indexes.includes(index)))

  scroller.addEventListener("focusin", event => { focus = event.target.index ?? focus })
  scroller.addEventListener("keydown", event => {
    const move = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key]
    if (event.ctrlKey || event.metaKey || event.altKey || !(move || event.key === " ")) return
    event.preventDefault()
    if (!move) return event.target.click()
    const flat = sheets.flat()
    focus = flat[Math.min(Math.max(flat.indexOf(focus) + move, 0), flat.length - 1)]
    reveal(focus)
    scroller.querySelector(`[data-number="${focus + 1}"]`)?.focus()
  })
  return {
    /** Shows a list, or the changes of the same list. */
    show(pages, shown = -1) {
      list = pages
      current = shown
      const first = list.pages.filter(page => page?.sheet === 1).length || 1
      sheets = groups(list.pages, list.count, list.source.side === "printed" ? first : pair ? 2 : 1)
      if (!blank) sheets = sheets.map(indexes => indexes.filter(i => !list.pages[i]?.blank))
        .filter(indexes => indexes.length)
      if (focus >= list.count) focus = 0
      items.set(sheets.map(indexes => gap + (axis === "x"
        ? indexes.reduce((sum, i) => sum + width(i) + 8, -8) : bars + Math.max(...indexes.map(i => size(i).height)))))
    },
    /** Marks a page as the current one, and scrolls to it. */
    select(index) {
      current = focus = index
      reveal(index)
      items.draw()
    },
    reveal,
    close() { items.close(); seen.disconnect() },
  }
}
