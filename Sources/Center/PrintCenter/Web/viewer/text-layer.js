/** The text of a page above its image, for screen readers and to select it. */

import { get } from "../base/api.js"
import { fill, h, set } from "../base/dom.js"
import { t } from "../base/words.js"
import { hasImage } from "../pages/images.js"

const measure = new OffscreenCanvas(1, 1).getContext("2d")
measure.font = "100px sans-serif"

/** The text layer of one page view. The words are transparent; the image below shows them. */
export class TextLayer {
  constructor() {
    this.paper = h("div", { class: "paper-view" })
    this.element = h("div", { class: "page-text", hidden: true }, this.paper)
  }

  /** Forgets the words. `load` asks for those of the page when it is in view. */
  show(source, page) {
    this.loading?.abort()
    this.loading = null
    this.paper.replaceChildren()
    this.element.hidden = true
    this.source = source?.words && page && hasImage(source, page) ? source : null
    this.page = page
    this.paper.className = "paper-view turn-" + (page?.turns || 0)
  }

  /** Lies where the page lies. */
  place({ width, height, transform }, paper, scale) {
    Object.assign(this.element.style, { width, height, transform })
    Object.assign(this.paper.style, { width: paper.width, height: paper.height })
    this.paper.style.setProperty("--scale", scale)
  }

  async load() {
    if (!this.source || this.loading || !this.element.isConnected) return
    const { signal } = this.loading = new AbortController()
    // A page without its text is still shown.
    const { words } = await get(...this.source.words(this.page)).catch(() => ({ words: [] }))
    if (signal.aborted || !words.length) return
    set(this.element, { role: "group", "aria-label": t("viewer.text") })
    fill(this.paper, ...words.flatMap(word => [this.span(word), word.end && h("br")]))
    this.element.hidden = false
  }

  span({ text, x, y, width, height }) {
    const size = height * 0.85, own = measure.measureText(text).width / 100 * size
    return h("span", { style: {
      "--x": x, "--y": y, "--size": size, "--stretch": own > 0 ? width / own : 1,
    } }, text + " ")
  }
}
