/** Calls the JSON API (/api/v1) and reports its errors as `Problem`. */

import { has, lang, t, translated } from "./words.js"

/** The answer of GET /session: user, administrator, host, service, version, token, event, login. */
export const session = {}

/** Returns the sentence of an error. The text of a code needs no detail. */
function sentence(status, { title, detail, code }) {
  const key = ["error." + code, "error." + status].find(has)
  return lang !== "en" && key === "error." + code ? t(key) : translated(key || "error.other", detail || title)
}

/**
 * An error answer (RFC 9457) in the page's language. `status` 0: no connection. `code`: the IPP status, if any.
 * `errors`: [{field, detail}].
 */
export class Problem extends Error {
  constructor(status, answer = {}) {
    super(status ? sentence(status, answer) : "")
    const errors = (answer.errors || []).map(({ field, detail }) =>
      ({ field, detail: translated("error.field", detail) }))
    Object.assign(this, { status, errors, code: answer.code })
  }

  /** Whether a document requires a password, or the password is wrong. */
  get isPassword() {
    return this.code === "client-error-document-password-error" ||
      this.errors.some(({ field }) => field === "document-password")
  }
}

let signedOut = () => {}
/** Sets what happens when the session has ended. */
export const onSignedOut = run => { signedOut = run }

/** Returns the address of an API path. `params`: query members; empty ones are left out. */
export function url(path, params) {
  const entries = Object.entries(params || {}).filter(([, value]) => value != null && value !== "")
  return "/api/v1/" + path + (entries.length ? "?" + new URLSearchParams(entries) : "")
}

/** The API path of a printer. */
export const printerAPI = name => "printers/" + encodeURIComponent(name)

async function call(method, path, options) {
  let answer = await send(method, path, options)
  if (answer.status === 403 && method !== "GET" && await hasNewToken()) answer = await send(method, path, options)
  return read(answer.status, await answer.text())
}

async function send(method, path, { params, body, signal } = {}) {
  const headers = { Accept: "application/json" }
  if (method !== "GET" && session.token) headers["Printq-Token"] = session.token
  if (body !== undefined) headers["Content-Type"] = "application/json"
  try {
    return await fetch(url(path, params), { method, headers, signal, body: body && JSON.stringify(body) })
  } catch (error) {
    if (error.name === "AbortError") throw error
    throw new Problem(0)
  }
}

/**
 * Loads the session after a refusal, and returns whether the token has changed: another tab can have replaced a session
 * that had ended. The page of another user loads again instead.
 */
async function hasNewToken() {
  const { user, token } = session
  try { await open() } catch { return false }
  if (session.user !== user) location.reload()
  return session.user === user && session.token !== token
}

/** Returns the value of an answer, or throws its error. */
export function read(status, text) {
  let value = null
  try { value = text ? JSON.parse(text) : null } catch { /* not JSON */ }
  if (status < 400) return value
  if (status === 401) signedOut()
  throw new Problem(status, value || { title: "HTTP " + status })
}

const early = new Map()
/** Sends a request before a view needs its answer. The next `get` within two seconds takes over the request. */
export function getEarly(path, params) {
  const address = url(path, params), answer = call("GET", path, { params })
  early.set(address, answer)
  answer.catch(() => {}).then(() => setTimeout(() => early.delete(address), 2000))
}

/** Drops the early answers after an event. */
export const forgetEarly = () => early.clear()

export function get(path, params, signal) {
  const address = url(path, params), answer = early.get(address)
  early.delete(address)
  return answer || call("GET", path, { params, signal })
}
export const post = (path, body, signal) => call("POST", path, { body, signal })
export const patch = (path, body) => call("PATCH", path, { body })
export const del = path => call("DELETE", path)

/** Loads the session, and its token. */
export const open = async () => Object.assign(session, await get("session"))

const command = () => session.service === "printsim" ? "printsim center" : "printq center"

/** How a person signs in again: users on the network have a page for it. */
export const signInHow = () => session.login ? t("sign-in-again") : t("sign-in-how", { command: command() })

/** What a person does if the service does not respond. */
export const connectHow = () =>
  session.login ? t("no-connection-network") : t("no-connection-how", { command: command() })

/**
 * Sends a file. `progress(part)` is called with numbers from 0 to 1.
 * Returns {done: a promise of the Upload, abort()}.
 */
export function upload(file, progress) {
  let request, aborted = false
  const attempt = () => new Promise((resolve, reject) => {
    if (aborted) return reject(new DOMException("", "AbortError"))
    request = new XMLHttpRequest()
    request.open("POST", url("uploads", { name: file.name }))
    request.setRequestHeader("Printq-Token", session.token)
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream")
    request.upload.onprogress = event => event.lengthComputable && progress?.(event.loaded / event.total)
    request.onload = () => {
      try { resolve(read(request.status, request.responseText)) } catch (error) { reject(error) }
    }
    request.onerror = () => reject(new Problem(0))
    request.onabort = () => reject(new DOMException("", "AbortError"))
    request.send(file)
  })
  const done = attempt().catch(async error => {
    if (error.status === 403 && await hasNewToken()) return attempt()
    throw error
  })
  return { done, abort: () => { aborted = true; request.abort() } }
}
