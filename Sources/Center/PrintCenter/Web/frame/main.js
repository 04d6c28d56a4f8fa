/** Starts the page: words, session, events, frame, first view. */

import { connectHow, getEarly, onSignedOut, open, session, signInHow } from "../base/api.js"
import { h } from "../base/dom.js"
import { connect } from "../base/events.js"
import { isFailedImport, report, toast } from "../base/messages.js"
import { followSpool, loadSpool } from "../base/spool.js"
import { loadWords, t } from "../base/words.js"
import { acceptDrops } from "./drop.js"
import { addKeys, commands, showKeys, startKeys } from "./keys.js"
import { buildFrame, show } from "./layout.js"
import { entitle, startNotices } from "./notices.js"
import { go, href, onRoute, startRouter } from "./router.js"
import { buildSidebar, updateSidebar } from "./sidebar.js"

const jobs = () => import("../jobs/jobs.js"), printers = () => import("../printers/printers.js")
const viewer = () => import("../viewer/viewer.js"), compare = () => import("../viewer/compare.js")
const newJob = () => import("../jobs/newjob.js")

/** The addresses of the views, for the router. */
const addresses = [
  [/^\/jobs$/, "jobs", "list", jobs],
  [/^\/jobs\/(?<id>\d+)$/, "jobs", "main", jobs],
  [/^\/jobs\/(?<id>\d+)\/pages\/(?<page>\d+)$/, "viewer", "main", viewer, true],
  [/^\/jobs\/(?<id>\d+)\/compare\/(?<page>\d+)$/, "compare", "main", compare, true],
  [/^\/printers\/(?<name>[^/]+)\/jobs\/(?<id>\d+)\/pages\/(?<page>\d+)$/, "viewer", "main", viewer, true],
  [/^\/new$/, "new", "list", newJob],
  [/^\/usage$/, "printers", "main", printers],
  [/^\/printers$/, "printers", "list", printers],
  [/^\/printers\/add$/, "printers", "main", printers],
  [/^\/printers\/(?<name>[^/]+)(?:\/(?<part>log))?$/, "printers", "main", printers],
]

/** Replaces the page by a sentence, if it cannot start. */
function stop(title, detail) {
  document.body.prepend(h("main", { class: "empty alone" }, h("h1", null, title), h("p", null, detail)))
}

async function start() {
  // The head of the page preloads both answers.
  const [opened, words] = await Promise.allSettled([open(), loadWords()])
  if (words.reason) throw words.reason
  entitle(t("app"))
  if (opened.reason) {
    const error = opened.reason
    if (error.status === 401) return stop(t("signed-out"), signInHow())
    return stop(t("no-connection"), error.message || connectHow())
  }
  onSignedOut(() => toast(t("signed-out") + " " + signInHow()))
  // The modules of some actions are loaded when they are needed.
  addEventListener("unhandledrejection", event => {
    if (!isFailedImport(event.reason)) return
    event.preventDefault()
    report(event.reason)
  })
  const station = /^\/release\/([^/]+)$/.exec(location.pathname)
  if (station) {
    const { showStation } = await import("../printers/release.js")
    return showStation(decodeURIComponent(station[1]))
  }
  connect()
  if (session.service !== "printsim" && /^\/jobs(\/\d+)?$/.test(location.pathname)) {
    const { show = "all", printer, owner, q } = Object.fromEntries(new URLSearchParams(location.search))
    getEarly("jobs", { show, printer, owner, q, offset: 0, limit: 40 })
  }
  followSpool()
  // Without an answer the events load the counts again.
  await loadSpool().catch(() => {})
  buildSidebar(await buildFrame())
  onRoute(() => {
    entitle(t("app"))
    updateSidebar()
  })
  startKeys()
  const anchor = () => document.activeElement?.closest("button, a") || document.querySelector(".key-button")
  const queue = session.service !== "printsim"
  addKeys([
    queue && { keys: ["n"], label: "new-job", show: "N", run: () => go(href("/new")) },
    queue && { keys: ["g j"], label: "jobs", show: "G J", run: () => go(href("/jobs")) },
    { keys: ["g p"], label: "printers", show: "G P", run: () => go(href("/printers")) },
    queue && { keys: ["g u"], label: "usage", show: "G U", run: () => go(href("/usage")) },
    { keys: ["Ctrl+k"], label: "palette", show: "Ctrl K", run: async () => {
      const { palette } = await import("./palette.js")
      palette(anchor(), commands(), queue)
    } },
    { keys: ["?"], label: "keys", show: "?", run: () => showKeys(anchor()) },
  ].filter(Boolean))
  if (queue) { acceptDrops(); startNotices() }
  else if (location.pathname === "/jobs") go(href("/printers"), { replace: true })
  await startRouter(addresses, show)
}

start()
