import Geometry
import Testing

struct GeometryTests {
    @Test func `concatenated transforms apply the first transform first`() {
        let map = AffineTransform.scale(x: 2, y: 3).concatenating(.translation(x: 10, y: 20))
        #expect(map.apply(to: Point(x: 1, y: 1)) == Point(x: 12, y: 23))
        let other = AffineTransform.translation(x: 10, y: 20).concatenating(.scale(x: 2, y: 3))
        #expect(other.apply(to: Point(x: 1, y: 1)) == Point(x: 22, y: 63))
    }

    @Test func `concatenation of transforms is associative, and the identity transform changes nothing`() {
        let maps = [
            AffineTransform.translation(x: 5, y: -7), .scale(x: 2, y: 0.5), .quarterTurns(1),
            AffineTransform(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6),
        ]
        for a in maps {
            #expect(a.concatenating(.identity) == a)
            #expect(AffineTransform.identity.concatenating(a) == a)
            for b in maps {
                for c in maps {
                    #expect(a.concatenating(b).concatenating(c) == a.concatenating(b.concatenating(c)))
                }
            }
        }
    }

    @Test func `positive quarter turns are counterclockwise, and four quarter turns are the identity`() {
        #expect(AffineTransform.quarterTurns(1).apply(to: Point(x: 1, y: 0)) == Point(x: 0, y: 1))
        #expect(AffineTransform.quarterTurns(-1) == .quarterTurns(3))
        #expect(AffineTransform.quarterTurns(2) == .quarterTurns(1).concatenating(.quarterTurns(1)))
        #expect(AffineTransform.quarterTurns(.min) == .identity)
        #expect(AffineTransform.quarterTurns(.max) == .quarterTurns(3))
    }

    @Test func `if a rectangle is rotated, the result is the bounding box of the rotated rectangle`() {
        let turned = AffineTransform.quarterTurns(1).apply(to: Rect(x: 1, y: 2, width: 30, height: 40))
        #expect(turned == Rect(x: -42, y: 1, width: 40, height: 30))
    }

    @Test func `overlapping rectangles have an intersection, and the intersection of separate rectangles is empty`() {
        let a = Rect(x: 0, y: 0, width: 10, height: 10)
        #expect(a.intersection(Rect(x: 5, y: 6, width: 10, height: 10)) == Rect(x: 5, y: 6, width: 5, height: 4))
        #expect(a.intersection(Rect(x: 20, y: 0, width: 5, height: 5)).isEmpty)
        #expect((a.midX, a.midY) == (5, 5))
    }

    @Test func `sizes are nearly equal if width and height each differ by at most two points`() {
        let size = Size(width: 595, height: 842)
        #expect(size.isNearly(Size(width: 597, height: 840)))
        #expect(!size.isNearly(Size(width: 597.1, height: 842)))
        #expect(!size.isNearly(size.turned))
        #expect(size.turned.isLandscape && !size.isLandscape)
    }
}
