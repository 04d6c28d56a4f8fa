// The capabilities of a printer: paper, formats, sides, colors and resolutions.

/// The capabilities of a printer.
public struct PrinterCapabilities: Hashable, Sendable, Codable {
    /// The make and model of the printer.
    public var makeAndModel: String
    /// The supported papers with their margins; borderless paper is a separate entry.
    public var papers: [PrintPaper]
    /// The loaded papers; empty when the printer reports no loaded papers.
    public var readyPapers: [PrintPaper]
    /// The tray of each loaded paper, in the order of `readyPapers` (`media-source` of `media-col-ready`); nil when the
    /// printer does not report the trays.
    package var readySources: [String?]?
    /// The names of the trays (IPP `media-source-supported`), without `auto`; nil when the printer does not report its
    /// trays.
    package var mediaSources: [String]?
    /// The names of the output bins (IPP `output-bin-supported`), the default first and without `auto`; empty when the
    /// printer does not report its bins.
    package var outputBins: [String] = []
    /// The medium for jobs that request no medium.
    public var defaultMedia: Media
    /// The range of supported custom sizes; nil if custom sizes are not supported.
    public var customMedia: MediaRange?
    /// The duplex modes that the printer supports.
    public var duplexModes: [Duplex]
    /// The duplex mode for jobs that request no duplex mode.
    public var defaultDuplex: Duplex
    /// The color modes that the printer supports.
    public var colorModes: [ColorMode]
    /// The print qualities that the printer supports.
    public var qualities: [PrintQuality]
    /// The supported resolutions, in dots per inch.
    ///
    /// Each resolution applies to both directions.
    public var resolutions: [Int]
    /// The resolutions that jobs can request, in dots per inch.
    ///
    /// If the printer reports no resolution, the only resolution is 300 dots per inch.
    public var offeredResolutions: [Int] {
        let usable = resolutions.filter { $0 > 0 }
        return usable.isEmpty ? [RasterResolution.usual.feed] : usable
    }
    /// The document formats that the printer supports.
    public var formats: [DocumentFormat]
    /// The maximum number of copies that the printer makes; 1 if the printer makes no copies.
    public var maxCopies: Int
    /// Whether the printer collates copies.
    public var collates: Bool
    /// The speed in pages per minute; nil when the printer does not report its speed.
    public var pagesPerMinute: Int?
    /// The supported scaling modes; nil when the printer does not report scaling modes.
    public var scalings: [PrintScaling]?
    /// The points at which the printer can cut its paper roll; empty for a printer without a cutter.
    public var trimmings: [Trimming]
    /// The point at which the printer cuts its paper roll by default.
    public var defaultTrimming: Trimming
    /// The default options for jobs that do not set these options, such as the saved options of a CUPS queue; nil if
    /// there are no default options.
    public var presets: JobTicket?
    /// The raster formats that the printer supports.
    public var rasters: RasterCapabilities
    /// The IEEE 1284 device ID (IPP `printer-device-id`); nil when the printer does not report the ID.
    public var deviceID: String?
    /// The actions by which the printer can identify itself, the default action first; empty when the printer cannot
    /// identify itself.
    ///
    /// The actions are IPP keywords of `identify-actions`: `flash`, `sound`, `display`.
    public var identifyActions: [String] = []

    /// A range of custom paper sizes.
    public struct MediaRange: Hashable, Sendable, Codable {
        /// The minimum and maximum width of the paper, in hundredths of a millimeter.
        public var width: ClosedRange<Int>
        /// The minimum and maximum height of the paper, in hundredths of a millimeter.
        public var height: ClosedRange<Int>
        /// The margins of paper that has a custom size.
        public var margins: Margins
        /// Whether the printer reports that custom sizes come from a roll (IPP `media-source`).
        public var isRoll: Bool

        /// Creates a range of custom paper sizes, in hundredths of a millimeter.
        public init(width: ClosedRange<Int>, height: ClosedRange<Int>, margins: Margins, isRoll: Bool = false) {
            (self.width, self.height, self.margins, self.isRoll) = (width, height, margins, isRoll)
        }

        /// Returns whether the size of a medium lies within the range.
        public func contains(_ media: Media) -> Bool {
            width.contains(media.width.hundredths) && height.contains(media.height.hundredths)
        }

        /// The range as text for users, with an example: `any size from 55 × 89 to 216 × 356 mm, such as 100x150mm`.
        public var text: String {
            func size(_ width: Int, _ height: Int) -> String {
                "\(Length(hundredths: width).millimeterWords) × \(Length(hundredths: height).millimeterWords)"
            }
            let smallest = size(width.lowerBound, height.lowerBound)
            let largest = size(width.upperBound, height.upperBound)
            return "any size from \(smallest) to \(largest) mm, such as \(example)"
        }

        /// A size within the range, as text in the notation of user input.
        ///
        /// The size is as near as possible to a photo of 10 × 15 cm.
        public var example: String {
            func nearest(_ wanted: Int, _ bounds: ClosedRange<Int>) -> String {
                let clamped = min(max(wanted, bounds.lowerBound), bounds.upperBound)
                let whole = [clamped / 100 * 100, (clamped + 99) / 100 * 100].first(where: bounds.contains)
                return Length(hundredths: whole ?? clamped).millimeterWords
            }
            return "\(nearest(10_000, width))x\(nearest(15_000, height))mm"
        }
    }

    /// Creates the capabilities of a printer.
    public init(
        makeAndModel: String, papers: [PrintPaper], readyPapers: [PrintPaper] = [], defaultMedia: Media,
        customMedia: MediaRange? = nil, duplexModes: [Duplex] = [.none], defaultDuplex: Duplex = .none,
        colorModes: [ColorMode] = [.monochrome], qualities: [PrintQuality] = [.normal], resolutions: [Int] = [300],
        formats: [DocumentFormat], maxCopies: Int = 1, collates: Bool = false, pagesPerMinute: Int? = nil,
        scalings: [PrintScaling]? = nil,
        trimmings: [Trimming] = [], defaultTrimming: Trimming = .never, presets: JobTicket? = nil,
        rasters: RasterCapabilities = RasterCapabilities()
    ) {
        (self.makeAndModel, self.papers, self.readyPapers) = (makeAndModel, papers, readyPapers)
        (self.defaultMedia, self.customMedia, self.duplexModes) = (defaultMedia, customMedia, duplexModes)
        (self.defaultDuplex, self.colorModes, self.qualities) = (defaultDuplex, colorModes, qualities)
        (self.resolutions, self.formats, self.maxCopies, self.collates) = (resolutions, formats, maxCopies, collates)
        (self.pagesPerMinute, self.scalings, self.trimmings) = (pagesPerMinute, scalings, trimmings)
        (self.defaultTrimming, self.presets, self.rasters) = (defaultTrimming, presets, rasters)
    }
}

extension PrinterCapabilities {
    /// Returns whether a paper comes from a roll, from which the printer can cut sheets of any length.
    ///
    /// The printer must support custom sizes of the paper's width. Custom sizes alone do not imply a roll, because many
    /// printers feed sheets of any size. At least one of these conditions must hold:
    /// - The paper's type is a continuous type, such as `continuous` or `labels-continuous` (PWG 5101.1 §4).
    /// - The custom sizes come from a roll (IPP `media-source`, such as `main-roll`).
    /// - The printer has a cutter (IPP `finishings`, such as `trim-after-pages`).
    /// - The custom sizes have a single width, and differ only in length.
    public func isFromRoll(_ paper: PrintPaper) -> Bool {
        guard let sizes = customMedia, sizes.width.contains(paper.media.width.hundredths) else { return false }
        if let type = paper.type, type.split(separator: "-").contains("continuous") { return true }
        if sizes.isRoll || trimmings.contains(where: { $0 != .never }) { return true }
        return sizes.width.count == 1 && sizes.height.count > 1
    }
}
