/** Shows one printer: its state and alert, the controls of a simulated printer, details, jobs, actions. */

import { get, post, printerAPI, session } from "../base/api.js"
import { fill, h, keyed, redraw, set, text } from "../base/dom.js"
import { phaseIcon } from "../base/icons.js"
import { report, toast } from "../base/messages.js"
import { loadSpool } from "../base/spool.js"
import { has, lang, t } from "../base/words.js"
import { bar, button, section } from "../frame/layout.js"
import { go, href } from "../frame/router.js"
import { nameOf, part, stateWord, troubled } from "../jobs/jobtext.js"
import { back, condition, following, supplyLine } from "./parts.js"
import { moreMenu, pauseForm } from "./printer-menu.js"
import { buildSimulator } from "./simulator.js"

const gap = lang === "ja" ? "" : " "

/** Shows a printer in a pane: {load, end}. `stateOf(printer)` returns what it does, or why it does nothing. */
export function printerDetail(pane, name, stateOf) {
  const path = printerAPI(name), heading = h("h1", { "data-first": true, tabindex: -1 }, name)
  const badge = h("span", { class: "badge", hidden: true }, t("printers.simulated"))
  const power = h("span", { class: "end" })
  const meta = h("p", { class: "meta" }), alert = h("div", { class: "alert-place" }), parts = h("div")
  const details = h("dl", { class: "details" }), jobs = h("div", { class: "ruled-list" })
  const allJobs = h("a", { class: "quiet", href: href("/jobs", { printer: name }) }, t("printers.all-jobs"))
  const jobPart = section(t("jobs"), allJobs, jobs), buttons = h("div", { class: "actions grow" })
  let simulator, printed, printer
  fill(pane, bar({ back: back(), label: t("printer"), actions: buttons }), h("div", { class: "scroll printer-detail" },
    h("div", { class: "title" }, heading, badge, power), meta, alert, parts, section(t("details"), null, details),
    jobPart))

  const can = command => printer.commands.includes(command)

  async function act(command, body) {
    try {
      const answer = await post(`${path}/${command}`, body)
      if (answer.job) toast(t("printers.test-sent", { printer: name }),
        { label: t("printers.show"), run: () => go(href("/jobs/" + answer.job["job-id"])) })
      await Promise.all([loadSpool(), load()])
    } catch (error) { report(error) }
  }

  async function load() {
    printer = await get(path)
    const remembers = printer.simulated && session.service === "printsim"
    const { printedJobs } = remembers ? await import("./printed-jobs.js") : {}
    // Nothing is awaited between the check and the assignment, because an event can start a second load meanwhile.
    if (printer.simulated && !simulator) {
      simulator = buildSimulator(name, answer => { simulator.show(answer); load().catch(report) })
      printed = printedJobs?.(printer)
      badge.hidden = false
      fill(power, simulator.power)
      fill(parts, printed?.part, simulator.parts)
    }
    await Promise.all([simulator?.update(), printed?.update()])
    show()
  }

  function show() {
    set(parts, { class: can("control") ? null : "watch" })
    if (simulator) simulator.power.querySelector("input").disabled = !can("control")
    redraw(buttons, printer.commands, drawButtons)
    text(meta, metaText(printer, simulator))
    const states = printer.jobs.map(job => [job["job-id"], job.phase])
    redraw(alert, [
      printer.phase, printer.alerts, printer.message, printer.cause, printer.accepting, states, simulator?.on,
    ], alertPanel)
    showSupplies(printer)
    jobPart.hidden = !printer.jobs.length || session.service === "printsim"
    keyed(jobs, printer.jobs, job => job["job-id"], () => h("div", { class: "ruled" }), showJob)
    redraw(details, printer, () => detailRows(printer))
  }

  function drawButtons() {
    const paused = can("resume")
    return [
      can("test-page") && button(t("printers.test-page"), "file", () => act("test-page"), "", { "data-key": "test" }),
      paused ? button(t("printers.resume"), "play", () => act("resume"), "", { "data-key": "pause" })
        : can("pause") && button(t("printers.pause"), "pause", event => pauseForm(event.currentTarget, act), "",
          { "data-key": "pause" }),
      button(t("printers.more"), "more", event => moreMenu(event.currentTarget, printer, act, load), "icon-only",
        { "data-key": "more", "aria-haspopup": "menu" })]
  }

  function showSupplies({ supplies = [], "ready-media": ready }) {
    const title = t(supplies.every(({ type }) => type === "toner") ? "simulator.toner" : "simulator.ink")
    simulator?.nameSupplies(title)
    if (!simulator) redraw(parts, [supplies, ready], () => supplies.length > 0 && section(title, null,
      h("div", { class: "supplies" }, supplies.map(item => h("div", { class: "supply" }, supplyLine(item))))))
  }

  /** The alert: cause, consequence, one button. */
  function alertPanel() {
    const { phase, jobs, accepting, cause } = printer, off = simulator && !simulator.on
    const first = printer.alerts.find(alert => alert.severity !== "report")
    const halted = !off && ["stopped", "attention"].includes(phase)
    if (!first && !off && accepting && !halted && !["paused", "offline"].includes(phase)) return null
    const job = halted && (jobs.find(job => job["job-id"] === printer.job) || jobs.find(troubled))
    const present = job?.pages ? Math.min(job["pages-completed"] + 1, job.pages) : null
    const page = job && (cause?.page ?? job.cause?.page ?? present), pages = cause?.pages ?? job?.pages
    const behind = jobs.length - (job ? 1 : 0)
    const why = [off ? t("printers.off") : first ? condition(first.code, first.text) : stateOf(printer),
      page && pages && t("printers.stopped-before", { page, pages })]
    const next = [
      job && h("span", null, h("a", { href: href("/jobs/" + job["job-id"]) }, nameOf(job)),
        t(page ? "printers.continues" : "printers.continues-all", { page })),
      behind > 0 && t(job ? "printers.behind" : "printers.wait", { n: behind }),
      !accepting && phase !== "refusing" && t("printers.refuses"),
    ].filter(Boolean)
    const mark = off || phase === "offline" ? "retrying" : halted || first ? "stopped" : "held"
    return h("div", { class: "alert" }, phaseIcon(mark), h("div", { class: "grow" },
      h("p", { class: "why" },
        why.filter(Boolean).map(sentence => sentence.replace(/[.。]?$/, t("printers.stop"))).join(gap)),
      next.length > 0 && h("p", { class: "next" }, next.flatMap((part, index) => index ? [gap, part] : part))),
    remedy(first, off))
  }

  function remedy(first, off) {
    const solve = (label, run) => button(label, null, run, "primary", { "data-key": "remedy" })
    if (printer.phase === "paused" && can("resume")) return solve(t("printers.resume"), () => act("resume"))
    if (simulator && can("control")) {
      if (off) return solve(t("printers.switch-on"), () => simulator.change("power", { on: true }))
      const code = first?.code, fault = code && simulator.hasFault(code)
      if (/^media-(empty|needed|low)$/.test(code) && !fault)
        return solve(t("simulator.load-open"), () => simulator.load())
      if (/^(toner|marker-supply)-(low|empty)$/.test(code) && !fault)
        return solve(t("simulator.replace"), () => simulator.replace())
      const label = has("printers.clear." + code) ? t("printers.clear." + code)
        : lang === "en" && first?.remedy || t("simulator.clear")
      if (code) return solve(label, () => simulator.change("clear", { name: code }))
    }
    if (!printer.accepting && can("accept")) return solve(t("printers.accept"), () => act("accept"))
    if (can("resume")) return solve(t("printers.resume"), () => act("resume"))
  }

  return following(name, load)
}

const showJob = (row, job) => redraw(row, [job.phase, job["pages-completed"], job["job-name"]], () => [
  phaseIcon(job.phase, part(job)),
  h("a", { class: "grow", href: href("/jobs/" + job["job-id"]), "data-key": "job" }, nameOf(job)),
  h("span", { class: "quiet" }, [job.owner, stateWord(job)].filter(Boolean).join(" · "))])

const formatNames = {
  "application/pdf": "PDF", "image/jpeg": "JPEG", "image/pwg-raster": "PWG", "image/urf": "URF",
  "application/postscript": "PostScript",
}

/** Returns the model, speed, abilities and formats of a printer in one line. */
function metaText(printer, simulator) {
  const { color, sides = [], resolutions = [], formats = [], "pages-per-minute": speed } = printer
  return [
    [printer["make-and-model"]],
    [speed && t("printers.speed", { n: speed }), simulator?.speed > 1 && t("printers.times", { n: simulator.speed })],
    [t(color ? "printers.color" : "printers.gray"), sides.length > 1 && t("printers.two-sided"),
      resolutions[0]?.replace("dpi", " dpi")],
    formats.map(type => formatNames[type]),
  ].map(group => group.filter(Boolean).join(", ")).filter(Boolean).join(" · ")
}

function detailRows(printer) {
  const row = (key, value) => value && h("div", null, h("dt", null, t("printers." + key)), h("dd", null, value))
  const defaults = ["media", "sides", "print-color-mode", "print-quality"]
    .map(key => valueText(key, printer.defaults?.[key]))
  return [
    row("address", printer.uri), row("device", printer["device-uri"]), row("info", printer.info),
    row("location", printer.location), row("users", usersText(printer.users)), row("area", marginText(printer.margins)),
    row("ready", printer["ready-media"]?.slice(0, 6).join(", ")), row("defaults", defaults.filter(Boolean).join(", "))]
}

const usersText = users => users?.allowed ? t("printers.only", { names: users.allowed.join(", ") })
  : users?.denied ? t("printers.except", { names: users.denied.join(", ") }) : t("printers.everyone")
const valueText = (key, value) => has(`option.${key}.${value}`) ? t(`option.${key}.${value}`) : value

/** Returns margins, given in points, in millimeters. */
function marginText(margins) {
  if (!margins) return ""
  const [top, left, bottom, right] = ["top", "left", "bottom", "right"]
    .map(edge => Math.round(margins[edge] * 2540 / 72) / 100)
  return top === left && left === bottom && bottom === right ? t("printers.margins", { mm: top })
    : t("printers.margins-each", { top, left, bottom, right })
}
