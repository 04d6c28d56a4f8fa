// Finds the images in a Windows icon or cursor.

/// The directory of a Windows icon or cursor.
///
/// An icon file contains one image in several sizes.
///
/// Icons store large images as PNG. gdk-pixbuf does not decode PNG images in icons.
struct IconDirectory {
    private let bytes: UnsafeRawBufferPointer

    /// Creates a directory from the bytes of an icon file, without checking the bytes.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The PNG data of the largest image; nil if the largest image is not stored as PNG, or if the directory is
    /// invalid.
    var largestPNG: UnsafeRawBufferPointer? {
        guard bytes.count >= 6 else { return nil }
        let count = number(at: 4, bytes: 2)
        var largest: (area: Int, size: Int, offset: Int)?
        for index in 0..<count {
            let entry = 6 + 16 * index
            guard entry + 16 <= bytes.count else { break }
            // A side of 256 pixels is stored as 0.
            let sides = [entry, entry + 1].map { bytes[$0] == 0 ? 256 : Int(bytes[$0]) }
            let area = sides[0] * sides[1]
            if area > largest?.area ?? 0 {
                largest = (area, number(at: entry + 8, bytes: 4), number(at: entry + 12, bytes: 4))
            }
        }
        guard let largest, largest.size > 8, largest.offset <= bytes.count, largest.size <= bytes.count - largest.offset
        else { return nil }
        let image = UnsafeRawBufferPointer(rebasing: bytes[largest.offset..<(largest.offset + largest.size)])
        return image.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) ? image : nil
    }

    /// Returns the little-endian number at an offset.
    private func number(at position: Int, bytes count: Int) -> Int {
        (0..<count).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
    }
}
