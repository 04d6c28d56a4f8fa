// Reads the rows of a PNG image without interlacing.

import PrintModel

/// The rows of a PNG image, converted for a PDF.
///
/// A PDF uses the same compression and row filters as PNG. Therefore pixels that need no change are copied without
/// being compressed again. Transparent pixels are blended with white, and 16-bit samples are reduced to 8 bits.
struct PNGRows {
    private let header: PNGHeader
    private let bytes: UnsafeRawBufferPointer
    /// The properties of the image in the PDF.
    let image: ImageProperties

    /// The conversion of a PNG row before the row is stored in the PDF.
    private enum Conversion {
        case none
        case gray(transparent: Int?)
        case rgb(transparent: [Int]?)
        case alpha(colors: Int)
    }

    private let conversion: Conversion

    /// Creates the rows of a PNG file from its header.
    init(_ bytes: UnsafeRawBufferPointer, _ header: PNGHeader) {
        (self.bytes, self.header) = (bytes, header)
        let key = stride(from: 0, to: header.transparency.count - 1, by: 2).map { start in
            Int(header.transparency[start]) << 8 | Int(header.transparency[start + 1])
        }
        var colors: ImageProperties.Colors
        var bits = 8
        switch header.colorType {
        case .gray:
            colors = .gray(isInverted: false)
            let isUnchanged = key.isEmpty && header.bitDepth <= 8
            if isUnchanged { bits = header.bitDepth }
            conversion = isUnchanged ? .none : .gray(transparent: key.first)
        case .rgb:
            colors = .rgb
            let isUnchanged = key.count < 3 && header.bitDepth == 8
            conversion = isUnchanged ? .none : .rgb(transparent: key.count >= 3 ? key : nil)
        case .indexed:
            colors = .indexed(palette: Self.opaque(header.palette, header.transparency))
            bits = header.bitDepth
            conversion = .none
        case .grayAlpha:
            colors = .gray(isInverted: false)
            conversion = .alpha(colors: 1)
        case .rgbAlpha:
            colors = .rgb
            conversion = .alpha(colors: 3)
        }
        image = ImageProperties(
            width: header.width, height: header.height, colors: colors, bits: bits, density: header.density,
            orientation: header.orientation, profile: header.profile)
    }

    /// Blends each color of a palette with white according to the opacity of the color.
    private static func opaque(_ palette: [UInt8], _ alpha: [UInt8]) -> [UInt8] {
        palette.indices.map { index in
            let alpha = index / 3 < alpha.count ? alpha[index / 3] : 255
            return overWhite(palette[index], alpha)
        }
    }

    /// Delivers the rows to a sink, and returns the number of decoded rows.
    func read(to sink: ImageRowSink) -> Int {
        if case .none = conversion, isComplete {
            for range in header.pixelData {
                // Pieces, because the sink copies its input.
                for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
                    let piece = bytes[start..<min(start + 1 << 20, range.upperBound)]
                    UnsafeRawBufferPointer(rebasing: piece).withMemoryRebound(to: UInt8.self) {
                        sink.add(compressed: $0)
                    }
                }
            }
            return header.height
        }
        let converter = PNGRowConverter(header, bytesPerRow: image.bytesPerRow)
        var count = 0
        forEachRow { filter, row in
            guard converter.unfilter(row, filter), sink.isWritable else { return false }
            switch conversion {
            case .none: sink.add(UnsafeBufferPointer(row))
            case .gray(let transparent): sink.add(converter.gray(row, transparent: transparent))
            case .rgb(let transparent): sink.add(converter.rgb(row, transparent: transparent))
            case .alpha(let colors): sink.add(converter.alpha(row, colors: colors))
            }
            count += 1
            return true
        }
        return count
    }

    /// Whether the compressed data contains exactly the rows of the image, with valid filters and a valid checksum.
    private var isComplete: Bool {
        var count = 0
        let isEnded = forEachRow { filter, _ in
            count += 1
            return filter <= 4
        }
        return isEnded && count == header.height
    }

    /// Calls a function with the filter number and the bytes of each row, until the called function returns false.
    ///
    /// - Returns: Whether the compressed data ended after the last row.
    @discardableResult
    private func forEachRow(_ body: (UInt8, UnsafeMutableBufferPointer<UInt8>) -> Bool) -> Bool {
        guard let inflation = Inflation() else { return false }
        let length = header.bytesPerRow + 1
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 16)
        defer { buffer.deallocate() }
        let row = UnsafeMutableRawBufferPointer(rebasing: buffer[1...]).bindMemory(to: UInt8.self)
        var (filled, count) = (0, 0)
        for range in header.pixelData {
            inflation.setInput(UnsafeRawBufferPointer(rebasing: bytes[range]))
            while count < header.height {
                filled += inflation.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                guard filled == length else { break }
                guard body(buffer[0], row) else { return false }
                filled = 0
                count += 1
            }
            if count == header.height, !inflation.isComplete {
                // Only the checksum may follow.
                guard inflation.read(into: buffer) == 0 else { return false }
            }
            if inflation.isDamaged { return false }
        }
        return inflation.isComplete
    }
}

/// Returns a color sample, blended with white according to the given opacity.
@inline(__always)
func overWhite(_ sample: UInt8, _ alpha: UInt8) -> UInt8 {
    let (sample, alpha) = (Int(sample), Int(alpha))
    return UInt8(truncatingIfNeeded: (sample * alpha + 255 * (255 - alpha) + 127) / 255)
}
