/** The form that adds a printer: one that was found in the network, or any address. */

import { get, post, printerAPI } from "../base/api.js"
import { fill, h, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { report, toast } from "../base/messages.js"
import { loadSpool } from "../base/spool.js"
import { t } from "../base/words.js"
import { field } from "../forms/options.js"
import { bar, button, section } from "../frame/layout.js"
import { go, href, printerPath } from "../frame/router.js"
import { back } from "./parts.js"

/** The members of a new printer, and the properties of their fields. */
const members = () => [
  ["name", { required: true, pattern: "[A-Za-z0-9._\\-]+", title: t("printers.name-rule") }],
  ["device-uri", { required: true, placeholder: "ipp://printer.local/ipp/print" }], ["info"], ["location"],
]

/** Shows the form in a pane: {load, end}. */
export function addPrinter(pane) {
  const found = h("div", { class: "ruled-list" }), problem = h("p", { class: "field-error", role: "alert" })
  const inputs = {}, fields = {}, preset = h("input", { type: "checkbox" })
  const row = ([key, props]) => {
    fields[key] = field(t("printers." + key), id =>
      inputs[key] = h("input", { class: "field", id, autocomplete: "off", ...props }))
    return fields[key].row
  }
  fill(pane, bar({ back: back(), label: t("printers") }), h("div", { class: "scroll printer-detail" },
    h("h1", { "data-first": true, tabindex: -1 }, t("add-printer")),
    section(t("printers.found"),
      h("button", { class: "link", onclick: () => load().catch(report) }, t("printers.again")), found),
    section(t("printers.by-uri"), null, h("form", { class: "add-form", onsubmit: send }, members().map(row),
      h("label", { class: "check" }, preset, t("printers.make-default")), problem,
      h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("printers.add")))))))

  async function load() {
    fill(found, h("p", { class: "quiet" }, t("printers.searching")))
    const { devices } = await get("devices", { seconds: 3 })
    fill(found, devices.length ? devices.map(deviceRow) : h("p", { class: "quiet" }, t("printers.none-found")))
  }

  function deviceRow(device) {
    const { info, uri, "make-and-model": model } = device
    return h("div", { class: "ruled" }, icon("printer"),
      h("div", { class: "grow" }, h("div", null, info || model || uri),
      h("div", { class: "quiet" }, [model, uri].filter(Boolean).join(" · "))),
    button(t("printers.use"), null, () => use(device)))
  }

  function use({ uri, info, location, "make-and-model": model }) {
    inputs.location.value = location || ""
    inputs["device-uri"].value = uri
    inputs.info.value = info || model || ""
    const name = (info || model || "printer").toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-")
    inputs.name.value = name.replace(/^-|-$/g, "").slice(0, 40) || "printer"
    inputs.name.focus()
    inputs.name.select()
  }

  async function send(event) {
    event.preventDefault()
    for (const key in fields) fields[key].fail()
    text(problem, "")
    const values = Object.entries(inputs).map(([key, input]) => [key, input.value]).filter(([, value]) => value)
    try {
      const body = { ...Object.fromEntries(values), ...preset.checked && { default: true } }
      const { printer: { name } } = await post("printers", body)
      await loadSpool()
      const test = () => post(printerAPI(name) + "/test-page").catch(report)
      toast(t("printers.added", { name }), { label: t("printers.test-page"), run: test })
      go(href(printerPath(name)), { replace: true })
    } catch (error) {
      for (const { field, detail } of error.errors || [])
        fields[field] ? fields[field].fail(detail) : text(problem, detail)
      if (!error.errors?.length) text(problem, error.message || t("no-connection"))
    }
  }

  return { load, end() {} }
}
