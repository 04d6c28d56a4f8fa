// Holds a page as pixels.

/// An image of opaque pixels in sRGB or gray, with the top row first.
public struct Bitmap: Hashable, Sendable {
    /// The format of a pixel.
    public enum Format: Sendable {
        /// One byte for each pixel; 0 is black, 255 is white.
        case gray8
        /// Three bytes for each pixel, in the order red, green, blue.
        case rgb24

        /// The number of bytes per pixel: 1 or 3.
        public var bytesPerPixel: Int { self == .gray8 ? 1 : 3 }
    }

    /// The color of one pixel.
    public struct Pixel: Hashable, Sendable {
        /// The red component, from 0 to 255.
        public var red: UInt8
        /// The green component, from 0 to 255.
        public var green: UInt8
        /// The blue component, from 0 to 255.
        public var blue: UInt8

        /// Creates a color from three components.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        /// The color white.
        public static let white = Pixel(red: 255, green: 255, blue: 255)
    }

    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int
    /// The format of the pixels.
    public private(set) var format: Format
    /// The pixels, row by row, without gaps: `bytesPerRow × height` bytes.
    public private(set) var bytes: [UInt8]

    /// The number of bytes per row; rows follow one another without gaps.
    public var bytesPerRow: Int { width * format.bytesPerPixel }

    /// Creates a white bitmap.
    public init(width: Int, height: Int, format: Format = .rgb24) {
        precondition(width > 0 && height > 0, "a bitmap must have at least 1 × 1 pixels, not \(width) × \(height)")
        self.width = width
        self.height = height
        self.format = format
        bytes = [UInt8](repeating: 255, count: width * height * format.bytesPerPixel)
    }

    /// Creates a bitmap from existing pixels.
    ///
    /// A number of bytes other than `width × height × format.bytesPerPixel` is a programming error.
    public init(width: Int, height: Int, format: Format, bytes: [UInt8]) {
        precondition(
            width > 0 && height > 0 && bytes.count == width * height * format.bytesPerPixel,
            "a bitmap of \(width) × \(height) pixels cannot have \(bytes.count) bytes")
        self.width = width
        self.height = height
        self.format = format
        self.bytes = bytes
    }

    /// Accesses the color of one pixel; `y` is the distance from the top.
    ///
    /// Storing a color other than gray in a `gray8` bitmap converts the bitmap to `rgb24`. The subscript is slow; to
    /// read whole pages, use `bytes`.
    public subscript(x: Int, y: Int) -> Pixel {
        get {
            let start = offset(x, y)
            return switch format {
            case .gray8: Pixel(red: bytes[start], green: bytes[start], blue: bytes[start])
            case .rgb24: Pixel(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
            }
        }
        set {
            if format == .gray8, newValue.red != newValue.green || newValue.green != newValue.blue {
                convertToRGB()
            }
            let start = offset(x, y)
            bytes[start] = newValue.red
            if format == .rgb24 {
                bytes[start + 1] = newValue.green
                bytes[start + 2] = newValue.blue
            }
        }
    }

    private func offset(_ x: Int, _ y: Int) -> Int {
        precondition(
            x >= 0 && x < width && y >= 0 && y < height,
            "pixel (\(x), \(y)) is outside of a bitmap with \(width) × \(height) pixels")
        return y * bytesPerRow + x * format.bytesPerPixel
    }
}

extension Bitmap {
    /// Converts the bitmap to `rgb24`; the colors do not change.
    public mutating func convertToRGB() {
        guard format == .gray8 else { return }
        let count = width * height
        bytes = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: count * 3) { target, initialized in
                for index in 0..<count {
                    let level = source[index]
                    target[index * 3] = level
                    target[index * 3 + 1] = level
                    target[index * 3 + 2] = level
                }
                initialized = count * 3
            }
        }
        format = .rgb24
    }

    /// Converts the bitmap to `gray8`; each color becomes the gray of equal luminance (`Luminance`).
    ///
    /// The function computes luminance in linear light: pure red, green and blue become 130, 220 and 70. White and
    /// grays do not change.
    public mutating func convertToGray() {
        guard format == .rgb24 else { return }
        let count = width * height
        let luminance = Luminance.shared
        bytes = bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
                for index in 0..<count {
                    target[index] = luminance.gray(
                        red: source[index * 3], green: source[index * 3 + 1], blue: source[index * 3 + 2])
                }
                initialized = count
            }
        }
        format = .gray8
    }

    /// Calls `body` with a writable pointer to the bytes of one row.
    mutating func withMutableRow<T>(_ y: Int, _ body: (UnsafeMutablePointer<UInt8>) -> T) -> T {
        let start = y * bytesPerRow
        precondition(y >= 0 && y < height, "row \(y) is outside of a bitmap with \(height) rows")
        return bytes.withUnsafeMutableBufferPointer { body($0.baseAddress! + start) }
    }
}
