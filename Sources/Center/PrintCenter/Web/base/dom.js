/**
 * Builds and updates elements.
 * Data becomes text nodes and attributes, never markup, so a document name cannot inject elements.
 */

/**
 * Returns a new element.
 * `props`: attributes; `on…` are listeners; `style` is an object of CSS properties (also `--name`);
 * `true` sets an empty attribute; `false`, `null` and `undefined` are left out.
 * Children: nodes, text, numbers, arrays; `null` and `false` are left out.
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag)
  set(el, props)
  el.append(...flat(children))
  return el
}

/** Sets properties and attributes of an element, as `h` does. */
export function set(el, props) {
  for (const [name, value] of Object.entries(props || {})) {
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value)
    else if (name === "style") for (const [key, text] of Object.entries(value)) el.style.setProperty(key, text)
    else if (name === "value" || name === "checked" || name === "disabled") el[name] = value ?? ""
    else if (value === false || value == null) el.removeAttribute(name)
    else setAttribute(el, name, value === true ? "" : String(value))
  }
  return el
}

function setAttribute(el, name, value) {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value)
}

const flat = children => children.flat(9).filter(child => child != null && child !== false)

/** Replaces the children of an element. */
export function fill(el, ...children) {
  el.replaceChildren(...flat(children))
  return el
}

/** Sets the text of an element, only if it changed, so that selections and screen readers are not disturbed. */
export function text(el, value) {
  if (el.textContent !== value) el.textContent = value
  return el
}

/**
 * Makes the children of `parent` match `items`: elements keep their identity by key.
 * `create(item)` returns an element, `update(el, item, index)` changes it in place.
 */
export function keyed(parent, items, key, create, update) {
  const old = parent.items || new Map(), now = new Map()
  let place = parent.firstChild
  items.forEach((item, index) => {
    const id = key(item), el = old.get(id) || create(item)
    now.set(id, el)
    old.delete(id)
    update?.(el, item, index)
    if (el === place) place = place.nextSibling
    else parent.insertBefore(el, place)
  })
  for (const el of old.values()) el.remove()
  parent.items = now
}

/** Draws an element again if its data changed; the focus stays at the element with the same `data-key`. */
export function redraw(el, data, draw) {
  const state = JSON.stringify(data)
  if (el.state === state) return
  el.state = state
  const key = el.contains(document.activeElement) && document.activeElement.dataset.key
  fill(el, draw())
  if (key) el.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true })
}

/** Calls `run` once after `wait` milliseconds, however often the result is called meanwhile. */
export function later(run, wait) {
  let timer
  const call = (...args) => { timer ??= setTimeout(() => { timer = undefined; run(...args) }, wait) }
  call.cancel = () => { clearTimeout(timer); timer = undefined }
  return call
}

/**
 * Calls `run` at once, and during a burst of calls at most every `wait` milliseconds, one after another.
 * A hidden page waits until it is visible.
 */
export function paced(run, wait) {
  let timer, last = -Infinity, running = false, again = false, ended = false
  const start = async () => {
    timer = undefined
    if (document.hidden) return document.addEventListener("visibilitychange", call, { once: true })
    running = true
    last = performance.now()
    await run()
    running = false
    if (again) { again = false; call() }
  }
  function call() {
    if (ended) return
    if (running) again = true
    else timer ??= setTimeout(start, Math.max(0, last + wait - performance.now()))
  }
  call.cancel = () => { clearTimeout(timer); ended = true }
  return call
}

/** Reads and writes one value in local storage. A full or forbidden storage is ignored. */
export const kept = {
  get(name) { try { return JSON.parse(localStorage.getItem(name)) } catch { return null } },
  set(name, value) { try { localStorage.setItem(name, JSON.stringify(value)) } catch { /* not kept */ } },
}

/** Adds the style sheet of views that are loaded on demand. Resolves when it applies. */
export const addStyle = address => new Promise(done =>
  document.head.append(h("link", { rel: "stylesheet", href: address, onload: done, async onerror() {
    done()
    throw new TypeError("cannot import " + address)
  } })))
