/** The actions that a person can do with a job, for buttons and keys. `job-actions.js` runs them. */

import { t } from "../base/words.js"
import { can } from "./jobtext.js"

/** Runs an action of `job-actions.js` by name: "hold", "release", "move", "cancel", "resume", "reprint", "moreMenu". */
export const act = async (name, job, anchor) => (await import("./job-actions.js"))[name](job, anchor)

/** The actions of a job that have buttons: {name, label, short, icon, key, danger}. */
export function actionsOf(job) {
  const action = (name, icon, key, more) => can(job, name) && { name, label: t(name), icon, key, ...more }
  return [
    action("resume", "play"),
    action("release", "play", "H") || action("hold", "pause", "H"),
    action("move", "move", "M"),
    action("reprint", "reprint", "R"),
    action("cancel", "close", "X", { label: t("cancel-job"), short: t("cancel"), danger: true }),
  ].filter(Boolean)
}
