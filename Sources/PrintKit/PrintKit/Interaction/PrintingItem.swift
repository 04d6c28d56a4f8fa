// Ready-made content for a job: a PDF, an image, or a document that the destination converts.

public import FoundationEssentials
import Glibc
import PrintModel
import SafeFiles

/// A document to print (a value for `UIPrintInteractionController.printingItem`).
///
/// PrintKit prints PDFs and images without conversion. A destination that converts documents
/// (`PrintDestination.convertsDocuments`), such as `SpoolerDestination`, prints all types of `DocumentTypes`:
/// text, HTML, Office documents and others.
///
/// Before printing, check the content with `canPrint(data:)` or `canPrint(url:)`, in particular if the content is a
/// PDF: a PDF can be damaged or require a password.
public enum PrintingItem: Sendable {
    /// The data of a document.
    case data(Data)
    /// A `file:` URL of a document, or a `data:` URL that contains a document.
    case url(URL)
    /// A document that is an image in memory.
    case image(Image)
}

enum OpenedItem {
    case pdf(path: String, pageCount: Int)
    case image(Image)
    /// A document of a known type that the destination must convert, because PrintKit does not open the type.
    case convertible(path: String, type: DocumentType)

    /// Opens a printing item.
    ///
    /// If the data of the item must be stored in a file, the file is created in `folder`.
    ///
    /// - Parameter types: The types of the destination's documents.
    /// - Throws: `unknownImageFormat` when the type of the document is unknown. `noContent` for a PDF without pages.
    ///   `jobFailed` when the item cannot be read.
    init(_ item: PrintingItem, in folder: ScratchFolder, types: DocumentTypes) throws(PrintError) {
        switch item {
        case .image(let image): self = .image(image)
        case .data(let data): self = try Self.open(data, named: "the printing item", in: folder, types)
        case .url(let url):
            if url.isFileURL {
                self = try Self.openFile(url.path, types)
            } else {
                let (data, format) = try Self.data(of: url)
                self = try Self.open(data, named: "the data of the URL", declared: format, in: folder, types)
            }
        }
    }

    private static func open(
        _ data: Data, named name: String, declared: DocumentFormat? = nil, in folder: ScratchFolder,
        _ types: DocumentTypes
    ) throws(PrintError) -> OpenedItem {
        guard DocumentFormat.sniff(data.prefix(1024)) == .pdf else {
            do { return .image(try Image(data: data)) } catch {
                guard error.code == .unsupportedFormat else { throw PrintError(error, of: name) }
                let path = try write(data, as: "item", to: folder)
                guard let type = DocumentKind.type(of: path, declared: declared, among: types) else {
                    throw PrintError(error, of: name)
                }
                let named = folder.newPath("item.\(type.extensions.first ?? "bin")")
                guard rename(path, named) == 0 else { throw .unreadable(path, errno) }
                return .convertible(path: named, type: type)
            }
        }
        return try pdf(try write(data, as: "item.pdf", to: folder), named: name)
    }

    private static func write(_ data: Data, as name: String, to folder: ScratchFolder) throws(PrintError) -> String {
        let path = folder.newPath(name)
        do { try data.write(to: URL(filePath: path)) } catch { throw PrintError(error, while: "writing '\(path)'") }
        return path
    }

    private static func openFile(_ path: String, _ types: DocumentTypes) throws(PrintError) -> OpenedItem {
        let head: [UInt8]
        do throws(SystemFailure) { head = try FileBytes.read(path, count: 1024) } catch {
            throw .unreadable(path, error.number)
        }
        if DocumentFormat.sniff(head) == .pdf { return try pdf(path, named: "'\(path)'") }
        do { return .image(try Image(contentsOfFile: path, outputScale: 1)) } catch {
            guard error.code == .unsupportedFormat, let type = DocumentKind.type(of: path, among: types) else {
                throw PrintError(error, of: "'\(path)'")
            }
            return .convertible(path: path, type: type)
        }
    }

    private static func pdf(_ path: String, named name: String) throws(PrintError) -> OpenedItem {
        let count: Int
        do { count = try PDFFile(path: path).pageCount } catch { throw PrintError(error, of: name) }
        guard count > 0 else { throw PrintError(.noContent, "\(name) is a PDF without pages") }
        return .pdf(path: path, pageCount: count)
    }

    /// Returns the data and the media type of a `data:` URL (RFC 2397).
    private static func data(of url: URL) throws(PrintError) -> (Data, DocumentFormat?) {
        let text = url.absoluteString
        guard url.scheme?.lowercased() == "data", let comma = text.firstIndex(of: ",") else {
            throw PrintError(
                .jobFailed,
                "cannot print '\(text.prefix(200))': only file: and data: URLs are supported; "
                    + "load the data from the URL, and print the data"
            )
        }
        let (head, body) = (text[..<comma], text[text.index(after: comma)...])
        let bytes = percentDecoded(body)
        let data = head.lowercased().hasSuffix(";base64") ? Data(base64Encoded: bytes) : bytes
        guard let data else { throw PrintError(.jobFailed, "the data: URL does not contain valid base64") }
        let declared = head.dropFirst("data:".count).prefix { $0 != ";" }
        return (data, declared.isEmpty ? nil : DocumentFormat(rawValue: String(declared)))
    }

    /// Decodes percent-encoded bytes such as `%41`.
    ///
    /// The result is not always valid UTF-8.
    private static func percentDecoded(_ text: Substring) -> Data {
        var (bytes, rest) = (Data(), text.utf8[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == 0x25, digits.count == 2, let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension PrintError {
    static func notConverted(_ type: DocumentType, on printer: Printer) -> PrintError {
        PrintError(
            .unknownImageFormat,
            "'\(printer.displayName)' cannot print a document of the type \(type.name), because its destination does"
                + " not convert documents; print the document with SpoolerDestination, or print a PDF")
    }

    /// Creates a print error from an error that the graphics library reported when it read an item.
    fileprivate init(_ error: GraphicsError, of name: String) {
        switch error.code {
        case .unsupportedFormat:
            self.init(
                .unknownImageFormat,
                "\(name) has an unsupported document type; check with canPrint(data:) or canPrint(url:)",
                cause: error)
        case .passwordRequired:
            self.init(
                .jobFailed,
                "\(name) is encrypted and cannot be printed without its password; save a copy without a password",
                cause: error)
        case .damaged: self.init(.jobFailed, "\(name) is damaged; check that the file opens in a viewer", cause: error)
        default: self.init(.jobFailed, "cannot read \(name); check that the file exists and is complete", cause: error)
        }
    }
}

extension PrintError {
    fileprivate static func unreadable(_ path: String, _ number: Int32) -> PrintError {
        PrintError(
            .jobFailed, "cannot read '\(path)': \(SystemFailure(number)); choose a readable PDF or image")
    }
}
