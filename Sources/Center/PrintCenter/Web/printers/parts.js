/**
 * Parts that the views of printers share: sentences, supplies, the log, and the events of a printer.
 * Their words and styles are those of the forms.
 */

import { h, paced } from "../base/dom.js"
import { on } from "../base/events.js"
import { clock, moment, t, word } from "../base/words.js"
import "../forms/options.js"
import { href } from "../frame/router.js"

/** The link to the list, for the bar of a phone. */
export const back = () => ({ label: t("printers"), href: href("/printers") })

/** Returns the name of a fault or state reason; the service names it in English. */
export const condition = (code, english) => word("simulator.name.", code, english)

/** Pure colors of supplies in the tones of the design. */
const tones = {
  "#000000": "var(--ink)", "#333333": "var(--ink)", "#00FFFF": "#1f97bd", "#FF00FF": "#b8428c", "#FFFF00": "#d6ab00",
}

/** Draws a supply: its name, level in percent, and bar. */
export const supplyLine = ({ name, level, color = "" }) => [
  h("span", null, word("supply.", name.toLowerCase().replaceAll(" ", "-"), name)),
  h("span", { class: "quiet" }, level == null ? "–" : t("simulator.percent", { n: level })),
  h("span", { class: "bar-line" },
    h("i", { style: { width: (level || 0) + "%", background: tones[color.toUpperCase()] || color } }))]

/** Returns the entries of a log as a table. */
export const logTable = entries => h("table", { class: "log" }, h("tbody", null, entries.map(entry => h("tr", null,
  h("td", { title: moment(entry.time) }, clock(entry.time)), h("th", { scope: "row" }, entry.operation),
  h("td", null, entry.text)))))

/**
 * Follows the events of a printer until `end`. Returns {load, end}.
 * `load` waits a little, so that a burst of events is one request.
 */
export function following(name, load) {
  const again = paced(() => load().catch(() => {}), 250)
  const mine = event => { if (event.printer === name) again() }
  const ends = [on("printer", mine), on("job", mine), on("reset", again)]
  return { load, end() { again.cancel(); ends.forEach(end => end()) } }
}
