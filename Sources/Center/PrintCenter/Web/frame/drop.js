/** Accepts files that are dropped anywhere in the window, or pasted. */

import { h } from "../base/dom.js"
import { t } from "../base/words.js"
import { go, href } from "./router.js"

/** Files that wait for the view of the new job. */
export const dropped = []

/** Starts to accept files. */
export function acceptDrops() {
  const sign = h("div", { class: "drop-sign", hidden: true }, t("new.drop-here"))
  const carries = event => event.dataTransfer?.types.includes("Files")
  const take = (event, data) => {
    event.preventDefault()
    dropped.push(...data.files)
    go(href("/new"), { replace: location.pathname === "/new" })
  }
  document.body.append(sign)
  addEventListener("dragover", event => { if (carries(event)) { event.preventDefault(); sign.hidden = false } })
  addEventListener("dragleave", event => { if (!event.relatedTarget) sign.hidden = true })
  addEventListener("drop", event => { sign.hidden = true; if (carries(event)) take(event, event.dataTransfer) })
  addEventListener("paste", event => { if (event.clipboardData?.files.length) take(event, event.clipboardData) })
}
