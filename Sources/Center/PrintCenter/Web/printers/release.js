/** The release station of a printer: a page for a tablet beside the printer. It shows no jobs. */

import { open, post, printerAPI } from "../base/api.js"
import { addStyle, h, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { report } from "../base/messages.js"
import { t } from "../base/words.js"
import { entitle } from "../frame/notices.js"

/** The numbers of digits of a PIN; milliseconds until a result, or a PIN that nobody completes, disappears. */
const minimumLength = 4, maximumLength = 8, clearDelay = 20000
/** Milliseconds between two requests that keep the session, which ends after 12 hours without a request. */
const interval = 3600000

/** Shows the keypad for the jobs of a printer. */
export async function showStation(printer) {
  await addStyle(import.meta.resolve("./release.css"))
  entitle(t("station.open"))
  // A tablet shows its own keyboard only for other input modes.
  const pin = h("input", {
    class: "station-pin", type: "password", inputmode: "none", autocomplete: "off", maxlength: maximumLength,
    "aria-label": t("station.pin"),
  })
  const result = h("p", { class: "station-result", role: "status" })
  let timer, isBusy = false
  const show = (sentence, isError = false) => {
    result.classList.toggle("error", isError)
    text(result, sentence)
    clearTimeout(timer)
    timer = setTimeout(() => { pin.value = ""; show("") }, clearDelay)
    if (!sentence && !pin.value) clearTimeout(timer)
  }
  const change = value => {
    pin.value = value.replace(/\D/g, "").slice(0, maximumLength)
    show("")
    pin.focus()
  }
  const send = async event => {
    event.preventDefault()
    if (isBusy) return
    const digits = pin.value
    pin.focus()
    if (digits.length < minimumLength) return show(t("station.digits"), true)
    pin.value = ""
    isBusy = true
    try {
      const { released } = await post(printerAPI(printer) + "/release", { pin: digits })
      show(t("station.done", { n: released }))
    } catch (error) {
      const key = { "client-error-not-authorized": "none", "client-error-not-possible": "wait" }[error.code]
      if (key) show(t("station." + key), true)
      else report(error)
    }
    isBusy = false
  }
  pin.addEventListener("input", () => change(pin.value))
  const digit = name =>
    h("button", { type: "button", class: "station-key", onclick: () => change(pin.value + name) }, name)
  const back = h("button", {
    type: "button", class: "station-key", "aria-label": t("station.delete"),
    onclick: () => change(pin.value.slice(0, -1)),
  }, icon("back"))
  const print = h("button", { class: "station-key primary" }, t("station.print"))
  document.body.prepend(h("main", { class: "station" },
    h("h1", null, printer), h("p", { class: "station-intro" }, t("station.intro")),
    h("form", { onsubmit: send }, pin, result,
      h("div", { class: "station-keys" }, [..."123456789"].map(digit), back, digit("0"), print))))
  pin.focus()
  setInterval(() => open().catch(() => {}), interval)
}
