/** The menu of a printer, and its forms: pausing with a message, changes, removal. */

import { del, patch, printerAPI, session } from "../base/api.js"
import { h } from "../base/dom.js"
import { report } from "../base/messages.js"
import { loadSpool } from "../base/spool.js"
import { t } from "../base/words.js"
import "../forms/options.js"
import { confirm, menu, popover } from "../frame/popover.js"
import { go, href } from "../frame/router.js"

const buttons = label => h("div", { class: "buttons" }, h("button", { class: "button primary" }, label))
const labeled = (key, input) => h("label", null, t("printers." + key), input)

/** Opens the form that pauses a printer. `act(command, body)` runs a command. */
export const pauseForm = (anchor, act) => popover(anchor, t("printers.pause"), close => {
  const input = h("input", { class: "field", maxlength: 200 })
  const send = event => {
    event.preventDefault()
    close()
    act("pause", input.value ? { message: input.value } : {})
  }
  return h("form", { class: "form", onsubmit: send }, labeled("message", input), buttons(t("printers.pause")))
})

/** Opens the menu with the rarer actions. `load()` shows the changed printer. */
export function moreMenu(anchor, printer, act, load) {
  const can = command => printer.commands.includes(command)
  const item = (command, key, icon) => can(command) && { label: t("printers." + key), icon, run: () => act(command) }
  menu(anchor, t("printers.more"), [
    item("default", "set-default", "check"),
    printer.accepting ? item("reject", "reject", "pause") : item("accept", "accept", "play"),
    item("identify", "identify", "printer"),
    session.service !== "printsim" && { label: t("station.open"), icon: "lock",
      run: () => location.assign(href("/release/" + encodeURIComponent(printer.name))) },
    can("change") && { label: t("printers.change"), icon: "filter", run: () => changeForm(anchor, printer, load) },
    can("remove") && { label: t("printers.remove"), icon: "close", danger: true, run: () => remove(anchor, printer) },
  ].filter(Boolean))
}

/** The fields with which a local administrator shares a printer: {fields, value()}. */
function sharingFields({ sharing, info }) {
  const check = (key, checked) => h("input", { type: "checkbox", checked, "data-key": key })
  const shared = check("share", sharing.shared), anonymous = check("share-anonymous", sharing.anonymous)
  const name = h("input", { class: "field", value: sharing.name, placeholder: info, maxlength: 63 })
  const line = input => h("label", { class: "check" }, input, t("printers." + input.dataset.key))
  const more = [labeled("share-name", name), line(anonymous)]
  const adapt = () => { for (const element of more) element.hidden = !shared.checked }
  shared.onchange = adapt
  adapt()
  return {
    fields: [line(shared), more, sharing.problem && h("p", { class: "quiet" }, sharing.problem)],
    value: () => ({ shared: shared.checked, name: name.value, anonymous: anonymous.checked }),
  }
}

function changeForm(anchor, printer, load) {
  const { name, info: oldInfo, location: oldLocation, users, commands } = printer
  const sharing = commands.includes("share") && sharingFields(printer)
  const { allowed, denied } = users || {}, kinds = ["everyone", "allowed", "denied"]
  const info = h("input", { class: "field", value: oldInfo })
  const place = h("input", { class: "field", value: oldLocation })
  const who = h("select", { class: "field" },
    kinds.map(kind => h("option", { value: kind }, t("printers.users-" + kind))))
  const names = h("input", {
    class: "field", value: (allowed || denied || []).join(" "), "aria-label": t("printers.user-names"),
  })
  who.value = allowed ? "allowed" : denied ? "denied" : "everyone"
  const adapt = () => { names.hidden = who.value === "everyone" }
  who.onchange = adapt
  adapt()
  const send = close => async event => {
    event.preventDefault()
    const chosen = names.value.split(/[\s,]+/).filter(Boolean), list = kind => who.value === kind ? chosen : null
    const users = { allowed: list("allowed"), denied: list("denied") }
    try {
      await patch(printerAPI(name), {
        info: info.value, location: place.value, users, ...sharing && { sharing: sharing.value() },
      })
      close()
      await load()
    } catch (error) { report(error) }
  }
  // The menu closes first.
  setTimeout(() => popover(anchor, t("printers.change"), close => h("form", { class: "form", onsubmit: send(close) },
    labeled("info", info), labeled("location", place), labeled("users", who), names,
    sharing && sharing.fields, buttons(t("printers.save")))))
}

async function remove(anchor, { name, jobs }) {
  const detail = t(jobs.length ? "printers.remove-detail" : "printers.remove-plain")
  const ask = () => confirm(anchor, t("printers.remove-ask", { name }), detail, t("printers.remove"))
  if (!await new Promise(resolve => setTimeout(() => resolve(ask())))) return
  try {
    await del(printerAPI(name) + (jobs.length ? "?jobs=cancel" : ""))
    await loadSpool()
    go(href("/printers"), { replace: true })
  } catch (error) { report(error) }
}
