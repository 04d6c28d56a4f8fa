/** The panel that lists the keys and turns single-letter keys off or on (WCAG 2.1.4). */

import { h } from "../base/dom.js"
import { t } from "../base/words.js"
import { popover } from "./popover.js"

/** Opens the panel of the commands. `letters`: reads or sets whether single-letter keys are on. */
export const keysPanel = (anchor, commands, letters) => popover(anchor, t("keys"), () => [
  h("h2", null, t("keys")),
  h("dl", { class: "keys" }, commands.map(command => h("div", null, h("dt", null, t(command.label)),
    h("dd", null, command.show.split(" ").map(key => h("kbd", null, key)))))),
  h("label", { class: "check" },
    h("input", { type: "checkbox", checked: letters(), onchange: event => letters(event.target.checked) }),
    t("keys.letters")),
], { kind: "keys-panel" })
