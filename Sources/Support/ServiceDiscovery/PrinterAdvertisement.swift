// What a printer says of itself by DNS-SD, and as which services.

public import PrintModel

/// A printer as it is published by DNS-SD: its name, and what clients want to know before they ask it.
///
///     let laser = PrinterAdvertisement(name: "Laser", path: "ipp/print/laser", port: 8000, uuid: uuid, capabilities: can)
///     laser.services(host: "pluto.local").map(\.type)     // ["_printer._tcp", "_ipp._tcp"]
///
/// The keys are those of the Bonjour Printing Specification 1.2.1, PWG 5100.14 §4.2 and AirPrint. `printer-type` and
/// `printer-state`, which cupsd adds, are left out: by them clients know a queue of another spooler, and this is a printer.
public struct PrinterAdvertisement: Hashable, Sendable {
    /// The name under which it would like to be found.
    public var name: String
    /// The path of its URI without the slash before it: `ipp/print/laser`.
    public var path: String
    /// The TCP port at which it listens.
    public var port: Int
    /// Its universal name, `urn:uuid:…`.
    public var uuid: String
    /// What it can do.
    public var capabilities: PrinterCapabilities
    /// Where it stands; may be empty.
    public var location = ""
    /// What it is for (`printer-kind`, PWG 5100.13): `document`, `label`.
    public var kinds: [String] = []
    /// What its Apple raster may be (`urf-supported`); empty when it takes none.
    public var rasterKeywords: [String] = []
    /// The path of its web page; nil when it has none.
    public var webPath: String?
    /// Whether it is reached plainly, without TLS.
    public var isPlain = true
    /// The latest version of TLS that it speaks at its port, such as `1.3`; nil for none.
    public var tls: String?

    /// A printer.
    public init(name: String, path: String, port: Int, uuid: String, capabilities: PrinterCapabilities) {
        self.name = name
        self.path = path
        self.port = port
        self.uuid = uuid
        self.capabilities = capabilities
    }

    /// The services that tell of it, all under one name.
    ///
    /// `_printer._tcp` comes first and has no port: it is the "flagship" by which printers of all protocols hold their names
    /// (Bonjour Printing 1.2.1). IPP is found as IPP Everywhere's `_print` (PWG 5100.14 §4.2.1), and, if the printer takes
    /// Apple raster, as AirPrint's `_universal`.
    ///
    /// - Parameter host: the name of this machine in URIs.
    public func services(host: String) -> [NetworkService] {
        let subtypes = ["_print"] + (rasterKeywords.isEmpty ? [] : ["_universal"])
        var services = [NetworkService(type: "_printer._tcp", port: 0)]
        for type in (isPlain ? ["_ipp._tcp"] : []) + (tls == nil ? [] : ["_ipps._tcp"]) {
            services.append(NetworkService(type: type, subtypes: subtypes, port: port, record: record(host: host)))
        }
        if let webPath, isPlain {
            var record = TXTRecord()
            record["path"] = webPath
            services.append(NetworkService(type: "_http._tcp", subtypes: ["_printer"], port: port, record: record))
        }
        return services
    }

    /// The keys of its IPP services.
    func record(host: String) -> TXTRecord {
        var record = TXTRecord()
        record["txtvers"] = "1"
        record["qtotal"] = "1"
        record["rp"] = path
        record["ty"] = capabilities.makeAndModel
        record["adminurl"] = webPath.map { "\(isPlain ? "http" : "https")://\(host):\(port)\($0)" }
        record["note"] = location
        record["priority"] = "50"
        record["product"] = "(\(capabilities.makeAndModel))"
        record["pdl"] = capabilities.formats.map(\.rawValue).filter { $0 != DocumentFormat.octetStream.rawValue }
            .joined(separator: ",")
        record["UUID"] = uuid.hasPrefix("urn:uuid:") ? String(uuid.dropFirst(9)) : uuid
        record["URF"] = rasterKeywords.isEmpty ? nil : rasterKeywords.joined(separator: ",")
        record["TLS"] = tls
        record["Color"] = flag(capabilities.colorModes.contains(.color))
        record["Duplex"] = flag(capabilities.duplexModes.count > 1)
        record["Copies"] = flag(capabilities.maxCopies > 1)
        record["Collate"] = flag(capabilities.collates && capabilities.maxCopies > 1)
        for finishing in ["Bind", "Sort", "Staple"] { record[finishing] = flag(false) }
        record["PaperCustom"] = flag(capabilities.customMedia != nil)
        record["PaperMax"] = capabilities.largestPaper
        record["kind"] = kinds.isEmpty ? nil : kinds.joined(separator: ",")
        return record
    }

    private func flag(_ isTrue: Bool) -> String { isTrue ? "T" : "F" }
}

extension PrinterCapabilities {
    /// The class of the widest paper that it takes (Bonjour Printing 1.2.1, `PaperMax`).
    var largestPaper: String {
        let named = papers.map { min($0.media.width, $0.media.height).hundredths }
        // A custom paper's height may be a roll's length, which says nothing of the printer's size.
        let custom = customMedia.map { min($0.width.upperBound, $0.height.upperBound) }
        let width = max(named.max() ?? defaultMedia.width.hundredths, custom ?? 0)
        // The classes begin with A4 (210 mm), tabloid (11 in), A2 (420 mm); beyond are those wider than ANSI C (17 in).
        return switch width {
        case ..<20_990: "<legal-A4"
        case ..<27_930: "legal-A4"
        case ..<41_990: "tabloid-A3"
        case ...43_180: "isoC-A2"
        default: ">isoC-A2"
        }
    }
}
