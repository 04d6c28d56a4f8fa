/**
 * Shows one page, sharp at each scale: the whole page at a low resolution, and above it tiles of the part that is
 * visible.
 */

import { h, set } from "../base/dom.js"
import { t } from "../base/words.js"
import { TextLayer } from "./text-layer.js"
import { hasImage, ladder, loadImage, paint, resolution } from "../pages/images.js"
import { pixels, tileSize, tiles } from "./zoom.js"

/** The tiles that stay in memory (1 MB each) besides those in view. */
const kept = 48

/** Returns the part of the paper that a rectangle of a page shows. Content is turned counterclockwise on the paper. */
function onPaper({ x, y, width, height }, page) {
  switch (page.turns) {
    case 1: return { x: y, y: page.width - x - width, width: height, height: width }
    case 2: return { x: page.width - x - width, y: page.height - y - height, width, height }
    case 3: return { x: page.height - y - height, y: x, width: height, height: width }
    default: return { x, y, width, height }
  }
}

/** One page on the desk. `content` above the tiles is for overlays in percent of the page. */
export class PageView {
  constructor() {
    this.base = h("canvas", { class: "base" })
    this.tileLayer = h("div", { class: "tiles" })
    this.content = h("div", { class: "marks" })
    this.failure = h("p")
    this.paperLayer = h("div", null, this.base, this.tileLayer, this.content)
    this.element = h("div", { class: "page-view", hidden: true }, this.failure, this.paperLayer)
    // An element with the role "img" hides its content from screen readers, so the text lies above it.
    this.text = new TextLayer()
    this.tiles = new Map()
  }

  /** The size of the paper, on which the content can be turned. */
  get paper() { return this.page.paper || this.page }

  /** Shows a page ({number, width, height, turns, …}) of a source, or nothing. The same page keeps its images. */
  show(source, page) {
    const key = page && [source.key, page.number, page.width, page.height].join()
    this.page = page
    if (key === this.key) return this.update()
    this.clear()
    Object.assign(this, { key, source, state: page?.state })
    this.element.hidden = !page
    this.text.show(source, page)
    set(this.element, { "data-loading": page && hasImage(source, page) && t("loading") })
    this.paperLayer.className = "paper-view turn-" + (page?.turns || 0)
  }

  /** Loads the images again when the side is printed: it may differ from the expected one. */
  update() {
    const before = this.state
    this.state = this.page?.state
    if (before === this.state || this.state !== "printed") return
    this.baseDPI = 0
    for (const key of this.tiles.keys()) this.drop(key)
  }

  /** Frees all images and stops loading. */
  clear() {
    this.loading?.abort()
    for (const key of this.tiles.keys()) this.drop(key)
    this.base.width = this.base.height = 0
    this.failure.textContent = ""
    this.key = this.baseDPI = this.loading = this.frame = null
  }

  /** Moves the page: the middle of the view shows `center` (points). Edges lie on device pixels. */
  place({ scale, center }, view, shift = 0) {
    if (!this.page) return
    const ratio = devicePixelRatio, snap = value => Math.round(value * ratio) / ratio
    const width = snap(this.page.width * scale), height = snap(this.page.height * scale)
    const left = snap(view.x + view.width / 2 + shift - center.x * scale)
    const top = snap(view.y + view.height / 2 - center.y * scale)
    const style = this.element.style
    style.width = width + "px"
    style.height = height + "px"
    style.transform = `translate(${left}px,${top}px)`
    const isTurned = this.page.turns % 2
    this.paperLayer.style.width = (isTurned ? height : width) + "px"
    this.paperLayer.style.height = (isTurned ? width : height) + "px"
    this.text.place(style, this.paperLayer.style, scale)
    this.frame = { left, top, width, height, scale }
  }

  /** Loads what the view of the size `bounds` shows at the current scale. Tiles are loaded only if `sharp`. */
  refine(bounds, sharp = true) {
    const { page, frame } = this
    if (!page || !frame) return
    const needed = resolution(frame.scale, devicePixelRatio)
    // A large sheet gets a coarser base, of at most four million pixels.
    const isSmall = ({ width, height }) => width * height < 4e6
    const base = this.source.whole ? 96
      : ladder.findLast(dpi => dpi <= Math.min(needed, 96) && isSmall(pixels(this.paper, dpi))) ?? 24
    this.loadBase(base)
    if (sharp) this.text.load()
    const x = Math.max(0, -frame.left), y = Math.max(0, -frame.top)
    const rect = {
      x: x / frame.scale, y: y / frame.scale,
      width: (Math.min(frame.width, bounds.width - frame.left) - x) / frame.scale,
      height: (Math.min(frame.height, bounds.height - frame.top) - y) / frame.scale,
    }
    const visible = sharp && !this.source.whole && needed > base && rect.width > 0 && rect.height > 0
    this.wanted = new Set()
    for (const tile of visible ? tiles(this.paper, needed, onPaper(rect, page)) : []) {
      const key = [needed, tile.x, tile.y].join()
      this.wanted.add(key)
      this.loadTile(key, needed, tile)
    }
    this.tidy()
  }

  async loadBase(dpi) {
    if (this.baseDPI >= dpi || !hasImage(this.source, this.page)) return
    this.loading?.abort()
    const { signal } = this.loading = new AbortController()
    this.baseDPI = dpi
    try {
      const bitmap = await loadImage(this.source.image(this.page, dpi), signal)
      if (signal.aborted) return bitmap.close()
      paint(this.base, bitmap)
      set(this.element, { "data-loading": null })
      this.failure.textContent = ""
      this.element.dataset.dpi = dpi
    } catch (problem) {
      if (signal.aborted) return
      // The next change of the view tries again.
      this.baseDPI = 0
      this.failure.textContent = problem.message
      set(this.element, { "data-loading": null })
    }
  }

  async loadTile(key, dpi, { x, y }) {
    const old = this.tiles.get(key)
    if (old) {
      this.tiles.delete(key)
      return void this.tiles.set(key, old)
    }
    const { width, height } = pixels(this.paper, dpi), percent = (part, all) => part / all * 100 + "%"
    const canvas = h("canvas", { style: {
      left: percent(x * tileSize, width), width: percent(Math.min(tileSize, width - x * tileSize), width),
      top: percent(y * tileSize, height), height: percent(Math.min(tileSize, height - y * tileSize), height),
      "z-index": ladder.indexOf(dpi),
    } })
    const tile = { canvas, dpi, loading: new AbortController() }, { signal } = tile.loading
    this.tiles.set(key, tile)
    try {
      const bitmap = await loadImage(this.source.image(this.page, dpi, { x, y }), signal)
      if (signal.aborted) return bitmap.close()
      paint(canvas, bitmap)
      tile.loading = null
      this.tileLayer.append(canvas)
      this.tidy()
    } catch {
      if (!signal.aborted) this.drop(key)
    }
  }

  /**
   * Stops loading tiles that left the view; removes other resolutions once the view is complete, and the oldest tiles.
   */
  tidy() {
    const complete = [...this.wanted].every(key => this.tiles.get(key)?.loading === null)
    for (const [key, tile] of this.tiles) {
      if (this.wanted.has(key)) continue
      const dpi = this.wanted.size ? Number([...this.wanted][0].split(",")[0]) : 0
      if (tile.loading || (complete && tile.dpi !== dpi) || this.tiles.size > this.wanted.size + kept) this.drop(key)
    }
    this.element.toggleAttribute("data-sharp", complete)
  }

  drop(key) {
    const { canvas, loading } = this.tiles.get(key)
    this.tiles.delete(key)
    loading?.abort()
    canvas.remove()
    canvas.width = canvas.height = 0
  }
}
