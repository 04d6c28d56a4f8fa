// Documents to print, checked before they are sent.

import Glibc
package import IPPClient
package import PrintModel

/// A document to print: a file, a pipe or standard input.
package struct DocumentFile: Sendable {
    /// The name of the file without folders, or `standard input`.
    package let name: String
    /// The format of the document.
    ///
    /// The first bytes of the document or the file extension determine the format.
    package let format: DocumentFormat
    package let source: DocumentSource
    /// Whether the content can be sent a second time.
    ///
    /// The value is false for a pipe.
    package let isRepeatable: Bool

    /// Opens the document that a command-line argument specifies.
    ///
    /// The name `-` means standard input.
    ///
    /// - Throws: The errors of `init(path:)`.
    package static func named(_ argument: String) throws(SpoolerClientError) -> DocumentFile {
        guard argument == "-" else { return try DocumentFile(path: argument) }
        return try DocumentFile(pipe: 0, name: "standard input", argument: "standard input")
    }

    /// Opens the document at a path, and determines its format.
    ///
    /// - Throws: `SpoolerClientError` with `noInput` if the file does not exist, is a folder or cannot be read.
    ///   `SpoolerClientError` with `badDocument` if the file is empty.
    package init(path argument: String) throws(SpoolerClientError) {
        let name = argument.split(separator: "/").last.map(String.init) ?? argument
        let descriptor = open(argument, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(argument, errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.unreadable(argument, errno) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            close(descriptor)
            throw SpoolerClientError(.noInput, "'\(argument.printable)' is a folder; specify files to print")
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

    /// Creates a document from a pipe, and reads the first bytes of the pipe.
    ///
    /// The remaining data of the pipe is read later, when the client sends the document.
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

    /// Returns the format that the first bytes and the file name indicate.
    ///
    /// If the bytes and the name do not indicate a format, printd determines the format. For example, an administrator
    /// can register a type for text files with other extensions.
    static func format(_ head: [UInt8], name: String) -> DocumentFormat {
        let registry = DocumentTypes.builtIn
        guard let type = registry.type(ofHead: head, name: name),
            type.converter != .text || registry.type(forName: name) == type
        else { return .octetStream }
        let sniffed = DocumentFormat.sniff(head)
        return sniffed.flatMap { type.formats.contains($0) ? $0 : nil } ?? type.formats[0]
    }

    private static func empty(_ what: String) -> SpoolerClientError {
        SpoolerClientError(.badDocument, "\(what) is empty; there is nothing to print")
    }

    private static func unreadable(_ path: String, _ code: Int32) -> SpoolerClientError {
        let path = path.printable
        return switch code {
        case ENOENT: SpoolerClientError(.noInput, "cannot open '\(path)': no such file")
        case ENOTDIR: SpoolerClientError(.noInput, "cannot open '\(path)': a part of the path is not a folder")
        case EACCES: SpoolerClientError(.noInput, "cannot open '\(path)': permission denied")
        case EISDIR: SpoolerClientError(.noInput, "'\(path)' is a folder; specify files to print")
        default: SpoolerClientError(.noInput, "cannot read '\(path)': \(String(cString: strerror(code)))")
        }
    }
}
