/** The tools of the job list that few visits need: its filter menu, and the actions of the edit mode. */

import { session } from "../base/api.js"
import { fill, h } from "../base/dom.js"
import { printers } from "../base/spool.js"
import { t } from "../base/words.js"
import { button } from "../frame/layout.js"
import { menu } from "../frame/popover.js"
import { bulk, choosePrinter } from "./job-actions.js"
import { can } from "./jobtext.js"

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

/**
 * Shows the actions for the chosen jobs in `box`: those that at least one of the jobs allows, and while no job is
 * chosen all. The buttons stay while the actions and the number of jobs stay. `selectAll()` chooses all jobs.
 */
export function bulkTools(box, jobs, selectAll, done) {
  const allows = name => !jobs.length ? name !== "release" : jobs.some(job =>
    can(job, name) && (name !== "hold" || job.phase !== "held"))
  const names = ["release", "hold", "move", "reprint", "cancel"].filter(allows), stamp = [jobs.length, ...names].join()
  box.jobs = jobs
  if (box.stamp === stamp && box.firstChild) return
  box.stamp = stamp
  const run = action => event => bulk(action, box.jobs, event.currentTarget, done)
  const move = event =>
    choosePrinter(event.currentTarget, null, printer => bulk("move", box.jobs, box, done, printer))
  const icons = { release: "play", hold: "pause", move: "move", reprint: "reprint", cancel: "close" }
  const focused = box.contains(document.activeElement) && document.activeElement.dataset.key
  fill(box, h("span", { class: "grow", role: "status" }, t("n-selected", { n: jobs.length })),
    button(t("select-all"), null, selectAll, "", { "data-key": "all" }),
    names.map(name => button(t(name === "reprint" ? "key.reprint" : name), icons[name],
      name === "move" ? move : run(name), name === "cancel" ? "danger" : "",
      { disabled: !jobs.length, "data-key": name })))
  if (focused) (box.querySelector(`[data-key=${focused}]:enabled`) || box.querySelector("button")).focus()
}
