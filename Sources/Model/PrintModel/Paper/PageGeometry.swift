// Defines the visible area, rotation and scale of a document page.

/// The visible area of a page, with its rotation and scale (ISO 32000-1 §7.7.3.3, §14.11.2).
///
///     let page = PageGeometry(box: Rect(x: 0, y: 0, width: 200, height: 100), turns: 1)
///     page.size      // 100 × 200: displayed with a quarter turn
public struct PageGeometry: Hashable, Sendable {
    /// The visible area in user space units, with y upwards.
    ///
    /// The area is the crop box within the media box.
    package var box: Rect
    /// The number of clockwise quarter turns for display (`Rotate` / 90).
    package var turns: Int
    /// The size of a user space unit, in points (`UserUnit`).
    package var userUnit: Double

    package init(box: Rect, turns: Int = 0, userUnit: Double = 1) {
        (self.box, self.turns, self.userUnit) = (box, turns, userUnit)
    }

    /// The size of the page as displayed, in points.
    package var size: Size {
        let size = Size(width: box.width * userUnit, height: box.height * userUnit)
        return turns % 2 == 0 ? size : size.turned
    }

    /// The transform from user space to the displayed page, in points, with the page's lower left corner at the origin.
    package var upright: AffineTransform {
        let size = Size(width: box.width * userUnit, height: box.height * userUnit)
        return AffineTransform.translation(x: -box.minX, y: -box.minY)
            .concatenating(.scale(x: userUnit, y: userUnit))
            .concatenating(.turning(size, quarters: -turns))
    }
}

extension AffineTransform {
    /// Returns the transform that rotates a rectangle at the origin by quarter turns, and then moves the rectangle back
    /// to the origin.
    ///
    /// The rotation is counterclockwise where y increases upwards.
    static func turning(_ size: Size, quarters: Int) -> AffineTransform {
        let turn = AffineTransform.quarterTurns(quarters)
        let turned = turn.apply(to: Rect(origin: .zero, size: size))
        return turn.concatenating(.translation(x: -turned.minX, y: -turned.minY))
    }
}
