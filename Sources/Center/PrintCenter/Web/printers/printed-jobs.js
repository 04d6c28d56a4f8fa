/** The jobs that a simulated printer remembers, with the images of their first pages. */

import { del, get, printerAPI, session } from "../base/api.js"
import { h, keyed, redraw, set, text } from "../base/dom.js"
import { phaseIcon } from "../base/icons.js"
import { report } from "../base/messages.js"
import { clock, moment, quote, t, time, word } from "../base/words.js"
import "../forms/options.js"
import { layout, section } from "../frame/layout.js"
import { confirm, popover } from "../frame/popover.js"
import { href, printerJobPath } from "../frame/router.js"
import { hasImage, printerPages, thumbSize } from "../pages/images.js"

/** The number of jobs that are shown first, and that each click adds. */
const step = 5
/** The number of jobs that the service lists at once. */
const most = 200

/** Returns the phase of a job in the words of the Print Center. */
const phaseOf = ({ "job-state": state }) => ({
  "pending": "waiting", "pending-held": "held", "processing": "printing", "processing-stopped": "stopped",
  "aborted": "failed",
})[state] || state

const nameOf = job => job["job-name"] || t("job-n", { n: String(job["job-id"]) })

/** Returns a failed check of the content as a sentence, with at most ten page numbers. */
function checkText({ name, pages, fonts }) {
  const numbers = pages.slice(0, 10).join(t("simulator.comma")), rest = pages.length - 10
  return t("simulator.check." + name, {
    n: pages.length, fonts: fonts.join(t("simulator.comma")),
    pages: rest > 0 ? t("simulator.pages-more", { pages: numbers, n: rest }) : numbers,
  })
}

/** Returns a time of today with its seconds, and the date of another day. */
const shortTime = iso => new Date(iso).toDateString() === new Date().toDateString() ? clock(iso) : time(iso)

/** Returns {part, update()}: the section "Jobs" of a printer. */
export function printedJobs({ name: printer, uri }) {
  const list = h("div"), note = h("p", { class: "empty-jobs" })
  const older = h("button", { type: "button", class: "link",
    onclick: () => { limit = Math.min(limit + step, most); update().catch(report) } }, t("simulator.older-jobs"))
  const search = h("input", {
    type: "search", class: "field", placeholder: t("search"), "aria-label": t("simulator.search-jobs"),
    oninput: () => update().catch(report),
  })
  const clear = h("button", { type: "button", class: "link", onclick: () => remove(clear) }, t("simulator.delete-all"))
  const tools = h("div", { class: "job-tools", hidden: true }, search, clear)
  const part = section(t("jobs"), null, tools, list, note, h("div", { class: "older-jobs" }, older))
  let limit = step

  async function update() {
    const q = search.value.trim()
    const { jobs, next } = await get(printerAPI(printer) + "/jobs", q ? { limit, q } : { limit })
    // The answer to a text that has changed since is out of date.
    if (q !== search.value.trim()) return
    set(tools, { hidden: !session.administrator || !q && !jobs.length })
    set(note, { hidden: jobs.length > 0 })
    text(note, q ? t("no-match", { q }) : t("simulator.no-jobs", { uri }))
    set(older.parentNode, { hidden: next == null || limit === most })
    keyed(list, jobs, job => job["job-id"], () => h("article", { class: "printed-job" }),
      (row, job) => redraw(row, job, () => draw(row, job)))
  }

  /** Deletes an ended job, or all ended jobs, with their files, which cannot be undone. */
  async function remove(anchor, job) {
    const title = job ? t("simulator.delete-ask", { name: nameOf(job) }) : t("simulator.delete-all-ask")
    if (!await confirm(anchor, title, t("simulator.delete-text"), t("simulator.delete"))) return
    await del(printerAPI(printer) + "/jobs" + (job ? "/" + job["job-id"] : "")).catch(report)
    update().catch(report)
  }

  /** Copies the address of a job's pages. The user who opens it must be signed in. */
  async function copyLink(anchor, job) {
    const address = new URL(href(printerJobPath(printer, job["job-id"], 1)), location).href
    await navigator.clipboard.writeText(address).then(
      () => text(anchor, t("simulator.link-copied")),
      () => popover(anchor, t("simulator.copy-link"), () =>
        h("input", { class: "field", readonly: true, value: address, "aria-label": t("simulator.copy-link") })))
  }

  /** Returns the links to the files of a job, and the button that deletes an ended job. */
  function files(job) {
    const path = `/api/v1/${printerAPI(printer)}/jobs/${job["job-id"]}/`
    const link = (label, file) => h("a", { class: "link", href: path + file, download: true, "data-key": file }, label)
    const many = job.documents > 1
    const documents = Array.from({ length: job.documents }, (_, n) =>
      link(many ? t("simulator.document-n", { n: n + 1 }) : t("simulator.document"), `documents/${n + 1}`))
    const ended = job["time-at-completed"] != null
    const requests = Array.from({ length: job.requests }, (_, n) =>
      link(job.requests > 1 ? t("simulator.request-n", { n: n + 1 }) : t("simulator.request-bytes"),
        `requests/${n + 1}/ipp`))
    return h("p", { class: "facts job-files" }, ...documents, link(t("simulator.request"), "report"), ...requests,
      job.pages > 0 && h("button", { type: "button", class: "link", "data-key": "link",
        "aria-label": t("simulator.copy-link-of", { name: nameOf(job) }),
        onclick: event => copyLink(event.currentTarget, job) }, t("simulator.copy-link")),
      ended && h("button", { type: "button", class: "link", "data-key": "delete",
        "aria-label": t("simulator.delete-job", { name: nameOf(job) }),
        onclick: event => remove(event.currentTarget, job) }, t("simulator.delete")))
  }

  function draw(row, job) {
    const id = job["job-id"], name = nameOf(job), phase = phaseOf(job)
    const { images, pages } = job
    const count = pages == null ? null : images < pages ? t("simulator.images", { n: images, of: pages })
      : t("n-pages", { n: pages })
    const facts = [t("job-n", { n: String(id) }), word("state.", phase), count, job["media-label"],
      job.sides !== "one-sided" && t("simulator.two-sided")]
    const address = n => href(printerJobPath(printer, id, n))
    const strip = h("div", { class: "printed-pages", hidden: true })
    const failed = phase === "failed"
    const problem = (failed || phase === "stopped") && job["job-state-message"] || job.warnings[0]
    if (pages && session.administrator) showPages(row, strip, id, name, pages, address)
    return [phaseIcon(phase, pages ? images / pages : 0),
      h("h3", { class: "name" }, pages ? h("a", { href: address(1), "data-key": "name" }, name) : name),
      h("time", { class: "quiet", title: moment(job["time-at-creation"]) }, shortTime(job["time-at-creation"])),
      h("p", { class: "facts" }, facts.filter(Boolean).join(" · ")),
      problem && h("p", { class: "note" + (failed ? " error" : "") },
        quote(problem.replace(/^\p{Ll}/u, letter => letter.toUpperCase()))),
      ...job.checks.map(check => h("p", { class: "note" }, checkText(check))),
      // The images that are shown stay until the new ones are known.
      row.querySelector(".printed-pages") || strip,
      session.administrator && files(job)]
  }

  /** Loads the first pages of a job, and shows them in its row. */
  async function showPages(row, strip, id, name, count, address) {
    const source = printerPages(printer, id), first = layout() === "phone" ? 3 : 6
    const turn = row.turn = (row.turn ?? 0) + 1
    const { pages } = await get(source.list, { limit: first }).catch(() => ({ pages: [] }))
    // A later change of the job has asked again.
    if (row.turn !== turn) return
    const shown = row.querySelector(".printed-pages") || strip, rest = count - pages.length
    set(shown, { hidden: !pages.length })
    const items = [...pages, ...rest > 0 ? [{ number: 0, first: pages.length + 1 }] : []]
    keyed(shown, items, page => page.number, () => h("a", { draggable: "false" }),
      (el, page) => redraw(el, page, () => page.number
      ? leaf(el, source, page, t("simulator.page-of", { name, n: page.number }), address(page.number))
      : set(el, { class: "more", href: address(page.first),
        "aria-label": t("simulator.all-pages", { n: count, name }) }) && t("simulator.more-pages", { n: rest })))
  }

  return { part, update }
}

/** Draws a page into its link to the viewer: its image, or an empty frame until it is printed. */
function leaf(el, source, page, label, address) {
  const { width, height } = thumbSize(page, { width: 96, height: 96 }), has = hasImage(source, page)
  set(el, {
    "data-loading": !has && "", class: "leaf" + (page.state === "printing" ? " busy" : ""), href: address,
    "data-key": "page" + page.number,
    "aria-label": label + (has ? "" : ", " + t("pages." + (page.state || "waiting"))),
    style: { "--w": width + "px", "--h": height + "px" },
  })
  return has && h("img", { src: source.image(page), alt: "", loading: "lazy", decoding: "async", draggable: "false" })
}
