// The documents named on a command line, looked at before anything is sent.

import Glibc
package import IPPClient
package import PrintModel

/// A document to print: a file, a pipe, or standard input.
package struct DocumentFile: Sendable {
    /// Its name for people: the file's, without folders.
    package let name: String
    /// What it is, by its first bytes or its extension.
    package let format: DocumentFormat
    /// Its data.
    package let source: DocumentSource
    /// Whether its data can be sent again.
    package let isRepeatable: Bool

    /// Looks at the document that an argument names; `-` is standard input.
    ///
    /// - Throws: `SpoolerClientError` with `noInput` when it is missing, a folder or not to be read, `badDocument` when it is
    ///   empty.
    package init(argument: String) throws(SpoolerClientError) {
        guard argument != "-" else {
            self = try DocumentFile(pipe: 0, name: "standard input", argument: "standard input")
            return
        }
        let name = argument.split(separator: "/").last.map(String.init) ?? argument
        let descriptor = open(argument, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(argument, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(argument, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            close(descriptor)
            throw SpoolerClientError(.noInput, "'\(argument.printable)' is a folder; name the files in it")
        case S_IFREG:
            defer { close(descriptor) }
            guard status.st_size > 0 else { throw Self.empty("'\(argument.printable)'") }
            let head = try Self.read(descriptor, argument)
            self.init(
                name: name, format: Self.format(head, name: name), source: .file(path: argument), isRepeatable: true)
        default: self = try DocumentFile(pipe: descriptor, name: name, argument: "'\(argument.printable)'")
        }
    }

    private init(name: String, format: DocumentFormat, source: DocumentSource, isRepeatable: Bool) {
        self.name = name
        self.format = format
        self.source = source
        self.isRepeatable = isRepeatable
    }

    /// Reads the beginning of a pipe; the rest is read while it is sent.
    private init(pipe descriptor: Int32, name: String, argument: String) throws(SpoolerClientError) {
        let head = try Self.read(descriptor, argument)
        guard !head.isEmpty else { throw Self.empty(argument) }
        self.init(
            name: name, format: Self.format(head, name: name), source: .continued(head, fileDescriptor: descriptor),
            isRepeatable: false)
    }

    private static func read(_ descriptor: Int32, _ argument: String) throws(SpoolerClientError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var count = Glibc.read(descriptor, &buffer, buffer.count)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &buffer, buffer.count) }
        guard count >= 0 else { throw unreadable(argument, errno) }
        return Array(buffer[..<count])
    }

    /// The first bytes decide; where they say nothing, the extension; else printd finds out.
    static func format(_ head: [UInt8], name: String) -> DocumentFormat {
        if let sniffed = DocumentFormat.sniff(head) { return sniffed }
        let known: [DocumentFormat] = [.pdf, .jpeg, .png, .pwgRaster, .urf, .text, .postScript]
        let dot = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
        return known.first { $0.fileExtension == (dot == "jpeg" ? "jpg" : dot) } ?? .octetStream
    }

    private static func empty(_ what: String) -> SpoolerClientError {
        SpoolerClientError(.badDocument, "\(what) is empty; there is nothing to print")
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SpoolerClientError {
        let path = path.printable
        return switch code {
        case ENOENT: SpoolerClientError(.noInput, "there is no file '\(path)'; check its name")
        case ENOTDIR: SpoolerClientError(.noInput, "there is no file '\(path)'; a part of its path is no folder")
        case EACCES: SpoolerClientError(.noInput, "'\(path)' may not be read by you; ask its owner, or copy it")
        case EISDIR: SpoolerClientError(.noInput, "'\(path)' is a folder; name the files in it")
        default: SpoolerClientError(.noInput, "'\(path)' cannot be read: \(String(cString: strerror(code)))")
        }
    }
}
