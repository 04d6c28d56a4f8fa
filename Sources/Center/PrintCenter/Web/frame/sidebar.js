/** Shows the sidebar: filters with counts, printers, and the connection. */

import { connectHow, del, session, signInHow } from "../base/api.js"
import { h, fill, keyed, text, set } from "../base/dom.js"
import { connection, on } from "../base/events.js"
import { icon, phaseIcon, printerIcon } from "../base/icons.js"
import { announce, report } from "../base/messages.js"
import { counts, printers, onSpool } from "../base/spool.js"
import { t, number, word } from "../base/words.js"
import { showKeys } from "./keys.js"
import { notifies, setNotifies } from "./notices.js"
import { href, printerPath, route } from "./router.js"

/** The filters of the list: [name, icon]. */
export const filters = [
  ["all", "layers"], ["active", "play"], ["attention", "warning"], ["held", "pause"], ["ended", "check"],
]

const row = (address, mark) => h("a", { class: "side-row", href: address }, h("span", { class: "mark" }, mark),
  h("span", { class: "grow" }), h("span", { class: "count" }))

let nav, printerList, usage

/** Builds the sidebar. */
export function buildSidebar(el) {
  const queue = session.service !== "printsim"
  nav = h("div", { class: "side-list" })
  printerList = h("div", { class: "side-list" })
  usage = row(href("/usage"), icon("usage"))
  text(usage.children[1], t("usage"))
  fill(el,
    h("div", { class: "brand" }, icon("printer"), t("app")),
    queue && h("a", { class: "button primary new", href: href("/new"), "data-tab": "new" }, icon("plus"),
      h("span", { class: "grow" }, t("new-job")), h("kbd", null, "N")),
    h("div", { class: "side-scroll" },
      queue && [h("h2", null, t("jobs")), nav, h("div", { class: "side-list" }, usage)],
      h("div", { class: "side-head" }, h("h2", null, t("printers")),
        queue && session.administrator &&
          h("a", { class: "quiet", href: href("/printers/add"), "aria-label": t("add-printer") }, icon("plus"))),
      printerList),
    footer())
  onSpool(updateSidebar)
  updateSidebar()
}

/** Shows the counts, printers and present choice. */
export function updateSidebar() {
  keyed(nav, filters, ([name]) => name, ([name, symbol]) => row("/jobs", icon(symbol)), (el, [name]) => {
    const here = route.view === "jobs" && !route.query.printer && (route.query.show || "all") === name
    const path = route.view === "jobs" && route.id ? "/jobs/" + route.id : "/jobs"
    set(el, { href: href(path, { show: name === "all" ? "" : name }), "aria-current": here && "page" })
    text(el.children[1], t("show." + name))
    text(el.children[2], counts[name] == null ? "" : number(counts[name]))
  })
  set(usage, { href: href("/usage"), "aria-current": route.path === "/usage" && "page" })
  keyed(printerList, printers, printer => printer.name, () => row("", ""), (el, printer) => {
    const here = route.view === "printers" && route.name === printer.name
    const jobs = counts.printers?.[printer.name] || 0
    const mark = printer.phase + (here ? "!" : "")
    if (el.mark !== mark) fill(el.children[0], printerIcon(el.mark = printer.phase))
    set(el, { href: href(printerPath(printer.name)), "aria-current": here && "page" })
    el.children[0].title = word("printer.", printer.phase)
    text(el.children[1], printer.name)
    text(el.children[2], printer.phase === "paused" ? t("printer.paused") : jobs ? number(jobs) : "")
    const state = word("printer.", printer.phase), waiting = jobs && t("n-jobs", { n: jobs })
    set(el, { "aria-label": [printer.name, state, waiting].filter(Boolean).join(", ") })
  })
}

/** The footer: the connection, the user, and the buttons that sign out and list the keys. */
function footer() {
  const mark = h("span", { class: "mark" }), line = h("div", { class: "connection" })
  const box = h("div", { class: "grow" }, line,
    h("div", { class: "quiet" }, t("user-on", { user: session.user, host: session.host })))
  // Where the sidebar is not in view, a note shows a lost connection.
  const note = document.body.appendChild(h("div", { class: "connection-note", hidden: true }))
  let timer, shown = "live", lost = null
  const update = () => {
    clearTimeout(timer)
    const { state, until, since = Date.now() } = connection
    connection.since = since
    lost = state === "live" ? null : lost ?? since
    // A short interruption is not shown.
    const settled = state !== "waiting" || Date.now() - since >= 2000
    if (settled) {
      // A restarted service can have another port, which this page cannot reach.
      const kind = state === "waiting" && Date.now() - lost >= 5000 ? "lost" : state
      fill(mark, state === "live" ? printerIcon("printing") : phaseIcon(state === "out" ? "stopped" : "retrying"))
      const left = Math.max(1, Math.ceil((until - Date.now()) / 1000))
      const sentence = {
        live: t("live"), waiting: t("reconnecting", { s: left }), lost: t("no-connection"), out: t("signed-out"),
      }[kind]
      const how = { lost: connectHow, out: signInHow }[kind]
      if (!how) text(line, sentence)
      else if (shown !== kind) fill(line, sentence, " ", h("span", { class: "quiet" }, how()))
      text(note, line.textContent)
      note.hidden = state === "live"
      if (shown !== kind) announce(line.textContent)
      shown = kind
    }
    if (state === "waiting") timer = setTimeout(update, 500)
  }
  on("connection", update)
  update()
  const open = event => showKeys(event.currentTarget)
  const keys = h("button", { class: "key-button", "aria-label": t("keys"), onclick: open }, h("kbd", null, "?"))
  // Without a session the service shows how to sign in.
  const signOut = () => del("session").then(() => location.reload(), report)
  const leave = h("button", { class: "quiet", "aria-label": t("sign-out"), title: t("sign-out"), onclick: signOut },
    icon("leave"))
  const bell = h("button", { class: "quiet", "aria-label": t("notify"), title: t("notify"),
    "aria-pressed": String(notifies()),
    onclick: async () => set(bell, { "aria-pressed": String(await setNotifies(!notifies())) }) }, icon("bell"))
  return h("div", { class: "side-foot" }, mark, box, session.service !== "printsim" && bell, leave, keys)
}
