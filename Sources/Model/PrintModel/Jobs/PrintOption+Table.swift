// Lists all print options.

extension PrintOption {
    /// All print options, in the order of the help text.
    public static let all: [PrintOption] = basic + layoutOptions + textOptions

    private static let basic: [PrintOption] = [
        .number(
            "copies", ["n"], \.copies, in: 1...JobTicket.mostCopies, .deviceOrImposition, help: "Number of copies."),
        PrintOption(
            name: "page-ranges", aliases: ["pages"], syntax: .ranges, consumer: .imposition, values: "1-3,7,9-",
            choices: .any, help: "Pages to print.",
            read: { $0.pageRanges?.description },
            write: { (ticket, text, _) throws(OptionError) in
                do throws(PageRangesError) {
                    ticket.pageRanges = try PageRanges(text)
                } catch {
                    throw .wrong("page-ranges", text, because: error.explanation(of: text))
                }
            }),
        .keyword(
            "sides", ["duplex"], \.duplex, .device,
            words: [
                "none": .none, "long": .longEdge, "short": .shortEdge, "duplexnotumble": .longEdge,
                "duplextumble": .shortEdge,
            ],
            help: "Sides of the paper to print on."),
        PrintOption(
            name: "media", aliases: ["paper", "pagesize", "pageregion"], syntax: .keyword, consumer: .device,
            values: "a paper such as A4, letter, 4x6, 100x62mm or iso_a4_210x297mm", help: "Paper to print on.",
            read: { $0.media?.name },
            write: { (ticket, text, _) throws(OptionError) in
                guard let media = Media(named: text) else {
                    throw .wrong(
                        "media", text,
                        allowed: "a paper such as A4, letter, 4x6 or 100x62mm (see 'printq papers --all')",
                        names: Media.commonNames)
                }
                ticket.media = media
                ticket.isBorderless = Media.isBorderless(named: text) ? true : nil
            }),
        PrintOption(
            name: "media-type", aliases: ["mediatype"], syntax: .keyword, consumer: .device,
            values: "a kind of paper such as stationery or photographic-glossy", help: "Type of paper.",
            read: { $0.mediaType },
            // `auto` is the default and need not be stored.
            write: { (ticket, text, _) throws(OptionError) in
                ticket.mediaType = text.lowercased() == "auto" ? nil : text
            }),
        PrintOption(
            name: "media-source", aliases: ["inputslot"], syntax: .keyword, consumer: .device,
            values: "a tray such as tray-1 or auto", help: "Tray that holds the paper.",
            read: { $0.mediaSource },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.mediaSource = text.lowercased() == "auto" ? "auto" : text
            }),
        PrintOption(
            name: "output-bin", aliases: ["outputbin"], syntax: .keyword, consumer: .device,
            values: "a bin such as face-down or auto", help: "Bin that receives the printed sheets.",
            read: { $0.outputBin },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.outputBin = text.lowercased() == "auto" ? nil : text
            }),
        PrintOption(
            name: "orientation-requested", aliases: ["orientation"], syntax: .enumeration, consumer: .imposition,
            values: "portrait, landscape, reverse-landscape or reverse-portrait",
            choices: .numbers(Orientation.allCases.map(\.rawValue)), byDefault: PrintOption.Default.none,
            help: "Orientation of the content.",
            read: { $0.orientation.map { "\($0.rawValue)" } },
            write: { (ticket, text, _) throws(OptionError) in
                let words = Dictionary(uniqueKeysWithValues: Orientation.allCases.map { ($0.keyword, $0) })
                if text == "7" || text == "none" {  // IPP `none`: the printer chooses
                    ticket.orientation = nil
                } else {
                    ticket.orientation = try enumeration(text, of: "orientation-requested", words: words)
                }
            }),
        PrintOption(
            name: "number-up", aliases: ["nup"], syntax: .integer, consumer: .imposition, values: "1, 2, 4, 6, 9 or 16",
            choices: .numbers(NumberUp.supportedCounts), byDefault: .text("1"), help: "Number of pages on each side.",
            read: { $0.numberUp.map { "\($0.count)" } },
            write: { (ticket, text, _) throws(OptionError) in
                guard let count = Int(text), NumberUp.supportedCounts.contains(count) else {
                    throw .wrong("number-up", text, allowed: "1, 2, 4, 6, 9 or 16")
                }
                let before = ticket.numberUp ?? .one
                ticket.numberUp = NumberUp(count: count, layout: before.layout, border: before.border)
            }),
        PrintOption(
            name: "presentation-direction-number-up", aliases: ["number-up-layout"], syntax: .keyword,
            consumer: .imposition, values: "toright-tobottom or one of seven other orders",
            choices: .keywords(NumberUp.Layout.allCases.map(\.rawValue)), byDefault: .text("toright-tobottom"),
            help: "Order of the pages on one side.",
            read: { $0.numberUp?.layout.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                let short = [
                    "btlr": "totop-toright", "btrl": "totop-toleft", "lrbt": "toright-totop",
                    "lrtb": "toright-tobottom", "rlbt": "toleft-totop", "rltb": "toleft-tobottom",
                    "tblr": "tobottom-toright", "tbrl": "tobottom-toleft",
                ]
                var numberUp = ticket.numberUp ?? .one
                numberUp.layout = try keyword(short[text] ?? text, of: "presentation-direction-number-up")
                ticket.numberUp = numberUp
            }),
        PrintOption(
            name: "page-border", aliases: [], syntax: .keyword, consumer: .imposition,
            values: "none, single, single-thick, double or double-thick",
            choices: .keywords(PageBorder.allCases.map(\.rawValue)), byDefault: .text("none"),
            help: "Lines around each page.",
            read: { $0.numberUp.flatMap { $0.border == .none ? nil : $0.border.rawValue } },
            write: { (ticket, text, _) throws(OptionError) in
                let border: PageBorder = try keyword(text, of: "page-border")
                guard border != .none || ticket.numberUp != nil else { return }
                var numberUp = ticket.numberUp ?? .one
                numberUp.border = border
                ticket.numberUp = numberUp
            }),
        PrintOption(
            name: "print-scaling", aliases: [], syntax: .keyword, consumer: .imposition,
            values: PrintScaling.allCases.map(\.rawValue).alternatives,
            choices: .keywords(PrintScaling.allCases.map(\.rawValue)), byDefault: .text(PrintScaling.auto.rawValue),
            help: "Scaling of pages to the paper.",
            read: { $0.scaling?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.scaling = try keyword(text, of: "print-scaling")
                ticket.scalePercent = nil
            }),
        PrintOption(
            name: "scaling", aliases: ["natural-scaling"], syntax: .integer, consumer: .imposition,
            values: "1 to 1000, or a value of print-scaling",
            help: "Size of the printed pages in percent of their original size.",
            read: { $0.scalePercent.map(String.init) },
            write: { (ticket, text, _) throws(OptionError) in
                if let scaling = PrintScaling(rawValue: text.lowercased()) {
                    (ticket.scaling, ticket.scalePercent) = (scaling, nil)
                    return
                }
                guard let percent = Int(text.hasSuffix("%") ? text.dropLast() : text[...]), 1...1000 ~= percent else {
                    throw .wrong(
                        "scaling", text,
                        allowed: PrintScaling.allCases.map(\.rawValue).joined(separator: ", ")
                            + " or a size such as 80%",
                        names: PrintScaling.allCases.map(\.rawValue))
                }
                ticket.scalePercent = percent
            }),
        .flag("mirror", [], \.isMirrored, .imposition, help: "Mirrors the sides, for transfer paper."),
        PrintOption(
            name: "page-set", aliases: [], syntax: .keyword, consumer: .imposition, values: "all, odd or even",
            choices: .keywords(["all"] + PageSet.allCases.map(\.rawValue)), byDefault: .text("all"),
            help: "Sides to print: all sides, or the odd or even sides.",
            read: { $0.pageSet?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                if text.lowercased() == "all" {
                    ticket.pageSet = nil
                } else {
                    ticket.pageSet = try keyword(text, of: "page-set")
                }
            }),
        .keyword(
            "print-color-mode", ["color", "colormodel"], \.colorMode, .device,
            words: ["gray": .monochrome, "grayscale": .monochrome, "rgb": .color], help: "Color mode."),
        PrintOption(
            name: "print-quality", aliases: ["quality", "cupsprintquality"], syntax: .enumeration, consumer: .device,
            values: "draft, normal or high", help: "Print quality.",
            read: { $0.quality.map { "\($0.rawValue)" } },
            write: { (ticket, text, _) throws(OptionError) in
                let words = ["draft": PrintQuality.draft, "normal": .normal, "high": .high, "best": .high]
                ticket.quality = try enumeration(text, of: "print-quality", words: words)
            }),
        PrintOption(
            name: "finishings", aliases: ["trim", "cutmedia"], syntax: .enumeration, consumer: .device,
            values: "none, trim-after-pages, trim-after-documents, trim-after-copies or trim-after-job",
            help: "Points at which the printer cuts the paper roll.",
            read: { $0.trimming.map { "\($0.rawValue)" } },
            write: { (ticket, text, _) throws(OptionError) in
                let words = Dictionary(
                    Trimming.allCases.flatMap { [($0.keyword, $0), ($0.cutMedia.lowercased(), $0)] },
                    uniquingKeysWith: { first, _ in first })
                ticket.trimming = try enumeration(text, of: "finishings", words: words)
            }),
        .keyword(
            "output-type", [], \.outputType, .device,
            help: "Type of content, which affects color mode, quality and paper."),
        PrintOption(
            name: "page-delivery", aliases: ["outputorder"], syntax: .keyword, consumer: .imposition,
            values: "same-order or reverse-order", choices: .keywords(PageOrder.allCases.map(\.rawValue)),
            byDefault: .text("same-order"), help: "Output order: the first page first, or the last page first.",
            read: { $0.pageOrder?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                // PWG 5100.3 adds the face of the sheets (face-up, face-down); printq uses only the order.
                let order = text.lowercased().split(separator: "-").prefix(2).joined(separator: "-")
                ticket.pageOrder = try keyword(
                    order, of: "page-delivery", words: ["normal": .normal, "reverse": .reverse])
            }),
        PrintOption(
            name: "multiple-document-handling", aliases: [], syntax: .keyword, consumer: .deviceOrImposition,
            values: "separate-documents-collated-copies, separate-documents-uncollated-copies, single-document or "
                + "single-document-new-sheet",
            help: "Handling of several documents (separate documents or one document) and of copies (collated or not).",
            read: { ticket in
                ticket.documentJoining?.rawValue
                    ?? ticket.collated.map { "separate-documents-\($0 ? "" : "un")collated-copies" }
            },
            write: { (ticket, text, _) throws(OptionError) in
                switch text {
                case "separate-documents-uncollated-copies": (ticket.collated, ticket.documentJoining) = (false, nil)
                case "separate-documents-collated-copies": (ticket.collated, ticket.documentJoining) = (true, nil)
                default:
                    guard let joining = DocumentJoining(rawValue: text) else {
                        throw .wrong(
                            "multiple-document-handling", text,
                            allowed: PrintOption.named("multiple-document-handling")?.values ?? "other values")
                    }
                    (ticket.collated, ticket.documentJoining) = (true, joining)
                }
            }),
        PrintOption(
            name: "collate", aliases: [], syntax: .boolean, consumer: .deviceOrImposition, values: "true or false",
            help: "Collates copies (the lp option for multiple-document-handling).",
            // `multiple-document-handling` returns this value for separate documents.
            read: { $0.documentJoining != nil && $0.collated == false ? "false" : nil },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.collated = try flag(text, of: "collate")
            }),
        PrintOption(
            name: "job-sheets", aliases: ["cover-sheets"], syntax: .keyword, consumer: .imposition,
            values: CoverSheets.names.alternatives + "; or a sheet before and a sheet after the documents, such as "
                + "standard,none", choices: .keywords(CoverSheets.names), byDefault: .text("none"),
            help: "Sheets with title, user and date before and after the documents, once per job.",
            read: { $0.coverSheets?.text },
            write: { (ticket, text, _) throws(OptionError) in
                guard let sheets = CoverSheets(text: text) else {
                    throw .wrong(
                        "job-sheets", text, allowed: CoverSheets.names.alternatives + ", or two of them",
                        names: CoverSheets.names)
                }
                ticket.coverSheets = sheets
            }),
        .number(
            "job-priority", ["priority"], \.priority, in: 1...100, .queue, choices: .numbers([100]),
            byDefault: .text("50"), help: "Priority of the job; jobs with a higher priority print first."),
        PrintOption(
            name: "job-hold-until", aliases: ["hold"], syntax: .keyword, consumer: .queue,
            values: "no-hold, indefinite, day-time, evening, night, second-shift, third-shift, weekend, a time of day "
                + "in UTC such as 18:30, or seconds since 1970 as @SECONDS",
            choices: .keywords(["no-hold", "indefinite"] + HoldUntil.Period.allCases.map(\.rawValue)),
            byDefault: .text("no-hold"),
            help: "Time until which the job is held.",
            read: { $0.holdUntil?.text },
            write: { (ticket, text, now) throws(OptionError) in
                ticket.holdUntil = try HoldUntil(text: text, now: now)
            }),
        PrintOption(
            name: "job-retain-until", aliases: [], syntax: .keyword, consumer: .queue, values: "none",
            choices: .keywords(["none"]), byDefault: PrintOption.Default.none,
            help: "Deletes the documents when the job ends.",
            read: { $0.keepsDocuments == false ? "none" : nil },
            write: { (ticket, text, _) throws(OptionError) in
                guard text == "none" else {
                    throw .wrong(
                        "job-retain-until", text, allowed: "none, or omit the option to apply the queue's settings")
                }
                ticket.keepsDocuments = false
            }),
    ]

    /// Returns an option whose values are the cases of a type.
    static func keyword<Keyword: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ aliases: [String], _ field: any WritableKeyPath<JobTicket, Keyword?> & Sendable,
        _ consumer: Consumer, words: [String: Keyword] = [:], values: String? = nil, byDefault: Keyword? = nil,
        help: String
    ) -> PrintOption {
        let keywords = Keyword.allCases.map(\.rawValue)
        return PrintOption(
            name: name, aliases: aliases, syntax: .keyword, consumer: consumer,
            values: values ?? keywords.alternatives,
            choices: [.device, .conversion].contains(consumer) ? nil : .keywords(keywords),
            byDefault: byDefault.map { .text($0.rawValue) }, help: help, read: { $0[keyPath: field]?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket[keyPath: field] = try keyword(text, of: name, words: words)
            })
    }

    /// Returns an option whose value is a whole number.
    static func number(
        _ name: String, _ aliases: [String], _ field: any WritableKeyPath<JobTicket, Int?> & Sendable,
        in range: ClosedRange<Int>, _ consumer: Consumer, choices: Choices? = nil, byDefault: Default? = nil,
        help: String
    ) -> PrintOption {
        PrintOption(
            name: name, aliases: aliases, syntax: .integer, consumer: consumer,
            values: "\(range.lowerBound) to \(range.upperBound)", choices: choices, byDefault: byDefault, help: help,
            read: { $0[keyPath: field].map(String.init) },
            write: { (ticket, text, _) throws(OptionError) in
                ticket[keyPath: field] = try number(text, in: range, of: name)
            })
    }

    /// Returns an option that is true or false.
    static func flag(
        _ name: String, _ aliases: [String], _ field: any WritableKeyPath<JobTicket, Bool?> & Sendable,
        _ consumer: Consumer, help: String
    ) -> PrintOption {
        PrintOption(
            name: name, aliases: aliases, syntax: .boolean, consumer: consumer, values: "true or false", help: help,
            read: { $0[keyPath: field].map { "\($0)" } },
            write: { (ticket, text, _) throws(OptionError) in ticket[keyPath: field] = try flag(text, of: name) })
    }

    static func flag(_ text: String, of option: String) throws(OptionError) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "": true
        case "false", "no", "off": false
        default: throw .wrong(option, text, allowed: "true or false")
        }
    }

    static func number(_ text: String, in range: ClosedRange<Int>, of option: String) throws(OptionError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw .wrong(option, text, allowed: "\(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    static func keyword<Keyword: RawRepresentable<String> & CaseIterable>(
        _ text: String, of option: String, words: [String: Keyword] = [:]
    ) throws(OptionError) -> Keyword {
        let text = text.lowercased()
        guard let value = words[text] ?? Keyword(rawValue: text) else {
            let keywords = Keyword.allCases.map(\.rawValue)
            throw .wrong(option, text, allowed: keywords.alternatives, names: keywords + words.keys.sorted())
        }
        return value
    }

    static func enumeration<Number: RawRepresentable<Int> & CaseIterable>(
        _ text: String, of option: String, words: [String: Number]
    ) throws(OptionError) -> Number {
        guard let value = words[text.lowercased()] ?? Int(text).flatMap(Number.init(rawValue:)) else {
            let allowed = PrintOption.named(option)?.values ?? words.keys.sorted().alternatives
            throw .wrong(option, text, allowed: allowed, names: words.keys.sorted())
        }
        return value
    }
}

extension [String] {
    /// The texts as a list for a sentence: `auto, color or monochrome`.
    public var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}
