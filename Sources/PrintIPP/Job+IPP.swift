// Jobs as IPP job attributes, both ways.

public import IPP
public import PrintModel

extension Job {
    /// The job as IPP attributes (RFC 8011 §5.3), its ticket included.
    ///
    /// - Parameters:
    ///   - printerURI: the URI of its printer, as the client reaches it.
    ///   - jobURI: the URI of the job itself.
    ///   - now: the moment of the answer, in seconds since 1970 (`job-printer-up-time`).
    public func attributes(printerURI: String, jobURI: String, now: UnixTime) -> [Attribute] {
        var attributes = [
            Attribute("job-uri", .uri(jobURI)),
            Attribute("job-id", .integer(Int32(clamping: id))),
            Attribute("job-uuid", .uri(uuid)),
            Attribute("job-printer-uri", .uri(printerURI)),
            Attribute("job-name", .name(name)),
            Attribute("job-originating-user-name", .name(owner)),
            Attribute("job-state", .enumeration(Int32(state.rawValue))),
            Attribute(
                "job-state-reasons", reasons.isEmpty ? [.keyword("none")] : reasons.map { .keyword($0.rawValue) }),
            Attribute("job-state-message", .text(message)),
            Attribute("job-priority", .integer(Int32(clamping: priority))),
            Attribute("number-of-documents", .integer(Int32(clamping: documents.count))),
            Attribute("job-k-octets", .integer(Int32(clamping: (documents.map(\.bytes).reduce(0, +) + 1023) / 1024))),
            Attribute("job-impressions-completed", .integer(Int32(clamping: impressionsCompleted))),
            Attribute("job-media-sheets-completed", .integer(Int32(clamping: sheetsCompleted))),
            Attribute("job-printer-up-time", .seconds(now)),
        ]
        // Not known yet is `no-value`: the standard's suite takes nothing else but a number.
        attributes.append(
            Attribute("job-impressions", impressions.map { .integer(Int32(clamping: $0)) } ?? .outOfBand(.noValue)))
        attributes.append(
            Attribute("job-media-sheets", sheets.map { .integer(Int32(clamping: $0)) } ?? .outOfBand(.noValue)))
        attributes += timeAttributes
        if let parentID { attributes.append(Attribute("parent-job-id", .integer(Int32(clamping: parentID)))) }
        if let format = documents.first?.format {
            attributes.append(Attribute("document-format", .mimeMediaType(format.rawValue)))
        }
        if let name = documents.first?.name { attributes.append(Attribute("document-name-supplied", .name(name))) }
        attributes += ticket.attributes.filter { $0.name != "job-priority" && !$0.name.hasPrefix("job-hold-until") }
        attributes += holdAttributes
        return attributes
    }

    private var timeAttributes: [Attribute] {
        let times: [(name: String, moment: UnixTime?)] = [
            ("creation", createdAt), ("processing", processingAt), ("completed", completedAt),
        ]
        return times.flatMap { name, moment in
            [
                Attribute("time-at-\(name)", moment.map(Value.seconds) ?? .outOfBand(.noValue)),
                Attribute("date-time-at-\(name)", moment.map(Value.moment) ?? .outOfBand(.noValue)),
            ]
        }
    }

    private var holdAttributes: [Attribute] {
        guard reasons.contains(.jobHoldUntilSpecified) else {
            return [Attribute("job-hold-until", .keyword("no-hold"))]
        }
        guard let heldUntil else { return [Attribute("job-hold-until", .keyword("indefinite"))] }
        return [Attribute("job-hold-until-time", .moment(heldUntil.rounded(.up)))]
    }
}

extension RemoteJobStatus {
    /// The attributes to ask a printer for, so that `init(attributes:)` can tell how a job is doing.
    public static let attributeNames = [
        "job-id", "job-uuid", "job-state", "job-state-reasons", "job-state-message", "job-impressions-completed",
        "job-media-sheets-completed", "job-detailed-status-messages", "time-at-processing",
    ]

    /// How the job with these attributes is doing; nil when they do not say its state.
    public init?(attributes: AttributeGroup) {
        guard let state = attributes.integer("job-state").flatMap({ JobState(rawValue: Int($0)) }) else { return nil }
        // A printer that counts no pages knows at least of a job that it has never begun (RFC 8011 §5.3.14.2).
        let isUntouched = attributes["time-at-processing"]?.first?.outOfBandValue == .noValue
        self.init(
            state: state,
            reasons: attributes.keywords("job-state-reasons").unique.prefix(64).filter { $0 != "none" }.map(
                JobStateReason.init(rawValue:)),
            message: (attributes.string("job-state-message") ?? "").prefixOfUTF8(1023),
            impressionsCompleted: attributes.integer("job-impressions-completed").map { max(0, Int($0)) }
                ?? (isUntouched ? 0 : nil),
            sheetsCompleted: attributes.integer("job-media-sheets-completed").map { max(0, Int($0)) })
    }
}

extension DeviceOptions {
    /// What the printer is asked to do, as job template attributes.
    public var attributes: [Attribute] {
        var attributes = [
            Attribute("copies", .integer(Int32(clamping: copies))),
            Attribute("sides", .keyword(duplex.rawValue)),
            Attribute("media-col", .collection(deviceMediaCol)),
            Attribute("print-color-mode", .keyword(colorMode.rawValue)),
        ]
        if copies > 1 {
            let handling = collated ? "separate-documents-collated-copies" : "separate-documents-uncollated-copies"
            attributes.append(Attribute("multiple-document-handling", .keyword(handling)))
        }
        if let quality { attributes.append(Attribute("print-quality", .enumeration(Int32(quality.rawValue)))) }
        return attributes
    }

    /// The paper by its properties only: a printer knows our `media-key` not at all, and takes a size or its name, not
    /// both (PWG 5100.7).
    private var deviceMediaCol: IPP.Collection {
        var collection = paper.mediaCol(source: mediaSource)
        collection["media-key"] = nil
        collection["media-size-name"] = nil
        return collection
    }
}
