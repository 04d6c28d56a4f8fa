/** The palette: finds a command, a printer or a filter by its name. */

import { h, fill, set } from "../base/dom.js"
import { printers } from "../base/spool.js"
import { t } from "../base/words.js"
import { popover } from "./popover.js"
import { go, href, printerPath } from "./router.js"
import { filters } from "./sidebar.js"

/** The views that a person can open by name. `queue`: whether the service has a queue of jobs. */
const places = queue => [
  ...queue ? filters.map(([name]) => ({ label: t("show." + name),
    run: () => go(href("/jobs", { show: name === "all" ? "" : name })) })) : [],
  ...printers.map(({ name }) => ({ label: `${t("printer")}: ${name}`, run: () => go(href(printerPath(name))) })),
]

/** Opens the palette. `commands`: {label, show, run}; `queue`: whether the service has a queue of jobs. */
export function palette(anchor, commands, queue) {
  const items = [...commands.map(({ label, show, run }) => ({ label: t(label), keys: show.split(" "), run })),
    ...places(queue)]
  popover(anchor, t("palette"), close => {
    const list = h("div", { role: "listbox", id: "palette-items", "aria-label": t("palette") })
    let shown = items, at = 0
    const draw = () => {
      fill(list, shown.map((item, index) => h("div", {
        class: "item", role: "option", id: "palette-" + index, "aria-selected": String(index === at),
        onclick: () => run(item),
      }, h("span", { class: "grow" }, item.label), item.keys?.map(key => h("kbd", null, key)))),
      !shown.length && h("p", { class: "quiet" }, t("palette.none")))
      set(field, { "aria-activedescendant": shown.length ? "palette-" + at : null })
      list.children[at]?.scrollIntoView({ block: "nearest" })
    }
    const run = item => { close(); setTimeout(() => item.run(), 0) }
    const find = () => {
      const words = field.value.toLowerCase().split(/\s+/)
      shown = items.filter(({ label }) => words.every(word => label.toLowerCase().includes(word)))
      at = 0
      draw()
    }
    const press = event => {
      const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (steps && shown.length) at = (at + steps + shown.length) % shown.length
      else if (event.key === "Enter" && shown.length && !event.isComposing) run(shown[at])
      else return
      event.preventDefault()
      event.stopPropagation()
      if (steps) draw()
    }
    const field = h("input", {
      class: "field", type: "text", role: "combobox", autofocus: true, autocomplete: "off", "aria-expanded": "true",
      "aria-controls": "palette-items", "aria-label": t("palette"), placeholder: t("palette"), oninput: find,
      onkeydown: press,
    })
    draw()
    return [field, list]
  }, { kind: "palette" })
}
