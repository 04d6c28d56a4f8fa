/** The form of print options, for new jobs and for reprints. */

import { get, printerAPI } from "../base/api.js"
import { addStyle, fill, h, set, text } from "../base/dom.js"
import { icon } from "../base/icons.js"
import { announce } from "../base/messages.js"
import { has, lang, moment, nextTime, t, word } from "../base/words.js"
import { segments } from "../frame/layout.js"

await addStyle(import.meta.resolve("./forms.css"))

/** The options that are always visible, in groups. The others are below "More options". */
const groups = [
  ["copies", "page-ranges"],
  ["sides", "media", "orientation-requested", "number-up", "imposition-template", "print-scaling"],
  ["print-color-mode", "print-quality", "output-type", "job-hold-until"],
]
const joining = "multiple-document-handling", collated = "separate-documents-collated-copies"
const uncollated = "separate-documents-uncollated-copies"
const left = new Set([...groups.flat(), "collate", "job-retain-until"])

/**
 * Returns the number of selected pages in a text such as "1-3,7,9-": {count, value}, or an error: {error, params}.
 * `documents`: the pages of each document, to which the text applies; null if unknown. Wide digits and Japanese commas
 * are accepted.
 */
function pageRanges(input, documents) {
  const value = input.normalize("NFKC").replace(/[、，]/g, ",").replace(/[‐-―−ー〜~]/g, "-").replace(/\s/g, "")
  const pages = documents && Math.max(...documents), chosen = []
  if (!value) return { count: documents?.reduce((sum, n) => sum + n, 0), value }
  for (const part of value.split(",")) {
    const [, from, dash, to] = /^(\d{0,9})(-?)(\d{0,9})$/.exec(part) || []
    if (!from && !to) return { error: "option.error.ranges" }
    const first = from === "" ? 1 : +from, last = to ? +to : dash ? Infinity : first
    if (first < 1 || last < 1) return { error: "option.error.first-page" }
    if (first > last) return { error: "option.error.order", params: { range: `${last}-${first}` } }
    if (documents && (first > pages || last > pages && last < Infinity))
      return { error: documents.length > 1 ? "option.error.pages-each" : "option.error.pages", params: { n: pages } }
    chosen.push([first, last])
  }
  let count = 0
  for (const pages of documents || []) {
    let end = 0
    for (const [first, most] of chosen.toSorted((a, b) => a[0] - b[0])) {
      const last = Math.min(most, pages)
      count += Math.max(0, last - Math.max(first - 1, end))
      end = Math.max(end, last)
    }
  }
  return { count, value }
}

/** Returns the number of sheets of a preview in words. */
export const sheetsText = ({ sheets, copies = 1 }) =>
  copies > 1 ? t("new.sheets-copies", { n: sheets, total: sheets * copies }) : t("new.sheets-total", { n: sheets })

/** Returns the size in the name of a paper (PWG 5101.1), such as "210 × 297 mm". */
function paperSize(name) {
  const [, width, height, unit] = /_([\d.]+)x([\d.]+)(mm|in)$/.exec(name || "") || []
  return width ? `${width} × ${height} ${unit}` : ""
}

/** Returns a select. `choices`: [[value, label]]; `aside`: the quiet text at its right edge. */
export const choose = (choices, value, props, aside) => h("div", { class: "select" },
  set(h("select", { class: "field", ...props }, choices.map(([key, label]) => h("option", { value: key }, label))),
    { value }), aside, icon("down"))

let ids = 0

/**
 * Returns a row of a form with a label, a control, a note and an error.
 * `control(id)` returns the control, whose element with that id gets the error; a radio group names itself.
 */
export function field(label, control) {
  const id = "field" + ++ids
  const note = h("p", { class: "note", id: id + "n" })
  const error = h("p", { class: "field-error", id: id + "e", hidden: true })
  const content = control(id), group = [content].flat().find(part => part?.matches?.("[role=radiogroup]"))
  const row = h("div", { class: "option" }, h(group ? "span" : "label", { class: "label", for: !group && id }, label),
    h("div", { class: "control" }, content), note, error)
  const target = () => group || row.querySelector("#" + id)
  return {
    row,
    note(sentence) { text(note, sentence || ""); set(target(), { "aria-describedby": sentence && note.id }) },
    fail(sentence) {
      if (row.sentence === (sentence || "")) return
      row.sentence = sentence || ""
      error.hidden = !sentence
      fill(error, sentence && icon("warning"), sentence)
      set(target(), { "aria-invalid": sentence && "true",
        "aria-describedby": (sentence ? error.id + " " : "") + note.id })
      if (sentence) announce(`${label}: ${sentence}`)
    },
    focus() { (group?.querySelector(":checked, input") || target()).focus() },
  }
}

const labelOf = option => word("option.", option.name, option.label || option.name)
const hint = ({ name, syntax, help }) => word("option.hint.", name, lang === "en" ? syntax || help : "")
const valueLabel = (name, { value, label }) => {
  const key = `option.${name}.${value}`
  return has(key) ? t(key) : label || value
}

/**
 * Returns the form: {element, setOptions, load, setPages, values, raw, check, fail, focusError}.
 * `base`: the options of a former job, else the printer's defaults apply; `chosen`: the values that differ from them;
 * `without`: the names of options that are not shown; `changed()` is called after each change.
 */
export function optionForm({ base = {}, chosen = {}, without = [], changed = () => {} } = {}) {
  const element = h("div", { class: "options" }), values = { ...chosen }
  let options = [], fields = {}, documents = null

  // IPP has no keyword for an automatic orientation; `none` lets the printer choose.
  const preset = option => option.default ?? (option.name === "orientation-requested" ? "none" : "")
  const initial = option => base[option.name] ?? preset(option)
  // A value of another printer is ignored. Papers may have any size, which has no name with "_".
  const allows = ({ name, values: known }, text) => text !== undefined &&
    (!known?.length || ["", "none"].includes(text) || name === "media" && !text.includes("_") ||
      known.some(item => String(item.value) === text))
  const value = option => [values[option.name], base[option.name]].find(text => allows(option, text)) ?? preset(option)
  const find = name => options.find(option => option.name === name)
  // A booklet has two pages on each side.
  const isBooklet = () => value(find("imposition-template") || {}) === "signature"
  /** The pages of the documents to which page ranges apply: of each file, or of the file that the printer gets. */
  const pages = () => documents && value(find(joining) || {}).startsWith("single")
    ? [documents.reduce((sum, n) => sum + n, 0)] : documents
  const adapt = () => { if (fields["number-up"]) fields["number-up"].row.hidden = isBooklet() }
  function put(name, text) {
    values[name] = text
    adapt()
    fields[name]?.fail(problem(find(name)))
    if (name === joining) form.setPages(documents)
    changed()
  }

  /** Returns the sentence for a wrong value, else null. */
  function problem(option) {
    if (!option) return null
    const text = value(option), { minimum = 1, maximum = 9999 } = option
    if (option.name === "page-ranges") {
      const { error, params } = pageRanges(text, pages())
      return error ? t(error, params) : null
    }
    if (option.name === "job-hold-until" && text === "at") return t("option.error.time")
    const isNumber = /^\d+$/.test(text) && +text >= minimum && +text <= maximum
    if (option.type === "integer" && !option.values?.length && (text || option.name === "copies") && !isNumber)
      return t("option.error.number", { from: String(minimum), to: String(maximum) })
    return null
  }

  function countPages() {
    const option = find("page-ranges")
    if (!option || !documents) return fields["page-ranges"]?.note("")
    const { count, error } = pageRanges(value(option), pages())
    const isOfEach = pages().length > 1 && value(option)
    fields["page-ranges"].note(error ? "" : t(isOfEach ? "option.pages-of-each" : "option.pages-of",
      { count, n: documents.reduce((sum, n) => sum + n, 0) }))
  }

  const builders = {
    copies(option) {
      const key = find(joining) ? joining : "collate", collate = find(key)
      return field(labelOf(option), id => {
        const input = h("input", {
          id, class: "field", type: "number", min: option.minimum ?? 1, max: option.maximum ?? 9999,
          inputmode: "numeric", value: value(option),
          oninput: () => put("copies", input.value),
        })
        const step = by => () => {
          input.value = Math.min(Math.max((+input.value || 0) + by, option.minimum ?? 1), option.maximum ?? 9999)
          put("copies", input.value)
        }
        // The arrow keys do the same in the input, so the buttons are no stops of the Tab key.
        const button = (symbol, by) => h("button", {
          type: "button", tabindex: -1, "aria-label": t("option." + symbol), onclick: step(by),
        }, icon(symbol))
        return [h("div", { class: "stepper" }, button("minus", -1), input, button("plus", 1)),
          collate && h("label", { class: "check" }, h("input", {
            type: "checkbox", checked: ![uncollated, "false"].includes(value(collate)),
            onchange({ target: { checked } }) {
              put(key, key === "collate" ? String(checked) : checked ? collated : uncollated)
              // Files that are joined into one document are always collated.
              if (fields[joining]) fields[joining].row.querySelector("select").value = ""
            },
          }), t("option.collate"))]
      })
    },
    "page-ranges": option => field(labelOf(option), id => h("input", {
      id, class: "field", type: "text", autocomplete: "off", placeholder: t("option.all-pages"), value: value(option),
      oninput: event => { put("page-ranges", event.target.value); countPages() },
    })),
    "imposition-template": option => field(labelOf(option), id => h("input", {
      id, type: "checkbox", role: "switch", class: "switch", checked: value(option) === "signature",
      onchange: event => put(option.name, event.target.checked ? "signature" : "none"),
    })),
    "job-hold-until"(option) {
      const saved = value(option), at = saved.startsWith("@") ? new Date(saved.slice(1) * 1000) : null
      const kind = at || saved === "at" ? "at" : saved === "indefinite" ? saved : "no-hold"
      const row = field(labelOf(option), id => {
        const clock = h("input", {
          class: "field", type: "time", "aria-label": t("option.time"), hidden: kind !== "at",
          value: at ? String(at.getHours()).padStart(2, "0") + ":" + String(at.getMinutes()).padStart(2, "0") : "",
          oninput: () => update("at"),
        })
        const update = kind => {
          clock.hidden = kind !== "at"
          const date = kind === "at" && clock.value ? nextTime(clock.value) : null
          put(option.name, date ? "@" + date / 1000 : kind)
          row.note(date ? t("option.held-until", { time: moment(date) }) : "")
        }
        const choices = ["no-hold", "indefinite", "at"].map(key => [key, t("option.start." + key)])
        const change = event => {
          update(event.target.value)
          if (!clock.hidden) clock.focus()
        }
        return [choose(choices, kind, { id, onchange: change }), clock]
      })
      if (at) row.note(t("option.held-until", { time: moment(at) }))
      return row
    },
  }

  function build(option) {
    if (builders[option.name]) return builders[option.name](option)
    const name = option.name, label = labelOf(option), now = value(option)
    const isOrientation = name === "orientation-requested"
    const isHidden = ({ value }) => isOrientation && /^(reverse-|none|[567]$)/.test(value) && value !== now
    let choices = (option.values || []).filter(item => !isHidden(item))
      .map(item => [String(item.value), valueLabel(name, item)])
    if (name === joining) {
      const joined = [["", t("option.joining")], ...choices.filter(([key]) => key.startsWith("single"))]
      return field(label, id => choose(joined, now.startsWith("single") ? now : "", {
        id, onchange({ target }) {
          element.querySelector("input[type=checkbox]").checked = true
          put(name, target.value || collated)
        },
      }))
    }
    if (isOrientation) choices = [["none", t("option.auto")], ...choices.filter(([key]) => key !== "none")]
    if (option.type === "boolean") {
      choices = [["true", t("option.yes")], ["false", t("option.no")]]
      if (option.default == null) choices.unshift(["", t("option.default")])
    }
    if (!choices.length) return field(label, id => h("input", {
      id, class: "field", type: option.type === "integer" ? "number" : "text", min: option.minimum, max: option.maximum,
      value: now,
      placeholder: option.type === "integer" ? "" : hint(option), autocomplete: "off",
      oninput: event => put(name, event.target.value),
    }))
    if (!choices.some(([key]) => key === now)) choices.unshift([now, now || t("option.default")])
    const letters = choices.reduce((sum, [, label]) => sum + label.length * (lang === "ja" ? 2 : 1) + 3, 0)
    const isShort = groups.flat().includes(name) && !["media", "print-scaling", "output-type"].includes(name) &&
      choices.length > 1 && letters < 40
    if (isShort) return field(label, () => segments(label, choices, now, key => put(name, key)))
    if (name === "media") return field(label, id => paper(id, choices, now))
    return field(label, id => choose(choices, now, { id, onchange: event => put(name, event.target.value) }))
  }

  /** Returns the select of papers. "Other size" shows a field for a size such as 100x62mm. */
  function paper(id, choices, now) {
    const size = h("span", { class: "aside", "aria-hidden": "true" }, paperSize(now))
    const other = h("input", {
      class: "field", type: "text", hidden: true, placeholder: "100x62mm", autocomplete: "off",
      "aria-label": t("option.size"),
      oninput: () => put("media", other.value.trim() || initial(find("media"))),
    })
    return [choose([...choices, ["other", t("option.other-size")]], now, {
      id, onchange({ target }) {
        text(size, paperSize(target.value))
        other.hidden = target.value !== "other"
        if (other.hidden) put("media", target.value)
        else other.focus()
      },
    }, size), other]
  }

  const form = {
    element,
    /** Shows the options that a printer supports. Values of others are kept for the next printer, but not used. */
    setOptions(list) {
      options = list.filter(option => option.supported !== false && !without.includes(option.name))
      fields = {}
      const rows = names => names.map(name => find(name)).filter(Boolean).map(option => {
        fields[option.name] = build(option)
        // The service explains options in English.
        return set(fields[option.name].row, { title: lang === "en" && option.help })
      })
      const wasOpen = element.querySelector("details")?.open
      const shown = groups.map(rows).filter(group => group.length)
        .map(group => h("div", { class: "option-group" }, group))
      const more = rows(options.map(option => option.name).filter(name => !left.has(name)))
      fill(element, shown, more.length > 0 &&
        h("details", { class: "option-group", open: wasOpen }, h("summary", null, t("option.more")), more))
      countPages()
      adapt()
    },
    async load(printer) {
      const { options } = await get(printerAPI(printer) + "/options")
      form.setOptions(options)
    },
    /** Sets the number of pages of each document, or null. */
    setPages(counts) {
      documents = counts
      countPages()
      fields["page-ranges"]?.fail(problem(find("page-ranges")))
    },
    /** Returns the options that differ from the defaults. */
    values() {
      const result = {}
      for (const option of options) {
        let text = value(option)
        if (option.name === "page-ranges") text = pageRanges(text, null).value ?? text
        if (option.name === "number-up" && isBooklet()) continue
        if (text === initial(option) || text === "no-hold" && !initial(option)) continue
        result[option.name] = text || { "page-ranges": "1-" }[option.name] || text
      }
      return result
    },
    /** Returns all changed values, also of options that this printer lacks. */
    raw: () => ({ ...values }),
    /** Shows the wrong values beside their fields. Returns whether all values are right. */
    check() {
      const problems = options.map(option => {
        const sentence = problem(option)
        fields[option.name]?.fail(sentence)
        return sentence
      })
      return !problems.some(Boolean)
    },
    /** Shows the errors of an answer beside their fields. Returns the sentences that belong to no field. */
    fail(errors) {
      for (const name in fields) fields[name].fail(problem(find(name)))
      return errors.filter(({ field, detail }) => {
        const target = fields[field] || fields[{ collate: "copies" }[field]]
        if (target) target.fail(detail)
        return !target
      }).map(({ detail }) => detail)
    },
    focusError() {
      const first = Object.values(fields).find(({ row }) => row.sentence)
      first?.row.closest("details")?.setAttribute("open", "")
      first?.focus()
    },
  }
  return form
}
