// Jobs as IPP job attributes, in both directions.

package import IPP
package import PrintModel

/// A job and its requester, who determines which attributes the job has.
///
/// Only this type converts jobs to attributes, so that no response contains the values of a job by mistake.
package struct VisibleJob: Sendable {
    private let job: Job
    /// Whether the requester can see the private values of the job.
    package let isWhole: Bool
    private let privacy: JobPrivacy

    /// Creates the view of a requester on a job.
    ///
    /// - Parameters:
    ///   - kind: The kind of the requester at the printer of the job; `nil` if the requester does not manage it.
    ///   - operation: The operation whose access rule applies.
    ///   - privacy: The values that are private.
    package init(
        _ job: Job, to requester: Requester, as kind: RequesterKind? = nil, by operation: Operation,
        privacy: JobPrivacy = JobPrivacy()
    ) {
        (self.job, self.privacy) = (job, privacy)
        let ownership: Ownership = requester.owns(thingsOf: job.owner) ? .own : .others
        isWhole =
            privacy.hidesNothing || operation.access.permission(of: kind ?? requester.kind, ownership) == .allowed
    }

    /// Returns the requested attributes (RFC 8011 §5.3), without the attributes that the requester cannot see.
    ///
    /// Attributes that are not requested are not computed.
    ///
    /// - Parameter now: The time of the response, in seconds since 1970 (`job-printer-up-time`).
    package func attributes(
        _ wanted: RequestedAttributes, printerURI: @autoclosure () -> String, jobURI: @autoclosure () -> String,
        now: UnixTime
    ) -> [Attribute] {
        var attributes = job.description(printerURI: printerURI(), jobURI: jobURI(), now: now) { name in
            shows(name) && wanted.wants(name, in: ["job-description"])
        }
        if wanted.wantsJobOptions {
            let template = (job.template + job.options).filter { shows($0.name) }
            attributes += wanted.filter(template, in: ["job-template"])
        }
        if wanted.names("printq-place") {
            attributes.append(Attribute("printq-place", .name(QueuePosition(job).description)))
        }
        return attributes
    }

    private func shows(_ name: String) -> Bool { isWhole || !privacy.hides(name) }
}

extension Job {
    /// Returns the requested description and status attributes.
    ///
    /// Attributes that are not requested are not computed.
    fileprivate func description(
        printerURI: @autoclosure () -> String, jobURI: @autoclosure () -> String, now: UnixTime,
        wants: (String) -> Bool
    ) -> [Attribute] {
        var attributes: [Attribute] = []
        func add(_ name: String, _ value: @autoclosure () -> Value) {
            if wants(name) { attributes.append(Attribute(name, value())) }
        }
        add("job-uri", .uri(jobURI()))
        add("job-id", .integer(Int32(clamping: id)))
        add("job-uuid", .uri(uuid))
        add("job-printer-uri", .uri(printerURI()))
        add("job-name", .name(name))
        add("job-originating-user-name", .name(owner))
        add("job-state", .enumeration(Int32(state.rawValue)))
        if wants("job-state-reasons") {
            let keywords = reasons.isEmpty ? ["none"] : reasons.map(\.rawValue)
            attributes.append(Attribute("job-state-reasons", keywords.map { .keyword($0) }))
        }
        add("job-state-message", .text(stateMessage))
        // 'lpstat -l' shows only this attribute of CUPS.
        if !stateMessage.isEmpty { add("job-printer-state-message", .text(stateMessage)) }
        add("number-of-documents", .integer(Int32(clamping: documents.count)))
        add("job-k-octets", .integer(Int32(clamping: (documents.map(\.bytes).reduce(0, +) + 1023) / 1024)))
        add("job-impressions-completed", .integer(Int32(clamping: printedImpressions)))
        add("job-media-sheets-completed", .integer(Int32(clamping: sheetsCompleted)))
        add("job-printer-up-time", .seconds(now))
        // An unknown number is `no-value`. The conformance suite of the standard accepts no other out-of-band value.
        add("job-impressions", impressionsPerCopy.map { .integer(Int32(clamping: $0)) } ?? .outOfBand(.noValue))
        add("job-media-sheets", sheets.map { .integer(Int32(clamping: $0)) } ?? .outOfBand(.noValue))
        for (name, moment) in [("creation", createdAt), ("processing", processingAt), ("completed", completedAt)] {
            add("time-at-\(name)", moment.map(Value.seconds) ?? .outOfBand(.noValue))
            add("date-time-at-\(name)", moment.map(Value.moment) ?? .outOfBand(.noValue))
        }
        if let progress = pageProgress {
            add("job-pages", .integer(Int32(clamping: progress.pages)))
            add("job-pages-completed", .integer(Int32(clamping: progress.completedInAllCopies)))
            add("job-pages-completed-current-copy", .integer(Int32(clamping: progress.completed)))
            add("printq-copies", .integer(Int32(clamping: progress.copies)))
            add("printq-current-copy", .integer(Int32(clamping: progress.copy)))
        }
        if let parentID { add("parent-job-id", .integer(Int32(clamping: parentID))) }
        if let format = documents.first?.format { add("document-format", .mimeMediaType(format.rawValue)) }
        if let name = documents.first?.name { add("document-name-supplied", .name(name)) }
        return attributes
    }

    /// The template attributes that every job has: the priority and the hold time.
    fileprivate var template: [Attribute] {
        [Attribute("job-priority", .integer(Int32(clamping: priority)))] + holdAttributes
    }

    /// The options of the job's ticket as attributes, without the priority and the hold time.
    fileprivate var options: [Attribute] {
        ticket.attributes.filter { $0.name != "job-priority" && !$0.name.hasPrefix("job-hold-until") }
    }

    private var holdAttributes: [Attribute] {
        guard reasons.contains(.jobHoldUntilSpecified) else {
            return [Attribute("job-hold-until", .keyword("no-hold"))]
        }
        // A job with a password is not printed at the end of the time.
        guard let heldUntil, !hasReleasePassword else { return [Attribute("job-hold-until", .keyword("indefinite"))] }
        return [Attribute("job-hold-until-time", .moment(heldUntil.rounded(.up)))]
    }
}

extension RequestedAttributes {
    /// The parts of a job that determine the requested attributes.
    var parts: JobParts {
        if areAll(in: Self.ofBareJobs) { return [] }
        return areAll(in: Self.ofBareJobs.union(Self.ofDocuments)) ? .documents : .all
    }

    /// The attributes that a job without any of its parts determines.
    private static let ofBareJobs: Set = [
        "job-uri", "job-id", "job-uuid", "job-printer-uri", "job-name", "job-originating-user-name", "job-state",
        "job-state-message", "job-printer-state-message", "job-printer-up-time", "time-at-creation",
        "date-time-at-creation", "time-at-completed",
        "date-time-at-completed", "printq-place", "printq-jobs-before", "printq-job-count", "printq-job-counts",
    ]

    private static let ofDocuments: Set = [
        "number-of-documents", "job-k-octets", "document-format", "document-name-supplied",
    ]
}

extension RemoteJobStatus {
    /// The names of the job attributes to request from a printer.
    package static let attributeNames = [
        "job-id", "job-uuid", "job-state", "job-state-reasons", "job-state-message", "job-impressions-completed",
        "job-media-sheets-completed", "job-detailed-status-messages", "time-at-processing",
    ]

    /// Returns `nil` if the attributes do not contain the job's state.
    package init?(attributes: AttributeGroup) {
        guard let state = attributes.integer("job-state").flatMap({ JobState(rawValue: Int($0)) }) else { return nil }
        // If a printer reports no page count, `time-at-processing` still shows whether it has started the job (RFC 8011
        // §5.3.14.2).
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
    package var attributes: [Attribute] {
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
        if let scaling { attributes.append(Attribute("print-scaling", .keyword(scaling.rawValue))) }
        if let quality { attributes.append(Attribute("print-quality", .enumeration(Int32(quality.rawValue)))) }
        if let resolution {
            let dots = Resolution(
                crossFeed: Int32(clamping: resolution.crossFeed), feed: Int32(clamping: resolution.feed))
            attributes.append(Attribute("printer-resolution", .resolution(dots)))
        }
        if let outputBin { attributes.append(Attribute("output-bin", .keyword(outputBin))) }
        if let trimming { attributes.append(Attribute("finishings", .enumeration(Int32(trimming.rawValue)))) }
        return attributes
    }

    /// The paper as a `media-col` value with the size, and without the names `media-key` and `media-size-name`.
    ///
    /// Printers do not support the `media-key` values of printq. A printer accepts either a size or a size name (PWG
    /// 5100.7).
    private var deviceMediaCol: IPP.Collection {
        var collection = paper.mediaCol(source: mediaSource)
        collection["media-key"] = nil
        collection["media-size-name"] = nil
        return collection
    }
}
