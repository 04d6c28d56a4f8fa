/** The tools of the job list that few visits need: its filter menu, and the actions of the edit mode. */

import { session } from "../base/api.js"
import { fill, h } from "../base/dom.js"
import { printers } from "../base/spool.js"
import { t } from "../base/words.js"
import { button } from "../frame/layout.js"
import { menu } from "../frame/popover.js"
import { bulk, choosePrinter } from "./job-actions.js"

/** Opens the choice of owner and printer. `change(query)` applies it; `extra` is a further item or false. */
export function filterMenu(anchor, { printer, owner }, change, extra) {
  const item = (label, checked, query) => ({ label, checked, run: () => change(query) })
  menu(anchor, t("filter"), [
    ...extra ? [extra] : [],
    item(t("everyone"), !owner, { owner: "" }), item(t("my-jobs"), owner === session.user, { owner: session.user }),
    null,
    item(t("all-printers"), !printer, { printer: "" }),
    ...printers.map(({ name }) => item(name, printer === name, { printer: name }))])
}

/** Shows the actions for the chosen jobs in `box`. The buttons stay while the number of jobs stays. */
export function bulkTools(box, jobs, done) {
  const held = jobs.length && jobs.every(job => job.phase === "held"), stamp = jobs.length + (held ? "held" : "")
  box.jobs = jobs
  if (box.stamp === stamp && box.firstChild) return
  box.stamp = stamp
  const run = action => event => bulk(action, box.jobs, event.currentTarget, done)
  const off = { disabled: !jobs.length }
  fill(box, h("span", { class: "grow", role: "status" }, t("n-selected", { n: jobs.length })),
    held ? button(t("release"), "play", run("release"), "", off) : button(t("hold"), "pause", run("hold"), "", off),
    button(t("move"), "move", event =>
      choosePrinter(event.currentTarget, null, printer => bulk("move", box.jobs, box, done, printer)), "", off),
    button(t("cancel"), "close", run("cancel"), "danger", off))
}
