/** The printed pages of each user and day: of all users for administrators, otherwise of the own user. */

import { get } from "../base/api.js"
import { fill, h, paced } from "../base/dom.js"
import { on } from "../base/events.js"
import { report } from "../base/messages.js"
import { day, number, t } from "../base/words.js"
import { choose } from "../forms/options.js"
import { bar } from "../frame/layout.js"
import { back } from "./parts.js"

const periods = [7, 30, 90, 365]
let days = 30

/** Adds rows of the same `key` together, in the order of their first row. */
function sums(rows, key) {
  const found = new Map()
  for (const row of rows) {
    const sum = found.get(row[key]) || { key: row[key], jobs: 0, pages: 0, "color-pages": 0, sheets: 0 }
    for (const name of ["jobs", "pages", "color-pages", "sheets"]) sum[name] += row[name]
    found.set(row[key], sum)
  }
  return [...found.values()]
}

/** Returns a table of sums with a bar for the pages of each row. */
function table(title, head, rows, say) {
  const most = Math.max(1, ...rows.map(row => row.pages)), cell = value => h("td", { class: "n" }, number(value))
  const heads = ["usage.jobs", "usage.pages", "usage.color", "usage.sheets"]
  return h("section", { class: "usage" }, h("h2", null, title),
    h("div", { class: "usage-scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, head),
        heads.map(key => h("th", { scope: "col", class: "n" }, t(key))), h("td"))),
      h("tbody", null, rows.map(row => h("tr", null, h("th", { scope: "row" }, say(row.key)), cell(row.jobs),
        cell(row.pages), cell(row["color-pages"]), cell(row.sheets),
        h("td", { class: "bar-cell", "aria-hidden": "true" }, h("span", { class: "bar-line" },
          h("i", { style: { width: 100 * row.pages / most + "%" } }))))))))
  )
}

/** Returns what the user can still print in each period. */
const quota = ({ period, unit, limit, remaining, ends }) => h("p", { class: "quiet" },
  t("usage.quota." + unit, { n: remaining, limit: number(limit), date: day(ends), period: t("usage.per." + period) }))

/** Shows the usage in a pane: {load, end}. */
export function usageReport(pane) {
  const content = h("div")
  const select = choose(periods.map(n => [String(n), t("usage.days", { n })]), String(days),
    { "aria-label": t("usage.period"), onchange: () => {
      days = Number(select.querySelector("select").value)
      load().catch(report)
    } })
  fill(pane, bar({ back: back(), label: t("usage") }),
    h("div", { class: "scroll printer-detail" },
      h("div", { class: "usage-head" }, h("h1", { "data-first": true, tabindex: -1 }, t("usage")), select), content))

  async function load() {
    const { rows, everyone, quotas } = await get("usage", { days, offset: -new Date().getTimezoneOffset() })
    const left = quotas.map(quota)
    if (!rows.length) return fill(content, left, h("p", { class: "quiet" }, t("usage.none", { n: days })))
    const users = sums(rows, "user").sort((a, b) => b.pages - a.pages)
    fill(content, left, everyone && table(t("usage.by-user"), t("usage.user"), users, name => name),
      table(t("usage.by-day"), t("usage.day"), sums(rows, "day"), date => day(date + "T00:00")))
  }
  const again = paced(() => load().catch(() => {}), 2000), ends = [on("job", again), on("reset", again)]
  return { load, end() { again.cancel(); ends.forEach(end => end()) } }
}
