// What a client asks for, as a simulated printer takes it.

import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

extension JobRequest {
    /// The request for a printer.
    func simulated(for printer: SimulatedPrinterDescription) -> SimulatedJobRequest {
        var request = SimulatedJobRequest(
            ticket, received: received, name: name, owner: requester.name, for: printer)
        request.untaken = substitutions.filter { $0.attribute != "output-bin" }.map { substitution in
            JobSubstitution(
                attribute: substitution.attribute == "media-col" ? "media" : substitution.attribute,
                words: substitution.problem)
        }
        request.requiresFidelity = insistsOnAll
        request.queueNumber = queueNumber
        if insistsOnAll {
            // Who insists on all that was asked for has pages scaled that are not larger, too (PWG 5100.13 §5.2).
            request.options.scaling = (ticket.scaling ?? .auto).settled(
                isLarger: true, isBorderless: request.options.paper.isBorderless)
        }
        return request
    }
}

extension SimulatedJobRequest {
    /// What a ticket asks of a printer.
    ///
    /// What the printer cannot do is passed on as it was asked for: the printer settles it, and says so in the job's
    /// warnings.
    ///
    /// - Parameter received: the job attributes as they came.
    init(
        _ ticket: JobTicket, received: [Attribute], name: String, owner: String,
        for printer: SimulatedPrinterDescription
    ) {
        var options = ticket.plan(for: printer.capabilities).device
        // There is no imposition here: all copies are the printer's.
        options.copies = ticket.copies ?? 1
        options.scaling = ticket.scaling
        options.collated = ticket.collated ?? true
        options.duplex = ticket.duplex ?? options.duplex
        options.colorMode = ticket.colorMode ?? options.colorMode
        if let media = ticket.media, !media.hasSameSize(as: options.paper.media) {
            options.paper = PrintPaper(media: media, margins: options.paper.margins, type: ticket.mediaType)
        }
        if let margins = Self.askedMargins(received) { options.paper.margins = margins }
        self.init(
            name: name, owner: owner, ticket: .object(received.json), options: options,
            pageRanges: ticket.pageRanges ?? .all, orientation: ticket.orientation, hold: ticket.holdUntil ?? .noHold,
            priority: ticket.priority ?? 50, rollCut: Self.askedCut(received),
            outputBin: received.first { $0.name == "output-bin" }?.first?.stringValue)
    }

    /// When the paper is to be cut; of several wishes, the one that cuts most.
    private static func askedCut(_ received: [Attribute]) -> RollCut? {
        let numbers = received.first { $0.name == "finishings" }?.values.compactMap(\.intValue) ?? []
        let names = received.first { $0.name == "finishings-col" }?.values.compactMap {
            $0.collectionValue?.string("finishing-template")
        }
        let asked = RollCut.allCases.filter { numbers.contains($0.finishing) || names?.contains($0.rawValue) == true }
        return asked.first { $0 != .never } ?? asked.first
    }

    /// The margins that `media-col` asks for, which tell a borderless paper from the other of its size.
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
