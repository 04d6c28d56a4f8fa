// The requests to a process of the HTML engine, in its format.

import DocumentFiles
import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools
import Synchronization

/// A request to lay out a document.
///
/// The bytes of the document follow the request.
struct HTMLRequest: Encodable {
    /// The kind of content, which determines how the engine produces the pages.
    enum Kind: String, Encodable {
        /// HTML from an application, for pages of a fixed size.
        case pages
        case html, markdown, source, mail, book
        /// A web address that the engine fetches.
        case web
    }

    /// The default page layout for a document that defines no pages, in points.
    struct Layout: Encodable {
        var size: [Double]
        /// The top, right, bottom and left margins, in points.
        var margins: [Double]
        var title: String
        /// The date for headers, in seconds since 1970.
        var date: UnixTime?
        var text: TextOptions

        init(_ layout: ConversionLayout) {
            let margins = layout.margins
            size = [layout.pageSize.width, layout.pageSize.height]
            self.margins = [margins.top, margins.right, margins.bottom, margins.left].map(\.points)
            title = layout.title
            date = layout.date
            text = layout.text
        }
    }

    /// The rules for fetching the resources of a document.
    struct Web: Encodable {
        /// Whether the engine can connect to private networks and to this machine.
        var `private`: Bool
        /// The limits for all resources together: the maximum number of requests, bytes and seconds.
        var requests, bytes, seconds: Int
    }

    var kind: Kind
    /// The number of document bytes that follow the request.
    var size: Int
    /// The absolute path of the base folder; nil for no file access.
    var base: String?
    /// The sizes of the first page and of the other pages, each as width and height in points; nil unless the kind of
    /// the request is `pages`.
    var first, page: [Double]?
    /// The name of the document, which determines the language of source code.
    var name: String?
    /// The character encoding that the sender specified.
    var charset: String?
    var layout: Layout?
    /// The rules for network access; nil for no network access.
    var web: Web?
    /// The maximum number of pages.
    var pages: Int
    /// The maximum size of the PDF in bytes.
    var bytes: Int
    /// The maximum CPU time in seconds.
    var seconds: Int

    init(_ kind: Kind, size: Int, limits: HTMLLimits) {
        self.kind = kind
        self.size = size
        pages = limits.pages
        bytes = limits.outputBytes
        seconds = limits.processorSeconds
    }
}

/// A response of an engine process.
///
/// The bytes of the PDF follow the response.
struct HTMLAnswer: Decodable {
    /// The versions of WeasyPrint and Python; nil except in the first response of a process.
    var ready, python: String?
    var pages: Int?
    var height: Double?
    var notes: [String]?
    /// The code points of the characters that no installed font has.
    var missing: [UInt32]?
    var links: [HTMLPages.Link.Received]?
    var anchors: [HTMLPages.Anchor.Received]?
    /// The media type, name and title of a fetched document.
    var format, name, title: String?
    /// The code of the failure, the reason why an address was not fetched, and a message.
    var failed, reason, detail: String?
    /// The number of PDF bytes that follow the response.
    var bytes: Int

    /// The notices, sanitized for display.
    var notices: [String] {
        let missing = MissingCharacters.notice((missing ?? []).compactMap(Unicode.Scalar.init))
        return ((notes ?? []).prefix(100) + [missing].compactMap(\.self)).map { $0.sanitized() }
    }
}

/// The content of a document.
///
/// This process sends the bytes to the engine and does not parse them.
enum HTMLInput: Sendable {
    case bytes([UInt8])
    case file(DocumentReader)

    var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(let file): file.size
        }
    }

    /// Sends the content of the document.
    ///
    /// If the file has become shorter, the function sends zeros in place of the missing bytes, because the engine waits
    /// for the announced number of bytes.
    func send(
        to process: InteractiveProcess, until moment: ContinuousClock.Instant
    ) throws(InteractiveProcess.Interruption) {
        switch self {
        case .bytes(let bytes): try process.send(bytes, until: moment)
        case .file(let file):
            for offset in stride(from: 0, to: file.size, by: 1 << 18) {
                let count = min(1 << 18, file.size - offset)
                let piece = (try? file.bytes(at: offset, count: count)) ?? []
                try process.send(piece + repeatElement(0, count: count - piece.count), until: moment)
            }
        }
    }
}

/// A conversion that another thread can cancel.
///
/// A cancellation kills the process that converts the document.
final class HTMLCancellation: Sendable {
    private struct State {
        var process: Int32?
        var isCanceled = false
    }

    private let state = Mutex(State())

    /// Whether the conversion was canceled.
    var isCanceled: Bool { state.withLock(\.isCanceled) }

    /// Cancels the conversion.
    func cancel() {
        state.withLock { state in
            state.isCanceled = true
            if let process = state.process { kill(-process, SIGKILL) }
        }
    }

    /// Registers the process that converts the document.
    ///
    /// The process must not be reaped before `detach` is called.
    func attach(_ process: Int32) {
        state.withLock { state in
            state.process = process
            if state.isCanceled { kill(-process, SIGKILL) }
        }
    }

    /// Removes the registration of the process.
    func detach() { state.withLock { $0.process = nil } }
}
