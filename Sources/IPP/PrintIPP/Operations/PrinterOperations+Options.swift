// Reads the options of jobs, and rejects what the printer does not support.

import IPP
import PrintModel

extension PrinterOperations {
    /// Rejects margins in `media-col` that differ from the margins of the printer's paper.
    func refuseMargins(
        otherThan paper: PrintPaper, at printer: ServedPrinter, _ attributes: [Attribute],
        in reading: inout TicketReading
    ) {
        guard let given = attributes.first(where: { $0.name == "media-col" }), let asked = given.collectionValue,
            !reading.unsupported.contains(where: { $0.name == "media-col" })
        else { return }
        let margins = paper.margins.mediaCol
        let isOther = margins.contains { own in
            guard let wanted = asked.integer(own.name), let own = own.first?.intValue else { return false }
            // Programs round margins to points.
            return abs(Int(wanted) - Int(own)) > 50
        }
        guard isOther else { return }
        let widths = margins.compactMap { $0.first?.intValue }.map { Length(hundredths: Int($0)).millimeterWords }
        reading.unsupported.append(given)
        reading.problems.append(
            "\(printer.name) does not apply the margins of media-col; the margins of "
                + "\(paper.media.localizedName) are \(widths[0]) (top), \(widths[1]) (left), \(widths[2]) (right) and "
                + "\(widths[3]) mm (bottom)")
    }

    /// Rejects the members of `media-col` that select paper by other properties than the printer does.
    func refuseMembers(
        notOfferedBy printer: ServedPrinter, _ attributes: [Attribute], in reading: inout TicketReading
    ) {
        guard let given = attributes.first(where: { $0.name == "media-col" }), let asked = given.collectionValue,
            !reading.unsupported.contains(where: { $0.name == "media-col" })
        else { return }
        let offered = printer.extra.first { $0.name == "media-col-supported" }?.values.compactMap(\.stringValue) ?? []
        let known = Set(PrinterCapabilities.mediaColMembers + offered + ["media-info", "media-key"])
        let unused = asked.members.filter { !known.contains($0.name) && !$0.asksForNothing }
        guard !unused.isEmpty else { return }
        reading.unsupported.append(Attribute("media-col", .collection(IPP.Collection(unused))))
        reading.problems.append(
            "\(printer.name) does not select paper by \(unused.map(\.name).alternatives); choose a paper type or a tray"
        )
    }

    /// Rejects operation attributes that are not supported, and options in the group of operation attributes.
    func refuseOperationAttributes(in exchange: Exchange, _ reading: inout TicketReading) {
        for attribute in exchange.attributes.attributes where !attribute.asksForNothing {
            let problem: String
            if Self.unsupportedOperationAttributes.contains(attribute.name) {
                problem = "the attribute '\(attribute.name)' is not supported"
            } else if Self.attributesOnlyOfJobs.contains(attribute.name) {
                problem =
                    "the attribute '\(attribute.name)' is ignored, because it is not in the group of job attributes"
            } else {
                continue
            }
            reading.unsupported.append(Attribute(attribute.name, .outOfBand(.unsupported)))
            reading.problems.append(problem)
        }
    }

    private static let unsupportedOperationAttributes = JobAttribute.names(.unsupported, ofOperation: true)
    /// Resubmit-Job and CUPS' own operations have other attributes of jobs among their operation attributes.
    private static let attributesOnlyOfJobs = JobAttribute.names(.applied).union(JobAttribute.names(.unsupported))
        .subtracting(JobAttribute.Treatment.allCases.flatMap { JobAttribute.names($0, ofOperation: true) })
        .subtracting(["auth-info", "job-hold-until", "job-hold-until-time", "output-device"])

    /// Rejects options of single documents (PWG 5100.5), which arrive in a group of document attributes.
    func refuseDocumentOptions(in exchange: Exchange, _ reading: inout TicketReading) {
        let unused = Self.documentOptions(in: exchange)
        reading.unsupported += unused.map { Attribute($0.name, .outOfBand(.unsupported)) }
        reading.problems += unused.map { "the attribute '\($0.name)' of a single document is not supported" }
    }

    static func documentOptions(in exchange: Exchange) -> [Attribute] {
        exchange.request.message.groups(.document).flatMap(\.attributes).filter { !$0.asksForNothing }
    }

    /// Returns whether the client requires the service to apply an attribute (`job-mandatory-attributes`).
    ///
    /// A mandatory `media-col` makes its members mandatory.
    static func isMandatory(_ name: String, among mandatory: [String]) -> Bool {
        mandatory.contains(name) || name.hasPrefix("media-") && mandatory.contains("media-col")
    }

    /// Reads job template attributes, and rejects attributes for options that the service does not support.
    func read(
        _ attributes: [Attribute], printer: String, onto ticket: JobTicket = JobTicket(),
        mediaNames: MediaNames = MediaNames()
    ) -> TicketReading {
        let options = service.options
        let refused = PrintOption.all.filter { !options.contains($0.name) }
        // Read each attribute separately to find the options that the attribute sets, whatever the attribute's name is.
        let unsupported =
            refused.isEmpty
            ? []
            : attributes.filter { attribute in
                let alone = JobTicket.read([attribute], at: clock()).ticket
                // Simple clients request no trimming and one page per side with every job. Accept these values even if
                // the printer does not support the options.
                if alone.trimming == .never || alone.numberUp == .one { return false }
                if let option = PrintOption.named(attribute.name) {
                    return alone != JobTicket() && !options.contains(option.name)
                }
                return refused.contains { $0.value(in: alone) != nil }
            }
        let names = Set(unsupported.map(\.name))
        var reading = JobTicket.read(
            attributes.filter { !names.contains($0.name) }, at: clock(), onto: ticket, mediaNames: mediaNames)
        for attribute in unsupported {
            reading.unsupported.append(Attribute(attribute.name, .outOfBand(.unsupported)))
            reading.problems.append("\(printer) does not support \(attribute.name)")
        }
        return reading
    }

    /// Rejects unsupported copy options: more copies than the printer makes, and collated copies if the printer does
    /// not collate.
    func refuseCopies(beyond printer: ServedPrinter, _ attributes: [Attribute], in reading: inout TicketReading) {
        guard let copies = reading.ticket.copies, copies > 1 else { return }
        let most = printer.capabilities.maxCopies
        if copies > most {
            reading.unsupported.append(Attribute("copies", .integer(Int32(clamping: copies))))
            reading.problems.append("\(printer.name) supports at most \(most) copies, not \(copies)")
        }
        if reading.ticket.collated == true, !printer.capabilities.collates {
            let given = attributes.first { ["multiple-document-handling", "collate"].contains($0.name) }
            reading.unsupported.append(
                given ?? Attribute("multiple-document-handling", .keyword("separate-documents-collated-copies")))
            reading.problems.append("\(printer.name) does not support collated copies")
        }
    }

    /// Rejects the requested values that are not in the printer's lists of supported values.
    func refuse(
        whatIsNotOfferedBy printer: ServedPrinter, _ attributes: [Attribute], in reading: inout TicketReading
    ) {
        for attribute in attributes where ServedPrinter.checkedAttributes.contains(attribute.name) {
            guard printer.offers(attribute) == false,
                !reading.unsupported.contains(where: { $0.name == attribute.name })
            else { continue }
            reading.unsupported.append(attribute)
            reading.problems.append("\(printer.name) does not support the requested \(attribute.name)")
            switch attribute.name {
            case "print-content-optimize": reading.ticket.contentOptimization = nil
            case "print-rendering-intent": reading.ticket.renderingIntent = nil
            default: break
            }
        }
    }
}
