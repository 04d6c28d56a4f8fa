// Prints on a test printer from the test itself.

import FoundationEssentials
import IPP
import IPPClient
import PrintIPP

extension TestPrinter {
    /// Prints a file.
    ///
    ///     try await printer.submit("Documents/letter.pdf", options: ["sides": "two-sided-long-edge", "copies": "2"])
    ///
    /// - Parameters:
    ///   - path: The path of the file. A relative path starts at the folder of the test's source file.
    ///   - options: IPP attribute names and values, as in `lp -o`.
    ///   - ticket: The options as typed values. The parameter `options` overrides these values.
    ///   - name: The job's name; nil uses the file's name.
    ///   - format: The document format to send to the printer; nil lets the printer detect the format.
    /// - Returns: The job's number.
    /// - Throws: `unreadable` when the file cannot be read, `usage` when an option does not exist, `refused` with the
    ///   printer's status and message.
    @discardableResult
    public func submit(
        _ path: String, options: [String: String] = [:], ticket: JobTicket = JobTicket(), name: String? = nil,
        format: DocumentFormat? = nil, sourceFile: String = #filePath
    ) async throws(PrintTestingError) -> Int {
        let whole = SourceFolder(of: sourceFile).resolve(path)
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: whole))
        } catch {
            throw PrintTestingError(.unreadable, "cannot read the document '\(whole)'", cause: error)
        }
        let file = whole.split(separator: "/").last.map(String.init)
        return try await submit(
            Array(data), options: options, ticket: ticket, name: name ?? file ?? path, format: format)
    }

    /// Prints a document that is in memory.
    ///
    /// - Returns: The job's number.
    /// - Throws: `usage` when an option does not exist, `refused` with the printer's status and message.
    @discardableResult
    public func submit(
        _ document: [UInt8], options: [String: String] = [:], ticket: JobTicket = JobTicket(), name: String = "test",
        format: DocumentFormat? = nil
    ) async throws(PrintTestingError) -> Int {
        var ticket = ticket
        for (option, value) in options {
            do throws(OptionError) {
                try ticket.set(option, to: value, at: Date().timeIntervalSince1970)
            } catch {
                throw PrintTestingError(.usage, error.description, cause: error)
            }
        }
        let said =
            [Attribute("job-name", .name(name))]
            + (format.map { [Attribute("document-format", .mimeMediaType($0.rawValue))] } ?? [])
        let request = conversation.request(
            .printJob, said, groups: ticket.attributes.isEmpty ? [] : [AttributeGroup(.job, ticket.attributes)])
        if let ended { throw ended }
        let answer = try await conversation.send(request, document: .bytes(document), doing: "printing '\(name)'")
        guard let id = answer[.job]?.integer("job-id") else {
            throw PrintTestingError(.refused, "printing '\(name)' failed: the printer returned no job-id")
        }
        return Int(id)
    }
}
