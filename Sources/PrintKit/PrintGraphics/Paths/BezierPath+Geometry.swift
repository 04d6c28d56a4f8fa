// The bounds of paths, hit tests, and reversal.

import FoundationEssentials

extension BezierPath {
    /// The smallest rectangle that contains the path, ignoring control points; zero for an empty path.
    public var bounds: Rect {
        var box = BoundingBox()
        forEachSegment { from, element in
            box.add(from)
            switch element {
            case .move(let to), .line(let to): box.add(to)
            case .quadCurve(let to, let control):
                box.addCurve(from, from.toward(control, 2 / 3), to.toward(control, 2 / 3), to)
            case .curve(let to, let one, let two): box.addCurve(from, one, two, to)
            case .close: break
            }
        }
        return box.rect
    }

    /// Returns whether a point lies in the filled area, according to the path's fill rule.
    ///
    /// Open subpaths contain no points.
    public func contains(_ point: Point) -> Bool {
        guard point.isFinite else { return false }
        return ScratchCanvas.isInFill(of: closedPart, at: point)
    }

    /// Returns whether a point lies on the line that `stroke()` would draw.
    public func strokeContains(_ point: Point) -> Bool {
        guard point.isFinite else { return false }
        return ScratchCanvas.isInStroke(of: self, at: point)
    }

    /// Returns the path with the opposite direction.
    ///
    /// The subpaths are in reverse order. Closed subpaths stay closed.
    public func reversing() -> BezierPath {
        var path = self
        path.removeAllPoints()
        for subpath in subpaths.reversed() {
            path.appendReversed(subpath)
        }
        return path
    }

    /// Each subpath begins with a move.
    private var subpaths: [ArraySlice<Element>] {
        var result: [ArraySlice<Element>] = []
        var first = 0
        for (index, element) in elements.enumerated() where index > first {
            guard case .move = element else { continue }
            result.append(elements[first..<index])
            first = index
        }
        if !elements.isEmpty { result.append(elements[first...]) }
        return result
    }

    var closedPart: BezierPath {
        var path = self
        path.removeAllPoints()
        for subpath in subpaths where subpath.last == .close {
            for element in subpath { path.add(element) }
        }
        return path
    }

    private mutating func appendReversed(_ subpath: ArraySlice<Element>) {
        let isClosed = subpath.last == .close
        let pieces = Array(isClosed ? subpath.dropLast() : subpath)
        guard let last = pieces.last?.end else { return }
        move(to: last)
        for index in pieces.indices.dropFirst().reversed() {
            guard let target = pieces[index - 1].end else { continue }
            switch pieces[index] {
            case .quadCurve(_, let control): addQuadCurve(to: target, controlPoint: control)
            case .curve(_, let one, let two): addCurve(to: target, controlPoint1: two, controlPoint2: one)
            case .move, .line, .close: addLine(to: target)
            }
        }
        if isClosed { close() }
    }

    private mutating func add(_ element: Element) {
        switch element {
        case .move(let point): move(to: point)
        case .line(let point): addLine(to: point)
        case .quadCurve(let point, let control): addQuadCurve(to: point, controlPoint: control)
        case .curve(let point, let one, let two): addCurve(to: point, controlPoint1: one, controlPoint2: two)
        case .close: close()
        }
    }

    private func forEachSegment(_ body: (_ from: Point, Element) -> Void) {
        var (start, current) = (Point.zero, Point.zero)
        for element in elements {
            if case .move(let point) = element {
                (start, current) = (point, point)
            }
            body(current, element)
            current = element.end ?? start
        }
    }
}

/// The smallest rectangle that contains the added points and curves.
private struct BoundingBox {
    var minX = Double.infinity
    var minY = Double.infinity
    var maxX = -Double.infinity
    var maxY = -Double.infinity

    var rect: Rect {
        minX <= maxX ? Rect(x: minX, y: minY, width: maxX - minX, height: maxY - minY) : .zero
    }

    mutating func add(_ point: Point) {
        (minX, maxX) = (min(minX, point.x), max(maxX, point.x))
        (minY, maxY) = (min(minY, point.y), max(maxY, point.y))
    }

    /// Extends the box by a cubic curve.
    ///
    /// The extremes of the curve are at its ends and at the zeros of its derivative.
    mutating func addCurve(_ p0: Point, _ p1: Point, _ p2: Point, _ p3: Point) {
        add(p3)
        let times = turns(p0.x, p1.x, p2.x, p3.x) + turns(p0.y, p1.y, p2.y, p3.y)
        for t in times where t > 0 && t < 1 {
            let s = 1 - t
            func at(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
                s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d
            }
            add(Point(x: at(p0.x, p1.x, p2.x, p3.x), y: at(p0.y, p1.y, p2.y, p3.y)))
        }
    }

    private func turns(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> [Double] {
        let (square, linear, constant) = (d - 3 * c + 3 * b - a, 2 * (c - 2 * b + a), b - a)
        if abs(square) < 1e-12 { return linear == 0 ? [] : [-constant / linear] }
        let root = linear * linear - 4 * square * constant
        guard root >= 0 else { return [] }
        return [(-linear + root.squareRoot()) / (2 * square), (-linear - root.squareRoot()) / (2 * square)]
    }
}

extension Point {
    fileprivate func toward(_ other: Point, _ share: Double) -> Point {
        Point(x: x + (other.x - x) * share, y: y + (other.y - y) * share)
    }
}
