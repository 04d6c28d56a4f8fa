/** The condition of a job in sentences: its cause, and what happens next. */

import { has, lang, moment, quote, seconds, t } from "../base/words.js"

/** Causes about which a message of the service or the printer says more. */
const general = ["aborted-by-system", "failed", "retry", "stopped"]

/** Returns the short sentence for the `cause` of a job. */
export function causeText(cause) {
  const { code, printer, message } = cause, key = has("cause." + code) ? code : printer ? "stopped" : "failed"
  // Messages are English.
  if (lang === "en" && message && general.includes(key)) return key === code ? message : `${printer}: ${message}`
  return t("cause." + key, { ...cause, media: cause.media || t("paper") })
}

/** Returns the sentences for the `condition` of a job. What the heading already says is left out. */
export function conditionText(condition, heading = "") {
  const { code, printer, message, page, before, trouble, driver, step } = condition
  const hosts = condition.hosts?.join(", ")
  const say = (key, more) => t("condition." + key, { printer, page, hosts, ...more })
  const details = message && !heading.includes(message) && quote(message.replace(/[^.!?]$/, "$&."))
  const retry = () => [details, say(code, { s: seconds(condition["retry-at"]) })]
  const resumed = condition.remedies.find(({ action }) => action === "resume")?.page
  const sentences = {
    "strict-order": () => [say(code, { job: String(condition.job), behind: condition.behind.printer }),
      conditionText(condition.behind)],
    "no-host": () => [],
    interrupted: retry,
    undelivered: retry,
    queued: () => [before ? say(code, { n: before }) : say("next"),
      condition.own != null && say("turns", { own: condition.own, others: condition.others }),
      trouble && say("trouble." + trouble), details, page && say("resumes")],
    "password-wait": () => [say(code, { until: moment(condition.until) })],
    "password-locked": () => [say(code, { until: moment(condition.until) })],
    held: () => [condition.until ? say("held-until", { until: moment(condition.until) }) : say(code)],
    suspended: () => [details, say(code), resumed && say("resume", { page: resumed })],
    "printer-stopped": () => [details, say(page ? "resumes" : code)],
    "in-progress": () => [details, step === "preparing" && say(step)],
    completed: () => [say(code, { pages: t("n-pages", { n: condition.pages }),
      sheets: t("n-sheets", { n: condition.sheets }) }), details],
  }
  const found = sentences[code]?.() || [details, has("condition." + code) && say(code)]
  const isNew = sentence => sentence && sentence.replace(/[.。]$/, "") !== heading
  return [...found, driver && say(driver)].filter(isNew).join(" ")
}
