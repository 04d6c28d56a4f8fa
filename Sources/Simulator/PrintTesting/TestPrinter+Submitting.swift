// Printing on a test printer, where the test itself does.

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
    ///   - path: the file, from the root or from the folder of the test's source.
    ///   - options: IPP's names and values, as `lp -o` takes them.
    ///   - ticket: options as values; `options` goes over it.
    ///   - name: what the job is called; nil for the file's name.
    ///   - format: what the printer is told of the format; nil lets it find out.
    ///   - sourceFile: the test's source.
    /// - Returns: the job's number.
    /// - Throws: `unreadable`, `usage` for an option that does not exist, `refused` with the printer's status and words.
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
            throw PrintTestingError(.unreadable, "the document '\(whole)' cannot be read", cause: error)
        }
        let file = whole.split(separator: "/").last.map(String.init)
        return try await submit(
            Array(data), options: options, ticket: ticket, name: name ?? file ?? path, format: format)
    }

    /// Prints a document in memory, as the one with a path does.
    ///
    /// - Returns: the job's number.
    /// - Throws: `usage` for an option that does not exist, `refused` with the printer's status and words.
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
            throw PrintTestingError(.refused, "printing '\(name)' was answered without a job-id")
        }
        return Int(id)
    }
}
