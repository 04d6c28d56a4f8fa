// Describes a printer as a PPD file, for desktop programs that do not read printer attributes.

import PrintModel

/// A PPD file (Adobe PPD 4.3, with the extensions of CUPS) that describes a printer.
///
/// Programs with Qt 5, GTK 3 and Java request this file from a CUPS server. `JobTicket` reads the options that these
/// programs send: `PageSize`, `InputSlot`, `MediaType`, `Duplex`, `ColorModel`, `OutputBin`, `cupsPrintQuality`,
/// `Resolution` and `CutMedia`.
///
/// printq writes this file itself: the function of libcups 2.4 is private (`_ppdCreateFromIPP2`), and libcupsfilters
/// has its function only in some versions. The result depends on parsed capabilities, and each text of the printer is
/// reduced to harmless characters, so that a printer cannot add lines to the file.
package struct PPDFile: Sendable {
    private let printer: ServedPrinter
    private var capabilities: PrinterCapabilities { printer.capabilities }

    package init(of printer: ServedPrinter) { self.printer = printer }

    /// The contents of the file, in UTF-8.
    package var text: String {
        (header + pageSizes + options.filter { $0.choices.count > 1 }.flatMap(\.lines) + [""]).joined(separator: "\n")
    }

    private struct Choice {
        var keyword: String
        var text: String
        var code = ""
    }

    private struct Option {
        var keyword: String
        var text: String
        var choices: [Choice]
        /// The keyword of the choice for jobs that do not set the option; nil for the first choice.
        var byDefault: String?

        var lines: [String] {
            let chosen = choices.first { $0.keyword == byDefault } ?? choices[0]
            return ["*OpenUI *\(keyword)/\(text): PickOne", "*OrderDependency: 10 AnySetup *\(keyword)"]
                + ["*Default\(keyword): \(chosen.keyword)"]
                + choices.map { "*\(keyword) \($0.keyword)/\($0.text): \"\($0.code)\"" }
                + ["*CloseUI: *\(keyword)"]
        }
    }

    private var header: [String] {
        let model = Self.plain(capabilities.makeAndModel, atMost: 80)
        let ascii = model.unicodeScalars.filter(\.isASCII).reduce(into: "") { $0.unicodeScalars.append($1) }
        let name = ascii.allSatisfy { $0 == " " } ? "Printer" : ascii
        let maker = name.split(separator: " ").first.map(String.init) ?? name
        let isColor = capabilities.colorModes.contains(.color)
        return [
            "*PPD-Adobe: \"4.3\"", "*FormatVersion: \"4.3\"", "*FileVersion: \"1.0\"", "*LanguageVersion: English",
            "*LanguageEncoding: UTF-8", "*PCFileName: \"PRINTQ.PPD\"", "*Manufacturer: \"\(maker)\"",
            "*ModelName: \"\(name)\"", "*Product: \"(\(name))\"",
            "*NickName: \"\(model.isEmpty ? name : model)\"",
            "*ShortNickName: \"\(name.prefix(31))\"", "*PSVersion: \"(3010.000) 0\"", "*LanguageLevel: \"3\"",
            "*FileSystem: False", "*TTRasterizer: Type42", "*ColorDevice: \(isColor ? "True" : "False")",
            "*DefaultColorSpace: \(isColor ? "RGB" : "Gray")", "*cupsVersion: 2.4", "*cupsManualCopies: False",
            "*cupsFilter2: \"application/vnd.cups-pdf application/pdf 0 -\"",
            "*cupsFilter2: \"application/pdf application/pdf 0 -\"",
        ] + (capabilities.pagesPerMinute.map { ["*Throughput: \"\($0)\""] } ?? [])
    }

    // MARK: - Paper

    private struct PaperSize {
        var name: String
        var text: String
        var paper: PrintPaper

        var dimension: String { "\(number(paper.paperSize.width)) \(number(paper.paperSize.height))" }

        /// The lower left and the upper right corner of the printable area; the origin is the lower left of the paper.
        var area: String {
            let (size, rect) = (paper.paperSize, paper.printableRect)
            let corners = [rect.minX, size.height - rect.maxY, rect.maxX, size.height - rect.minY]
            return corners.map(number).joined(separator: " ")
        }
    }

    /// The papers, one of each size with margins, and one of each size without margins.
    private var sizes: [PaperSize] {
        var sizes: [PaperSize] = []
        let known = capabilities.papers.filter { $0.media.width.points >= 1 && $0.media.height.points >= 1 }
        let papers = known.isEmpty ? [PrintPaper(media: .a4, margins: .all(.millimeters(6.35)))] : known
        for paper in papers {
            let (name, text) = (paper.media.ppdName, paper.media.localizedName.replacing("/", with: "-"))
            let hasMargins = papers.contains { $0.media.hasSameSize(as: paper.media) && !$0.isBorderless }
            let isVariant = paper.isBorderless && hasMargins
            let size = PaperSize(
                name: isVariant ? "\(name).Fullbleed" : name, text: isVariant ? "\(text), borderless" : text,
                paper: paper)
            if let index = sizes.firstIndex(where: { $0.name == size.name }) {
                sizes[index].paper.margins.widen(to: paper.margins)
            } else {
                sizes.append(size)
            }
        }
        return sizes
    }

    private var pageSizes: [String] {
        let sizes = sizes
        let byDefault = sizes.first { $0.paper.media.hasSameSize(as: capabilities.defaultMedia) } ?? sizes[0]
        func option(_ keyword: String, _ text: String) -> Option {
            Option(
                keyword: keyword, text: text,
                choices: sizes.map {
                    Choice(
                        keyword: $0.name, text: $0.text, code: "<</PageSize[\($0.dimension)]>>setpagedevice")
                }, byDefault: byDefault.name)
        }
        func values(_ keyword: String, _ value: (PaperSize) -> String) -> [String] {
            ["*Default\(keyword): \(byDefault.name)"]
                + sizes.map { "*\(keyword) \($0.name)/\($0.text): \"\(value($0))\"" }
        }
        return option("PageSize", "Paper Size").lines + option("PageRegion", "Paper Size").lines
            + values("ImageableArea", \.area) + values("PaperDimension", \.dimension) + customSize
    }

    private var customSize: [String] {
        guard let range = capabilities.customMedia else { return [] }
        func points(_ hundredths: Int) -> String { number(Length(hundredths: max(0, hundredths)).points) }
        func bounds(_ range: ClosedRange<Int>) -> String { "\(points(range.lowerBound)) \(points(range.upperBound))" }
        let margins = [range.margins.left, range.margins.bottom, range.margins.right, range.margins.top]
        return [
            "*MaxMediaWidth: \"\(points(range.width.upperBound))\"",
            "*MaxMediaHeight: \"\(points(range.height.upperBound))\"",
            "*HWMargins: \(margins.map { number($0.points) }.joined(separator: " "))",
            "*VariablePaperSize: True",
            "*NonUIOrderDependency: 10 AnySetup *CustomPageSize",
            "*CustomPageSize True: \"pop pop pop <</PageSize[5 -2 roll]/ImagingBBox null>>setpagedevice\"",
            "*ParamCustomPageSize Width: 1 points \(bounds(range.width))",
            "*ParamCustomPageSize Height: 2 points \(bounds(range.height))",
            "*ParamCustomPageSize WidthOffset: 3 points 0 0", "*ParamCustomPageSize HeightOffset: 4 points 0 0",
            "*ParamCustomPageSize Orientation: 5 int 0 3",
        ]
    }

    // MARK: - Options

    private var options: [Option] {
        let ticket = printer.defaultTicket
        let sides: [Duplex: (String, String)] = [
            .none: ("None", "Off"), .longEdge: ("DuplexNoTumble", "Long Edge"),
            .shortEdge: ("DuplexTumble", "Short Edge"),
        ]
        let qualities: [PrintQuality: String] = [.draft: "Draft", .normal: "Normal", .high: "High"]
        let sources = printer.values("media-source-supported") ?? capabilities.traySources
        let isColor = capabilities.colorModes.contains(.color)
        return [
            names("InputSlot", "Paper Source", ["auto"] + sources.filter { $0 != "auto" }, ticket.mediaSource),
            names("MediaType", "Paper Type", ["auto"] + capabilities.papers.compactMap(\.type), ticket.mediaType),
            Option(
                keyword: "Duplex", text: "Two-Sided",
                choices: Duplex.allCases.filter { $0 == .none || capabilities.duplexModes.contains($0) }
                    .compactMap { sides[$0] }.map { Choice(keyword: $0, text: $1) },
                byDefault: sides[ticket.duplex ?? capabilities.defaultDuplex]?.0),
            Option(
                keyword: "ColorModel", text: "Color Mode",
                choices: (isColor ? [Choice(keyword: "RGB", text: "Color")] : [])
                    + [Choice(keyword: "Gray", text: "Grayscale")],
                byDefault: ticket.colorMode == .monochrome ? "Gray" : nil),
            Option(
                keyword: "cupsPrintQuality", text: "Print Quality",
                choices: PrintQuality.allCases.filter(capabilities.qualities.contains).compactMap { qualities[$0] }
                    .map { Choice(keyword: $0, text: $0) },
                byDefault: qualities[ticket.quality ?? .normal]),
            Option(
                keyword: "Resolution", text: "Resolution",
                choices: capabilities.offeredResolutions.map { Choice(keyword: "\($0)dpi", text: "\($0) dpi") }),
            names("OutputBin", "Output Bin", capabilities.outputBins, ticket.outputBin),
            Option(
                keyword: "CutMedia", text: "Cut Paper",
                choices: Trimming.allCases.filter { $0 == .never || capabilities.trimmings.contains($0) }
                    .map { Choice(keyword: $0.cutMedia, text: Self.words($0.keyword)) },
                byDefault: (ticket.trimming ?? capabilities.defaultTrimming).cutMedia),
        ]
    }

    /// Returns an option whose choices are names that the printer defines.
    private func names(_ keyword: String, _ text: String, _ names: [String], _ byDefault: String?) -> Option {
        var choices: [Choice] = []
        for name in names {
            guard let word = name.ppdKeyword,
                !choices.contains(where: { $0.keyword.lowercased() == word.lowercased() })
            else { continue }
            choices.append(Choice(keyword: word, text: name == "auto" ? "Automatic" : Self.words(name)))
        }
        return Option(keyword: keyword, text: text, choices: choices, byDefault: byDefault?.ppdKeyword)
    }

    /// Returns the text for a keyword: `By Pass Tray` for `by-pass-tray`.
    private static func words(_ keyword: String) -> String {
        plain(keyword, atMost: 60).split { $0 == "-" || $0 == "_" || $0 == " " }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// Returns a text without control characters, and without the characters that have a meaning in a PPD file.
    private static func plain(_ text: String, atMost bytes: Int) -> String {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            let isOdd = "\"/:<>()*\\".unicodeScalars.contains(scalar)
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse:
                return " "
            default: return isOdd ? " " : scalar
            }
        }
        var plain = ""
        plain.unicodeScalars.append(contentsOf: scalars)
        return plain.split(separator: " ").joined(separator: " ").prefixOfUTF8(bytes)
    }
}

/// Returns a number of points with at most two decimals, as PPD files contain it.
private func number(_ points: Double) -> String {
    let hundredths = Int((points * 100).rounded())
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(whole)" }
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
}

extension Margins {
    /// Enlarges each margin to the other margin at this edge.
    fileprivate mutating func widen(to other: Margins) {
        self = Margins(
            top: max(top, other.top), left: max(left, other.left), bottom: max(bottom, other.bottom),
            right: max(right, other.right))
    }
}

extension ServedPrinter {
    /// Returns the keywords in an attribute that the printer has in addition to its capabilities; nil if there is no
    /// such attribute.
    fileprivate func values(_ name: String) -> [String]? {
        extra.first { $0.name == name }?.values.compactMap(\.stringValue)
    }
}

extension Media {
    /// The name in PPD files: Adobe's name, such as `A4` or `EnvDL`, or the size in points, such as `w288h432`.
    ///
    /// `Media(named:)` reads the name.
    package var ppdName: String {
        let adobe = [
            "iso_c3_324x458mm": "EnvC3", "iso_c4_229x324mm": "EnvC4", "iso_c5_162x229mm": "EnvC5",
            "iso_c6_114x162mm": "EnvC6", "iso_c7_81x114mm": "EnvC7", "iso_dl_110x220mm": "EnvDL",
            "na_number-9_3.875x8.875in": "Env9", "na_monarch_3.875x7.5in": "EnvMonarch",
            "na_personal_3.625x6.5in": "EnvPersonal", "om_italian_110x230mm": "EnvItalian",
            "om_invite_220x220mm": "EnvInvite", "jpn_hagaki_100x148mm": "Postcard", "oe_photo-l_3.5x5in": "3.5x5",
            "om_small-photo_100x150mm": "100x150mm", "om_wide-photo_100x200mm": "100x200mm",
        ]
        let common = adobe[name] ?? commonNames.first.map { $0.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }
        if let common, Media(named: common)?.hasSameSize(as: self) == true { return common }
        return "w\(Int(width.points.rounded()))h\(Int(height.points.rounded()))"
    }
}
