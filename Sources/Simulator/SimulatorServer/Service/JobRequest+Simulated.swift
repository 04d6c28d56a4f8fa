// Converts a client's job request to a request for a simulated printer.

import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

extension Message {
    /// The bytes of a received request; empty if they cannot be encoded.
    ///
    /// RFC 8010 has only one encoding for each message.
    var received: [UInt8] { (try? encoded()) ?? [] }
}

extension JobRequest {
    func simulated(for printer: SimulatedPrinterDescription) -> SimulatedJobRequest {
        var request = SimulatedJobRequest(
            ticket, received: received, name: name, owner: requester.name, for: printer)
        request.unconverted = substitutions.filter { $0.attribute != "output-bin" }.map { substitution in
            JobSubstitution(
                attribute: substitution.attribute == "media-col" ? "media" : substitution.attribute,
                message: substitution.problem)
        }
        request.requiresFidelity = insistsOnAll
        request.queueNumber = queueNumber
        request.request = message?.received ?? []
        if insistsOnAll {
            // A job with ipp-attribute-fidelity also scales smaller pages (PWG 5100.13 §5.2).
            request.options.scaling = (ticket.scaling ?? .auto).settled(
                isLarger: true, isBorderless: request.options.paper.isBorderless)
        }
        return request
    }
}

extension SimulatedJobRequest {
    /// Creates a job request from a ticket.
    ///
    /// The request contains unsupported options unchanged. The printer replaces these options, and reports each
    /// replacement in the job's warnings.
    ///
    /// - Parameter received: The received job attributes, without any changes.
    init(
        _ ticket: JobTicket, received: [Attribute], name: String, owner: String,
        for printer: SimulatedPrinterDescription
    ) {
        var options = ticket.plan(for: printer.capabilities).device
        // The simulator does not impose pages, so the printer makes all copies.
        options.copies = ticket.copies ?? 1
        options.scaling = ticket.scaling
        options.collated = ticket.collated ?? true
        options.duplex = ticket.duplex ?? options.duplex
        options.colorMode = ticket.colorMode ?? options.colorMode
        if let media = ticket.media, !media.hasSameSize(as: options.paper.media) {
            options.paper = PrintPaper(media: media, margins: options.paper.margins, type: ticket.mediaType)
        }
        if let margins = Self.askedMargins(received) ?? (ticket.isBorderless == true ? .zero : nil) {
            options.paper.margins = margins
        }
        self.init(
            name: name, owner: owner, ticket: .object(received.json), options: options,
            pageRanges: ticket.pageRanges ?? .all, orientation: ticket.orientation, hold: ticket.holdUntil ?? .noHold,
            priority: ticket.priority ?? 50, rollCut: Self.askedCut(received),
            outputBin: received.first { $0.name == "output-bin" }?.first?.stringValue)
    }

    /// Returns the kind of roll cut that the client requested (`finishings`, `finishings-col`); nil if the client
    /// requested none.
    ///
    /// If the client requested several kinds, the result is the kind that cuts the paper most often.
    private static func askedCut(_ received: [Attribute]) -> RollCut? {
        let numbers = received.first { $0.name == "finishings" }?.values.compactMap(\.intValue) ?? []
        let names = received.first { $0.name == "finishings-col" }?.values.compactMap {
            $0.collectionValue?.string("finishing-template")
        }
        let asked = RollCut.allCases.filter { numbers.contains($0.finishing) || names?.contains($0.rawValue) == true }
        return asked.first { $0 != .never } ?? asked.first
    }

    /// Returns the requested margins in `media-col`; nil if the client sent no margins.
    ///
    /// The margins distinguish borderless papers from other papers of the same size.
    private static func askedMargins(_ received: [Attribute]) -> Margins? {
        guard let mediaCol = received.first(where: { $0.name == "media-col" })?.collectionValue,
            mediaCol.members.contains(where: { $0.name.hasSuffix("-margin") })
        else { return nil }
        func edge(_ name: String) -> Length {
            Length(hundredths: max(0, Int(mediaCol.integer("media-\(name)-margin") ?? 0)))
        }
        return Margins(top: edge("top"), left: edge("left"), bottom: edge("bottom"), right: edge("right"))
    }
}
