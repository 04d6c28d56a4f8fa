/** Zooms and moves pages on a desk, by fingers, mouse, trackpad and keys. The viewer and the comparison extend it. */

import { later } from "../base/dom.js"
import { gestures } from "./gestures.js"
import { actual, bounded, fitScale, step, zoomed } from "./zoom.js"

const still = matchMedia("(prefers-reduced-motion: reduce)")
const middle = { x: 0, y: 0 }

/**
 * Subclasses give `page` (its size), `measure()`, which sets `view` (the part of the stage without the bars), `draw()`,
 * `refine()` (loads sharp images), and `held` (the zoom of a page that is not shown as a whole, or null). They may
 * replace `excess`, `release`, `wheel`, `anchor` and `zoomChanged`.
 */
export class Desk {
  constructor(stage) {
    this.stage = stage
    this.refineLater = later(() => this.refine(), 80)
    this.sizes = new ResizeObserver(() => { this.measure(); this.changed() })
    this.sizes.observe(stage)
    gestures(stage, {
      begin: () => this.stop(),
      drag: (dx, dy) => this.pan(dx, dy),
      pinch: (factor, point, dx, dy) => {
        this.scaleTo(this.zoom.scale * factor, point)
        this.pan(dx, dy, true)
      },
      end: (vx, vy) => this.release(vx, vy),
      tap: () => this.tap?.(),
      doubleTap: point => this.zoomStep(1, point, true),
      twoFingerTap: point => this.zoomStep(-1, point),
      wheel: (dx, dy, event) => this.wheel(dx, dy, event),
    })
  }

  get fit() { return this.page ? fitScale(this.page, this.view) : 1 }
  get zoom() { return this.held || this.fitted(this.page) }
  fitted(page) { return { scale: fitScale(page, this.view), center: { x: page.width / 2, y: page.height / 2 } } }

  hold(zoom) {
    this.held = zoom.scale > this.fit * 1.001 ? zoom : null
    this.zoomChanged?.()
    this.changed()
  }

  /** Moves the page. What would pass its edges goes to `excess`. */
  pan(dx, dy, inside = false) {
    if (!this.page) return
    const { scale, center } = this.zoom
    const wanted = { x: center.x - dx / scale, y: center.y - dy / scale }
    const allowed = bounded(wanted, scale, this.page, this.view)
    this.hold({ scale, center: allowed })
    if (!inside) this.excess?.((wanted.x - allowed.x) * scale, (wanted.y - allowed.y) * scale)
  }

  /** Sets the scale. The point of the page at `point` (from the middle of the stage) stays where it is. */
  scaleTo(scale, point) {
    if (!this.page) return
    this.hold(zoomed(this.zoom, scale, point ? this.anchor(point) : middle, this.fit, this.page, this.view))
  }

  /** Returns a point from the middle of the stage as one from the middle of the view. */
  anchor({ x, y }) {
    const { stage, view } = this
    return { x: x + stage.clientWidth / 2 - view.x - view.width / 2,
      y: y + stage.clientHeight / 2 - view.y - view.height / 2 }
  }

  /** Zooms one step around a point; `wraps`: from the largest scale back to fit. */
  zoomStep(direction, point, wraps) {
    // A step during the motion of the step before begins where that one ends.
    const from = this.goal ?? (this.page ? this.zoom.scale : 1), next = step(from, this.fit, direction)
    this.glide(wraps && next === from ? this.fit : next, point)
  }

  zoomKeys() {
    return [
      { keys: ["+", "="], label: "viewer.zoom", show: "+ − 0", run: () => this.zoomStep(1) },
      { keys: ["-"], run: () => this.zoomStep(-1) },
      { keys: ["0"], run: () => this.glide(this.fit) },
    ]
  }

  /** Changes between fit and actual size. */
  toggleFit() { this.glide(this.held ? this.fit : actual) }

  glide(to, point) {
    if (!this.page) return
    const from = this.zoom.scale
    this.animate(part => this.scaleTo(part < 1 ? from * (to / from) ** part : to, point), () => { this.goal = null })
    if (this.animation) this.goal = to
  }

  /** Calls `run` with parts that grow from 0 to 1 in 200 ms, or once with 1 if the system asks for less motion. */
  animate(run, done) {
    this.stop()
    const begin = performance.now()
    const tick = now => {
      const part = still.matches ? 1 : Math.min(Math.max((now - begin) / 200, 0), 1)
      run(1 - (1 - part) ** 3)
      if (part < 1) this.animation = requestAnimationFrame(tick)
      else { this.animation = 0; done?.() }
    }
    tick(begin)
  }

  stop() {
    cancelAnimationFrame(this.animation)
    this.animation = 0
    this.goal = null
  }

  /** Lets a released page glide on. */
  release(vx, vy) {
    if (!this.held || still.matches || Math.hypot(vx, vy) < 0.2) return
    let last = performance.now()
    const tick = now => {
      const time = Math.min(now - last, 50), slow = Math.exp(-time / 200)
      last = now
      this.pan(vx * time, vy * time, true)
      vx *= slow
      vy *= slow
      this.animation = Math.hypot(vx, vy) > 0.02 ? requestAnimationFrame(tick) : 0
    }
    this.animation = requestAnimationFrame(tick)
  }

  wheel(dx, dy) {
    this.stop()
    this.pan(-dx, -dy)
  }

  /** Draws once before the next frame, and then loads what the new view needs. */
  changed() {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      if (!this.view || !this.page) return
      this.draw()
      this.refineLater()
    })
  }

  close() {
    this.stop()
    cancelAnimationFrame(this.frame)
    this.refineLater.cancel()
    this.sizes.disconnect()
  }
}
