// Electronic invoices.

public import FoundationEssentials

extension PDFContext {
    /// The profile of an electronic invoice: the amount of data in its XML (Factur-X 1.0, ZUGFeRD 2).
    public enum InvoiceProfile: String, Hashable, Sendable, CaseIterable {
        /// The data for booking, without lines.
        case minimum = "MINIMUM"
        /// The data of the whole invoice, without lines.
        case basicWithoutLines = "BASIC WL"
        /// The most common data of invoices with lines.
        case basic = "BASIC"
        /// All data of the European standard EN 16931.
        case en16931 = "EN 16931"
        /// More data than in EN 16931.
        case extended = "EXTENDED"
        /// The German rules for invoices to authorities.
        case xRechnung = "XRECHNUNG"
    }

    /// Attaches the XML of an electronic invoice (Factur-X, ZUGFeRD), whose pages show the same data.
    ///
    ///     let info = DocumentInfo(title: "Invoice 4711", conformance: .pdfA3b)
    ///     try PDFContext.write(to: "invoice.pdf", info: info) { pdf in
    ///         pdf.attachInvoice(xml, profile: .en16931)
    ///         pdf.beginPage()
    ///         …
    ///     }
    ///
    /// The document must be PDF/A-3b, otherwise `close()` throws `nonconforming`. The XML is not checked.
    ///
    /// - Parameter xml: A cross-industry invoice (UN/CEFACT) in the profile's form.
    public func attachInvoice(_ xml: Data, profile: InvoiceProfile) {
        guard info.conformance == .pdfA3b else {
            return note(
                GraphicsError(
                    .nonconforming,
                    "cannot attach an invoice to this document; set the conformance .pdfA3b in its"
                        + " DocumentInfo"))
        }
        let name = profile == .xRechnung ? "xrechnung.xml" : "factur-x.xml"
        let isWhole = profile != .minimum && profile != .basicWithoutLines
        attach(
            xml, name: name, type: "text/xml", description: "Factur-X invoice",
            relationship: isWhole ? .alternative : .data)
        extras.invoice = (name, profile)
    }
}
