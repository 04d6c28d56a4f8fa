/** The controls of a simulated printer: power, paper, supplies, faults, log. */

import { get, post, printerAPI } from "../base/api.js"
import { fill, h, keyed, redraw, set, text } from "../base/dom.js"
import { phaseIcon } from "../base/icons.js"
import { report } from "../base/messages.js"
import { clock, t } from "../base/words.js"
import { choose } from "../forms/options.js"
import { button, section } from "../frame/layout.js"
import { popover } from "../frame/popover.js"
import { href, printerPath } from "../frame/router.js"
import { condition, logTable, supplyLine } from "./parts.js"

/** Returns the parts of a fault: its name, and its conditions in words. */
function faultWords(fault) {
  const [name, ...rest] = fault.split(" "), words = []
  while (rest.length) {
    const first = rest.shift(), say = (key, n) => words.push(t("simulator.fault." + key, { n, value: n }))
    if (["at", "page", "job", "byte"].includes(first)) {
      const kind = first === "at" ? rest.shift() : first
      if (["job", "page", "byte"].includes(kind)) say("at-" + kind, rest.shift())
      else say("at-operation", kind)
    } else if (first === "after" || first === "for") { say(first, rest.shift()); rest.shift() }
    else if (first === "with") { rest.shift(); say("chance", rest.shift()) }
    else if (first === "until") { rest.shift(); say("cleared") }
    else if (first === "once") say("once")
    else if (/^times?$/.test(rest[0])) { say("times", first); rest.shift() }
    else words.push(first)
  }
  return { name, text: words.join(t("simulator.comma")) }
}

/** Returns the places in a conversation or job at which a fault of a group can start. */
function places(name, group) {
  if (group === "handshake") return []
  if (group !== "response") return ["at-page", "at-job"]
  return ["drop", "reset"].includes(name) ? ["at-operation", "at-byte"] : ["at-operation"]
}

/** Returns the conditions that can start and end a fault of a group. */
const conditions = ({ name, group }) => ({
  starts: ["now", ...places(name, group), "after"],
  ends: ["cleared", "for", ...["response", "handshake"].includes(group) ? ["once", "times"] : []],
})

function amountText({ endless, length }, n, full) {
  if (endless) return t("simulator.endless")
  if (length != null) return t("simulator.mm", { n })
  return full ? t("simulator.of", { n, full }) : t("n-sheets", { n })
}

const chosen = box => box.querySelector("select").value

/** Builds the controls. `changed(simulator)` gets the answer of each change. */
export function buildSimulator(printer, changed) {
  const path = printerAPI(printer) + "/simulator"
  const change = async (what, body) => {
    try { changed(await post(`${path}/${what}`, body)) } catch (error) { report(error) }
  }
  const power = h("label", { class: "check power" }, t("simulator.power"),
    h("input", { type: "checkbox", role: "switch", class: "switch",
      onchange: event => change("power", { on: event.target.checked }) }))
  const trays = h("div", { class: "ruled-list" }), supplies = h("div", { class: "supplies" })
  const faults = h("div", { class: "ruled-list" }), log = h("div")
  const command = h("code", { class: "command" }), form = h("form", { class: "ruled fault-form" })
  const supplyPart = section(t("simulator.toner"), null, supplies)
  let now, editing = null

  const label = name => condition(name, now["fault-names"].find(item => item.name === name)?.label || name)

  function trayRow(tray) {
    if (editing === tray.name) return editRow(tray)
    const { sheets, capacity, length, endless } = tray, roll = length != null
    const amount = roll ? length : sheets, full = roll ? Math.max(capacity || 30000, length) : capacity
    const paper = [tray["any-size"] ? t("simulator.any-size") : tray.media || tray.width && `${tray.width} mm`,
      endless ? t("simulator.never-empty") : tray.type]
    return [h("strong", null, tray.name),
      h("span", { class: "grow" }, paper.filter(Boolean).join(t("simulator.comma"))),
      h("span", { class: "bar-line gray" + (!endless && !amount ? " none" : "") },
        h("i", { style: { width: (endless ? 100 : 100 * amount / (full || amount || 1)) + "%" } })),
      h("span", { class: "amount" }, amountText(tray, amount, full)),
      button(t("simulator.load-open"), null, () => edit(tray.name), "",
        { "data-key": tray.name, "aria-label": t("simulator.load-tray", { tray: tray.name }) })]
  }

  /** The same row with fields. Enter loads, Escape closes. */
  function editRow(tray) {
    const roll = tray.length != null, full = tray.capacity ?? (roll ? 30000 : 250)
    const any = ["", t("simulator.any-size")]
    const sizes = roll ? (now["roll-widths"] || []).map(width => [width + "mm", width + " mm"])
      : [any, ...now.media.map(({ name, label }) => [name, label])]
    const media = choose(sizes, roll ? tray.width + "mm" : tray["any-size"] ? "" : tray["media-name"] ?? "",
      { "aria-label": t("simulator.size"), "data-key": tray.name })
    const type = now.types.length > 0 &&
      choose(now.types.map(name => [name, name]), tray.type || now.types[0], { "aria-label": t("simulator.type") })
    const amount = h("input", { class: "field", type: "number", min: 0, max: full, required: true, value: full,
      "aria-label": t(roll ? "simulator.length" : "simulator.amount") })
    const endless = h("input",
      { type: "checkbox", checked: tray.endless, onchange: () => { amount.disabled = endless.checked } })
    amount.disabled = tray.endless
    return h("form", {
      class: "tray-form",
      onkeydown: event => {
        if (event.key !== "Escape") return
        event.stopPropagation()
        event.preventDefault()
        edit(null, tray.name)
      },
      onsubmit: event => {
        event.preventDefault()
        edit(null, tray.name)
        change("load", {
          tray: tray.name, sheets: endless.checked ? null : +amount.value, endless: endless.checked,
          ...chosen(media) ? { media: chosen(media) } : roll ? {} : { "any-size": true },
          ...type && { type: chosen(type) },
        })
      },
    }, h("strong", null, tray.name), media, type, h("span", { class: "grow" }), amount,
    h("span", { class: "quiet" }, t(roll ? "simulator.of-mm" : "simulator.of-sheets", { n: full })),
    h("label", { class: "check quiet" }, endless, t("simulator.endless")),
    h("button", { class: "button accent" }, t("simulator.load")))
  }

  function edit(name, focus = name) {
    editing = name
    drawTrays()
    trays.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus()
  }

  const drawTrays = () => keyed(trays, now.trays, tray => tray.name, () => h("div", { class: "ruled" }),
    (row, tray) => redraw(row, editing === tray.name ? "edit" : tray, () => trayRow(tray)))

  function supply(item) {
    const { name, level } = item
    const open = event => popover(event.currentTarget, name, close => {
      const input = h("input", { class: "field", type: "number", min: 0, max: 100, required: true, value: level })
      const send = value => { close(); change("supplies", { name, level: value }) }
      return h("form", { class: "form", onsubmit: event => { event.preventDefault(); send(+input.value) } },
        h("label", null, t("simulator.level"), input),
        h("div", { class: "buttons" }, button(t("simulator.replace"), null, () => send(100)),
          h("button", { class: "button primary" }, t("simulator.set"))))
    })
    return h("button", { class: "supply", "data-key": name, onclick: open, "aria-haspopup": "dialog" },
      supplyLine(item))
  }

  /** The fields of a new fault; the command that does the same is above them. */
  function faultForm() {
    const select = (key, names, say, run) =>
      choose(names.map(name => [name, say(name)]), names[0],
        { "aria-label": t("simulator.fault." + key), onchange: run })
    const input = (key, value) =>
      h("input", { class: "field few", "aria-label": t("simulator.fault." + key), value, oninput: () => show() })
    const kind = select("name", now["fault-names"].map(({ name }) => name), label, () => draw())
    const kindOf = () => now["fault-names"].find(({ name }) => name === chosen(kind))
    let start, end, value, from, count
    const draw = () => {
      const { starts, ends } = conditions(kindOf()), say = name => t("simulator.when." + name)
      start = select("start", starts, say,
        () => { from.value = { "at-operation": "Print-Job", after: "30" }[chosen(start)] || "1"; show() })
      end = select("end", ends, say, () => { count.value = chosen(end) === "times" ? "3" : "30"; show() })
      value = input("value", kindOf().argument || "")
      from = input("from", "1")
      count = input("count", "30")
      fill(form, kind, value, start, from, end, count, h("span", { class: "grow" }),
        h("button", { class: "button" }, t("simulator.add-fault")))
      show()
    }
    const startWords = { "at-page": "at page", "at-job": "at job", "at-byte": "at byte", "at-operation": "at",
      after: "after" }
    const fault = () => [
      chosen(kind), value.hidden ? "" : value.value, startWords[chosen(start)],
      from.hidden ? "" : from.value, chosen(start) === "after" && "seconds",
      { for: "for", once: "once" }[chosen(end)], count.hidden ? "" : count.value,
      { for: "seconds", times: "times" }[chosen(end)],
    ].filter(Boolean).join(" ")
    const show = () => {
      value.hidden = !kindOf().argument
      from.hidden = chosen(start) === "now"
      count.hidden = !["for", "times"].includes(chosen(end))
      from.classList.toggle("many", chosen(start) === "at-operation")
      value.classList.toggle("many", chosen(kind) === "status")
      text(command, `printsim fault '${fault()}'`)
    }
    form.onsubmit = event => { event.preventDefault(); change("fault", { fault: fault() }) }
    draw()
  }

  const faultRow = ({ text: fault, name, active, since }) => {
    const words = faultWords(fault)
    return [phaseIcon(active ? "stopped" : "retrying"), h("span", { class: "grow" }, label(name), " ",
      h("span", { class: "quiet" }, words.text, " · ",
        active ? since && t("simulator.since", { time: clock(since) }) : t("simulator.planned"))),
    h("button", { class: "link", "data-key": fault, onclick: () => change("clear", { name }) },
      t(active ? "simulator.clear" : "simulator.remove"))]
  }

  return {
    power,
    parts: [section(t("simulator.paper"), null, trays), supplyPart,
      section(t("simulator.faults"), command, form, faults),
      section(t("simulator.log"),
        h("a", { class: "quiet", href: href(printerPath(printer) + "/log") }, t("simulator.full-log")), log)],
    /** Opens the fields of the tray that lacks paper, or of the first tray. */
    load() {
      const tray = now.trays.find(({ sheets, endless }) => !endless && !sheets) || now.trays[0]
      edit(tray.name)
    },
    change,
    get speed() { return now.speed },
    get on() { return now.power },
    /** Names the supplies: toner or ink. */
    nameSupplies: title => text(supplyPart.querySelector("h2"), title),
    /** Replaces the emptiest supply. */
    replace() {
      const { name } = now.supplies.reduce((least, supply) => supply.level < least.level ? supply : least)
      change("supplies", { name, level: 100 })
    },
    hasFault: name => now.faults.some(fault => fault.active && fault.name === name),
    async update() {
      const [simulator, entries] = await Promise.all([get(path), get(printerAPI(printer) + "/log", { limit: 4 })])
      this.show(simulator)
      redraw(log, entries, () => logTable(entries.entries))
    },
    show(simulator) {
      now = simulator
      set(power.querySelector("input"), { checked: now.power })
      drawTrays()
      supplyPart.hidden = !now.supplies.length
      keyed(supplies, now.supplies, item => item.name, () => h("div"),
        (el, item) => redraw(el, item, () => supply(item)))
      if (!form.firstChild) faultForm()
      keyed(faults, now.faults, fault => fault.text, () => h("div", { class: "ruled" }), (row, fault) => {
        set(row, { class: fault.active ? "ruled" : "ruled planned" })
        redraw(row, fault, () => faultRow(fault))
      })
    },
  }
}
