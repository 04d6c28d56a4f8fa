// Printer capabilities as IPP printer attributes.

package import IPP
package import PrintModel

extension PrinterCapabilities {
    /// Returns the capabilities as job template attributes of a printer: `*-supported`, `*-default`, `*-ready` (RFC
    /// 8011 §5.2, PWG 5100.7, PWG 5100.13).
    ///
    /// - Parameters:
    ///   - options: The names of the supported options (`PrintOption.name`). Other options are omitted.
    ///   - wants: A function that returns whether the response requires the given media attribute. The lists of media
    ///     are long, and most requests need only a few attributes.
    package func templateAttributes(
        options: Set<String>, wants: (_ name: String) -> Bool = { _ in true }
    ) -> [Attribute] {
        var attributes: [Attribute] = []
        if options.contains("media"), Self.mediaNames.contains(where: wants) { attributes += mediaAttributes(wants) }
        if options.contains("sides") {
            attributes.append(Attribute("sides-supported", duplexModes.map { .keyword($0.rawValue) }))
            attributes.append(Attribute("sides-default", .keyword(defaultDuplex.rawValue)))
        }
        if options.contains("print-color-mode") {
            attributes.append(Attribute("print-color-mode-supported", colorModes.map { .keyword($0.rawValue) }))
            let byDefault = colorModes.contains(.auto) ? ColorMode.auto : colorModes.first ?? .monochrome
            attributes.append(Attribute("print-color-mode-default", .keyword(byDefault.rawValue)))
        }
        if options.contains("print-quality") {
            attributes.append(
                Attribute("print-quality-supported", qualities.map { .enumeration(Int32($0.rawValue)) }))
            attributes.append(Attribute("print-quality-default", .enumeration(Int32(PrintQuality.normal.rawValue))))
        }
        if options.contains("finishings") {
            let numbers = ([.never] + trimmings.filter { $0 != .never }).map { Value.enumeration(Int32($0.rawValue)) }
            attributes.append(Attribute("finishings-supported", numbers))
            attributes.append(Attribute("finishings-default", .enumeration(Int32(defaultTrimming.rawValue))))
        }
        if options.contains("output-bin") {
            let bins = outputBins.isEmpty ? ["auto"] : outputBins
            attributes.append(Attribute("output-bin-supported", bins.map { .keyword($0) }))
            attributes.append(Attribute("output-bin-default", .keyword(bins[0])))
        }
        if options.contains("copies") {
            attributes.append(
                Attribute("copies-supported", .range(IntegerRange(lower: 1, upper: Int32(clamping: max(1, maxCopies)))))
            )
            attributes.append(Attribute("copies-default", .integer(1)))
        }
        if options.contains("multiple-document-handling") {
            let handling =
                (collates ? ["separate-documents-collated-copies"] : []) + ["separate-documents-uncollated-copies"]
                // Only imposition joins documents.
                + (options.contains("imposition-template") ? DocumentJoining.allCases.map(\.rawValue) : [])
            attributes.append(Attribute("multiple-document-handling-supported", handling.map { .keyword($0) }))
            attributes.append(Attribute("multiple-document-handling-default", .keyword(handling[0])))
        }
        // Omit attributes without values, because they cannot be encoded.
        return (attributes + descriptionAttributes).filter { !$0.values.isEmpty }
    }

    /// The names of the attributes in `templateAttributes` that describe the printer and not its jobs (RFC 8011 §5.4).
    static let descriptionNames: Set<String> = ["color-supported", "pages-per-minute", "pages-per-minute-color"]

    /// The attributes about color, resolutions and printing speed.
    ///
    /// The resolutions are job template attributes. The other attributes describe the printer (`descriptionNames`).
    private var descriptionAttributes: [Attribute] {
        let dots = offeredResolutions.map { Int32(clamping: $0) }
        var attributes = [
            Attribute("color-supported", .boolean(colorModes.contains(.color))),
            Attribute(
                "printer-resolution-supported",
                dots.map { .resolution(Resolution(crossFeed: $0, feed: $0)) }),
            Attribute("printer-resolution-default", .resolution(Resolution(crossFeed: dots[0], feed: dots[0]))),
        ]
        if let pagesPerMinute {
            attributes.append(Attribute("pages-per-minute", .integer(Int32(clamping: pagesPerMinute))))
            if colorModes.contains(.color) {
                attributes.append(Attribute("pages-per-minute-color", .integer(Int32(clamping: pagesPerMinute))))
            }
        }
        return attributes
    }

    /// The members of `media-col` that select a paper.
    static let mediaColMembers = [
        "media-bottom-margin", "media-left-margin", "media-right-margin", "media-size", "media-size-name",
        "media-source", "media-top-margin", "media-type",
    ]

    static let mediaNames: Set<String> = [
        "media-supported", "media-default", "media-ready", "media-col-database", "media-col-default",
        "media-col-ready", "media-col-supported", "media-size-supported", "media-source-supported",
        "media-type-supported", "media-bottom-margin-supported", "media-left-margin-supported",
        "media-right-margin-supported", "media-top-margin-supported",
    ]

    private func mediaAttributes(_ wants: (_ name: String) -> Bool) -> [Attribute] {
        let papers = papers.isEmpty ? [PrintPaper(media: defaultMedia)] : papers
        let ready = readyPapers.isEmpty ? papers.filter { $0.media == defaultMedia } : readyPapers
        let byDefault =
            papers.first { $0.media == defaultMedia && !$0.isBorderless } ?? papers.first { $0.media == defaultMedia }
            ?? PrintPaper(media: defaultMedia)
        var attributes: [Attribute] = []
        func add(_ name: String, _ values: @autoclosure () -> [Value]) {
            if wants(name) { attributes.append(Attribute(name, values())) }
        }
        func margins(_ edge: KeyPath<Margins, Length>) -> [Value] {
            Set(papers.map { $0.margins[keyPath: edge] }).sorted().map { .integer($0.ipp) }
        }
        func types() -> [String] {
            let types = papers.compactMap(\.type).unique
            return types.isEmpty ? ["auto"] : types
        }
        add("media-supported", (papers.map(\.media.name).unique + customNames).map { .keyword($0) })
        add("media-default", [.keyword(defaultMedia.name)])
        add("media-ready", ready.map(\.media.name).unique.map { .keyword($0) })
        add("media-col-database", databaseCollections)
        add("media-col-default", [.collection(byDefault.readyMediaCol())])
        let sources = readySources?.count == readyPapers.count ? readySources ?? [] : []
        add(
            "media-col-ready",
            ready.enumerated().map { index, paper in
                .collection(
                    paper.readyMediaCol(source: sources.indices.contains(index) ? sources[index] ?? "auto" : "auto"))
            })
        add("media-col-supported", Self.mediaColMembers.map { .keyword($0) })
        add("media-size-supported", sizeCollections)
        add(
            "media-source-supported",
            (["auto"] + traySources).unique.map { .keyword($0) })
        add("media-type-supported", types().map { .keyword($0) })
        add("media-bottom-margin-supported", margins(\.bottom))
        add("media-left-margin-supported", margins(\.left))
        add("media-right-margin-supported", margins(\.right))
        add("media-top-margin-supported", margins(\.top))
        return attributes
    }

    /// The names of the trays and rolls.
    var traySources: [String] { (mediaSources ?? []) + (rollSource.map { [$0] } ?? []) }

    /// The name of the roll from which custom sizes come; nil if they do not come from a roll.
    private var rollSource: String? {
        customMedia?.isRoll == true ? mediaSources?.first(where: MediaRange.isRoll) ?? "main-roll" : nil
    }

    /// The names of the smallest and the largest custom size (PWG 5101.1 §5.1.4).
    private var customNames: [String] {
        guard let customMedia else { return [] }
        func name(_ word: String, _ width: Int, _ height: Int) -> String {
            let media = Media.custom(
                width: Length(hundredths: max(0, width)), height: Length(hundredths: max(0, height)))
            return "custom_\(word)_\(media.name.split(separator: "_").last ?? "")"
        }
        return [
            name("min", customMedia.width.lowerBound, customMedia.height.lowerBound),
            name("max", customMedia.width.upperBound, customMedia.height.upperBound),
        ]
    }

    private var databaseCollections: [Value] {
        papers.map { .collection($0.mediaCol()) }
            + (customMedia.map { range in
                [
                    .collection(
                        IPP.Collection(
                            [Attribute("media-size", .collection(range.mediaSize))] + range.margins.mediaCol
                                + (rollSource.map { [Attribute("media-source", .keyword($0))] } ?? [])))
                ]
            } ?? [])
    }

    private var sizeCollections: [Value] {
        papers.map(\.media).unique.map { .collection($0.mediaSize) }
            + (customMedia.map { [.collection($0.mediaSize)] } ?? [])
    }
}

extension PrinterCapabilities.MediaRange {
    /// The size range as a `media-size` value whose members are ranges.
    var mediaSize: IPP.Collection {
        func range(_ bounds: ClosedRange<Int>) -> Value {
            .range(IntegerRange(lower: Int32(clamping: bounds.lowerBound), upper: Int32(clamping: bounds.upperBound)))
        }
        return IPP.Collection([Attribute("x-dimension", range(width)), Attribute("y-dimension", range(height))])
    }
}
