/**
 * Connects addresses and views.
 * A view is a module with `mount(panes, route)`, `update(route)` and `unmount()`.
 * Split views get {list, main}; full views ({main}) cover the split view, which stays mounted behind them.
 * `main.js` has the table of addresses.
 */

/** The present route: {view, pane, full, path, query, id, page, name, part}; `id` and `page` are numbers. */
export let route = {}

/** The addresses, first match wins: [pattern, view, pane that a phone shows, load, full]; and what shows the panes. */
let table, show

function match(path) {
  for (const [pattern, view, pane, load, full = false] of table) {
    const found = pattern.exec(path)
    if (!found) continue
    const params = { ...found.groups }
    for (const key of ["id", "page"]) if (params[key]) params[key] = Number(params[key])
    if (params.name) params.name = decodeURIComponent(params.name)
    return { view, pane, load, full, path, ...params }
  }
  return null
}

/** Returns an address. `query`: members; empty ones are left out. `lang` of the present address stays. */
export function href(path, query = {}) {
  const lang = new URLSearchParams(location.search).get("lang")
  const entries = Object.entries({ ...query, lang }).filter(([, value]) => value)
  return path + (entries.length ? "?" + new URLSearchParams(entries) : "")
}

/** The path of a printer's page. */
export const printerPath = name => "/printers/" + encodeURIComponent(name)

/** The path of a page that a simulated printer printed. */
export const printerJobPath = (name, job, page) => `${printerPath(name)}/jobs/${job}/pages/${page}`

let depth = history.state?.depth || 0

/** Opens an address of the Print Center. `replace`: without a new entry in the history. */
export function go(address, { replace = false } = {}) {
  if (!replace) depth++
  history[replace ? "replaceState" : "pushState"]({ depth }, "", address)
  return open()
}

/** Goes back to where the view was opened from, or to `address` if the view was opened directly. */
export const close = address => depth > 0 ? history.back() : go(address, { replace: true })

const mounted = { split: null, full: null }
/** The element that had the focus when a full view was opened. */
let opener = null
let changed = () => {}

/** Calls `run(route)` after each change of the address. */
export const onRoute = run => { changed = run }

async function open() {
  const next = match(location.pathname)
  if (!next) return go("/jobs", { replace: true })
  next.query = Object.fromEntries(new URLSearchParams(location.search))
  const before = route
  if (next.full && !before.full) opener = document.activeElement
  route = next
  const module = await next.load()
  if (route !== next) return
  changed(next)
  const slot = next.full ? "full" : "split"
  if (mounted.full && (!next.full || mounted.full !== module)) unmount("full")
  const panes = show(next)
  if (mounted[slot] === module) {
    module.update(next)
    if (!before.full || next.full) return
    if (opener?.isConnected && opener !== document.body) focus(opener)
    else focusFirst(panes)
    return
  }
  if (mounted[slot]) unmount(slot)
  mounted[slot] = module
  await module.mount(show(next, true), next)
  if (before.path && before.view !== next.view) focusFirst(panes)
}

function unmount(slot) {
  mounted[slot].unmount()
  mounted[slot] = null
}

/** Moves the focus to the first meaningful element of a new view: [data-first], else its heading. */
function focusFirst({ list, main }) {
  const find = selector => main?.querySelector(selector) || list?.querySelector(selector)
  const target = find("[data-first]") || find("h1, h2")
  if (!target) return
  if (!target.matches("a[href], button, input, select, [tabindex]")) target.tabIndex = -1
  focus(target)
}

/** Moves the focus, unless a person has opened a popover while the view was loaded. */
function focus(target) {
  if (!document.activeElement?.closest("[popover]")) target.focus({ preventScroll: true })
}

/**
 * Starts the router: links inside the page change the view without a new page.
 * `addresses`: the table; `showPanes(route, reset)` shows and returns the panes of a route.
 */
export function startRouter(addresses, showPanes) {
  ;[table, show] = [addresses, showPanes]
  addEventListener("popstate", event => {
    depth = event.state?.depth || 0
    open()
  })
  document.addEventListener("click", event => {
    const link = event.target.closest?.("a[href^='/']")
    if (!link || link.target || link.hasAttribute("download") || event.defaultPrevented || event.button ||
        event.ctrlKey || event.metaKey || event.shiftKey || /^\/(api|center)\//.test(link.pathname)) return
    event.preventDefault()
    go(link.pathname + link.search)
  })
  return open()
}
