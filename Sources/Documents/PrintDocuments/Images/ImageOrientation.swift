// Places the stored pixels of an image in the image as it is shown (Exif and TIFF orientation).

/// The rotation and mirroring that turn the stored image into the displayed image.
///
/// The raw values are the orientation numbers of TIFF 6.0 and Exif.
enum ImageOrientation: Int {
    case up = 1
    case upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

    /// Whether the orientation swaps the width and height of the image.
    var isOnItsSide: Bool { rawValue >= 5 }

    /// The transform from the unit square of the stored image to the unit square of the displayed image; y grows
    /// upwards.
    var transform: PlaneTransform {
        switch self {
        case .up: PlaneTransform(1, 0, 0, 1, 0, 0)
        case .upMirrored: PlaneTransform(-1, 0, 0, 1, 1, 0)
        case .down: PlaneTransform(-1, 0, 0, -1, 1, 1)
        case .downMirrored: PlaneTransform(1, 0, 0, -1, 0, 1)
        case .leftMirrored: PlaneTransform(0, -1, -1, 0, 1, 1)
        case .right: PlaneTransform(0, -1, 1, 0, 0, 1)
        case .rightMirrored: PlaneTransform(0, 1, 1, 0, 0, 0)
        case .left: PlaneTransform(0, 1, -1, 0, 1, 0)
        }
    }

    /// Reads the orientation from an Exif block, which is a TIFF directory (Exif 2.3 §4.5).
    ///
    /// Returns nil if the block has no valid orientation.
    init?(exif bytes: some Collection<UInt8>) {
        var block = Array(bytes)
        // Some programs keep the identifier of the JPEG segment.
        if block.starts(with: Array("Exif\0\0".utf8)) { block.removeFirst(6) }
        guard block.count > 8 else { return nil }
        let isLittleEndian = block[0] == UInt8(ascii: "I")
        func number(at position: Int, count: Int) -> Int? {
            guard position >= 0, position + count <= block.count else { return nil }
            return (0..<count).reduce(0) { sum, index in
                sum << 8 | Int(block[position + (isLittleEndian ? count - 1 - index : index)])
            }
        }
        guard number(at: 2, count: 2) == 42, let directory = number(at: 4, count: 4),
            let entries = number(at: directory, count: 2)
        else { return nil }
        for entry in 0..<entries {
            let position = directory + 2 + entry * 12
            guard let tag = number(at: position, count: 2) else { return nil }
            guard tag == 0x0112 else { continue }
            guard let value = number(at: position + 8, count: 2) else { return nil }
            self.init(rawValue: value)
            return
        }
        return nil
    }
}

/// An affine transform of the plane, stored as the six operands of the PDF operator `cm`; y grows upwards.
struct PlaneTransform {
    let a, b, c, d, e, f: Double

    init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
        (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
    }

    /// Returns a transform that applies this transform first and the transform `other` second.
    func then(_ other: PlaneTransform) -> PlaneTransform {
        PlaneTransform(
            a * other.a + b * other.c, a * other.b + b * other.d,
            c * other.a + d * other.c, c * other.b + d * other.d,
            e * other.a + f * other.c + other.e, e * other.b + f * other.d + other.f)
    }

    static func scale(_ x: Double, _ y: Double) -> PlaneTransform { PlaneTransform(x, 0, 0, y, 0, 0) }

    /// Returns a transform that translates the plane.
    static func translation(_ x: Double, _ y: Double) -> PlaneTransform { PlaneTransform(1, 0, 0, 1, x, y) }

    /// A transform that turns the unit square counterclockwise by 90°.
    static let quarterTurn = PlaneTransform(0, 1, -1, 0, 1, 0)
}
