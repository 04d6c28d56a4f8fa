/** Recognizes drags, pinches, taps and wheel turns on an element. Points are pixels from its middle. */

/**
 * Calls `on.begin()`, `on.drag(dx, dy)`, `on.pinch(factor, point, dx, dy)`, `on.end(vx, vy)` (pixels per millisecond),
 * `on.tap(point)` (after the time of a double tap), `on.doubleTap(point)`, `on.twoFingerTap(point)`, `on.wheel(dx, dy,
 * event)`.
 */
export function gestures(element, on) {
  const pointers = new Map()
  let most = 0, began = 0, moved = false, middle = null, last = null, timer, samples = []

  const point = event => {
    const box = element.getBoundingClientRect()
    return { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
  }
  const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y)
  const between = ([a, b]) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

  const listeners = {
    pointerdown(event) {
      if (event.button || event.target.closest("button,a,input")) return
      // The mouse selects text; fingers move the page.
      if (event.pointerType === "mouse" && event.target.closest(".page-text span")) return
      getSelection().removeAllRanges()
      element.setPointerCapture(event.pointerId)
      if (!pointers.size) {
        most = 0
        began = event.timeStamp
        moved = false
        samples = []
        on.begin()
      }
      pointers.set(event.pointerId, point(event))
      most = Math.max(most, pointers.size)
      if (pointers.size === 2) middle = between([...pointers.values()])
    },
    pointermove(event) {
      const old = pointers.get(event.pointerId), now = point(event)
      // Small movements belong to a tap. They are not lost: `old` stays where the pointer went down.
      if (!old || !(moved ||= distance(old, now) > 8)) return
      pointers.set(event.pointerId, now)
      if (pointers.size === 1) {
        samples.push({ ...now, time: event.timeStamp })
        on.drag(now.x - old.x, now.y - old.y)
      } else if (pointers.size === 2) {
        samples = []
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1]
        const from = between([old, other]), to = between([now, other])
        on.pinch(distance(now, other) / Math.max(1, distance(old, other)), to, to.x - from.x, to.y - from.y)
      }
    },
    pointerup(event) {
      if (!pointers.delete(event.pointerId) || pointers.size) return
      if (moved) return finish(event)
      on.end(0, 0)
      if (event.timeStamp - began > 400) return
      const at = point(event)
      if (most === 2) on.twoFingerTap(middle)
      if (most !== 1) return
      clearTimeout(timer)
      if (last && event.timeStamp - last.time < 300 && distance(last, at) < 40) {
        last = null
        return on.doubleTap(at)
      }
      last = { ...at, time: event.timeStamp }
      timer = setTimeout(() => on.tap?.(at), 300)
    },
    pointercancel(event) {
      if (pointers.delete(event.pointerId) && !pointers.size) on.end(0, 0)
    },
    wheel(event) {
      event.preventDefault()
      const unit = [1, 16, element.clientHeight][event.deltaMode]
      const dx = event.deltaX * unit, dy = event.deltaY * unit
      if (!event.ctrlKey && !event.metaKey) return on.wheel(dx, dy, event)
      on.begin()
      on.pinch(Math.exp(-Math.min(Math.max(dy, -30), 30) / 100), point(event), 0, 0)
      on.end(0, 0)
    },
  }
  function finish(event) {
    const recent = samples.filter(sample => event.timeStamp - sample.time < 100), first = recent[0], end = recent.at(-1)
    const time = first && event.timeStamp - first.time
    on.end(time > 10 ? (end.x - first.x) / time : 0, time > 10 ? (end.y - first.y) / time : 0)
  }
  // Safari reports the trackpad's pinch with gesture events instead of wheel events.
  let pinched = 1
  listeners.gesturestart = event => { event.preventDefault(); pinched = 1 }
  listeners.gesturechange = event => {
    event.preventDefault()
    if (pointers.size) return
    on.pinch(event.scale / pinched, point(event), 0, 0)
    pinched = event.scale
  }
  for (const [name, run] of Object.entries(listeners)) element.addEventListener(name, run, { passive: false })
}
