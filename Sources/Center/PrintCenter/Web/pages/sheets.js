/** Computes thumbnails: resolution, size, and the pages of each sheet. */

/** The resolutions in which the server draws pages. */
export const ladder = [24, 48, 96, 192, 384, 768]

/** Returns the smallest resolution of the ladder that has at least one pixel per device pixel. */
export const resolution = (scale, ratio) => ladder.find(dpi => dpi >= scale * ratio * 72 - 0.5) ?? ladder.at(-1)

/** Returns the indexes of the pages of each group: the sides of one sheet. Pages without a known sheet come `per` to a group. */
export function groups(pages, count, per) {
  const list = []
  for (let i = 0; i < count; i++) {
    const page = pages[i], before = pages[i - 1]
    if (page?.sheet && before ? page.sheet !== before.sheet : i % per === 0) list.push([i]); else list.at(-1).push(i)
  }
  return list
}

/** Returns the size of a thumbnail in a box. */
export function thumbSize(page, box) {
  const scale = Math.min(box.width / page.width, box.height / page.height)
  return { width: Math.max(8, Math.round(page.width * scale)), height: Math.max(8, Math.round(page.height * scale)) }
}
