/** The view of printers: the list, and beside it a printer, its log, or the form that adds a printer. */

import { get, session } from "../base/api.js"
import { fill, h, keyed, paced, redraw, set, text } from "../base/dom.js"
import { on } from "../base/events.js"
import { icon, phaseIcon } from "../base/icons.js"
import { report } from "../base/messages.js"
import { onSpool, printers } from "../base/spool.js"
import { number, quote, t, word } from "../base/words.js"
import { addKeys } from "../frame/keys.js"
import { bar, closeList, layout, openList, sidebarButton } from "../frame/layout.js"
import { go, href, printerPath, route } from "../frame/router.js"
import { part } from "../jobs/jobtext.js"
import { back, condition } from "./parts.js"

const needsAttention = ({ phase }) => ["stopped", "attention", "offline"].includes(phase)
let panes, ends, detail, shown, turn = 0, active = new Map(), search = ""

/** Shows the list of printers, and the detail of the route. */
export function mount(to, next) {
  panes = { ...to, rows: h("div", { class: "scroll" }) }
  const input = h("input", {
    class: "field", type: "search", "aria-label": t("search"), placeholder: t("search"), value: search,
    oninput: () => { search = input.value; showList() },
  })
  const add = session.administrator && session.service !== "printsim" &&
    h("a", { class: "button", href: href("/printers/add") }, icon("plus"), t("printers.add"))
  set(panes.list, { "aria-label": t("printers") })
  fill(panes.list, h("header", { class: "bar" }, sidebarButton(), h("h1", { class: "grow" }, t("printers")),
    h("label", { class: "search" }, icon("search"), input, h("kbd", null, "/")), add), panes.rows)
  const load = paced(loadJobs, 300)
  ends = [onSpool(showList), on("job", load), on("printer", load), on("reset", load),
    addKeys([
      { keys: ["/"], label: "search", show: "/", run: () => { openList(); input.focus() } },
      { keys: ["j"], run: () => step(1) }, { keys: ["k"], run: () => step(-1) },
      { keys: ["ArrowDown"], when: inList, run: () => step(1) },
      { keys: ["ArrowUp"], when: inList, run: () => step(-1) },
      { keys: ["Escape"], run: goUp },
    ])]
  showList()
  loadJobs()
  return update(next)
}

/** Returns the function that shows a route beside the list; nothing without a printer. */
async function viewOf({ path, part, name }) {
  if (path === "/printers/add") return (await import("./add.js")).addPrinter
  if (path === "/usage") return (await import("./usage.js")).usageReport
  if (part === "log") return (await import("./log.js")).printerLog
  return name && (await import("./printer.js")).printerDetail
}

/** Shows another printer. */
export async function update(next) {
  closeList()
  showList()
  // The pages of a job cover the printer, which stays as it was.
  if (detail && shown === next.path) return
  detail?.end()
  detail = null
  shown = next.path
  const mine = ++turn
  try {
    const view = await viewOf(next)
    if (mine !== turn) return
    if (!view) return showNotice(bar({ label: "" }), t("printers.choose"))
    detail = view(panes.main, next.name, stateOf)
    await detail.load()
  } catch (error) {
    if (mine !== turn) return
    shown = null
    if (error.status !== 404) return report(error)
    showNotice(bar({ back: back() }), t("printers.gone", { name: next.name }))
  }
}

const showNotice = (bar, sentence) => void fill(panes.main, bar, h("div", { class: "empty" }, h("h1", null, sentence)))

/** Ends the views. */
export function unmount() {
  turn++
  ends.forEach(end => end())
  detail?.end()
  detail = null
}

const inList = () => panes.rows.contains(document.activeElement)

/** Opens the printer `by` rows further down. */
function step(by) {
  const rows = [...panes.rows.querySelectorAll("a")], at = rows.findIndex(row => row.hasAttribute("aria-current"))
  const row = rows[Math.min(Math.max(at < 0 ? 0 : at + by, 0), rows.length - 1)]
  if (!row) return false
  row.focus()
  go(row.getAttribute("href"))
}

/** Goes from the log to its printer, and on a phone from a printer to the list. */
function goUp() {
  if (route.part) return void go(href(printerPath(route.name)))
  if (layout() !== "phone" || route.path === "/printers") return false
  go(href("/printers"))
}

/** Loads the jobs in progress, for the second line of each printer. */
async function loadJobs() {
  if (session.service === "printsim") return
  try {
    active = new Map((await get("jobs", { show: "active", limit: 200 })).jobs.map(job => [job["job-id"], job]))
    showList()
  } catch { /* the footer shows the connection */ }
}

/** Returns what a printer does, or why it does nothing. */
function stateOf(printer) {
  const { phase, message, alerts: [alert] } = printer, job = active.get(printer.job), name = job?.["job-name"]
  if (phase === "printing" && job?.pages)
    return t("printing-page", { n: Math.min(job["pages-completed"] + 1, job.pages), of: job.pages })
  if (phase === "preparing" && name) return t("printers.receiving", { name })
  if (phase === "paused") return word("printer.", "paused") + (message ? ": " + message : "")
  const problem = alert ? condition(alert.code, alert.text) : quote(message)
  return needsAttention(printer) && problem || word("printer.", phase)
}

function showList() {
  const words = search.toLowerCase()
  const found = printers.filter(({ name, info, location }) =>
    [name, info, location].join(" ").toLowerCase().includes(words))
  const groups = [
    ["attention", found.filter(needsAttention)], ["others", found.filter(printer => !needsAttention(printer))],
  ].filter(([, list]) => list.length)
  if (!groups.length) {
    panes.rows.items = null
    const sentence = t(search ? "printers.no-match" : "printers.none", { q: search })
    return fill(panes.rows, h("div", { class: "empty" }, h("h2", null, sentence)))
  }
  if (!panes.rows.items) fill(panes.rows)
  keyed(panes.rows, groups, ([key]) => key, createGroup, (el, [key, list]) => {
    text(el.firstChild.firstChild, t(groups.length > 1 || key === "attention" ? "printers." + key : "printers"))
    text(el.firstChild.lastChild, number(list.length))
    keyed(el.lastChild, list, printer => printer.name, () => h("a", { class: "printer-row" }), showRow)
  })
}

const createGroup = () => h("section", { class: "group" },
  h("h2", { class: "group-head" }, h("span"), "  ", h("span")), h("div"))

function showRow(row, printer) {
  const jobs = printer["queued-jobs"], job = active.get(printer.job), warns = needsAttention(printer)
  const here = route.name === printer.name
  set(row, {
    href: href(printerPath(printer.name)), "aria-current": here && "page",
    class: "printer-row" + (warns ? " warns" : ""),
  })
  const shapes = { paused: "held", offline: "retrying", ready: "waiting", refusing: "held" }
  const shape = shapes[printer.phase] || (warns ? "stopped" : printer.phase), state = stateOf(printer)
  redraw(row, [state, jobs, printer.default, shape, job?.["pages-completed"]], () => [
    phaseIcon(shape, job ? part(job) : 0),
    h("div", { class: "grow" }, h("div", { class: "name" }, printer.name),
      h("div", { class: "state" }, [state, printer.default && t("printers.default-mark")].filter(Boolean).join(" · "))),
    h("span", { class: "quiet" }, jobs ? t("n-jobs", { n: jobs }) : "")])
}
