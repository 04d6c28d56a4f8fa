// What a simulated printer is: everything that its file says.

package import PrintModel

/// What a simulated printer is and can do, as its file in `Simulators` says.
///
///     var printer = try SimulatedPrinterDescription(path: "Simulators/color-laser.json5")
///     printer.speed = .instant
///     printer.capabilities.duplexModes
///
/// Every key, unit and default is explained in `Simulators/README.md`.
package struct SimulatedPrinterDescription: Hashable, Sendable {
    /// The name, which is also that of its output folder: letters, digits, `-`, `_`, `.`.
    package var name: String
    /// What people call it (IPP `printer-info`).
    package var info: String
    /// Make and model.
    package var makeAndModel: String
    /// Where it stands (IPP `printer-location`); empty when it does not say.
    package var location: String
    /// What it is for (IPP `printer-kind`, PWG 5100.13), such as `document` or `photo`.
    package var kinds: [String]
    /// The papers it can print on: each size with margins, borderless and type as a paper of its own.
    package var papers: [PrintPaper]
    /// The medium it takes when none is asked for; the first of `papers` has it.
    package var defaultMedia: Media
    /// The sizes it can be asked for beyond the named ones; nil for none.
    package var customMedia: PrinterCapabilities.MediaRange?
    /// Where its paper comes from.
    package var trays: [Tray]
    /// On which sides it can print; the first is its default.
    package var sides: [Duplex]
    /// Whether it prints in colour.
    package var isColor: Bool
    /// How well it can print.
    package var qualities: [PrintQuality]
    /// The resolutions it claims, in dots per inch.
    package var resolutions: [Int]
    /// The resolution of the page images it makes, in dots per inch.
    package var previewResolution: Int
    /// The formats it takes.
    package var formats: [DocumentFormat]
    /// The kinds of pixels it takes in raster formats (PWG 5102.4 `pwg-raster-document-type-supported`).
    package var rasterTypes: [String]
    /// How its paper path turns the backs of two-sided sheets.
    package var sheetBack: SheetBack
    /// Sides a minute, as it claims.
    package var pagesPerMinute: Int
    /// How many times faster it really is.
    package var speed: PrintSpeed
    /// Its ink or toner.
    package var supplies: [Supply]
    /// Where its sheets come out (IPP `output-bin`).
    package var outputBins: [String]
    /// The bins in which sheets lie with their front up, so that the last one is on top.
    package var faceUpBins: Set<String>
    /// The bins for which it prints the last sheet first.
    package var lastFirstBins: Set<String>
    /// Whether the edge of the printable area is drawn onto the page images.
    package var overlay: Bool
    /// The most copies it makes by itself.
    package var maxCopies: Int
    /// Whether it makes copies in sets by itself.
    package var collates: Bool
    /// Whether it cuts paper from a roll by itself.
    package var hasCutter: Bool
    /// What shall go wrong at it.
    package var faults: [Fault]

    /// The formats that a simulated printer can be told to take.
    package static let knownFormats: [DocumentFormat] = [.pdf, .jpeg, .pwgRaster, .urf]
    /// The kinds of pixels that it can be told to take.
    package static let knownRasterTypes = ["black_1", "sgray_8", "srgb_8", "cmyk_8"]

    /// Where paper comes from.
    package struct Tray: Hashable, Sendable {
        /// Its name (IPP `media-source`): `main`, `tray-1`, `manual`.
        package var name: String
        /// The size in it; nil when it always has what a job asks for.
        package var media: Media?
        /// The kind of paper in it; nil when it always has what a job asks for.
        package var type: String?
        /// How wide the roll in it is; nil when it holds sheets.
        package var rollWidth: Length?
        /// How many sheets it takes; of a roll, millimetres.
        package var capacity: Int
        /// How many sheets, or millimetres of a roll, are in it at first; nil when it never runs empty.
        package var loaded: Int?
        /// Whether it finds out the size of what is loaded; else the printer believes that `media` is in it.
        package var hasSensor: Bool

        /// A tray.
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

        /// Whether the paper can come from this tray.
        package func holds(_ paper: PrintPaper) -> Bool {
            let hasWidth = rollWidth.map { abs($0.hundredths - paper.media.width.hundredths) <= 50 } ?? true
            let hasSize = media.map { $0.hasSameSize(as: paper.media) } ?? true
            return hasWidth && hasSize && (type == nil || paper.type == nil || type == paper.type)
        }

        /// What a sheet takes from it: one sheet, or of a roll the sheet's length in millimetres.
        func need(of paper: PrintPaper) -> Int {
            rollWidth == nil ? 1 : (paper.media.height.hundredths + 99) / 100
        }

        /// Whether there is enough in it for a sheet.
        func suffices(for paper: PrintPaper) -> Bool { loaded.map { $0 >= need(of: paper) } ?? true }
    }

    /// Ink, toner and the like.
    package struct Supply: Hashable, Sendable {
        /// What people call it: `Black toner`.
        package var name: String
        /// Its colour (RFC 3805 `prtMarkerColorantValue`), such as `black`.
        package var color: String
        /// What it is (RFC 3805 `prtMarkerSuppliesType`), such as `toner`.
        package var type: String
        /// How full it is at first, in per cent.
        package var level: Double
        /// How many sides a full one lasts.
        package var yield: Int
        /// Whether the printer stops when it is empty; else a full one takes its place by itself.
        package var stopsWhenEmpty: Bool

        /// A supply.
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

    /// What the printer can do, as clients are told.
    package var capabilities: PrinterCapabilities { capabilities(with: trays) }

    /// What the printer can do with the trays as they are now.
    package func capabilities(with trays: [Tray]) -> PrinterCapabilities {
        PrinterCapabilities(
            makeAndModel: makeAndModel, papers: papers, readyPapers: readyPapers(in: trays),
            defaultMedia: defaultMedia, customMedia: customMedia, duplexModes: sides, defaultDuplex: sides[0],
            colorModes: isColor ? [.auto, .color, .monochrome] : [.auto, .monochrome], qualities: qualities,
            resolutions: resolutions, formats: formats, maxCopies: maxCopies, collates: collates,
            pagesPerMinute: pagesPerMinute, scalings: scalings)
    }

    /// How it can fit pages onto paper; pixels are printed as they are.
    package var scalings: [PrintScaling] {
        formats.contains(.pdf) || formats.contains(.jpeg) ? PrintScaling.allCases : [PrintScaling.none]
    }

    /// The papers that lie in trays, those of a size that has no name here included.
    private func readyPapers(in trays: [Tray]) -> [PrintPaper] {
        let strange = trays.compactMap { tray -> PrintPaper? in
            guard let media = tray.media, !papers.contains(where: { $0.media.hasSameSize(as: media) }) else {
                return nil
            }
            return paper(for: PrintPaper(media: media, type: tray.type))
        }
        return papers.filter { paper in trays.contains { $0.holds(paper) } } + strange
    }
}
