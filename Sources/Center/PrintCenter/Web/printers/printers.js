/** The views of printers: list, detail, log, and adding a printer. */

import { del, get, patch, post, session } from "../base/api.js"
import { fill, h, keyed, paced, set, text } from "../base/dom.js"
import { on } from "../base/events.js"
import { icon, phaseIcon } from "../base/icons.js"
import { addKeys } from "../frame/keys.js"
import { bar, button, closeList, layout, openList, sidebarButton } from "../frame/layout.js"
import { field } from "../forms/options.js"
import { report, toast } from "../base/messages.js"
import { confirm, menu, popover } from "../frame/popover.js"
import { go, href, printerPath, route } from "../frame/router.js"
import { buildSimulator, condition, logTable, redraw, section, supplyLine } from "./simulator.js"
import { loadSpool, onSpool, printers } from "../base/spool.js"
import { nameOf, part, stateWord, troubled } from "../jobs/jobtext.js"
import { causeText, has, lang, number, t, word } from "../base/words.js"

const gap = lang === "ja" ? "" : " "
const needsAttention = ({ phase }) => ["stopped", "attention", "offline"].includes(phase)
const path = name => "printers/" + encodeURIComponent(name)
const back = () => ({ label: t("printers"), href: href("/printers") })
let panes, ends, detail, shown, active = new Map(), search = ""

/** Shows the list of printers, and the detail of the route. */
export function mount(to, next) {
  panes = { ...to, rows: h("div", { class: "scroll" }) }
  const input = h("input", { class: "field", type: "search", "aria-label": t("search"), placeholder: t("search"), value: search, oninput: () => { search = input.value; showList() } })
  set(panes.list, { "aria-label": t("printers") })
  fill(panes.list, h("header", { class: "bar" }, sidebarButton(), h("h1", { class: "grow" }, t("printers")), h("label", { class: "search" }, icon("search"), input, h("kbd", null, "/")),
    session.administrator && session.service !== "printsim" && h("a", { class: "button", href: href("/printers/add") }, icon("plus"), t("printers.add"))), panes.rows)
  const load = paced(loadJobs, 300)
  ends = [onSpool(showList), on("job", load), on("printer", load),
    addKeys([
      { keys: ["/"], label: "search", show: "/", run: () => { openList(); input.focus() } },
      { keys: ["j"], run: () => step(1) }, { keys: ["k"], run: () => step(-1) },
      { keys: ["ArrowDown"], when: inList, run: () => step(1) }, { keys: ["ArrowUp"], when: inList, run: () => step(-1) },
      { keys: ["Escape"], run: goUp },
    ])]
  showList()
  loadJobs()
  return update(next)
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
  const part = next.path === "/printers/add" ? addView() : next.part === "log" ? logView(next.name) : next.name && detailView(next.name)
  if (!part) return fill(panes.main, bar({ label: "" }), h("div", { class: "empty" }, h("h1", null, t("printers.choose"))))
  detail = part
  try { await part.load() } catch (error) {
    shown = null
    if (error.status !== 404) return report(error)
    fill(panes.main, bar({ back: back() }), h("div", { class: "empty" }, h("h1", null, t("printers.gone", { name: next.name }))))
  }
}

/** Ends the views. */
export function unmount() {
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

const alertText = ({ code, text }) => condition(code, text)

/** Returns what a printer does, or why it does nothing. */
function stateOf(printer) {
  const job = active.get(printer.job), name = job?.["job-name"]
  if (printer.phase === "printing" && job?.pages) return t("printing-page", { n: Math.min(job["pages-completed"] + 1, job.pages), of: job.pages })
  if (printer.phase === "preparing" && name) return t("printers.receiving", { name })
  if (printer.phase === "paused") return word("printer.", "paused") + (printer.message ? ": " + printer.message : "")
  const cause = needsAttention(printer) && (printer.alerts[0] ? alertText(printer.alerts[0]) : printer.cause && causeText(printer.cause, printer.message) || printer.message)
  return cause || word("printer.", printer.phase)
}

function showList() {
  const words = search.toLowerCase()
  const found = printers.filter(({ name, info, location }) => [name, info, location].join(" ").toLowerCase().includes(words))
  const groups = [["attention", found.filter(needsAttention)], ["others", found.filter(printer => !needsAttention(printer))]].filter(([, list]) => list.length)
  if (!groups.length) { panes.rows.items = null; return fill(panes.rows, h("div", { class: "empty" }, h("h2", null, t(search ? "printers.no-match" : "printers.none", { q: search })))) }
  if (!panes.rows.items) fill(panes.rows)
  keyed(panes.rows, groups, ([key]) => key, () => h("section", { class: "group" }, h("h2", { class: "group-head" }, h("span"), "  ", h("span")), h("div")), (el, [key, list]) => {
    text(el.firstChild.firstChild, t(groups.length > 1 || key === "attention" ? "printers." + key : "printers"))
    text(el.firstChild.lastChild, number(list.length))
    keyed(el.lastChild, list, printer => printer.name, () => h("a", { class: "printer-row" }), (row, printer) => {
      const jobs = printer["queued-jobs"], job = active.get(printer.job), warns = needsAttention(printer)
      const here = route.name === printer.name
      set(row, { href: href(printerPath(printer.name)), "aria-current": here && "page", class: "printer-row" + (warns ? " warns" : "") })
      const shape = { paused: "held", offline: "retrying", ready: "waiting", refusing: "held" }[printer.phase] || (warns ? "stopped" : printer.phase)
      redraw(row, [stateOf(printer), jobs, printer.default, shape, job?.["pages-completed"]], () => [
        phaseIcon(shape, job ? part(job) : 0),
        h("div", { class: "grow" }, h("div", { class: "name" }, printer.name),
          h("div", { class: "state" }, [stateOf(printer), printer.default && t("printers.default-mark")].filter(Boolean).join(" · "))),
        h("span", { class: "quiet" }, jobs ? t("n-jobs", { n: jobs }) : "")])
    })
  })
}

/** Follows the events of a printer until `end`. `load` waits a little, so that a burst of events is one request. */
function following(name, load) {
  const again = paced(() => load().catch(() => {}), 250), mine = event => { if (event.printer === name) again() }
  const ends = [on("printer", mine), on("job", mine), on("reset", again)]
  return { load, end() { again.cancel(); ends.forEach(end => end()) } }
}

function detailView(name) {
  const act = async (command, body) => {
    try {
      const answer = await post(`${path(name)}/${command}`, body)
      if (answer.job) toast(t("printers.test-sent", { printer: name }), { label: t("printers.show"), run: () => go(href("/jobs/" + answer.job["job-id"])) })
      await Promise.all([loadSpool(), load()])
    } catch (error) { report(error) }
  }
  const heading = h("h1", { "data-first": true, tabindex: -1 }, name), badge = h("span", { class: "badge", hidden: true }, t("printers.simulated")), power = h("span", { class: "end" })
  const meta = h("p", { class: "meta" }), alert = h("div", { class: "alert-place" }), parts = h("div"), details = h("dl", { class: "details" })
  const jobs = h("div", { class: "ruled-list" }), jobPart = section(t("jobs"), h("a", { class: "quiet", href: href("/jobs", { printer: name }) }, t("printers.all-jobs")), jobs)
  const head = h("div"), buttons = h("div", { class: "actions grow" })
  let simulator, printed, printer
  fill(panes.main, bar({ back: back(), label: t("printer"), actions: buttons }), h("div", { class: "scroll printer-detail" },
    h("div", { class: "title" }, heading, badge, power), meta, alert, parts, section(t("details"), null, details), jobPart))

  async function load() {
    printer = await get(path(name))
    const { printedJobs } = printer.simulated && session.service === "printsim" ? await import("./printed-jobs.js") : {}
    // Nothing is awaited between the check and the assignment, because an event can start a second load meanwhile.
    if (printer.simulated && !simulator) {
      simulator = buildSimulator(name, answer => { simulator.show(answer); view.load().catch(report) })
      printed = printedJobs?.(printer)
      badge.hidden = false
      fill(power, simulator.power)
      fill(parts, printed?.part, simulator.parts)
    }
    await Promise.all([simulator?.update(), printed?.update()])
    show()
  }

  function show() {
    const can = command => printer.commands.includes(command), paused = can("resume")
    set(parts, { class: can("control") ? null : "watch" })
    if (simulator) simulator.power.querySelector("input").disabled = !can("control")
    redraw(buttons, printer.commands, () => [
      can("test-page") && button(t("printers.test-page"), "file", () => act("test-page"), "", { "data-key": "test" }),
      paused ? button(t("printers.resume"), "play", () => act("resume"), "", { "data-key": "pause" })
        : can("pause") && button(t("printers.pause"), "pause", event => pauseForm(event.currentTarget), "", { "data-key": "pause" }),
      button(t("printers.more"), "more", event => more(event.currentTarget, can), "icon-only", { "data-key": "more", "aria-haspopup": "menu" })])
    const { color, sides = [], resolutions = [], formats = [], supplies = [] } = printer
    text(meta, [printer["make-and-model"], 
      [printer["pages-per-minute"] && t("printers.speed", { n: printer["pages-per-minute"] }), simulator?.speed > 1 && t("printers.times", { n: simulator.speed })].filter(Boolean).join(", "),
      [color ? t("printers.color") : t("printers.gray"), sides.length > 1 && t("printers.two-sided"), resolutions[0]?.replace("dpi", " dpi")].filter(Boolean).join(", "),
      formats.map(type => formatNames[type]).filter(Boolean).join(", ")].filter(Boolean).join(" · "))
    redraw(alert, [printer.phase, printer.alerts, printer.message, printer.cause, printer.accepting, printer.jobs.map(job => [job["job-id"], job.phase]), simulator?.on], () => alertPanel())
    const supplyTitle = t(supplies.every(({ type }) => type === "toner") ? "simulator.toner" : "simulator.ink")
    simulator?.nameSupplies(supplyTitle)
    if (!simulator) redraw(parts, [supplies, printer["ready-media"]], () => supplies.length > 0 && section(supplyTitle, null, h("div", { class: "supplies" },
      supplies.map(item => h("div", { class: "supply" }, supplyLine(item))))))
    jobPart.hidden = !printer.jobs.length || session.service === "printsim"
    keyed(jobs, printer.jobs, job => job["job-id"], () => h("div", { class: "ruled" }), (row, job) => redraw(row, [job.phase, job["pages-completed"], job["job-name"]], () => [
      phaseIcon(job.phase, part(job)),
      h("a", { class: "grow", href: href("/jobs/" + job["job-id"]), "data-key": "job" }, nameOf(job)),
      h("span", { class: "quiet" }, [job.owner, stateWord(job)].filter(Boolean).join(" · "))]))
    const row = (key, value) => value && h("div", null, h("dt", null, t("printers." + key)), h("dd", null, value))
    redraw(details, printer, () => [row("address", printer.uri), row("device", printer["device-uri"]), row("info", printer.info), row("location", printer.location),
      row("users", usersText(printer.users)), row("area", marginText(printer.margins)), row("ready", printer["ready-media"]?.slice(0, 6).join(", ")),
      row("defaults", ["media", "sides", "print-color-mode", "print-quality"].map(key => valueText(key, printer.defaults?.[key])).filter(Boolean).join(", "))])
  }

  /** The alert: cause, consequence, one button. */
  function alertPanel() {
    const { phase, jobs, accepting } = printer, off = simulator && !simulator.on
    const first = printer.alerts.find(alert => alert.severity !== "report"), halted = !off && ["stopped", "attention"].includes(phase)
    if (!first && !off && accepting && !halted && !["paused", "offline"].includes(phase)) return null
    const job = halted && (jobs.find(job => job["job-id"] === printer.job) || jobs.find(troubled))
    const page = job && (printer.cause?.page ?? job.cause?.page ?? (job.pages ? Math.min(job["pages-completed"] + 1, job.pages) : null)), behind = jobs.length - (job ? 1 : 0), pages = printer.cause?.pages ?? job?.pages
    const cause = [off ? t("printers.off") : first ? alertText(first) : stateOf(printer), page && pages && t("printers.stopped-before", { page, pages })]
    const next = [job && h("span", null, h("a", { href: href("/jobs/" + job["job-id"]) }, nameOf(job)), t(page ? "printers.continues" : "printers.continues-all", { page })),
      behind > 0 && t(job ? "printers.behind" : "printers.wait", { n: behind }), !accepting && phase !== "refusing" && t("printers.refuses")].filter(Boolean)
    return h("div", { class: "alert" }, phaseIcon(off || phase === "offline" ? "retrying" : halted || first ? "stopped" : "held"), h("div", { class: "grow" },
      h("p", { class: "why" }, cause.filter(Boolean).map(sentence => sentence.replace(/[.。]?$/, t("printers.stop"))).join(gap)),
      next.length > 0 && h("p", { class: "next" }, next.flatMap((part, index) => index ? [gap, part] : part))),
    remedy(first, off))
  }

  function remedy(first, off) {
    const can = command => printer.commands.includes(command)
    const solve = (label, run) => button(label, null, run, "primary", { "data-key": "remedy" })
    if (printer.phase === "paused" && can("resume")) return solve(t("printers.resume"), () => act("resume"))
    if (simulator && can("control")) {
      if (off) return solve(t("printers.switch-on"), () => simulator.change("power", { on: true }))
      const code = first?.code
      if (/^media-(empty|needed|low)$/.test(code) && !simulator.hasFault(code)) return solve(t("simulator.load-open"), () => simulator.load(printer.cause?.tray))
      if (/^(toner|marker-supply)-(low|empty)$/.test(code) && !simulator.hasFault(code)) return solve(t("simulator.replace"), () => simulator.replace())
      if (code) return solve(has("printers.clear." + code) ? t("printers.clear." + code) : lang === "en" && first.remedy || t("simulator.clear"), () => simulator.change("clear", { name: code }))
    }
    if (!printer.accepting && can("accept")) return solve(t("printers.accept"), () => act("accept"))
    if (can("resume")) return solve(t("printers.resume"), () => act("resume"))
  }

  const pauseForm = anchor => popover(anchor, t("printers.pause"), close => {
    const input = h("input", { class: "field", maxlength: 200 })
    return h("form", { class: "form", onsubmit: event => { event.preventDefault(); close(); act("pause", input.value ? { message: input.value } : {}) } },
      h("label", null, t("printers.message"), input), h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("printers.pause"))))
  })

  function more(anchor, can) {
    const item = (command, key, symbol) => can(command) && { label: t("printers." + key), icon: symbol, run: () => act(command) }
    menu(anchor, t("printers.more"), [item("default", "set-default", "check"), printer.accepting ? item("reject", "reject", "pause") : item("accept", "accept", "play"),
      item("identify", "identify", "printer"), can("change") && { label: t("printers.change"), icon: "filter", run: () => changeForm(anchor) },
      can("remove") && { label: t("printers.remove"), icon: "close", danger: true, run: () => remove(anchor) }].filter(Boolean))
  }

  function changeForm(anchor) {
    const users = printer.users || {}, list = users.allowed || users.denied || []
    const info = h("input", { class: "field", value: printer.info }), location = h("input", { class: "field", value: printer.location })
    const who = h("select", { class: "field" }, ["everyone", "allowed", "denied"].map(key => h("option", { value: key }, t("printers.users-" + key))))
    const names = h("input", { class: "field", value: list.join(" "), "aria-label": t("printers.user-names") })
    who.value = users.allowed ? "allowed" : users.denied ? "denied" : "everyone"
    const adapt = () => { names.hidden = who.value === "everyone" }
    who.onchange = adapt
    adapt()
    setTimeout(() => popover(anchor, t("printers.change"), close => h("form", {
      class: "form", async onsubmit(event) {
        event.preventDefault()
        const chosen = names.value.split(/[\s,]+/).filter(Boolean)
        try {
          await patch(path(name), { info: info.value, location: location.value, users: { allowed: who.value === "allowed" ? chosen : null, denied: who.value === "denied" ? chosen : null } })
          close()
          await load()
        } catch (error) { report(error) }
      },
    }, h("label", null, t("printers.info"), info), h("label", null, t("printers.location"), location), h("label", null, t("printers.users"), who), names,
    h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("printers.save"))))))
  }

  async function remove(anchor) {
    if (!await new Promise(resolve => setTimeout(() => resolve(confirm(anchor, t("printers.remove-ask", { name }), t(printer.jobs.length ? "printers.remove-detail" : "printers.remove-plain"), t("printers.remove")))))) return
    try {
      await del(path(name) + (printer.jobs.length ? "?jobs=cancel" : ""))
      await loadSpool()
      go(href("/printers"), { replace: true })
    } catch (error) { report(error) }
  }

  const view = following(name, load)
  return view
}

const formatNames = { "application/pdf": "PDF", "image/jpeg": "JPEG", "image/pwg-raster": "PWG", "image/urf": "URF", "application/postscript": "PostScript" }
const usersText = users => users?.allowed ? t("printers.only", { names: users.allowed.join(", ") }) : users?.denied ? t("printers.except", { names: users.denied.join(", ") }) : t("printers.everyone")
const valueText = (key, value) => has(`option.${key}.${value}`) ? t(`option.${key}.${value}`) : value

/** Returns margins, given in points, in millimeters. */
function marginText(margins) {
  if (!margins) return ""
  const [top, left, bottom, right] = ["top", "left", "bottom", "right"].map(edge => Math.round(margins[edge] * 2540 / 72) / 100)
  return top === left && left === bottom && bottom === right ? t("printers.margins", { mm: top }) : t("printers.margins-each", { top, left, bottom, right })
}

function logView(name) {
  const table = h("div"), older = button(t("printers.older"), null, () => load(next).catch(report))
  let next, entries = []
  async function load(before) {
    const answer = await get(path(name) + "/log", { limit: 100, before })
    entries = before ? [...entries, ...answer.entries] : answer.entries
    next = answer.next
    fill(table, logTable(entries))
    older.hidden = next == null
  }
  fill(panes.main, bar({ back: { label: name, href: href(printerPath(name)) }, label: h("a", { href: href(printerPath(name)) }, name) }),
    h("div", { class: "scroll printer-detail" }, h("h1", { "data-first": true, tabindex: -1 }, t("simulator.log")), table, older))
  return following(name, () => load())
}

function addView() {
  const found = h("div", { class: "ruled-list" }), problem = h("p", { class: "field-error", role: "alert" }), inputs = {}, fields = {}
  const add = (key, props) => fields[key] = field(t("printers." + key), id => inputs[key] = h("input", { class: "field", id, autocomplete: "off", ...props }))
  const keys = [["name", { required: true, pattern: "[A-Za-z0-9._\\-]+", title: t("printers.name-rule") }], ["device-uri", { required: true, placeholder: "ipp://printer.local/ipp/print" }], ["info"], ["location"]]
  const preset = h("input", { type: "checkbox" })
  fill(panes.main, bar({ back: back(), label: t("printers") }), h("div", { class: "scroll printer-detail" }, h("h1", { "data-first": true, tabindex: -1 }, t("add-printer")),
    section(t("printers.found"), h("button", { class: "link", onclick: () => load().catch(report) }, t("printers.again")), found),
    section(t("printers.by-uri"), null, h("form", { class: "add-form", onsubmit: send }, keys.map(([key, props]) => add(key, props).row),
      h("label", { class: "check" }, preset, t("printers.make-default")), problem, h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("printers.add")))))))

  async function load() {
    fill(found, h("p", { class: "quiet" }, t("printers.searching")))
    const { devices } = await get("devices", { seconds: 3 })
    fill(found, devices.length ? devices.map(device => h("div", { class: "ruled" }, icon("printer"), h("div", { class: "grow" },
      h("div", null, device.info || device["make-and-model"] || device.uri), h("div", { class: "quiet" }, [device["make-and-model"], device.uri].filter(Boolean).join(" · "))),
    button(t("printers.use"), null, () => use(device)))) : h("p", { class: "quiet" }, t("printers.none-found")))
  }
  function use({ uri, info, location, "make-and-model": model }) {
    inputs.location.value = location || ""
    inputs["device-uri"].value = uri
    inputs.info.value = info || model || ""
    inputs.name.value = (info || model || "printer").toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || "printer"
    inputs.name.focus()
    inputs.name.select()
  }
  async function send(event) {
    event.preventDefault()
    for (const key in fields) fields[key].fail()
    text(problem, "")
    try {
      const { printer } = await post("printers", { ...Object.fromEntries(Object.entries(inputs).map(([key, input]) => [key, input.value]).filter(([, value]) => value)), ...preset.checked && { default: true } })
      await loadSpool()
      toast(t("printers.added", { name: printer.name }), { label: t("printers.test-page"), run: () => post(path(printer.name) + "/test-page").catch(report) })
      go(href(printerPath(printer.name)), { replace: true })
    } catch (error) {
      for (const { field, detail } of error.errors || []) fields[field] ? fields[field].fail(detail) : text(problem, detail)
      if (!error.errors?.length) text(problem, error.message || t("no-connection"))
    }
  }
  return { load, end() {} }
}
