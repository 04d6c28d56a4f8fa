/** The presets of a new job: named options that this browser keeps. */

import { fill, h, kept, set } from "../base/dom.js"
import { t } from "../base/words.js"
import { choose, field } from "../forms/options.js"
import { button } from "../frame/layout.js"
import { popover } from "../frame/popover.js"

const all = () => kept.get("presets") || {}

/** The row that chooses a preset. `options()` returns the present options; `use(options)` applies those of a preset. */
export function presetRow(options, use) {
  const save = button(t("preset.save"), null, event => saveForm(event.currentTarget), "plain")
  const remove = button(t("preset.remove"), null, () => {
    const { [select.value]: _, ...rest } = all()
    kept.set("presets", rest)
    draw("")
  }, "plain")
  const preset = field(t("preset"), id => [choose([], "", { id, onchange: () => pick(select.value) }), save, remove])
  const select = preset.row.querySelector("select")

  function draw(name) {
    const names = Object.keys(all()).sort()
    fill(select, h("option", { value: "" }, t(names.length ? "preset.none" : "preset.empty")),
      names.map(name => h("option", { value: name }, name)))
    select.value = name
    remove.hidden = !name
  }

  function pick(name) {
    remove.hidden = !name
    use(all()[name] || {})
  }

  function saveForm(anchor) {
    popover(anchor, t("preset.save"), close => {
      const input = h("input", { class: "field", required: true, maxlength: 60, value: select.value,
        "aria-label": t("preset.name"), placeholder: t("preset.name") })
      const send = event => {
        event.preventDefault()
        const name = input.value.trim()
        if (!name) return
        kept.set("presets", { ...all(), [name]: options() })
        close()
        draw(name)
      }
      return h("form", { class: "form", onsubmit: send }, h("h2", null, t("preset.save")), input,
        h("div", { class: "buttons" }, h("button", { class: "button primary" }, t("save"))))
    })
  }

  draw("")
  return set(preset.row, { class: "option presets" })
}
