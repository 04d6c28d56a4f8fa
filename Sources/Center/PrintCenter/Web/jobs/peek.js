/** Shows the first page of a job while the pointer rests on its row. */

import { h } from "../base/dom.js"
import { spoolPages } from "../pages/images.js"

const wait = 500

/** Follows the pointer over the rows of `box`. Returns a function that ends it. */
export function startPeeks(box) {
  let timer, shown = null
  const image = h("img", { alt: "" }), frame = h("div", { class: "peek", "aria-hidden": "true", hidden: true }, image)
  document.body.append(frame)
  image.addEventListener("error", () => { frame.hidden = true })
  image.addEventListener("load", () => { if (shown) frame.hidden = false })
  const end = () => {
    clearTimeout(timer)
    shown = null
    frame.hidden = true
  }
  const over = event => {
    const row = event.target.closest("[role=option]")
    if (row === shown || event.pointerType === "touch") return
    end()
    if (!row?.job?.pages || row.job.withheld) return
    shown = row
    timer = setTimeout(() => {
      const { right, top } = row.getBoundingClientRect()
      frame.style.left = right + 12 + "px"
      frame.style.top = Math.max(12, Math.min(top, innerHeight - 300)) + "px"
      image.src = spoolPages(row.job["job-id"], "printed").image({ number: 1 }, 48)
    }, wait)
  }
  const events = { pointerover: over, pointerleave: end, pointerdown: end, scroll: end, keydown: end }
  for (const name in events) box.addEventListener(name, events[name], { passive: true })
  return () => {
    end()
    frame.remove()
    for (const name in events) box.removeEventListener(name, events[name])
  }
}
