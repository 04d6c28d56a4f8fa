/**
 * Shows the list of jobs. Only the rows in view are elements, so that 20,000 jobs scroll without delay.
 * The list box has the focus; `aria-activedescendant` names the selected row.
 */

import { h, fill, keyed, kept, later, paced, set, text } from "../base/dom.js"
import { on } from "../base/events.js"
import { icon, phaseIcon } from "../base/icons.js"
import { report } from "../base/messages.js"
import { number, t, time } from "../base/words.js"
import { layout, onLayout } from "../frame/layout.js"
import { JobRows } from "./jobrows.js"
import { ended, hasBar, line, nameOf, part, progress, spoken, stateWord, tone } from "./jobtext.js"

const heights = { wide: [40, 26], split: [40, 26], tablet: [48, 26], phone: [62, 30] }

/**
 * Creates the list. `choose(id, {open})`: a row was chosen; `empty(el)` fills the place of an empty list;
 * `changed()`: the rows or the edited choice changed.
 */
export function jobList({ choose, empty, changed }) {
  const box = h("div", { class: "scroll rows", role: "listbox", tabindex: 0, "aria-label": t("jobs") })
  const nothing = h("div", { class: "empty", hidden: true })
  const el = h("div", { class: "rows-box" }, box, nothing)
  let rows = new JobRows({}), key = "", selected = null, index = -1, editing = false, chosen = new Map()
  let restore = null, stale = true, misses = 0
  let [high, head] = heights[layout()]

  const section = of => rows.sections.findIndex(part => of < part.first + part.rows)
  const top = of => of * high + (Math.max(0, section(of)) + 1) * head
  const indexAt = offset => Math.max(0, Math.min(rows.length - 1, Math.floor((offset - head) / high)))
  const view = () => [Math.max(0, indexAt(box.scrollTop) - 8),
    Math.min(rows.length || 40, indexAt(box.scrollTop + box.clientHeight) + 9)]
  const busy = () => box.matches(":hover") && matchMedia("(hover: hover)").matches ||
    box.contains(document.activeElement)

  /** Changes the rows; the first row in view that remains keeps its place on the screen. */
  function commit(change) {
    const [from, to] = view(), before = []
    for (let at = from; at < to; at++) {
      const job = rows.at(at)
      if (job && top(at) + high > box.scrollTop) before.push([job["job-id"], top(at) - box.scrollTop, ended(job)])
    }
    change()
    const now = rows.indexOf(selected)
    if (now >= 0) index = now
    draw()
    if (restore != null) { box.scrollTop = restore; restore = null }
    else if (box.scrollTop > 0) {
      const same = before.find(([id, , was]) => {
        const at = rows.indexOf(id)
        return at >= 0 && ended(rows.at(at)) === was
      })
      if (same) box.scrollTop = top(rows.indexOf(same[0])) - same[1]
    }
    draw()
    changed()
  }

  async function load(fresh) {
    const mine = rows
    const [from, to] = restore == null ? view() : [Math.floor(restore / high), Math.floor(restore / high) + 40]
    await rows.load(from, to, { fresh, keep: busy(), commit: change => { if (mine === rows) commit(change) } })
  }
  const failed = error => { stale = true; if (error.status !== 0) report(error) }
  /** Loads what the view lacks, or all of it after an event: one request at a time. */
  const more = paced(async () => {
    const fresh = stale
    if (!fresh && rows.has(...view())) return
    stale = false
    await load(fresh).then(() => { if (stale || !rows.has(...view()) && ++misses < 3) more() }, failed)
  }, 60)
  const refresh = () => { stale = true; misses = 0; more() }
  const save = later(() => kept.set("list", { key, top: box.scrollTop }), 300)

  function draw() {
    const groups = rows.sections
    keyed(box, groups, group => group.name, createGroup, (group, { name, first, rows: size }) => {
      text(group.label, t("section." + name))
      text(group.size, number(size))
      set(group, { "aria-label": t("section." + name) + " " + number(size) })
      group.style.height = head + size * high + "px"
      const [from, to] = view(), items = []
      for (let at = Math.max(first, from); at < Math.min(first + size, to); at++)
        items.push({ at, job: rows.at(at), offset: at - first })
      keyed(group.body, items, ({ at, job }) => job ? (rows.pins.has(at) ? "p" : "") + job["job-id"] : "i" + at,
        createRow, updateRow)
    })
    const active = box.querySelector("[aria-current]")
    set(box, { "aria-activedescendant": active?.id, "aria-multiselectable": editing && "true" })
    nothing.hidden = rows.count == null || rows.length > 0
    box.hidden = rows.count != null && rows.length === 0
    if (!nothing.hidden) empty(nothing)
  }

  function updateRow(row, { at, job, offset }) {
    row.at = at
    row.style.top = head + offset * high + "px"
    const here = job && job["job-id"] === selected, picked = job && (editing ? chosen.has(job["job-id"]) : here)
    set(row, { "aria-selected": String(Boolean(picked)), "aria-current": here && "true", "aria-posinset": at + 1,
      "aria-setsize": rows.length })
    const stamp = job && (job["retry-at"] ? line(job) : "")
    if (!job || row.job === job && row.stamp === stamp && !job.patched) return
    job.patched = false
    row.job = job
    row.stamp = stamp
    row.id = "job-" + job["job-id"]
    showJob(row, job)
  }

  /** Shows other rows: a new filter. `again`: load even if the filter is the same. */
  function filter(next, again) {
    const newKey = JSON.stringify(next)
    if (newKey === key && !again) return
    const stored = kept.get("list")
    restore = key === "" && stored?.key === newKey ? stored.top : 0
    key = newKey
    rows = new JobRows(next)
    chosen.clear()
    refresh()
  }

  function select(id) {
    selected = id
    const at = rows.indexOf(id)
    if (at >= 0) index = at
    draw()
  }

  /** Scrolls until a row is visible. */
  function reveal(at) {
    const y = top(at)
    if (y - head < box.scrollTop) box.scrollTop = y - head
    else if (y + high > box.scrollTop + box.clientHeight) box.scrollTop = y + high - box.clientHeight
    draw()
  }

  /** Adds a loaded row to the edited choice. */
  function include(at) {
    const job = rows.at(at)
    if (job) chosen.set(job["job-id"], job)
  }

  /** Selects the row `steps` below the selected row (or above). `extend`: adds it to the edited choice. */
  async function move(steps, extend = false) {
    if (!rows.length) return
    const from = index, at = index < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, index + steps))
    reveal(at)
    if (!rows.at(at)) await load(false).catch(failed)
    const job = rows.at(at)
    if (!job) return
    index = at
    if (extend && editing) for (const one of [from, at]) include(one)
    choose(job["job-id"], { open: false })
    changed()
  }

  function pick(job, at, range) {
    if (range && index >= 0) {
      for (let one = Math.min(index, at); one <= Math.max(index, at); one++) include(one)
    } else if (!chosen.delete(job["job-id"])) chosen.set(job["job-id"], job)
    index = at
    draw()
    changed()
  }

  box.addEventListener("scroll", () => { misses = 0; draw(); more(); save() }, { passive: true })
  box.addEventListener("click", event => {
    const row = event.target.closest("[role=option]")
    if (!row?.job) return
    if (editing) return pick(row.job, row.at, event.shiftKey)
    index = row.at
    choose(row.job["job-id"], { open: true })
  })
  box.addEventListener("keydown", event => {
    const page = Math.max(1, Math.floor(box.clientHeight / high) - 1)
    const steps = { Home: -rows.length, End: rows.length, PageUp: -page, PageDown: page }[event.key]
    if (steps) { event.preventDefault(); move(steps, event.shiftKey) }
    if (event.key === " " && editing && rows.at(index)) { event.preventDefault(); pick(rows.at(index), index) }
  })
  /** Gives up the places of ended jobs when focus and pointer have left the list. */
  const leave = () => setTimeout(() => {
    if (!rows.pins.size || busy()) return
    commit(() => rows.pins.clear())
    refresh()
  }, 50)
  box.addEventListener("pointerleave", leave)
  box.addEventListener("focusout", leave)

  const retries = () => [...box.querySelectorAll(".row")].some(row => row.job?.["retry-at"])
  const tick = setInterval(() => { if (retries()) draw() }, 1000)
  const resized = new ResizeObserver(() => { draw(); more() })
  resized.observe(box)
  /** Shows an event of a loaded row at once, and puts the rows in order soon afterwards. */
  const event = data => {
    if (rows.patch(data)) draw()
    if (rows.find(data["job-id"])) afterwards()
    else refresh()
  }
  const afterwards = later(refresh, 300)
  const now = job => {
    if (chosen.has(job["job-id"])) chosen.set(job["job-id"], job)
    if (rows.put(job)) draw()
  }
  const ends = [on("job", event), on("job-now", now), on("printer", refresh), on("reset", refresh),
    on("connection", ({ state }) => { if (state === "live" && stale) more() }),
    onLayout(() => { [high, head] = heights[layout()]; draw() }),
    () => { clearInterval(tick); resized.disconnect(); more.cancel(); afterwards.cancel() }]

  return {
    el, box, filter, select, move, refresh, chosen,
    get length() { return rows.length }, get known() { return rows.count != null }, first: () => rows.at(0),
    job: () => rows.at(index),
    pickAll(jobs) {
      for (const job of jobs) chosen.set(job["job-id"], job)
      draw()
      changed()
    },
    edit(value) { editing = value; chosen.clear(); el.classList.toggle("editing", value); draw() },
    reveal: () => { if (index >= 0) reveal(index) },
    unmount: () => ends.forEach(end => end()),
  }
}

function createGroup() {
  const label = h("span"), size = h("span"), body = h("div", { role: "presentation" })
  return Object.assign(h("div", { class: "group", role: "group" },
    h("div", { class: "group-head", "aria-hidden": "true" }, label, " ", size), body), { label, size, body })
}

const createRow = () => h("div", { class: "row", role: "option" }, h("span", { class: "tick-box" }, icon("check")),
  h("span", { class: "state" }),
  h("span", { class: "name" }), h("span", { class: "time" }), h("span", { class: "line" }),
  h("span", { class: "progress" }, h("span", { class: "bar-line" }, h("i")), h("span")))

/** Shows a job in a row. Only what changed is touched. */
function showJob(row, job) {
  const [, state, name, when, second, side] = row.children, [bar, amount] = side.children
  const mark = job.phase + (hasBar(job) ? part(job).toFixed(2) : "")
  if (row.mark !== mark) fill(state, phaseIcon(row.mark = job.phase, part(job))).title = stateWord(job)
  row.mark = mark
  text(name, nameOf(job))
  text(when, time(ended(job) ? job["time-at-completed"] || job["time-at-creation"] : job["time-at-creation"]))
  text(second, line(job))
  text(amount, progress(job))
  row.className = `row ${tone(job)}${ended(job) ? " over" : ""}${progress(job) ? "" : " single"}`
  bar.hidden = !hasBar(job)
  bar.firstChild.style.width = part(job) * 100 + "%"
  set(row, { "aria-label": spoken(job) })
}
