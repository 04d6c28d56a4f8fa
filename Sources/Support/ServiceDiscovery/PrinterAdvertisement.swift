// Defines the DNS-SD services and TXT records of a printer.

public import PrintModel

/// The DNS-SD advertisement of a printer, with the properties for the TXT record.
///
///     let laser = PrinterAdvertisement(name: "Laser", path: "ipp/print/laser", port: 8000, uuid: uuid, capabilities: can)
///     laser.services(host: "pluto.local").map(\.type)     // ["_printer._tcp", "_ipp._tcp"]
///
/// The keys are defined by the Bonjour Printing Specification 1.2.1, PWG 5100.14 §4.2 and AirPrint. The record omits
/// the keys `printer-type` and `printer-state`. cupsd adds these keys, and clients treat a service with these keys as a
/// spooler's queue.
public struct PrinterAdvertisement: Hashable, Sendable {
    /// The requested instance name.
    public var name: String
    /// The path of the printer's URI, without the leading slash, such as `ipp/print/laser`.
    public var path: String
    /// The TCP port of the IPP services.
    public var port: Int
    /// The printer's UUID, in the form `urn:uuid:…`.
    public var uuid: String
    /// The printer's capabilities.
    public var capabilities: PrinterCapabilities
    /// The location of the printer, which can be empty.
    public var location = ""
    /// The types of output (`printer-kind`, PWG 5100.13), such as `document` or `label`.
    public var kinds: [String] = []
    /// The supported Apple raster features (`urf-supported`); empty if Apple raster is not supported.
    public var rasterKeywords: [String] = []
    /// The path of the printer's web page; nil if the printer has no web page.
    public var webPath: String?
    /// Whether the printer accepts connections without TLS.
    public var isPlain = true
    /// The latest supported TLS version, such as `1.3`; nil without TLS.
    public var tls: String?
    /// The credentials that clients need: `none`, or `username,password` (the CUPS key `air`); nil omits the key.
    public var authentication: String?

    /// Creates an advertisement.
    public init(name: String, path: String, port: Int, uuid: String, capabilities: PrinterCapabilities) {
        self.name = name
        self.path = path
        self.port = port
        self.uuid = uuid
        self.capabilities = capabilities
    }

    /// Returns the services of the printer.
    ///
    /// All services have the same name.
    ///
    /// `_printer._tcp` is the first service and has no port. This service is the "flagship" service: each printer
    /// registers it to reserve its name, regardless of the protocol (Bonjour Printing 1.2.1). The IPP services have the
    /// subtype `_print` of IPP Everywhere (PWG 5100.14 §4.2.1). If the printer supports Apple raster, these services
    /// also have the subtype `_universal` of AirPrint.
    ///
    /// - Parameter host: The host name of this machine in URIs.
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
        record["air"] = authentication
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
    /// The size class of the widest supported paper (Bonjour Printing 1.2.1, `PaperMax`).
    var largestPaper: String {
        let named = papers.map { min($0.media.width, $0.media.height).hundredths }
        // The height of a custom paper can be the length of a roll, so only the smaller dimension counts.
        let custom = customMedia.map { min($0.width.upperBound, $0.height.upperBound) }
        let width = max(named.max() ?? defaultMedia.width.hundredths, custom ?? 0)
        // The classes start at A4 (210 mm), tabloid (11 in) and A2 (420 mm); the last class is wider than ANSI C (17
        // in).
        return switch width {
        case ..<20_990: "<legal-A4"
        case ..<27_930: "legal-A4"
        case ..<41_990: "tabloid-A3"
        case ...43_180: "isoC-A2"
        default: ">isoC-A2"
        }
    }
}
