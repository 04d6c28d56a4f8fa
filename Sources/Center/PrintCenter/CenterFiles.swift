// The files of the web pages, which are part of the program.

import CCenterFiles
import HTTPTypes
import IPPServer

/// The files of the web pages (`Web/`).
///
/// The target `CCenterFiles` embeds the files in the program.
///
/// A page refers to a file by `/center/NAME?v=HASH`. Browsers cache the file at this address for a year. `HASH` is a
/// hash of the content, so a changed file has a new address.
struct CenterFiles: Sendable {
    private struct File {
        let bytes: [UInt8]
        /// The content of the file, compressed with gzip; nil if the compressed content is not smaller.
        let compressed: [UInt8]?
        let hash: String
        let type: String
    }

    private let files: [String: File]
    /// The HTML of the page that shows all views of the Print Center.
    ///
    /// The page refers to files by their versioned addresses.
    let shell: [UInt8]

    /// The web files that are embedded in this program.
    static let shared = CenterFiles()

    private init() {
        var files: [String: File] = [:]
        var shell: [UInt8] = []
        for index in 0..<center_file_count() {
            let file = center_file(index)
            let name = String(cString: file.name)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            if name == "shell.html" {
                shell = bytes
            } else {
                files[name] = File(
                    bytes: bytes, compressed: GzipData.compressed(bytes), hash: Self.hash(bytes),
                    type: Self.type(of: name))
            }
        }
        self.files = files
        // Only the shell and the stylesheets are rewritten: modules import each other by relative addresses, which
        // browsers check with the ETag.
        var text = String(decoding: shell, as: UTF8.self)
        for (name, file) in files {
            text = text.split(separator: "\"/center/\(name)\"", omittingEmptySubsequences: false)
                .joined(separator: "\"/center/\(name)?v=\(file.hash)\"")
        }
        self.shell = Array(text.utf8)
    }

    /// Returns the URL path and query of a web file.
    ///
    /// The query contains a hash of the file's content.
    func address(of name: String) -> String { "/center/\(name)" + (files[name].map { "?v=\($0.hash)" } ?? "") }

    /// Returns the response to a request for a web file.
    ///
    /// - Throws: `Problem` with status 404 if no web file has this name.
    func answer(to request: WebRequest, name: String) throws(Problem) -> WebAnswer {
        guard let file = files[name] else { throw .notFound("there is no file '\(name)'") }
        let tag = "\"\(file.hash)\""
        let isNamedByHash = request.query == "v=\(file.hash)"
        var headers: HTTPFields = [
            .eTag: tag, .vary: "Accept-Encoding",
            .cacheControl: isNamedByHash ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        if request.headers[.ifNoneMatch] == tag { return WebAnswer(.notModified, headers: headers) }
        guard let compressed = file.compressed, GzipData.isAccepted(by: request) else {
            return .bytes(file.bytes, type: file.type, headers: headers)
        }
        headers[.contentEncoding] = "gzip"
        return .bytes(compressed, type: file.type, headers: headers)
    }

    /// Returns a hash of the content (FNV-1a).
    ///
    /// The hash distinguishes the versions of a file. The hash is not cryptographic, and does not protect against
    /// manipulation.
    private static func hash(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 36)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
