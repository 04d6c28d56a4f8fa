// What is to be submitted, and where.

import FoundationEssentials
import IPP

/// What was asked for on the command line.
struct Order {
    var host: String
    var port: UInt16
    var printerURI: String
    var connections: Int
    var jobs: Int
    var document: [UInt8]

    init(_ words: ArraySlice<String>) throws(LoadError) {
        let words = Array(words)
        let address = words.first?.split(separator: ":").map(String.init) ?? []
        guard words.count == 5, address.count == 2, let port = UInt16(address[1]), let connections = Int(words[2]),
            let jobs = Int(words[3]), connections > 0, jobs >= connections
        else { throw LoadError("takes HOST:PORT PRINTER-URI CONNECTIONS JOBS DOCUMENT, and a job for each connection") }
        guard let document = FileManager.default.contents(atPath: words[4]) else {
            throw LoadError("'\(words[4])' cannot be read")
        }
        (host, self.port, printerURI) = (address[0], port, words[1])
        (self.connections, self.jobs, self.document) = (connections, jobs, Array(document))
    }

    /// A whole Print-Job request: HTTP header, attributes, document.
    func request() throws(LoadError) -> [UInt8] {
        let attributes = AttributeGroup(
            .operation,
            [
                Attribute("attributes-charset", .charset("utf-8")),
                Attribute("attributes-natural-language", .naturalLanguage("en")),
                Attribute("printer-uri", .uri(printerURI)),
                Attribute("requesting-user-name", .name("bench")),
                Attribute("job-name", .name("bench")),
                Attribute("document-format", .mimeMediaType("application/pdf")),
            ])
        let parts = printerURI.split(separator: "/", maxSplits: 2)
        guard parts.count == 3,
            let message = try? Message(operation: .printJob, requestID: 1, groups: [attributes]).encoded()
        else { throw LoadError("'\(printerURI)' is no URI of a printer") }
        let head = """
            POST /\(parts[2]) HTTP/1.1\r
            Host: localhost:\(port)\r
            Content-Type: application/ipp\r
            Content-Length: \(message.count + document.count)\r
            \r

            """
        return Array(head.utf8) + message + document
    }
}
