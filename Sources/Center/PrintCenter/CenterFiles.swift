// The files of the web pages, which are part of the program.

import CCenterFiles
import FoundationEssentials
import HTTPTypes
import IPPServer

/// The files of the web pages (`Web/`).
///
/// The target `CCenterFiles` embeds the files in the program.
///
/// The address of a file is `/center/BUILD/FOLDER/NAME`. `BUILD` is a hash of all files, so that the files that a page
/// loads belong together, and browsers cache them without revalidation. Files refer to each other by relative
/// addresses.
struct CenterFiles: Sendable {
    private struct File {
        let bytes: [UInt8]
        /// The content of the file, compressed with gzip; nil if the compressed content is not smaller.
        let compressed: [UInt8]?
        let type: String
    }

    private let files: [String: File]
    /// For the module of each view, the modules that the page requires for the view.
    private let closures: [String: [String]]
    /// A hash of the paths and the content of all files.
    let build: String
    /// The HTML of the page that shows all views of the Print Center, before and after the addresses of its modules.
    private let shell: (head: String, rest: String)

    let texts: [PageLanguage: [String: String]]

    /// The web files that are embedded in this program.
    static let shared = CenterFiles()

    private init() {
        var files: [String: File] = [:]
        var shell: [UInt8] = []
        var hash = Hash()
        for index in 0..<center_file_count() {
            let file = center_file(index)
            let path = String(cString: file.name)
            let bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            hash.add(path.utf8)
            hash.add(bytes)
            if path == "frame/shell.html" {
                shell = bytes
            } else {
                files[path] = File(bytes: bytes, compressed: GzipData.compressed(bytes), type: Self.type(of: path))
            }
        }
        texts = Dictionary(
            uniqueKeysWithValues: PageLanguage.allCases.map { language in
                let bytes = files["words/\(language.rawValue).json"]?.bytes ?? []
                return (language, (try? JSONDecoder().decode([String: String].self, from: Data(bytes))) ?? [:])
            })
        self.files = files
        let imports = Dictionary(uniqueKeysWithValues: files.map { ($0, Self.imports(of: $0, $1.bytes)) })
        closures = Dictionary(
            uniqueKeysWithValues: Self.views.map { view in
                (view.module, Self.closure(of: ["frame/main.js", view.module], imports))
            })
        build = hash.text
        let text = String(decoding: shell, as: UTF8.self).split(separator: "/center/", omittingEmptySubsequences: false)
            .joined(separator: "/center/\(build)/")
        let end = text.firstRange(of: "</head>")?.lowerBound ?? text.endIndex
        self.shell = (String(text[..<end]), String(text[end...]))
    }

    /// Returns the HTML of the page that shows all views of the Print Center.
    ///
    /// The page names all files and answers that its first view requires, so that the browser requests them at the
    /// same time. Otherwise the browser finds a module only in the module that imports it, one after another.
    func shell(for path: String, in language: PageLanguage) -> [UInt8] {
        let view = Self.views.first(where: { path.contains($0.path) })
        let modules = view.flatMap { closures[$0.module] } ?? []
        let links =
            modules.map { "<link rel=\"modulepreload\" href=\"\(address(of: $0))\">\n" }
            + [address(of: "words/\(language.rawValue).json"), "/api/v1/session"].map {
                "<link rel=\"preload\" as=\"fetch\" crossorigin href=\"\($0)\">\n"
            }
        return Array((shell.head + links.joined() + shell.rest).utf8)
    }

    /// The parts of paths by which a view is recognized, in the order of the search, and the modules of the views.
    private static let views: [(path: String, module: String)] = [
        ("/pages/", "viewer/viewer.js"), ("/compare/", "viewer/compare.js"),
        ("/release/", "printers/release.js"), ("/jobs", "jobs/jobs.js"), ("/new", "jobs/newjob.js"),
        ("/", "printers/printers.js"),
    ]

    /// Returns modules with the modules that they import statically, directly or through other modules.
    private static func closure(of modules: [String], _ imports: [String: [String]]) -> [String] {
        var found: [String] = []
        var rest = modules
        while let path = rest.popLast() {
            guard !found.contains(path) else { continue }
            found.append(path)
            rest += imports[path] ?? []
        }
        return found
    }

    /// Returns the modules that a module imports statically.
    ///
    /// The last line of each import ends with the address of the module, which is relative.
    private static func imports(of path: String, _ bytes: [UInt8]) -> [String] {
        let folder = path.prefix { $0 != "/" }
        return bytes.split(separator: UInt8(ascii: "\n")).filter { $0.suffix(4).elementsEqual(".js\"".utf8) }.compactMap
        {
            let parts = String(decoding: $0, as: UTF8.self).split(separator: "\"")
            guard let address = parts.last, parts.count > 1, parts[0].hasSuffix("from ") || parts[0] == "import " else {
                return nil
            }
            return address.hasPrefix("../") ? String(address.dropFirst(3)) : "\(folder)/\(address.dropFirst(2))"
        }
    }

    /// Returns the URL path of a file.
    func address(of path: String) -> String { "/center/\(build)/\(path)" }

    /// Returns the response to a request for a file of a build.
    ///
    /// - Throws: `Problem` with status 404 if the build is not the build of this program, or has no such file.
    func answer(to request: WebRequest, path: String, build: String) throws(Problem) -> WebAnswer {
        guard build == self.build else { throw .notFound("there is no build '\(build)'; reload the page") }
        return try answer(to: request, path: path, cacheControl: "public, max-age=31536000, immutable")
    }

    /// Returns the response to a request for a file.
    ///
    /// - Throws: `Problem` with status 404 if there is no such file.
    func answer(to request: WebRequest, path: String, cacheControl: String = "no-cache") throws(Problem) -> WebAnswer {
        guard let file = files[path] else { throw .notFound("there is no file '\(path)'") }
        let tag = "\"\(build)\""
        var headers: HTTPFields = [.eTag: tag, .vary: "Accept-Encoding", .cacheControl: cacheControl]
        if request.headers[.ifNoneMatch] == tag { return WebAnswer(.notModified, headers: headers) }
        guard let compressed = file.compressed, GzipData.isAccepted(by: request) else {
            return .bytes(file.bytes, type: file.type, headers: headers)
        }
        headers[.contentEncoding] = "gzip"
        return .bytes(compressed, type: file.type, headers: headers)
    }

    /// A hash of bytes (FNV-1a).
    ///
    /// The hash distinguishes builds. The hash is not cryptographic, and does not protect against manipulation.
    private struct Hash {
        private var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }

        var text: String { String(value, radix: 36) }
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
