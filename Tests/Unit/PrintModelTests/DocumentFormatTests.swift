import PrintModel
import Testing

struct DocumentFormatTests {
    @Test(arguments: [
        "application/pdf", "Application/PDF", " application/pdf ", "application/pdf; version=1.7", "application/pdf;",
        "APPLICATION/PDF ;x=\"a;b\"", "\tapplication/pdf\r\n",
    ])
    func `the case, parameters and white space of a media type are ignored`(_ text: String) throws {
        #expect(DocumentFormat(rawValue: text) == .pdf)
        #expect(try JSON.read([DocumentFormat].self, JSON.write([text])) == [.pdf])
    }

    @Test func `an unknown media type has the file extension 'bin'`() {
        #expect(DocumentFormat(rawValue: "").rawValue == "")
        #expect(DocumentFormat(rawValue: ";charset=utf-8").rawValue == "")
        #expect(DocumentFormat(rawValue: "application/../../x").fileExtension == "bin")
        #expect(DocumentFormat.octetStream.fileExtension == "bin")
        #expect("\(DocumentFormat.urf)" == "image/urf")
    }

    @Test(arguments: [
        ("%PDF-1.7\n", DocumentFormat.pdf), ("junk\n%PDF-1.4", .pdf), ("%!PS-Adobe-3.0", .postScript),
        ("\u{4}%!PS", .postScript), ("UNIRAST\0", .urf), ("RaS2", .pwgRaster), ("2SaR", .pwgRaster),
    ])
    func `the first bytes of a document determine its format`(_ head: String, _ format: DocumentFormat) {
        #expect(DocumentFormat.sniff(Array(head.utf8)) == format)
    }

    @Test func `the signature of an image determines its format`() {
        #expect(DocumentFormat.sniff([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(DocumentFormat.sniff([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .png)
    }

    @Test(arguments: ["", "%", "%PDF", "%P", "hello", "RaS", "UNIRAST", "UNIRAST "])
    func `a document without a known signature has no format`(_ head: String) {
        #expect(DocumentFormat.sniff(Array(head.utf8)) == nil)
    }

    @Test func `a PDF header is detected only within the first 1,024 bytes`() {
        let header = Array("%PDF-".utf8)
        #expect(DocumentFormat.sniff([UInt8](repeating: 0, count: 1019) + header) == .pdf)
        #expect(DocumentFormat.sniff([UInt8](repeating: 0, count: 1020) + header) == nil)
        #expect(DocumentFormat.sniff(([9, 9] + header)[2...]) == .pdf)
    }
}
