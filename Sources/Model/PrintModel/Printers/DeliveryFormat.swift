// In what form a job's pages go to its printer.

/// The form in which prepared pages go to a printer: the PDF as it is, or pixels made of it.
public struct DeliveryFormat: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The format of the document, or of the documents, that the printer is sent.
    public var format: DocumentFormat
    /// What its pixels are like; nil for the PDF as it is.
    public var pixels: PixelForm?
    /// The most pages that a job can have; nil for any number.
    public var maxPages: Int?

    /// A form.
    public init(format: DocumentFormat, pixels: PixelForm?, maxPages: Int? = nil) {
        self.format = format
        self.pixels = pixels
        self.maxPages = maxPages
    }

    /// The PDF as it is.
    public static let pdf = DeliveryFormat(format: .pdf, pixels: nil)

    /// For people: `PDF`, `PWG raster, 300 dpi, color`.
    public var description: String {
        let names: [DocumentFormat: String] = [
            .pdf: "PDF", .pwgRaster: "PWG raster", .urf: "Apple raster", .jpeg: "JPEG",
        ]
        let name = names[format] ?? format.rawValue
        return pixels.map { "\(name), \($0)" } ?? name
    }

    /// The files of a job that the printer is sent: the prepared PDF, or what is made of it, beside it.
    ///
    /// - Parameters:
    ///   - pdf: the path of the prepared PDF, `…/prepared.pdf`.
    ///   - pages: how many pages it has; each is an image of its own when the printer takes JPEG only.
    public func files(of pdf: String, pages: Int) -> [String] {
        guard pixels != nil else { return [pdf] }
        let base = pdf.hasSuffix(".pdf") ? String(pdf.dropLast(4)) : pdf
        guard format == .jpeg else { return ["\(base).\(format.fileExtension)"] }
        return (1...max(pages, 1)).map { "\(base)-\($0).\(format.fileExtension)" }
    }
}

/// What the pixels of a document are like.
public struct PixelForm: Hashable, Sendable, Codable, CustomStringConvertible {
    /// How fine they are.
    public var resolution: RasterResolution
    /// What one is.
    public var type: RasterType
    /// Whether they show shades only, whatever their type could.
    public var isGray: Bool
    /// How the backs of sheets are turned.
    public var sheetBack: SheetBack

    /// Pixels.
    public init(resolution: RasterResolution, type: RasterType, isGray: Bool, sheetBack: SheetBack = .normal) {
        self.resolution = resolution
        self.type = type
        self.isGray = isGray
        self.sheetBack = sheetBack
    }

    /// `300 dpi, color`.
    public var description: String {
        "\(resolution), " + (type.bitsPerColor == 1 ? "black and white" : isGray ? "gray" : "color")
    }
}

extension PrinterCapabilities {
    /// The format that a printer is sent prepared pages in; nil when it takes none that is made here.
    ///
    /// PDF goes before pixels, and those before single images. Of the two formats of pixels the one it likes best is
    /// taken, else PWG raster. A printer that says nothing, or only that it finds out by itself, is sent PDF.
    public var deliveredFormat: DocumentFormat? {
        if formats.allSatisfy({ $0 == .octetStream }) { return .pdf }
        let pixels: [DocumentFormat] =
            rasters.preferredFormat == .urf ? [.urf, .pwgRaster] : [.pwgRaster, .urf]
        return ([.pdf] + pixels + [.jpeg]).first { formats.contains($0) && support(of: $0)?.types != [] }
    }

    /// The form in which a printer is sent pages that it shall print with some options; nil when it takes none that is
    /// made here.
    public func deliveryFormat(for options: DeviceOptions) -> DeliveryFormat? {
        guard let format = deliveredFormat else { return nil }
        guard let support = support(of: format) else { return .pdf }
        // Whoever prints in shades only, or says nothing else.
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

    /// The most copies that the printer makes of what it is sent.
    var deliveredCopies: Int {
        guard let format = deliveredFormat, let most = support(of: format)?.maxCopies else { return maxCopies }
        return min(maxCopies, most)
    }

    private var printsColor: Bool { colorModes.contains(.color) || !colorModes.contains(.monochrome) }

    /// What the printer says of a format of pixels; nil for PDF.
    private func support(of format: DocumentFormat) -> PixelSupport? {
        switch format {
        case .pwgRaster: rasters.pwg
        case .urf: rasters.urf
        case .jpeg: PixelSupport(types: [.color8, .gray8])
        default: nil
        }
    }

    private func resolutions(of format: DocumentFormat, _ support: PixelSupport) -> [RasterResolution] {
        // Apple raster and our images have one number for both ways.
        let said = support.resolutions.filter { format == .pwgRaster || $0.isSquare }
        return said.isEmpty ? resolutions.compactMap { RasterResolution($0) } : said
    }

    /// A resolution at which an image of a paper is no larger than the printer takes.
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
    /// The resolution for a quality.
    ///
    /// A draft has the coarsest from 150 dpi on, normal quality the coarsest from 300 on (600 where pixels are black or
    /// white), high quality the finest up to 600; where there is none such, the nearest.
    static func choice(
        among offered: [RasterResolution], for quality: PrintQuality, isOneBit: Bool
    ) -> RasterResolution {
        // Of the same fineness one that is the same both ways.
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
