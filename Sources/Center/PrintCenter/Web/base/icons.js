/** Draws the icons as inline SVG: 16 × 16 lines in the current text color. */

const paths = {
  printer: "M4.5 6V2.5h7V6M4.5 11.5h-2v-5h11v5h-2M4.5 9.5h7v4h-7z",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  layers: "M8 2.5 14 6 8 9.5 2 6zM2.5 9.5 8 12.7l5.5-3.2",
  play: "M5 3.2v9.6L12.5 8z",
  warning: "M8 2.5 14.3 13.5H1.7zM8 6.5v3.3M8 11.5v.2",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  check: "M3 8.5 6.5 12 13 4.5",
  search: "M7 2.7a4.3 4.3 0 1 0 0 8.6 4.3 4.3 0 0 0 0-8.6M10.3 10.3 13.5 13.5",
  filter: "M2.5 4.5h11M4.5 8h7M6.5 11.5h3",
  move: "M2.5 5.5h10.5M10.5 3 13 5.5 10.5 8M13.5 10.5H3M5.5 8 3 10.5 5.5 13",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  more: "M3 8h.01M8 8h.01M13 8h.01",
  back: "M10 3 5 8l5 5",
  next: "M6 3l5 5-5 5",
  down: "M4 6l4 4 4-4",
  menu: "M2.5 3.5h11v9h-11zM6.5 3.5v9",
  file: "M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5",
  download: "M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10",
  area: "M2.5 2.5h11v11h-11zM5 5h6v6H5z",
  lock: "M4.5 7.5h7v5.5h-7zM6 7.5v-2a2 2 0 0 1 4 0v2",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1.5 1h-11zM6.7 13.5a1.4 1.4 0 0 0 2.6 0",
  leave: "M6.5 2.5h-4v11h4M6 8h7.5M10.5 5l3 3-3 3",
  usage: "M3 13.5v-5M6.5 13.5v-9M10 13.5v-6.5M13.5 13.5v-11",
  reprint: "M3 8a5 5 0 0 1 9-3M13 8a5 5 0 0 1-9 3M12.5 2v3.2H9.3M3.5 14v-3.2h3.2",
}
const svgns = "http://www.w3.org/2000/svg"

function svg(tag, attributes, ...children) {
  const el = document.createElementNS(svgns, tag)
  for (const name in attributes) el.setAttribute(name, attributes[name])
  el.append(...children)
  return el
}

const frame = (kind, ...children) =>
  svg("svg", { viewBox: "0 0 16 16", class: "icon " + kind, "aria-hidden": "true", focusable: "false" }, ...children)

/** Returns an icon by name. The text beside it, or `aria-label` of its button, gives its meaning. */
export const icon = name => frame("i-" + name, svg("path", { d: paths[name] }))

const ring = () => svg("circle", { cx: 8, cy: 8, r: 6.7 })
const disc = mark => [svg("circle", { cx: 8, cy: 8, r: 7.3, class: "solid" }), svg("path", { d: mark, class: "mark" })]

/** Returns the path of a sector of a circle that begins at the top. `part` is from 0 to 1. */
function sector(part) {
  const angle = Math.min(Math.max(part, 0.08), 0.999) * 2 * Math.PI
  const x = 8 + 4.4 * Math.sin(angle), y = 8 - 4.4 * Math.cos(angle)
  return `M8 8V3.6A4.4 4.4 0 ${angle > Math.PI ? 1 : 0} 1 ${x.toFixed(2)} ${y.toFixed(2)}z`
}

const shapes = {
  preparing: () => [svg("circle", { cx: 8, cy: 8, r: 6.7, class: "dashed" })],
  printing: part => [ring(), svg("path", { d: sector(part), class: "solid" })],
  waiting: () => [ring()],
  retrying: () => [ring(), svg("path", { d: "M8 4.5V8l2.3 1.5" })],
  stopped: () => [
    svg("path", { d: "M8 1.8 15 14H1z", class: "solid joined" }),
    svg("path", { d: "M8 6.3v3.4M8 11.6v.1", class: "mark" })],
  held: () => [ring(), svg("path", { d: "M6.5 5.8v4.4M9.5 5.8v4.4" })],
  completed: () => disc("M5 8.3 7.2 10.5 11 6"),
  canceled: () => [ring(), svg("path", { d: "M3.5 12.5 12.5 3.5" })],
  failed: () => disc("M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6"),
}
const same = { arriving: "preparing", stopping: "printing", suspended: "stopped" }

/** Returns the shape of a job's phase; `part` is the printed part from 0 to 1. */
export function phaseIcon(phase, part = 0) {
  const shape = same[phase] || phase
  return frame("phase p-" + shape, ...(shapes[shape] || shapes.waiting)(part))
}

/** Returns the mark of a printer in the sidebar: a dot, a ring, or a warning. */
export function printerIcon(phase) {
  if (["stopped", "attention", "offline"].includes(phase)) return phaseIcon("stopped")
  const busy = phase === "printing" || phase === "preparing"
  return frame(busy ? "dot busy" : "dot", svg("circle", { cx: 8, cy: 8, r: busy ? 4.5 : 3.6 }))
}
