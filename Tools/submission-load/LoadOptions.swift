// Parses the command line of submission-load.

import FoundationEssentials
import IPP

/// The options of the command line.
struct LoadOptions {
    var host: String
    var port: UInt16
    var printerURI: String
    var connections: Int
    var jobs: Int
    /// The document of each job; nil to request the printer's attributes instead.
    var document: [UInt8]?
    /// Whether a request is repeated when the printer is busy.
    var retries: Bool

    init(_ words: ArraySlice<String>) throws(LoadError) {
        retries = words.last == "--retry"
        let words = Array(retries ? words.dropLast() : words)
        let address = words.first?.split(separator: ":").map(String.init) ?? []
        guard words.count == 5, address.count == 2, let port = UInt16(address[1]), let connections = Int(words[2]),
            let jobs = Int(words[3]), connections > 0, jobs >= connections
        else {
            throw LoadError(
                "takes HOST:PORT PRINTER-URI CONNECTIONS COUNT DOCUMENT|--attributes [--retry], one for each connection"
            )
        }
        let document = FileManager.default.contents(atPath: words[4])
        guard document != nil || words[4] == "--attributes" else { throw LoadError("'\(words[4])' cannot be opened") }
        (host, self.port, printerURI) = (address[0], port, words[1])
        (self.connections, self.jobs, self.document) = (connections, jobs, document.map { Array($0) })
    }

    /// Returns a complete request: the HTTP header, the attributes and the document.
    func request() throws(LoadError) -> [UInt8] {
        var attributes = AttributeGroup.operation([
            Attribute("printer-uri", .uri(printerURI)),
            Attribute("requesting-user-name", .name("bench")),
        ])
        if document != nil {
            attributes.append("job-name", .name("bench"))
            attributes.append("document-format", .mimeMediaType("application/pdf"))
        }
        let operation = document == nil ? IPP.Operation.getPrinterAttributes : .printJob
        let parts = printerURI.split(separator: "/", maxSplits: 2)
        guard parts.count == 3,
            let message = try? Message(operation: operation, requestID: 1, groups: [attributes]).encoded()
        else { throw LoadError("'\(printerURI)' is not a printer URI") }
        let head = """
            POST /\(parts[2]) HTTP/1.1\r
            Host: localhost:\(port)\r
            Content-Type: application/ipp\r
            Content-Length: \(message.count + (document?.count ?? 0))\r
            \r

            """
        return Array(head.utf8) + message + (document ?? [])
    }
}
