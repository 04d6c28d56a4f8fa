/** Changes between the document, the printed sides and their comparison. */

import { t } from "../base/words.js"
import { segments } from "../frame/layout.js"
import { go, href } from "../frame/router.js"

/** Returns the address of the viewer, or of the comparison for the side "compare". */
export const pageAddress = (job, side, page) =>
  side === "compare" ? href(`/jobs/${job}/compare/${page}`) : href(`/jobs/${job}/pages/${page}`, { side })

/** Returns the control Document | Printed | Compare. `open(side)` shows another side. */
export const sideControl = (side, open) => segments(t("pages.side"),
  ["document", "printed", "compare"].map(name => [name, t("pages.side-" + name)]), side, open)

/** Opens another side at the page that shows the same content. */
export const openSide = (job, side, page) => go(pageAddress(job, side, page), { replace: true })
