// Tickets as IPP job template attributes, in both directions.

package import IPP
package import PrintModel

/// The result of reading a ticket from a request: the ticket and the rejected attributes.
public struct TicketReading: Sendable {
    package var ticket: JobTicket
    /// The rejected attributes: unknown attributes (with the value `unsupported`) and attributes with unsupported
    /// values.
    package var unsupported: [Attribute]
    /// The reason for each rejected attribute, one sentence each, in the order of `unsupported`.
    package var problems: [String]
    /// Whether a `media-col` in the request contains the paper size.
    ///
    /// If the value is true, `media` is ignored.
    fileprivate var isSized = false
    fileprivate var mediaNames: MediaNames

    init(ticket: JobTicket, unsupported: [Attribute], problems: [String], mediaNames: MediaNames) {
        (self.ticket, self.unsupported, self.problems, self.mediaNames) = (ticket, unsupported, problems, mediaNames)
    }
}

extension JobTicket {
    /// Reads job template attributes (RFC 8011 §5.2), including the raw attributes that `lp` sends.
    ///
    /// Every option is looked up in the table `PrintOption.all`. `media-col` takes precedence over `media`.
    ///
    /// - Parameters:
    ///   - now: The current time. A time of day means its next occurrence after this time.
    ///   - ticket: The existing ticket, which the attributes change.
    ///   - mediaNames: The printer-specific names of trays and paper types.
    package static func read(
        _ attributes: [Attribute], at now: UnixTime, onto ticket: JobTicket = JobTicket(),
        mediaNames: MediaNames = MediaNames()
    ) -> TicketReading {
        var reading = TicketReading(ticket: ticket, unsupported: [], problems: [], mediaNames: mediaNames)
        for attribute in attributes where !ignored.contains(attribute.name) { reading.take(attribute, at: now) }
        return reading
    }

    package var attributes: [Attribute] {
        var attributes: [Attribute] = []
        for option in PrintOption.all {
            guard let text = option.value(in: self) else { continue }
            switch option.name {
            case "media-type", "media-source": continue  // members of media-col
            case "job-sheets":
                attributes.append(Attribute("job-sheets", (coverSheets?.keywords ?? []).map { .keyword($0) }))
            case "page-ranges":
                attributes.append(Attribute("page-ranges", pageRanges?.ippValues ?? []))
            case "job-hold-until":
                if case .time(let moment) = holdUntil {
                    attributes.append(Attribute("job-hold-until-time", .moment(moment.rounded(.up))))
                } else {
                    attributes.append(Attribute("job-hold-until", .keyword(text)))
                }
            default:
                attributes.append(Attribute(option.name, option.ippValue(text)))
            }
        }
        if let resolution { attributes.append(Attribute("printer-resolution", .resolution(resolution.ipp))) }
        if let word = contentOptimization { attributes.append(Attribute("print-content-optimize", .keyword(word))) }
        if let word = renderingIntent { attributes.append(Attribute("print-rendering-intent", .keyword(word))) }
        if mediaType != nil || mediaSource != nil || isBorderless == true {
            var members: [Attribute] = []
            if let media { members.append(Attribute("media-size", .collection(media.mediaSize))) }
            if isBorderless == true { members += Margins.zero.mediaCol }
            if let mediaType { members.append(Attribute("media-type", .keyword(mediaType))) }
            if let mediaSource { members.append(Attribute("media-source", .keyword(mediaSource))) }
            attributes.removeAll { $0.name == "media" }
            attributes.append(Attribute("media-col", .collection(IPP.Collection(members))))
        }
        return attributes
    }

    /// The maximum number of ranges in `page-ranges`.
    static let mostPageRanges = 10_000

    /// The attributes that this reader skips: attributes without effect, and attributes that other code reads.
    package static let ignored = JobAttribute.names(.descriptive)
}

extension PrintOption {
    /// Returns the text of a value as an IPP value of the option's syntax.
    func ippValue(_ text: String) -> Value {
        switch syntax {
        case .integer: .integer(Int32(text) ?? 0)
        case .enumeration: .enumeration(Int32(text) ?? 0)
        case .boolean: .boolean(text == "true")
        case .number: Int32(text).map { .integer($0) } ?? .name(text)
        case .charset: .charset(text)
        case .keyword, .ranges: .keyword(text)
        case .name: .name(text)
        }
    }
}

extension TicketReading {
    fileprivate mutating func take(_ attribute: Attribute, at now: UnixTime) {
        switch attribute.name {
        case "media-col": takeMediaCol(attribute)
        case "media": takeMedia(attribute, at: now)
        case "page-ranges": takePageRanges(attribute)
        case "job-hold-until-time": takeHoldTime(attribute)
        case "printer-resolution", "Resolution": takeResolution(attribute)
        case "print-content-optimize": takeWord(attribute, into: \.contentOptimization)
        case "print-rendering-intent": takeWord(attribute, into: \.renderingIntent)
        case "finishings-col": takeFinishings(attribute)
        case "job-sheets": takeJobSheets(attribute, attribute.values, at: now)
        case "job-sheets-col": takeJobSheetsCol(attribute, at: now)
        default:
            guard let text = attribute.first?.optionText, attribute.values.count == 1 else {
                return refuse(attribute, "the value of \(attribute.name) has the wrong type")
            }
            set(attribute, attribute.name, to: text, at: now)
        }
    }

    private mutating func set(_ attribute: Attribute, _ name: String, to text: String, at now: UnixTime) {
        do throws(OptionError) {
            try ticket.set(name, to: text, at: now)
        } catch {
            if error.isUnknown {
                unsupported.append(Attribute(attribute.name, .outOfBand(.unsupported)))
                problems.append("the attribute '\(attribute.name)' is not supported")
            } else {
                refuse(attribute, error.description)
            }
        }
    }

    /// Reads a size, a tray and a paper type, in any order.
    ///
    /// `lp -o media=A4,tray-1` sends either several values, or one value that contains all names, separated by commas.
    private mutating func takeMedia(_ attribute: Attribute, at now: UnixTime) {
        guard !isSized else { return }
        let texts = attribute.values.compactMap(\.optionText)
        guard !texts.isEmpty, texts.count == attribute.values.count else {
            return refuse(attribute, "the value of media has the wrong type")
        }
        let asked = texts.flatMap { $0.split(separator: ",").map(String.init) }
        guard asked.count != 1 else { return takeMediaWord(texts[0], of: attribute, at: now) }
        var unknown: [String] = []
        var isSaid: (size: Bool, source: Bool, type: Bool) = (false, false, false)
        for word in asked {
            if !isSaid.size, let media = Media(named: word) {
                (ticket.media, isSaid.size) = (media, true)
                ticket.isBorderless = Media.isBorderless(named: word) ? true : nil
            } else if !isSaid.source, mediaNames.meaning(of: word) == .source {
                (ticket.mediaSource, isSaid.source) = (word, true)
            } else if !isSaid.type, mediaNames.meaning(of: word) == .type {
                (ticket.mediaType, isSaid.type) = (word, true)
            } else {
                unknown.append("'\(word)'")
            }
        }
        guard unknown.isEmpty else {
            return refuse(
                attribute,
                "media has unknown or repeated values: \(unknown.joined(separator: ", ")); use one size, tray and type")
        }
    }

    /// Reads one name: a size, or one of the printer's trays or paper types.
    private mutating func takeMediaWord(_ word: String, of attribute: Attribute, at now: UnixTime) {
        guard Media(named: word) == nil, let meaning = mediaNames.meaning(of: word) else {
            return set(attribute, "media", to: word, at: now)
        }
        switch meaning {
        case .source: ticket.mediaSource = word
        case .type: ticket.mediaType = word
        }
    }

    private mutating func takeMediaCol(_ attribute: Attribute) {
        guard let collection = attribute.collectionValue else {
            return refuse(attribute, "the value of media-col is not a collection")
        }
        if collection["media-size"] != nil || collection["media-size-name"] != nil {
            guard let media = Media(mediaCol: collection) else {
                return refuse(attribute, "media-col has no valid paper size")
            }
            ticket.media = media
            isSized = true
        }
        // A paper without margins must be selected by its margins. Any other paper has the printer's margins.
        let margins = Margins.zero.mediaCol
        if margins.allSatisfy({ collection[$0.name] == $0 }) { ticket.isBorderless = true }
        // `auto` is the default and need not be stored.
        if let type = collection.string("media-type"), type != "auto" { ticket.mediaType = type }
        if let source = collection.string("media-source") { ticket.mediaSource = source }
    }

    private mutating func takePageRanges(_ attribute: Attribute) {
        guard attribute.values.count <= JobTicket.mostPageRanges else {
            return refuse(attribute, "page-ranges has more than \(JobTicket.mostPageRanges) ranges")
        }
        let words = attribute.values.compactMap(\.stringValue)
        if !words.isEmpty, words.count == attribute.values.count {  // raw, as lp -o page-ranges= may send it
            return set(attribute, "page-ranges", to: words.joined(separator: ","), at: 0)
        }
        var ranges: [ClosedRange<Int>] = []
        for value in attribute.values {
            guard let range = value.rangeValue?.closedRange, range.lowerBound >= 1 else {
                return refuse(
                    attribute,
                    "a range in page-ranges must start at page 1 or later, and must not end before its start")
            }
            // RFC 8011 §5.2.7: ranges ascend and do not overlap.
            if let last = ranges.last, Int(range.lowerBound) <= last.upperBound {
                return refuse(attribute, "the ranges in page-ranges must be in ascending order and must not overlap")
            }
            ranges.append(Int(range.lowerBound)...Int(range.upperBound))
        }
        do throws(PageRangesError) {
            ticket.pageRanges = try PageRanges(ranges)
        } catch {
            refuse(attribute, error.description)
        }
    }

    private mutating func takeHoldTime(_ attribute: Attribute) {
        guard let time = attribute.timeValue else {
            return refuse(attribute, "job-hold-until-time is not a date and time")
        }
        ticket.holdUntil = .time(time)
    }

    /// If `lp` has no data about the printer, `lp` sends text, such as `600dpi` or `600x300dpi`.
    private mutating func takeResolution(_ attribute: Attribute) {
        let value = attribute.values.count == 1 ? attribute.values[0] : nil
        let resolution =
            if let value = value?.resolutionValue { RasterResolution(ipp: value) } else {
                value?.stringValue.flatMap(RasterResolution.init(text:))
            }
        guard let resolution else {
            return refuse(attribute, "printer-resolution requires one resolution, such as 600dpi")
        }
        ticket.resolution = resolution
    }

    private mutating func takeWord(_ attribute: Attribute, into field: WritableKeyPath<JobTicket, String?>) {
        guard attribute.values.count == 1, let word = attribute.stringValue, (1...255).contains(word.utf8.count) else {
            return refuse(attribute, "\(attribute.name) requires one keyword")
        }
        ticket[keyPath: field] = word
    }

    /// Reads `finishings-col` (PWG 5100.1 §5.2).
    private mutating func takeFinishings(_ attribute: Attribute) {
        let numbers = FinishingTemplate.numbers(in: attribute)
        guard let numbers, let trimming = numbers.compactMap({ Trimming(rawValue: Int($0)) }).last, numbers.count == 1
        else {
            return refuse(attribute, "finishings-col requires one finishing-template from finishings-col-database")
        }
        ticket.trimming = trimming
    }

    /// Reads one name, or CUPS' pair: the sheet before and the sheet after the documents.
    private mutating func takeJobSheets(_ attribute: Attribute, _ values: [Value], at now: UnixTime) {
        let words = values.compactMap(\.stringValue)
        guard !words.isEmpty, words.count == values.count else {
            return refuse(attribute, "the value of \(attribute.name) has the wrong type")
        }
        set(attribute, "job-sheets", to: words.joined(separator: ","), at: now)
        // `none` replaces the default of the printer. CUPS' programs send the default with every job.
        if ticket.coverSheets == CoverSheets() { ticket.coverSheets = nil }
    }

    /// Reads `job-sheets-col` (PWG 5100.7 §6.8.11).
    private mutating func takeJobSheetsCol(_ attribute: Attribute, at now: UnixTime) {
        guard let collection = attribute.collectionValue, attribute.values.count == 1,
            let sheets = collection["job-sheets"], collection.members.count == 1
        else {
            return refuse(
                attribute, "job-sheets-col supports only job-sheets; the cover sheets have the paper of the job")
        }
        takeJobSheets(attribute, sheets.values, at: now)
    }

    private mutating func refuse(_ attribute: Attribute, _ problem: String) {
        unsupported.append(attribute)
        problems.append(problem)
    }
}

extension Attribute {
    /// Whether an unsupported attribute requires no warning: the attribute requests the usual behavior, or belongs to
    /// another program.
    ///
    /// Some programs send all their options with every job.
    var asksForNothing: Bool {
        let isForeign = ["com.", "org.", "AP_"].contains { name.hasPrefix($0) }
        return isForeign
            || values.allSatisfy { value in
                switch value {
                case .outOfBand: true
                case .octetString(let bytes): bytes.isEmpty
                default: ["", "none", "auto", "default", "false", "off", "no"].contains(value.optionText?.lowercased())
                }
            }
    }
}

extension Value {
    /// The value as text for `PrintOption`, or `nil` if no option has a value of this type.
    var optionText: String? {
        switch self {
        case .integer(let number), .enumeration(let number): "\(number)"
        case .boolean(let flag): flag ? "true" : "false"
        default: stringValue
        }
    }
}

extension RasterResolution {
    /// Reads a resolution in the form `600dpi` or `600x300dpi`; returns `nil` for any other text.
    package init?(text: String) {
        guard text.hasSuffix("dpi") else { return nil }
        let parts = text.dropLast(3).split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(parts.count), let across = parts[0], let along = parts[parts.count - 1] else {
            return nil
        }
        self.init(crossFeed: across, feed: along)
    }

    /// The resolution as an IPP `resolution` value, in dots per inch.
    var ipp: Resolution { Resolution(crossFeed: Int32(clamping: crossFeed), feed: Int32(clamping: feed)) }
}

extension PageRanges {
    /// The ranges as IPP `rangeOfInteger` values.
    ///
    /// The maximum integer stands for the end of the document.
    var ippValues: [Value] {
        ranges.map {
            .range(IntegerRange(lower: Int32(clamping: $0.lowerBound), upper: Int32(clamping: $0.upperBound)))
        }
    }
}
