/** Calls the JSON API (/api/v1) and reports its errors as `Problem`. */

/** The answer of GET /session: user, administrator, host, service, version, token, event. */
export const session = {}

/** An error answer (RFC 9457). `status` 0: no connection. `errors`: [{field, detail}]. */
export class Problem extends Error {
  constructor(status, { title, detail, errors } = {}) {
    super(detail || title || "")
    Object.assign(this, { status, title, errors: errors || [] })
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

async function call(method, path, { params, body, signal } = {}) {
  const headers = { Accept: "application/json" }
  if (method !== "GET" && session.token) headers["Printq-Token"] = session.token
  if (body !== undefined) headers["Content-Type"] = "application/json"
  let answer
  try {
    answer = await fetch(url(path, params), { method, headers, signal, body: body && JSON.stringify(body) })
  } catch (error) {
    if (error.name === "AbortError") throw error
    throw new Problem(0)
  }
  return read(answer.status, await answer.text())
}

/** Returns the value of an answer, or throws its error. */
export function read(status, text) {
  let value = null
  try { value = text ? JSON.parse(text) : null } catch { /* not JSON */ }
  if (status < 400) return value
  if (status === 401) signedOut()
  throw new Problem(status, value || { title: "HTTP " + status })
}

export const get = (path, params, signal) => call("GET", path, { params, signal })
export const post = (path, body, signal) => call("POST", path, { body, signal })
export const patch = (path, body) => call("PATCH", path, { body })
export const del = path => call("DELETE", path)

/** Loads the session, and its token. */
export const open = async () => Object.assign(session, await get("session"))

/**
 * Sends a file. `progress(part)` is called with numbers from 0 to 1.
 * Returns {done: a promise of the Upload, abort()}.
 */
export function upload(file, progress) {
  const request = new XMLHttpRequest()
  const done = new Promise((resolve, reject) => {
    request.open("POST", url("uploads", { name: file.name }))
    request.setRequestHeader("Printq-Token", session.token)
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream")
    request.upload.onprogress = event => event.lengthComputable && progress?.(event.loaded / event.total)
    request.onload = () => { try { resolve(read(request.status, request.responseText)) } catch (error) { reject(error) } }
    request.onerror = () => reject(new Problem(0))
    request.onabort = () => reject(new DOMException("", "AbortError"))
    request.send(file)
  })
  return { done, abort: () => request.abort() }
}
