/** The section "Pages" of the job detail. */

import { fill, h, paced, set, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { t } from "../base/words.js"
import { layout } from "../frame/layout.js"
import { go } from "../frame/router.js"
import { troubled } from "../jobs/jobtext.js"
import { spoolPages } from "./images.js"
import { pageAddress, sideControl } from "./sides.js"
import { PageList, pageLabel, thumbnails } from "./thumbnails.js"

/** Returns {el, update(job), unmount()}. */
export function pagesPanel({ job }) {
  let side = "printed", list, touched = false, revealed
  const id = job["job-id"], size = layout() === "phone" ? 170 : innerWidth >= 1800 ? 300 : 188
  const row = h("div", { class: "thumbs" }), note = h("p", { class: "quiet", hidden: true })
  const control = sideControl(side, value => {
    if (value === "compare") return go(pageAddress(id, "compare", 1))
    side = value
    open()
  })
  const el = h("section", { class: "pages", "aria-label": t("pages.title") },
    h("div", { class: "pages-head" }, h("h2", null, t("pages.title")), !job.withheld && control),
    h("div", { class: "pages-desk", style: { "--thumb": size + "px" } }, row, note))
  if (job.withheld) {
    fill(row, h("div", { class: "thumb locked" }, h("span", { class: "leaf" }, icon("lock")),
      h("span", { class: "caption" }, t("pages.not-yours"))))
    return { el, update() {}, unmount() {} }
  }
  const view = thumbnails(row,
    { axis: "x", box: { width: size, height: size }, gap: 24, caption, address: n => pageAddress(id, side, n) })
  for (const name of ["pointerdown", "wheel", "keydown"])
    row.addEventListener(name, () => { touched = true }, { passive: true })

  /** Returns the index of the page that is printing, or before which the job stopped. */
  const present = () =>
    list.pages.findIndex(page => page?.state === "printing" || troubled(job) && page?.state === "waiting")

  function caption(page) {
    const state = list.pages[present()] !== page ? page.state : troubled(job) ? "stopped" : "printing"
    const label = pageLabel(page)
    if (!["stopped", "printing"].includes(state)) return [label, state]
    return [t("pages.state", { page: label, state: t("pages." + state) }), state]
  }

  function changed() {
    text(set(note, { hidden: !list.problem }), list.problem?.message || "")
    view.show(list)
    const index = present()
    // The printing page stays in view until the reader scrolls.
    if (!touched && index > 0 && index !== revealed) view.reveal(revealed = index)
  }

  function open() {
    list?.close()
    list = new PageList(spoolPages(id, side), changed)
    list.count = job.pages || 0
    list.need()
    changed()
  }

  const refresh = paced(() => {
    list.stale()
    return list.need(Math.max(0, present()))
  }, 500)
  open()
  return {
    el,
    update(now) {
      const members = ["phase", "impressions-completed", "pages-completed", "pages", "sheets"]
      if (members.some(name => now[name] !== job[name])) refresh()
      job = now
    },
    unmount() { refresh.cancel(); view.close(); list.close() },
  }
}
