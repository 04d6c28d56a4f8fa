// The description of a simulated printer.

package import PrintModel

/// The properties and capabilities of a simulated printer, as defined by a printer file in `Simulators`.
///
///     var printer = try SimulatedPrinterDescription(path: "Simulators/color-laser.json5")
///     printer.speed = .instant
///     printer.capabilities.duplexModes
///
/// `Simulators/README.md` explains the keys, units and defaults.
package struct SimulatedPrinterDescription: Hashable, Sendable {
    /// The name of the printer and of its output folder: letters, digits, `-`, `_`, `.`.
    package var name: String
    /// The descriptive name (IPP `printer-info`).
    package var info: String
    package var makeAndModel: String
    /// The location (IPP `printer-location`); empty if unknown.
    package var location: String
    /// The kinds of documents for which the printer is intended (IPP `printer-kind`, PWG 5100.13), such as `document`
    /// or `photo`.
    package var kinds: [String]
    /// The supported papers: one for each combination of size, margins and type.
    package var papers: [PrintPaper]
    /// The paper size for jobs that request no size.
    ///
    /// The default is the size of the first paper.
    package var defaultMedia: Media
    /// The range of custom sizes; nil if the printer does not support custom sizes.
    package var customMedia: PrinterCapabilities.MediaRange?
    package var trays: [Tray]
    /// The first element is the default.
    package var sides: [Duplex]
    package var isColor: Bool
    package var qualities: [PrintQuality]
    /// The resolutions that the printer reports, in dots per inch.
    package var resolutions: [Int]
    /// The resolution of the page images, in dots per inch.
    package var previewResolution: Int
    package var formats: [DocumentFormat]
    /// The supported pixel types of raster formats (PWG 5102.4 `pwg-raster-document-type-supported`).
    package var rasterTypes: [String]
    /// The orientation of back sides in raster formats (PWG 5102.4 `pwg-raster-document-sheet-back`).
    package var sheetBack: SheetBack
    /// The speed that the printer reports, in sides per minute.
    package var pagesPerMinute: Int
    /// The actual speed relative to `pagesPerMinute`.
    package var speed: PrintSpeed
    package var supplies: [Supply]
    /// The names of the output bins (IPP `output-bin`).
    package var outputBins: [String]
    /// The names of the output bins in which sheets lie face up.
    ///
    /// In these bins, the sheet that is printed last is on top.
    package var faceUpBins: Set<String>
    package var lastFirstBins: Set<String>
    /// Whether the printer draws the edge of the printable area onto the page images.
    package var overlay: Bool
    package var maxCopies: Int
    package var collates: Bool
    package var hasCutter: Bool
    package var faults: [Fault]

    package static let knownFormats: [DocumentFormat] = [.pdf, .jpeg, .pwgRaster, .urf]
    package static let knownRasterTypes = ["black_1", "sgray_8", "srgb_8", "cmyk_8"]

    package struct Tray: Hashable, Sendable {
        /// The name of the tray (IPP `media-source`), such as `main`, `tray-1` or `manual`.
        package var name: String
        /// The size of the paper in the tray; nil if the tray supplies paper of any size.
        package var media: Media?
        /// The type of the paper in the tray; nil if the tray supplies paper of any type.
        package var type: String?
        /// The width of the roll; nil for a tray with sheets.
        package var rollWidth: Length?
        /// The capacity in sheets, or in millimeters for a roll.
        package var capacity: Int
        /// The initial number of sheets, or the length of the roll in millimeters; nil if the tray never runs empty.
        package var loaded: Int?
        /// Whether the tray detects the size of loaded paper.
        ///
        /// Without a sensor, the printer assumes that the size is `media`.
        package var hasSensor: Bool

        package init(
            name: String, media: Media? = nil, type: String? = nil, rollWidth: Length? = nil, capacity: Int = 250,
            loaded: Int? = nil, hasSensor: Bool = true
        ) {
            self.name = name
            self.media = media
            self.type = type
            self.rollWidth = rollWidth
            self.capacity = capacity
            self.loaded = loaded
            self.hasSensor = hasSensor
        }

        /// The function does not check whether the tray is empty.
        package func holds(_ paper: PrintPaper) -> Bool {
            let hasWidth = rollWidth.map { abs($0.hundredths - paper.media.width.hundredths) <= 50 } ?? true
            let hasSize = media.map { $0.hasSameSize(as: paper.media) } ?? true
            return hasWidth && hasSize && (type == nil || paper.type == nil || type == paper.type)
        }

        /// Returns the amount of paper for one sheet: 1 for a tray with sheets, or the length of the sheet in
        /// millimeters for a roll.
        func need(of paper: PrintPaper) -> Int {
            rollWidth == nil ? 1 : (paper.media.height.hundredths + 99) / 100
        }

        func suffices(for paper: PrintPaper) -> Bool { loaded.map { $0 >= need(of: paper) } ?? true }
    }

    package struct Supply: Hashable, Sendable {
        /// The name of the supply, such as `Black toner`.
        package var name: String
        /// The color (RFC 3805 `prtMarkerColorantValue`), such as `black`.
        package var color: String
        /// The type (RFC 3805 `prtMarkerSuppliesType`), such as `toner`.
        package var type: String
        /// The initial level, in percent.
        package var level: Double
        /// The number of sides that a full supply prints.
        package var yield: Int
        /// Whether the printer stops when the supply is empty.
        ///
        /// If false, the printer replaces an empty supply automatically.
        package var stopsWhenEmpty: Bool

        package init(
            name: String, color: String, type: String, level: Double = 100, yield: Int, stopsWhenEmpty: Bool = false
        ) {
            self.name = name
            self.color = color
            self.type = type
            self.level = level
            self.yield = yield
            self.stopsWhenEmpty = stopsWhenEmpty
        }
    }

    package var capabilities: PrinterCapabilities { capabilities(with: trays) }

    package func capabilities(with trays: [Tray]) -> PrinterCapabilities {
        var capabilities = PrinterCapabilities(
            makeAndModel: makeAndModel, papers: papers, readyPapers: readyPapers(in: trays),
            defaultMedia: defaultMedia, customMedia: customMedia, duplexModes: sides, defaultDuplex: sides[0],
            colorModes: isColor ? [.auto, .color, .monochrome] : [.auto, .monochrome], qualities: qualities,
            resolutions: resolutions, formats: formats, maxCopies: maxCopies, collates: collates,
            pagesPerMinute: pagesPerMinute, scalings: scalings)
        capabilities.outputBins = outputBins
        return capabilities
    }

    /// A printer that accepts only raster formats does not scale.
    package var scalings: [PrintScaling] {
        formats.contains(.pdf) || formats.contains(.jpeg) ? PrintScaling.allCases : [PrintScaling.none]
    }

    /// Returns the papers in the trays, including sizes that are not in `papers`.
    private func readyPapers(in trays: [Tray]) -> [PrintPaper] {
        let unsupported = trays.compactMap { tray -> PrintPaper? in
            guard let media = tray.media, !papers.contains(where: { $0.media.hasSameSize(as: media) }) else {
                return nil
            }
            return paper(for: PrintPaper(media: media, type: tray.type))
        }
        return papers.filter { paper in trays.contains { $0.holds(paper) } } + unsupported
    }
}
