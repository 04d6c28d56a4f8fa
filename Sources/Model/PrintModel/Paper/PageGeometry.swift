// How a page of a document says it wants to be seen.

/// The visible part of a page and how it is turned and scaled for showing it (ISO 32000-1 §7.7.3.3, §14.11.2).
///
///     let page = PageGeometry(box: Rect(x: 0, y: 0, width: 200, height: 100), turns: 1)
///     page.size      // 100 × 200: shown on its side
public struct PageGeometry: Hashable, Sendable {
    /// What is shown, the crop box within the media box, in user space units, y upwards.
    public var box: Rect
    /// The clockwise quarter turns for showing it (`Rotate` / 90).
    public var turns: Int
    /// The size of a user space unit, in points (`UserUnit`).
    public var userUnit: Double

    /// A page that shows a part of its user space.
    public init(box: Rect, turns: Int = 0, userUnit: Double = 1) {
        self.box = box
        self.turns = turns
        self.userUnit = userUnit
    }

    /// The size of the page as it is seen, in points.
    public var size: Size {
        let size = Size(width: box.width * userUnit, height: box.height * userUnit)
        return turns % 2 == 0 ? size : size.turned
    }

    /// The map from user space to the page as it is seen: in points, its lower left corner at the origin.
    public var upright: AffineTransform {
        let size = Size(width: box.width * userUnit, height: box.height * userUnit)
        return AffineTransform.translation(x: -box.minX, y: -box.minY)
            .concatenating(.scale(x: userUnit, y: userUnit))
            .concatenating(.turning(size, quarters: -turns))
    }
}

extension AffineTransform {
    /// Turns a rectangle at the origin by quarters, counter-clockwise where y grows upwards, and brings it back there.
    static func turning(_ size: Size, quarters: Int) -> AffineTransform {
        let turn = AffineTransform.quarterTurns(quarters)
        let turned = turn.apply(to: Rect(origin: .zero, size: size))
        return turn.concatenating(.translation(x: -turned.minX, y: -turned.minY))
    }
}
