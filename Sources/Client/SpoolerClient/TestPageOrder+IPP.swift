// Creates the test page of a printer from its attributes.

package import IPP
import PrintIPP
package import PrintModel

extension TestPageOrder {
    /// The printer attributes to request from printd.
    package static let attributeNames =
        ["printer-name", "device-uri"] + PrinterCapabilities.attributeNames

    /// Creates a test page from the attributes of a printer.
    ///
    /// - Parameter media: The paper; nil means the printer's default.
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

    /// The ticket of the test page: one copy on the paper of the test page, without scaling.
    ///
    /// The ticket overrides the printer's default options.
    package var ticket: JobTicket {
        var ticket = JobTicket()
        (ticket.media, ticket.mediaType, ticket.scaling) = (paper.media, paper.type, PrintScaling.none)
        (ticket.copies, ticket.duplex, ticket.numberUp) = (1, Duplex.none, NumberUp.one)
        return ticket
    }
}
