/** Describes jobs in words: name, second line, progress. */

import { moment, seconds, t, word } from "../base/words.js"
import { causeText } from "./condition.js"

/** Whether a job has ended. */
export const ended = job => ["completed", "canceled", "failed"].includes(job.phase)
/** Whether a job needs a person or waits for a retry. */
export const troubled = job => ["stopped", "suspended", "retrying"].includes(job.phase)
/** Whether the service offers a command for a job to this user. */
export const can = (job, command) => job.commands.includes(command)
/** Whether pages of a job can be shown: its printed sides, or its documents. */
export const showsPages = job => job.pages > 0 || job.documents.some(({ kept }) => kept)
const running = job => job.phase === "printing" || job.phase === "stopping"

/** The name of a job; a job of another user can be withheld. */
export const nameOf = job => job["job-name"] ?? t("withheld")

/** The color of a job's sentence: "attention", "error" or "". */
export const tone = job => troubled(job) ? "attention" : job.phase === "failed" ? "error" : ""

/** The number of the page in progress, or of the last printed page of a job that does not print now. */
const pageNow = job => Math.min(job["pages-completed"] + (running(job) ? 1 : 0), job.pages || Infinity)

/** The printed part of a job, from 0 to 1. The page in progress counts half. */
export function part(job) {
  if (!job.pages) return 0
  const copies = running(job) ? job.copies : 1
  const ofCopy = (job["pages-completed"] + (running(job) ? 0.5 : 0)) / job.pages
  return Math.min(1, (ofCopy + (copies > 1 ? job.copy - 1 : 0)) / copies)
}

/** Whether a row shows a progress bar. */
export const hasBar = job => Boolean(job.pages) && (running(job) || troubled(job) && job["pages-completed"] > 0)

/** The progress at the right of a row: "2 of 5", or the number of pages. */
export function progress(job) {
  if (job.pages == null) return ""
  if (running(job) && job.pages === 1 && job.copies > 1) return t("copy-of", { n: job.copy, of: job.copies })
  if (hasBar(job) || job.pages && (job.phase === "canceled" || job.phase === "failed"))
    return t("n-of", { n: pageNow(job), of: job.pages })
  return t("n-pages", { n: job.pages })
}

/** The reason for waiting or stopping in one short sentence, or "". */
export function reason(job) {
  if (job.phase === "held") return ""
  const sentence = job.cause && job.cause.code !== "jobs-before" ? causeText(job.cause) : ""
  if (!sentence || !job["retry-at"] || job.phase !== "retrying") return sentence
  return t("with-retry", { sentence, s: seconds(job["retry-at"]) })
}

const held = job => {
  if (job["job-state-reasons"]?.includes("job-password-wait")) return t("held-pin")
  return job["hold-until"] ? t("held-until", { until: moment(job["hold-until"]) }) : t("held-released")
}

/** The second line of a row. */
export function line(job) {
  const why = reason(job)
  if (why) return why
  const state = job.phase === "held" ? held(job)
    : job.phase === "waiting" && job["jobs-before"] ? t("before", { n: job["jobs-before"] })
    : ["arriving", "preparing", "stopping"].includes(job.phase) ? t("in." + job.phase) : ""
  return [job.printer, job.owner, state].filter(Boolean).join(" · ")
}

/** The state as a heading: "Printing page 2 of 5", "Held until 18:30". */
export function heading(job) {
  if (job.phase === "printing" && job.pages) 
    return t("printing-page", { n: pageNow(job), of: job.pages }) +
      (job.copies > 1 ? t("of-copy", { n: job.copy, of: job.copies }) : "")
  if (job.phase === "held") return held(job).replace(/^./, letter => letter.toUpperCase())
  if (job.phase === "waiting" && job["jobs-before"]) return t("before", { n: job["jobs-before"] })
  const caused = troubled(job) || job.phase === "failed" ||
    job.cause && (job.phase === "waiting" || job.phase === "canceled")
  return caused && reason(job) || stateWord(job)
}

/** The word of a state: "Printing". */
export const stateWord = job => word("state.", job.phase)

/** A row's content in one sentence for screen readers. */
export const spoken = job =>
  [nameOf(job), stateWord(job), reason(job) || line(job), progress(job)].filter(Boolean).join(", ")
