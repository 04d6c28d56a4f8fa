/**
 * Computes page views: scale, tiles and paging. No elements, no network, no clock.
 * Lengths of pages are points. `scale` is CSS pixels per point. `center` is the point of the page in the middle of the
 * view.
 */

/** The width and height of a tile in pixels. */
export const tileSize = 512
/** Actual size (100 %) in CSS pixels per point. */
export const actual = 96 / 72
const largest = 8 * actual

const clamp = (value, low, high) => Math.min(Math.max(value, low), high)

/** Returns the scale at which the page fits the view. */
export const fitScale = (page, view) =>
  Math.max(0.01, Math.min(view.width / page.width, view.height / page.height, largest))

/** Returns the next step of the zoom in one direction: fit, then 50, 100, 200, 400 and 800 %. */
export function step(scale, fit, direction) {
  const steps = [fit, ...[0.5, 1, 2, 4, 8].map(s => s * actual).filter(s => s > fit * 1.15)]
  return direction > 0 ? steps.find(s => s > scale * 1.01) ?? scale : steps.findLast(s => s < scale * 0.99) ?? fit
}

/** Returns the center moved so that the view shows no more than the page. */
export function bounded(center, scale, page, view) {
  const axis = (value, length, visible) => {
    const half = visible / scale / 2
    return length <= 2 * half ? length / 2 : clamp(value, half, length - half)
  }
  return { x: axis(center.x, page.width, view.width), y: axis(center.y, page.height, view.height) }
}

/**
 * Returns the zoom with another scale. `anchor`, in pixels from the middle of the view, keeps its point of the page.
 */
export function zoomed(zoom, scale, anchor, fit, page, view) {
  scale = clamp(scale, fit, Math.max(fit, largest))
  const center = {
    x: zoom.center.x + anchor.x / zoom.scale - anchor.x / scale,
    y: zoom.center.y + anchor.y / zoom.scale - anchor.y / scale,
  }
  return { scale, center: bounded(center, scale, page, view) }
}

/** Returns the size of the page in pixels of a resolution. */
export const pixels = (page, dpi) =>
  ({ width: Math.round(page.width * dpi / 72), height: Math.round(page.height * dpi / 72) })

/** Returns the tiles that show a rectangle of the page (points), the nearest to its center first. */
export function tiles(page, dpi, rect) {
  const { width, height } = pixels(page, dpi), unit = dpi / 72 / tileSize, list = []
  const last = length => Math.ceil(length / tileSize) - 1
  const x1 = Math.min(Math.floor((rect.x + rect.width) * unit), last(width))
  const y1 = Math.min(Math.floor((rect.y + rect.height) * unit), last(height))
  const cx = (rect.x + rect.width / 2) * unit - 0.5, cy = (rect.y + rect.height / 2) * unit - 0.5
  for (let y = Math.max(0, Math.floor(rect.y * unit)); y <= y1; y++)
    for (let x = Math.max(0, Math.floor(rect.x * unit)); x <= x1; x++) list.push({ x, y })
  return list.sort((a, b) => Math.hypot(a.x - cx, a.y - cy) - Math.hypot(b.x - cx, b.y - cy))
}

/**
 * Returns the page of each of the three page views (previous, current, next). A page keeps its view while it is shown.
 */
export function views(current, count) {
  const list = [null, null, null]
  for (let page = Math.max(1, current - 1); page <= Math.min(count, current + 1); page++) list[page % 3] = page
  return list
}

/** Returns the page on which a released drag ends: at most one page from `start`; a fast drag needs no half page. */
export function landing(offset, start, velocity, count) {
  const target = Math.abs(velocity) > 0.3 ? start + Math.sign(velocity) : Math.round(offset)
  return clamp(clamp(target, start - 1, start + 1), 1, count)
}

/**
 * Returns a function that turns wheel distances into page turns: one per notch or swipe, none for the momentum after
 * it.
 */
export function wheelTurns() {
  let sum = 0, last = 0, before = -1e9, turned = -1e9
  return (delta, time) => {
    const decays = Math.abs(delta) < Math.abs(last) || Math.abs(delta) < 40
    // A busy page may see the momentum of a swipe late.
    if (time - before > (decays ? 500 : 200)) { sum = 0; turned = -1e9 }
    before = time; last = delta
    if (time - turned < 180 || (turned > 0 && decays)) return 0
    sum += delta
    if (Math.abs(sum) < 40) return 0
    const turn = Math.sign(sum)
    sum = 0; turned = time
    return turn
  }
}
