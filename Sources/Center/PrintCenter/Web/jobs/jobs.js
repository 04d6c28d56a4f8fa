/** The view of jobs: the list with its search, filters and edit mode, and the detail of the selected job. */

import { get } from "../base/api.js"
import { fill, h, keyed, later, set, text } from "../base/dom.js"
import { on } from "../base/events.js"
import { icon } from "../base/icons.js"
import { announce, report } from "../base/messages.js"
import { counts, onSpool } from "../base/spool.js"
import { number, t } from "../base/words.js"
import { addKeys } from "../frame/keys.js"
import { button, closeList, layout, onLayout, openList, sidebarButton } from "../frame/layout.js"
import { close, go, href, route } from "../frame/router.js"
import { filters } from "../frame/sidebar.js"
import { act } from "./actions.js"
import { detail } from "./detail.js"
import { jobList } from "./joblist.js"
import { can } from "./jobtext.js"

/** The number of jobs that one request can list and change. */
const mostChosen = 500
let list, side, title, chips, search, edit, tools, filterButton, right, ends, editing, now, asked

const filterOf = ({ show, printer, owner, q }) => ({ show: show || "all", printer, owner, q })
const here = query => href(route.id && route.view === "jobs" ? "/jobs/" + route.id : "/jobs", query)

/** Shows the view. */
export function mount(panes, start) {
  now = start
  asked = start.query.q
  editing = false
  list = jobList({ choose, empty, changed: listChanged })
  search = h("input", {
    type: "search", class: "field", placeholder: t("search"), "aria-label": t("search-jobs"),
    oninput: later(find, 200), onkeydown: leaveSearch,
  })
  title = h("h1", { class: "grow" })
  filterButton = button(t("filter"), "filter", openFilters, "icon-only filter")
  edit = button(t("edit"), null, () => setEditing(!editing), "edit")
  chips = h("nav", { class: "chips", "aria-label": t("filter") })
  tools = h("div", { class: "bulk", hidden: true })
  const opener = button(t("search"), "search", () => { side.classList.add("searching"); search.focus() },
    "icon-only opens-search")
  side = panes.list
  set(side, { "aria-label": t("jobs") })
  fill(side, h("header", { class: "bar" }, sidebarButton(), title,
    h("label", { class: "search" }, icon("search"), search, h("kbd", null, "/")), opener, filterButton, edit), chips,
    list.el, tools)
  list.box.setAttribute("data-first", "")
  right = detail(panes.main)
  const check = event => { if (event["job-id"] === now.id) right.check() }
  ends = [addKeys(keys), onSpool(drawFilters), on("job", check), on("job-now", right.take), on("reset", right.refresh),
    onLayout(() => update(now))]
  if (matchMedia("(hover: hover)").matches)
    import("./peek.js").then(({ startPeeks }) => ends.push(startPeeks(list.box)), report)
  update(start)
}

/** Shows another filter or job. */
export function update(next) {
  const returns = layout() === "phone" && now.id && !next.id
  now = next
  const filter = filterOf(next.query)
  if (document.activeElement !== search) search.value = filter.q || ""
  const shown = t(layout() === "phone" && filter.show === "all" ? "jobs" : "show." + filter.show)
  text(title, [shown, filter.printer, filter.owner].filter(Boolean).join(" · "))
  set(filterButton, { "aria-pressed": String(Boolean(filter.printer || filter.owner)) })
  list.filter(filter)
  list.select(next.id ?? null)
  drawFilters()
  if (next.id) right.show(next.id)
  else right.none()
  if (returns) list.box.focus({ preventScroll: true })
  if (!next.id) listChanged()
}

/** Ends the view. */
export function unmount() {
  ends.forEach(end => end())
  list.unmount()
  right.unmount()
}

function choose(id, { open }) {
  const wide = layout() !== "phone"
  go(href("/jobs/" + id, now.query), { replace: wide && Boolean(now.id) })
  if (open) closeList()
}

/** Without a selection wide windows show the first job, and tablets open the list. */
function listChanged() {
  const { q } = now.query
  if (list.known && q !== asked) {
    asked = q
    announce(t("n-jobs", { n: list.length }))
  }
  text(edit, t(editing ? "done" : "edit"))
  drawTools()
  if (now.id || !list.known || route.view !== "jobs" || layout() === "phone") return
  const first = list.first()
  if (!first) return list.length ? null : openList(false)
  go(href("/jobs/" + first["job-id"], now.query), { replace: true })
  openList(false)
}

function empty(el) {
  const { q, show, printer, owner } = filterOf(now.query)
  const clear = (label, query) => h("a", { class: "button", href: here(query) }, label)
  const said = q ? [t("no-match", { q }), t("no-match-text"), clear(t("clear-search"), { ...now.query, q: "" })]
    : show === "attention" && !printer && !owner ? [t("nothing-to-do"), t("nothing-to-do-text"), null]
    : show !== "all" || printer || owner ? [t("no-jobs"), t("no-filter-text"), clear(t("show-all"), {})]
    : [t("no-jobs"), t("no-jobs-text"),
      h("a", { class: "button primary", href: href("/new") }, icon("plus"), t("new-job"))]
  if (el.said === said[0] + said[1]) return
  el.said = said[0] + said[1]
  fill(el, h("h2", null, said[0]), h("p", null, said[1]), said[2])
}

/* Search and filters */

const find = () => go(here({ ...now.query, q: search.value.trim() }), { replace: true })

function leaveSearch(event) {
  if (event.key !== "Escape" && event.key !== "Enter") return
  if (event.key === "Escape") { search.value = ""; find() }
  side.classList.remove("searching")
  list.box.focus()
  event.preventDefault()
}

function drawFilters() {
  chips.searchButton ||= button(t("search"), "search", () => { side.classList.toggle("searching"); search.focus() },
    "icon-only")
  const show = filterOf(now.query).show
  keyed(chips, [...filters, ["search"]], ([name]) => name,
    ([name]) => name === "search" ? chips.searchButton
      : h("a", { class: "chip" }, t("chip." + name), h("span", { class: "count" })),
    (chip, [name]) => {
      if (name === "search") return
      set(chip, { href: here({ ...now.query, show: name === "all" ? "" : name }),
        "aria-current": name === show && "true" })
      text(chip.lastChild, counts[name] == null ? "" : number(counts[name]))
    })
}

/** Opens the choice of owner and printer; on a phone also the edit mode. */
async function openFilters({ currentTarget }) {
  const { filterMenu } = await import("./list-tools.js")
  filterMenu(currentTarget, now.query, change => go(here({ ...now.query, ...change })),
    layout() === "phone" && { label: t(editing ? "done" : "edit"), run: () => setEditing(!editing) })
}

/* Edit mode */

function setEditing(value) {
  editing = value
  list.edit(value)
  side.classList.toggle("editing", value)
  listChanged()
}

/** Adds the next row to the choice; begins the edit mode if necessary. */
function extend(steps) {
  if (!editing) setEditing(true)
  list.move(steps, true)
}

/** Shows the actions of the edit mode for the chosen jobs. */
async function drawTools() {
  tools.hidden = !editing
  if (!editing) return
  const { bulkTools } = await import("./list-tools.js")
  bulkTools(tools, [...list.chosen.values()], selectAll,
    () => { list.chosen.clear(); list.refresh(); listChanged() })
}

/** Chooses all jobs of the filter, up to the number that one request changes. */
async function selectAll() {
  try {
    const { jobs } = await get("jobs", { ...filterOf(now.query), offset: 0, limit: mostChosen })
    list.pickAll(jobs)
  } catch (error) { report(error) }
}

/* Keys */

/** Runs an action on the selected job; a popover points at its button. */
function run(name, key) {
  const job = now.id && right.job()
  if (!job || !can(job, name)) return false
  act(name, job, right.anchor(key))
}
/** Opens a view of the selected job. */
const open = path => now.id ? go(href(`/jobs/${now.id}/` + path)) : false
const keys = [
  { keys: ["j", "ArrowDown"], label: "key.next", show: "J K", run: () => list.move(1) },
  { keys: ["k", "ArrowUp"], run: () => list.move(-1) },
  { keys: ["Shift+ArrowDown"], run: () => extend(1) },
  { keys: ["Shift+ArrowUp"], run: () => extend(-1) },
  { keys: ["Enter"], label: "key.open", show: "Enter",
    run: () => { if (!now.id) return false; closeList(); right.focus() } },
  { keys: [" "], label: "viewer", show: "Space", run: () => editing ? false : open("pages/1") },
  { keys: ["h"], label: "key.hold", show: "H", run: () => run("release") !== false || run("hold") },
  { keys: ["m"], label: "key.move", show: "M", run: () => run("move", "M") },
  { keys: ["o"], label: "key.options", show: "O", run: () => run("change") },
  { keys: ["x"], label: "cancel-job", show: "X", run: () => run("cancel", "X") },
  { keys: ["r"], label: "key.reprint", show: "R", run: () => run("reprint", "R") },
  { keys: ["w"], label: "key.why", show: "W", run: () => right.why() },
  { keys: ["c"], label: "compare", show: "C", run: () => open("compare/1") },
  { keys: ["e"], label: "edit", show: "E", run: () => setEditing(!editing) },
  { keys: ["/"], label: "search", show: "/",
    run: () => { openList(); side.classList.add("searching"); search.focus() } },
  { keys: ["Escape"], label: "key.back", show: "Esc", run: () => {
    if (editing) return setEditing(false)
    if (layout() === "phone" && now.id) return close(href("/jobs", now.query))
    if (layout() === "tablet") { closeList(); right.focus() } else list.box.focus()
  } },
].map(command => ({ ...command, when: () => route.view === "jobs" }))
