// Reads the kind of samples of a TIFF page, and converts rows of samples.

import CTIFF

/// The layout of the samples in a TIFF page.
struct TIFFSamples {
    /// The color model of the samples.
    enum Kind: Hashable {
        case gray(isInverted: Bool)
        case palette([UInt8])
        case rgb
        case cmyk
        /// A rare color model, whose pixels libtiff converts to RGB with alpha.
        case converted
        /// Samples that cannot be read, for example because of an unsupported compression; the associated value is the
        /// reason.
        case unsupported(String)
    }

    /// The kind of alpha channel: no alpha channel, colors that are premultiplied with alpha, or alpha that is separate
    /// from the colors.
    enum Alpha: Equatable { case none, premultiplied, separate }

    let kind: Kind
    /// The number of bits per stored sample.
    let bits: Int
    /// The number of samples per pixel, including alpha and other extra samples.
    let count: Int
    /// Whether the file stores each color in a separate plane.
    let isPlanar: Bool
    let alpha: Alpha

    /// Reads the sample layout from the tags of the current page.
    init(_ file: TIFFFile) {
        let bits = Int(file.number(TIFFTAG_BITSPERSAMPLE, UInt16(1)))
        let count = Int(file.number(TIFFTAG_SAMPLESPERPIXEL, UInt16(1)))
        let format = Int32(file.number(TIFFTAG_SAMPLEFORMAT, UInt16(1)))
        let isPlanar = Int32(file.number(TIFFTAG_PLANARCONFIG, UInt16(1))) == PLANARCONFIG_SEPARATE && count > 1
        let photometric = Int32(file.number(TIFFTAG_PHOTOMETRIC, UInt16.max))
        let isJPEG = Int32(file.number(TIFFTAG_COMPRESSION, UInt16(1))) == COMPRESSION_JPEG
        let isInteger = format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID
        let isWide = bits == 8 || bits == 16
        var kind = Kind.converted
        switch photometric {
        case PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK:
            // Pixels of less than a byte with several samples are rare.
            if isInteger, isWide || ([1, 2, 4].contains(bits) && count == 1) {
                kind = .gray(isInverted: photometric == PHOTOMETRIC_MINISWHITE)
            }
        case PHOTOMETRIC_PALETTE where [1, 2, 4, 8].contains(bits) && count == 1 && isInteger:
            if let colors = Self.palette(file, bits: bits) { kind = .palette(colors) }
        case PHOTOMETRIC_RGB where isWide && count >= 3 && isInteger: kind = .rgb
        case PHOTOMETRIC_YCBCR where isJPEG && bits == 8 && count == 3 && !isPlanar:
            file.requestRGB()
            kind = .rgb
        case PHOTOMETRIC_SEPARATED
        where isWide && count >= 4 && isInteger
            && Int32(file.number(TIFFTAG_INKSET, UInt16(INKSET_CMYK))) == INKSET_CMYK:
            kind = .cmyk
        default: break
        }
        if !file.isCompressionKnown { kind = .unsupported("the compression is not supported") }
        let colorCount = [Kind.rgb: 3, .cmyk: 4][kind] ?? 1
        let extra = file.extraSamples.first
        switch extra.map(Int32.init) {
        case EXTRASAMPLE_ASSOCALPHA where count > colorCount: alpha = .premultiplied
        case EXTRASAMPLE_UNASSALPHA where count > colorCount: alpha = .separate
        default: alpha = .none
        }
        if kind == .converted, let problem = file.conversionProblem { kind = .unsupported(problem) }
        (self.kind, self.bits, self.count, self.isPlanar) = (kind, bits, count, isPlanar)
    }

    /// The color model of the image in the PDF; nil if the page cannot be read.
    var colors: ImageProperties.Colors? {
        switch kind {
        case .gray(let isInverted): .gray(isInverted: isInverted && resultBits < 8)
        case .palette(let colors): .indexed(palette: colors)
        case .rgb, .converted: .rgb
        case .cmyk: .cmyk
        case .unsupported: nil
        }
    }

    /// The reason why the page cannot be read; nil if the page can be read.
    var problem: String? {
        if case .unsupported(let reason) = kind { reason } else { nil }
    }

    /// The number of bits per sample in the PDF.
    var resultBits: Int {
        switch kind {
        case .gray, .palette: min(bits, 8)
        default: 8
        }
    }

    /// Whether the PDF can use a stored row without conversion.
    var isUnchanged: Bool {
        switch kind {
        case .gray(let isInverted): bits < 8 || (bits == 8 && count == 1 && !isInverted)
        case .palette: true
        case .rgb: bits == 8 && count == 3 && !isPlanar
        case .cmyk: bits == 8 && count == 4 && !isPlanar
        case .converted, .unsupported: false
        }
    }

    /// Converts a row of samples to bytes, and blends transparent pixels with white.
    ///
    /// In the result, the gray level 0 is black, even if 0 is white in the file.
    ///
    /// - Parameters:
    ///   - planes: The rows of the stored planes; one row with all samples of each pixel if the page is not planar.
    ///   - width: The number of pixels.
    func convert(_ planes: [UnsafeRawPointer], width: Int, to row: UnsafeMutableBufferPointer<UInt8>) {
        let colorCount = [Kind.rgb: 3, .cmyk: 4][kind] ?? 1
        let isInverted = kind == .gray(isInverted: true)
        let hasAlpha = alpha != .none && (!isPlanar || planes.count > colorCount)
        for x in 0..<width {
            // CMYK has no ink where it is transparent, other colors are white.
            let opacity = hasAlpha ? Int(sample(planes, x, colorCount)) : 255
            for color in 0..<colorCount {
                var value = Int(sample(planes, x, color))
                if isInverted { value = 255 - value }
                if hasAlpha {
                    if alpha == .separate { value = (value * opacity + 127) / 255 }
                    if kind != .cmyk { value = min(value + 255 - opacity, 255) }
                }
                row[x * colorCount + color] = UInt8(truncatingIfNeeded: value)
            }
        }
    }

    @inline(__always)
    private func sample(_ planes: [UnsafeRawPointer], _ x: Int, _ color: Int) -> UInt8 {
        let plane = isPlanar ? planes[color] : planes[0]
        let index = isPlanar ? x : x * count + color
        if bits == 8 { return plane.load(fromByteOffset: index, as: UInt8.self) }
        return UInt8(truncatingIfNeeded: plane.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self) >> 8)
    }

    /// Reads the palette, and converts its colors from 16 to 8 bits; returns nil if the page has no palette.
    ///
    /// Some old programs write 8-bit colors. Therefore, if all values are below 256, the function copies the values
    /// unchanged.
    private static func palette(_ file: TIFFFile, bits: Int) -> [UInt8]? {
        guard let tables = file.palette() else { return nil }
        let colors = (0..<1 << bits).flatMap { index in tables.map { $0[index] } }
        let shift: UInt16 = colors.contains { $0 > 255 } ? 8 : 0
        return colors.map { UInt8(truncatingIfNeeded: $0 >> shift) }
    }
}
