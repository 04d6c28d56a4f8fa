// Selects the format in which pages are sent to a printer.

/// The format of the pages that a printer receives: the prepared PDF, or pixels made from the PDF.
public struct DeliveryFormat: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The document format that the printer receives.
    public var format: DocumentFormat
    /// The properties of the pixels; nil if the printer receives the PDF.
    public var pixels: PixelForm?
    /// The maximum number of pages of a job; nil for no limit.
    public var maxPages: Int?

    /// Creates a delivery format.
    public init(format: DocumentFormat, pixels: PixelForm?, maxPages: Int? = nil) {
        (self.format, self.pixels, self.maxPages) = (format, pixels, maxPages)
    }

    /// The format in which the prepared PDF is sent without conversion.
    public static let pdf = DeliveryFormat(format: .pdf, pixels: nil)

    /// The format as text for users: `PDF`, `PWG raster, 300 dpi, color`.
    public var description: String {
        let names: [DocumentFormat: String] = [
            .pdf: "PDF", .pwgRaster: "PWG raster", .urf: "Apple raster", .jpeg: "JPEG",
        ]
        let name = names[format] ?? format.rawValue
        return pixels.map { "\(name), \($0)" } ?? name
    }

    /// Returns the paths of the files that are sent to the printer.
    ///
    /// The files are the prepared PDF, or files in the same folder that are made from the PDF.
    ///
    /// - Parameters:
    ///   - pdf: The path of the prepared PDF, `…/prepared.pdf`.
    ///   - pages: The number of pages of the PDF. If the printer supports only JPEG, each page is a separate image.
    public func files(of pdf: String, pages: Int) -> [String] {
        guard pixels != nil else { return [pdf] }
        let base = pdf.hasSuffix(".pdf") ? String(pdf.dropLast(4)) : pdf
        guard format == .jpeg else { return ["\(base).\(format.fileExtension)"] }
        return (1...max(pages, 1)).map { "\(base)-\($0).\(format.fileExtension)" }
    }
}

/// The properties of the pixels of a document.
public struct PixelForm: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The resolution, in dots per inch.
    public var resolution: RasterResolution
    /// The type of the pixels: color space and number of bits.
    public var type: RasterType
    /// Whether the pixels contain only gray, even if their type supports color.
    public var isGray: Bool
    /// The orientation in which the backs of two-sided sheets are sent.
    public var sheetBack: SheetBack

    /// Creates the properties of pixels.
    public init(resolution: RasterResolution, type: RasterType, isGray: Bool, sheetBack: SheetBack = .normal) {
        (self.resolution, self.type, self.isGray, self.sheetBack) = (resolution, type, isGray, sheetBack)
    }

    /// The properties as text for users: `300 dpi, color`.
    public var description: String {
        "\(resolution), " + (type.bitsPerColor == 1 ? "black and white" : isGray ? "gray" : "color")
    }
}

extension PrinterCapabilities {
    /// The format in which prepared pages are sent.
    ///
    /// The format is nil when the printer supports no format that printq can make.
    ///
    /// PDF is preferred to raster formats, and raster formats are preferred to JPEG images. If the printer supports PWG
    /// raster and Apple raster, the printer's preferred format is used. Without a preferred format, PWG raster is used.
    /// A printer that reports no formats, or only auto-sensing, receives PDF.
    public var deliveredFormat: DocumentFormat? {
        if formats.allSatisfy({ $0 == .octetStream }) { return .pdf }
        let pixels: [DocumentFormat] =
            rasters.preferredFormat == .urf ? [.urf, .pwgRaster] : [.pwgRaster, .urf]
        return ([.pdf] + pixels + [.jpeg]).first { formats.contains($0) && support(of: $0)?.types != [] }
    }

    /// Returns the format in which pages with the given options are sent; nil when the printer supports no format that
    /// printq can make.
    public func deliveryFormat(for options: DeviceOptions) -> DeliveryFormat? {
        guard let format = deliveredFormat else { return nil }
        guard let support = support(of: format) else { return .pdf }
        // True for monochrome jobs, and for printers that report monochrome only.
        let isGray = options.colorMode == .monochrome || !printsColor
        let types = support.types ?? (printsColor ? [.color8, .gray8] : [.gray8])
        let wanted =
            isGray ? RasterType.inShades + RasterType.inColor : RasterType.inColor + RasterType.inShades
        guard let type = wanted.first(where: types.contains) else { return nil }
        let offered = resolutions(of: format, support)
        let resolution =
            options.resolution.flatMap { offered.contains($0) ? $0 : nil }
            ?? RasterResolution.choice(
                among: offered, for: options.quality ?? .normal, isOneBit: type.bitsPerColor == 1)
        return DeliveryFormat(
            format: format,
            pixels: PixelForm(
                resolution: format == .jpeg ? fitted(resolution, onto: options.paper.media) : resolution, type: type,
                isGray: isGray || !type.isColor, sheetBack: support.sheetBack),
            maxPages: format == .jpeg && !rasters.takesSeveralDocuments ? 1 : nil)
    }

    /// The maximum number of copies that the printer makes of a document in the delivered format.
    var deliveredCopies: Int {
        guard let format = deliveredFormat, let most = support(of: format)?.maxCopies else { return maxCopies }
        return min(maxCopies, most)
    }

    private var printsColor: Bool { colorModes.contains(.color) || !colorModes.contains(.monochrome) }

    /// Returns the printer's support for a raster format or JPEG; nil if the format is PDF.
    private func support(of format: DocumentFormat) -> PixelSupport? {
        switch format {
        case .pwgRaster: rasters.pwg
        case .urf: rasters.urf
        case .jpeg: PixelSupport(types: [.color8, .gray8])
        default: nil
        }
    }

    private func resolutions(of format: DocumentFormat, _ support: PixelSupport) -> [RasterResolution] {
        // Apple raster and JPEG images have the same resolution in both directions.
        let said = support.resolutions.filter { format == .pwgRaster || $0.isSquare }
        return said.isEmpty ? resolutions.compactMap { RasterResolution($0) } : said
    }

    /// Returns a resolution at which an image of the medium does not exceed the printer's maximum image size.
    ///
    /// The resolution is reduced only if necessary.
    private func fitted(_ resolution: RasterResolution, onto media: Media) -> RasterResolution {
        func most(_ pixels: Int?, _ length: Length) -> Int {
            pixels.map { $0 * 2540 / max(length.hundredths, 1) } ?? resolution.feed
        }
        let dots = min(
            resolution.feed, most(rasters.largestJPEGWidth, media.width), most(rasters.largestJPEGHeight, media.height))
        return RasterResolution(dots) ?? resolution
    }
}

extension RasterResolution {
    /// Returns the resolution for a print quality.
    ///
    /// Draft quality uses the lowest resolution of at least 150 dpi. Normal quality uses the lowest resolution of at
    /// least 300 dpi, or 600 dpi for one-bit pixels. High quality uses the highest resolution up to 600 dpi. If no
    /// resolution qualifies, the nearest resolution is used.
    static func choice(
        among offered: [RasterResolution], for quality: PrintQuality, isOneBit: Bool
    ) -> RasterResolution {
        // Of equally fine resolutions, prefer the resolution with the same value in both directions.
        let rising = offered.sorted { ($0.fineness, $0.isSquare ? 0 : 1) < ($1.fineness, $1.isSquare ? 0 : 1) }
        guard let least = rising.first, let finest = rising.last else { return .usual }
        func coarsest(from dots: Int) -> RasterResolution { rising.first { $0.fineness >= dots } ?? finest }
        return switch quality {
        case .draft: coarsest(from: 150)
        case .normal: coarsest(from: isOneBit ? 600 : 300)
        case .high: rising.last { $0.fineness <= 600 } ?? least
        }
    }

    private var fineness: Int { min(crossFeed, feed) }
}
