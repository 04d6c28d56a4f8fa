// The test page for a printer, from what the printer says of itself.

package import IPP
import PrintIPP
package import PrintModel

extension TestPageOrder {
    /// The attributes to ask for.
    package static let attributeNames =
        ["printer-name", "device-uri"] + PrinterCapabilities.attributeNames

    /// A test page for the printer with these attributes.
    ///
    /// - Parameter media: the paper to draw for; nil for the printer's own default.
    package init(_ group: AttributeGroup, media: Media?, user: String, date: String) {
        let printer = PrinterCapabilities(attributes: group)
        let wanted = media ?? printer.defaultMedia
        let papers = printer.papers.filter { $0.media.hasSameSize(as: wanted) }
        let margins = printer.customMedia?.margins ?? .zero
        self.init(
            printer: group.string("printer-name") ?? "", makeAndModel: printer.makeAndModel,
            deviceURI: group.string("device-uri") ?? "",
            paper: papers.first { !$0.isBorderless } ?? papers.first ?? PrintPaper(media: wanted, margins: margins),
            isColor: printer.colorModes.contains(.color), resolutions: printer.resolutions, user: user, date: date)
    }

    /// What its job asks for: this paper as it is, once, whatever the printer's jobs ask for otherwise.
    package var ticket: JobTicket {
        var ticket = JobTicket()
        (ticket.media, ticket.mediaType, ticket.scaling) = (paper.media, paper.type, PrintScaling.none)
        (ticket.copies, ticket.duplex, ticket.numberUp) = (1, Duplex.none, NumberUp.one)
        return ticket
    }
}
