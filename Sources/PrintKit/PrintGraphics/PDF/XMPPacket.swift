// The metadata of PDF/A documents.

import CCairo
import FoundationEssentials

/// The properties of a document, as its information dictionary and its XMP packet contain them (ISO 19005-2 §6.6.2).
struct XMPPacket {
    let conformance: PDFConformance
    let date: Date
    private let title: String?
    private let author: String?
    private let subject: String?
    private let keywords: String?
    private let creator: String?
    private let producer = "PrintGraphics, cairo \(String(cString: cairo_version_string()))"
    private let invoice: (name: String, profile: PDFContext.InvoiceProfile)?

    init(_ info: DocumentInfo, _ conformance: PDFConformance, _ extras: PDFExtras) {
        // XML cannot contain most control characters, and both places must have the same text.
        func plain(_ text: String?) -> String? {
            let allowed = text?.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" }
            return allowed.flatMap { $0.isEmpty ? nil : String(String.UnicodeScalarView($0)) }
        }
        (self.conformance, date, invoice) = (conformance, extras.created, extras.invoice)
        (title, author, subject) = (plain(info.title), plain(info.author), plain(info.subject))
        (keywords, creator) = (plain(info.keywords.joined(separator: ", ")), plain(info.creator))
    }

    /// The entries of the information dictionary.
    var properties: [(key: String, text: String)] {
        let texts = [
            ("/Title", title), ("/Author", author), ("/Subject", subject), ("/Keywords", keywords),
            ("/Creator", creator), ("/Producer", producer), ("/CreationDate", PDFDate.text(date)),
            ("/ModDate", PDFDate.text(date)),
        ]
        return texts.compactMap { key, text in text.map { (key, $0) } }
    }

    /// The packet in XML.
    var data: Data {
        let moment = date.formatted(Date.ISO8601FormatStyle())
        var parts = [
            "<pdfaid:part>\(conformance.part)</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>",
            element("dc:format", "application/pdf"), element("dc:title", title, in: "Alt"),
            element("dc:creator", author, in: "Seq"), element("dc:description", subject, in: "Alt"),
            element("pdf:Keywords", keywords), element("pdf:Producer", producer), element("xmp:CreatorTool", creator),
            element("xmp:CreateDate", moment), element("xmp:ModifyDate", moment), element("xmp:MetadataDate", moment),
        ]
        parts.removeAll(where: \.isEmpty)
        return Data(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
             xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
             xmlns:xmp="http://ns.adobe.com/xap/1.0/">
            \(parts.joined(separator: "\n"))
            </rdf:Description>\(invoice.map { Self.description(of: $0.name, $0.profile) } ?? "")
            </rdf:RDF></x:xmpmeta>
            <?xpacket end="w"?>
            """.utf8)
    }

    /// Returns an element with a text; an empty text if there is no value.
    ///
    /// - Parameter list: The kind of the list that contains the text: an alternative of languages, or a sequence.
    private func element(_ name: String, _ value: String?, in list: String? = nil) -> String {
        guard let value else { return "" }
        var text = Self.escaped(value)
        if let list {
            let language = list == "Alt" ? " xml:lang=\"x-default\"" : ""
            text = "<rdf:\(list)><rdf:li\(language)>\(text)</rdf:li></rdf:\(list)>"
        }
        return "<\(name)>\(text)</\(name)>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Returns the description of an invoice (Factur-X 1.0 §6.2), and the schema for its properties, which PDF/A
    /// requires.
    private static func description(of file: String, _ profile: PDFContext.InvoiceProfile) -> String {
        let namespace = "urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#"
        let properties = [
            ("DocumentType", "INVOICE"), ("DocumentFileName", file), ("Version", "1.0"),
            ("ConformanceLevel", profile.rawValue),
        ]
        let schema = properties.map { name, _ in
            """
            <rdf:li rdf:parseType="Resource"><pdfaProperty:name>\(name)</pdfaProperty:name>\
            <pdfaProperty:valueType>Text</pdfaProperty:valueType>\
            <pdfaProperty:category>external</pdfaProperty:category>\
            <pdfaProperty:description>The \(name) of the invoice</pdfaProperty:description></rdf:li>
            """
        }
        return """

            <rdf:Description rdf:about="" xmlns:fx="\(namespace)">
            \(properties.map { "<fx:\($0)>\(escaped($1))</fx:\($0)>" }.joined(separator: "\n"))
            </rdf:Description>
            <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
             xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
             xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
            <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
            <pdfaSchema:namespaceURI>\(namespace)</pdfaSchema:namespaceURI>
            <pdfaSchema:prefix>fx</pdfaSchema:prefix>
            <pdfaSchema:property><rdf:Seq>
            \(schema.joined(separator: "\n"))
            </rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas>
            </rdf:Description>
            """
    }
}
