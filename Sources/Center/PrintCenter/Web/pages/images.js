/** Loads page images, in the resolutions that the server draws. */

import { printerAPI, Problem, url } from "../base/api.js"

/**
 * The pages of a job of the spool: its document, or its printed sides.
 * `image(page, dpi, tile)` returns the address of an image; `tile`: {x, y}, or nothing for the whole page.
 * `words(page)` returns the path and the query of the words on a page.
 */
export const spoolPages = (job, side) => ({
  key: [job, side].join(), side, list: `jobs/${job}/pages`, query: { side },
  image: ({ number }, dpi, tile) => url(`jobs/${job}/pages/${number}/image`, { side, dpi, ...tile }),
  words: ({ number }) => [`jobs/${job}/pages/${number}/words`, { side }],
})

/** The page images that a simulated printer wrote for a job. `whole`: each image has one resolution and no tiles. */
export function printerPages(printer, job) {
  const list = `${printerAPI(printer)}/jobs/${job}/pages`
  return { key: list, side: "printed", whole: true, list, image: ({ number }) => url(`${list}/${number}`) }
}

/** The resolutions in which the server draws pages. */
export const ladder = [24, 48, 96, 192, 384, 768]

/** Returns the smallest resolution of the ladder that has at least one pixel per device pixel. */
export const resolution = (scale, ratio) => ladder.find(dpi => dpi >= scale * ratio * 72 - 0.5) ?? ladder.at(-1)

/** Returns the size of a thumbnail in a box. */
export function thumbSize(page, box) {
  const scale = Math.min(box.width / page.width, box.height / page.height)
  return { width: Math.max(8, Math.round(page.width * scale)), height: Math.max(8, Math.round(page.height * scale)) }
}

/** Whether a page has an image. A simulated printer writes an image when the page is printed. */
export const hasImage = (source, page) => !page.blank && (!source.whole || page.state === "printed")

// The browser opens about six connections to a server; the event stream and the actions need two of them.
const waiting = []
let free = 4

/**
 * Loads an image and decodes it off the main thread. At most four load at a time. Waits when the server is busy.
 * `width`: the width in pixels to which the image is scaled, or nothing.
 */
export function loadImage(address, signal, width) {
  return new Promise((resolve, reject) => {
    waiting.push({ address, signal, width, resolve, reject })
    pump()
  })
}

async function pump() {
  while (free && waiting.length) {
    const { address, signal, width, resolve, reject } = waiting.shift()
    if (signal.aborted) { reject(signal.reason); continue }
    free--
    read(address, signal, width).then(resolve, reject).finally(() => { free++; pump() })
  }
}

async function read(address, signal, width) {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(address, { signal })
    const { ok, status } = answer
    if (ok) return createImageBitmap(await answer.blob(), width ? { resizeWidth: width, resizeQuality: "high" } : {})
    if (status !== 503 || attempt === 8)
      throw new Problem(status, await answer.json().catch(() => ({ title: "HTTP " + status })))
    await new Promise(resolve => setTimeout(resolve, 1000 * (Number(answer.headers.get("Retry-After")) || 1)))
    signal.throwIfAborted()
  }
}

/** Puts an image into a canvas, whose previous image is freed. */
export function paint(canvas, bitmap) {
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap)
}
