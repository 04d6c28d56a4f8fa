// Writes the file and page headers of PWG raster and Apple raster.

import PrintModel

/// The file header and the page headers of a raster document.
///
/// The headers of all pages are the same, except for the mirroring of back sides.
struct RasterHeaderWriter {
    private let request: RenderRequest
    private let sheet: RenderedSheet
    private let isURF: Bool

    /// Creates the headers of a raster document for a request.
    init(_ request: RenderRequest, _ sheet: RenderedSheet) {
        self.request = request
        self.sheet = sheet
        isURF = request.delivery.format == .urf
    }

    /// The bytes at the beginning of the raster file.
    var ofFile: [UInt8] {
        isURF ? Array("UNIRAST\0".utf8) + Self.bytes(request.pageCount) : Array("RaS2".utf8)
    }

    /// Returns the header of a page.
    ///
    /// - Parameter mirroring: The directions in which the page is mirrored because it is the back of a sheet.
    func ofPage(mirroring: (acrossWidth: Bool, acrossHeight: Bool)) -> [UInt8] {
        isURF ? urfPage : pwgPage(mirroring)
    }

    // MARK: - PWG raster

    /// Returns the bytes of a page header (PWG 5102.4 §4.3) with big-endian numbers.
    private func pwgPage(_ mirroring: (acrossWidth: Bool, acrossHeight: Bool)) -> [UInt8] {
        let options = request.options
        let (type, media) = (sheet.form.type, options.paper.media)
        let bitsPerPixel = type.bitsPerColor * type.colorCount
        var page = [UInt8](repeating: 0, count: RasterPageHeader.bytesOfPWG)
        func put(_ offset: Int, _ text: String) { page.replace(at: offset, with: Array(text.utf8.prefix(63))) }
        func put(_ offset: Int, _ numbers: Int...) {
            for (index, number) in numbers.enumerated() {
                page.replace(at: offset + index * 4, with: Self.bytes(number))
            }
        }
        put(0, "PwgRaster")
        put(128, options.paper.type ?? "")  // MediaType
        put(268, options.trimming.map(Self.cut) ?? 0)  // CutMedia
        put(272, options.duplex == .none ? 0 : 1)  // Duplex
        put(276, sheet.form.resolution.crossFeed, sheet.form.resolution.feed)  // HWResolution
        put(324, Self.position(of: options.mediaSource))  // MediaPosition
        // NumCopies stays 0, because a job attribute contains the number of copies.
        let points = RasterResolution(72)!.pixels(of: media)
        put(352, points.width, points.height)  // PageSize
        put(368, options.duplex == .shortEdge ? 1 : 0)  // Tumble
        put(372, sheet.width, sheet.height)
        put(384, type.bitsPerColor, bitsPerPixel, (sheet.width * bitsPerPixel + 7) / 8)
        put(400, Self.pwgColorSpace(type))
        put(420, type.colorCount)  // NumColors
        put(452, request.pageCount)  // TotalPageCount
        put(456, mirroring.acrossWidth ? -1 : 1, mirroring.acrossHeight ? -1 : 1)  // CrossFeedTransform, FeedTransform
        put(464, 0, 0, sheet.width, sheet.height)  // ImageBox
        put(480, 0xFF_FFFF)  // AlternatePrimary
        put(484, options.quality?.rawValue ?? 0)  // PrintQuality
        put(1732, media.name)  // PageSizeName
        return page
    }

    private static func pwgColorSpace(_ type: RasterType) -> Int {
        switch type {
        case .deviceColor8: 1
        case .black8, .black1: 3
        case .cmyk8: 6
        case .gray8, .gray1: 18
        case .color8: 19
        }
    }

    /// Returns the `CutMedia` value, which defines when the printer cuts the roll (PWG 5102.4 §4.3.2.2).
    private static func cut(_ trimming: Trimming) -> Int {
        switch trimming {
        case .never: 0
        case .afterDocuments: 1
        case .afterJob: 2
        case .afterCopies: 3
        case .afterPages: 4
        }
    }

    // MARK: - Apple raster

    private var urfPage: [UInt8] {
        let (type, options) = (sheet.form.type, request.options)
        var page = [UInt8](repeating: 0, count: RasterPageHeader.bytesOfURF)
        page[0] = UInt8(type.bitsPerColor * type.colorCount)
        page[1] = type.isColor ? (type == .cmyk8 ? 6 : type == .deviceColor8 ? 5 : 1) : 0
        page[2] =
            switch options.duplex {
            case .none: 1
            case .shortEdge: 2
            case .longEdge: 3
            }
        page[3] = UInt8((options.quality ?? .normal).rawValue)
        page[4] = UInt8(Self.urfMediaTypes.firstIndex(of: options.paper.type ?? "auto") ?? 0)
        page[5] = UInt8(Self.position(of: options.mediaSource))
        page.replace(at: 12, with: Self.bytes(sheet.width) + Self.bytes(sheet.height))
        page.replace(at: 20, with: Self.bytes(sheet.form.resolution.feed))
        return page
    }

    private static let urfMediaTypes = [
        "auto", "stationery", "transparency", "envelope", "cardstock", "labels", "stationery-letterhead", "disc",
        "photographic-matte", "photographic-satin", "photographic-semi-gloss", "photographic-glossy",
        "photographic-high-gloss", "other",
    ]

    // MARK: - Both

    /// Returns the number of a tray or roll (PWG 5102.4 §4.3.2.12); with the number 0, the printer chooses the paper
    /// source.
    private static func position(of source: String?) -> Int {
        guard let source else { return 0 }
        for (prefix, first, last) in [("tray-", 20, 39), ("roll-", 40, 49)] where source.hasPrefix(prefix) {
            guard let number = Int(source.dropFirst(prefix.count)), (1...last - first + 1).contains(number) else {
                return 0
            }
            return first + number - 1
        }
        return positions.firstIndex(of: source) ?? 0
    }

    private static let positions = [
        "auto", "main", "alternate", "large-capacity", "manual", "envelope", "disc", "photo", "hagaki", "main-roll",
        "alternate-roll", "top", "middle", "bottom", "side", "left", "right", "center", "rear", "by-pass-tray",
    ]

    private static func bytes(_ number: Int) -> [UInt8] {
        let word = UInt32(truncatingIfNeeded: number)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
}

extension [UInt8] {
    fileprivate mutating func replace(at offset: Int, with bytes: [UInt8]) {
        replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
}
