/** The texts of the pages in the language of the browser, or of `?lang=`: English or Japanese. */

const asked = new URLSearchParams(location.search).get("lang")
const wanted = [asked, ...navigator.languages].find(tag => /^(en|ja)\b/i.test(tag || "")) || "en"
/** "en" or "ja". */
export const lang = wanted.slice(0, 2).toLowerCase()
const locale = asked ? lang : wanted
const plural = new Intl.PluralRules(lang)
const figures = new Intl.NumberFormat(locale)
let table = {}

/** Loads the texts of the language: {"key": "text"}; "1 page|{n} pages" has a singular and a plural. */
export async function loadWords() {
  table = await (await fetch(import.meta.resolve(`../words/${lang}.json`))).json()
  document.documentElement.lang = lang
}

export const has = key => key in table

/** Returns the text of a key. `{name}` is replaced by a parameter; numbers are in the form of the language. */
export function t(key, params = {}) {
  const forms = (table[key] ?? key).split("|")
  const form = forms.length > 1 && plural.select(Number(params.n)) !== "one" ? forms[1] : forms[0]
  return form.replace(/\{([\w-]+)\}/g,
    (_, name) => typeof params[name] === "number" ? number(params[name]) : params[name] ?? "")
}

/** Returns a sentence of the service or of a printer as a detail of a text. The sentence is English. */
export const quote = message => t("message", { message })

/** Returns an English sentence of the service. In other languages, the sentence is the detail of a key's text. */
export const translated = (key, sentence) => lang === "en" && sentence || t(key) + (sentence ? quote(sentence) : "")

/** Returns a key's text, or `fallback` if the table has no text. For words that the service has in English. */
export const word = (prefix, value, fallback = value) => has(prefix + value) ? t(prefix + value) : String(fallback)

export const number = value => figures.format(value)

const formats = new Map()
function format(date, options) {
  const key = JSON.stringify(options)
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options))
  return formats.get(key).format(date)
}
const minute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }
const sameDay = (a, b) => a.toDateString() === b.toDateString()

/** Returns a time of today as "09:41", of another day with its date. */
export function time(iso) {
  const date = new Date(iso), now = new Date()
  if (sameDay(date, now)) return format(date, minute)
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }
  return format(date, { month: "short", day: "numeric", ...year })
}

/** Returns the date of a time as "Nov 19". */
export const day = moment => format(new Date(moment), { month: "short", day: "numeric" })

/** Returns a time as "09:41:03". */
export const clock = iso => format(new Date(iso), { ...minute, second: "2-digit" })

/** Returns the next time at which clocks show `clock` ("18:30"). */
export function nextTime(clock, now = new Date()) {
  const [hours, minutes] = clock.split(":"), date = new Date(now)
  date.setHours(hours, minutes, 0, 0)
  if (date <= now) date.setDate(date.getDate() + 1)
  return date
}

/** Returns a time with its date if it is not today: "18:30", "Nov 19, 18:30". */
export function moment(iso) {
  const date = new Date(iso)
  return format(date, sameDay(date, new Date()) ? minute : { month: "short", day: "numeric", ...minute })
}

/** Returns a size as "178 KB". */
export function size(bytes) {
  let value = bytes, unit = 0
  while (value >= 999.5 && unit < 4) { value /= 1000; unit++ }
  return figures.format(value < 10 && unit ? Math.round(value * 10) / 10 : Math.round(value)) + " " +
    ["B", "KB", "MB", "GB", "TB"][unit]
}

/** Returns the seconds until a time, at least 0. */
export const seconds = iso => Math.max(0, Math.round((new Date(iso) - Date.now()) / 1000))
