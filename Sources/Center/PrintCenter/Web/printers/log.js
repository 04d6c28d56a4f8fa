/** The log of a simulated printer. */

import { get, printerAPI } from "../base/api.js"
import { fill, h } from "../base/dom.js"
import { report } from "../base/messages.js"
import { t } from "../base/words.js"
import { bar, button } from "../frame/layout.js"
import { href, printerPath } from "../frame/router.js"
import { following, logTable } from "./parts.js"

/** Shows the log in a pane: {load, end}. */
export function printerLog(pane, name) {
  const table = h("div"), older = button(t("printers.older"), null, () => load(next).catch(report))
  let next, entries = []
  async function load(before) {
    const answer = await get(printerAPI(name) + "/log", { limit: 100, before })
    entries = before ? [...entries, ...answer.entries] : answer.entries
    next = answer.next
    fill(table, logTable(entries))
    older.hidden = next == null
  }
  const home = href(printerPath(name))
  fill(pane, bar({ back: { label: name, href: home }, label: h("a", { href: home }, name) }),
    h("div", { class: "scroll printer-detail" }, h("h1", { "data-first": true, tabindex: -1 }, t("simulator.log")),
      table, older))
  return following(name, () => load())
}
