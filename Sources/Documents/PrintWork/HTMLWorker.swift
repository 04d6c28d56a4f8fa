// A process of the HTML engine, which lays out one document after another.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch

/// A Python process with WeasyPrint that waits for documents.
///
/// The process and its files are removed with the last reference.
///
/// A worker is used by one thread at a time. After an error the worker cannot be used again.
final class HTMLWorker {
    /// A document with its layout settings, in the format of the worker.
    struct Request: Encodable {
        var html: String
        /// The absolute path of the base folder.
        ///
        /// Nil for no file access.
        var base: String?
        /// The width and height of the first page in points.
        var first: [Double]
        /// The width and height of the other pages in points.
        var page: [Double]
        var network: Bool
        var pages: Int
        var bytes: Int
        var seconds: Int

        enum CodingKeys: CodingKey { case html, base, first, page, network, pages, bytes, seconds }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(html, forKey: .html)
            // The worker requires all keys, so nil is encoded as null.
            try container.encode(base, forKey: .base)
            try container.encode(first, forKey: .first)
            try container.encode(page, forKey: .page)
            try container.encode(network, forKey: .network)
            try container.encode(pages, forKey: .pages)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(seconds, forKey: .seconds)
        }
    }

    /// The reason why a document was not laid out.
    struct Failure: Error {
        var error: WorkError
        /// Whether another process killed the worker.
        ///
        /// In that case, another worker can lay out the document.
        var wasKilled = false
    }

    private struct Answer: Decodable {
        var ready: String?
        var python: String?
        var pages: Int?
        var height: Double?
        var notes: [String]?
        var links: [HTMLPages.Link.Told]?
        var anchors: [HTMLPages.Anchor.Told]?
        var failed: String?
        var words: String?
        var bytes: Int
    }

    /// The limit of the address space in bytes.
    let memoryBytes: Int
    /// The resources that the process may access.
    let access: HTMLAccess
    /// The versions of WeasyPrint and Python.
    private(set) var versions = ""
    /// The number of documents that were laid out.
    private(set) var served = 0
    private let process: InteractiveProcess
    private let folder: String

    /// The maximum length of a response line.
    ///
    /// The notes and links in a response are limited.
    private static let longestAnswer = 4 << 20
    /// The time limit for the start, in seconds.
    ///
    /// Python starts slowly on a busy system.
    private static let longestStart = 60.0

    /// Starts a process and waits until it is ready.
    init(engine: String, memoryBytes: Int, access: HTMLAccess) throws(WorkError) {
        self.memoryBytes = memoryBytes
        self.access = access
        folder = try Self.makeFolder()
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: "prlimit",
                arguments: [
                    "--as=\(memoryBytes)", "--fsize=\(256 << 20)", "--nofile=1024", "--core=0", "--",
                    "\(engine)/bin/python", "-I", "-B", "-c", Self.bootstrap,
                ],
                environment: Self.environment(temporary: folder), errors: "\(folder)/errors")
        } catch {
            try? FileManager.default.removeItem(atPath: folder)
            throw WorkError(.workerUnavailable, "the HTML engine does not start: \(error.description)")
        }
        let source = PackageResources.html_sandbox_py + PackageResources.html_worker_py
        let sandbox = HTMLSandbox(process: process.pid, access: access, engine: engine, temporary: folder)
        // The encoder accepts all text and numbers. An empty line would end the process.
        let rules = (try? JSONEncoder().encode(sandbox)).map(Array.init) ?? []
        let moment = ContinuousClock.now + .seconds(Self.longestStart)
        do throws(InteractiveProcess.Interruption) {
            try process.send(Array("\(source.count)\n".utf8) + source + rules + [UInt8(ascii: "\n")], until: moment)
            let line = try process.line(longest: Self.longestAnswer, until: moment)
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(line))
            versions = "WeasyPrint \(answer?.ready ?? "?"), Python \(answer?.python ?? "?")".tamed()
        } catch {
            let words = lastWords
            process.end()
            try? FileManager.default.removeItem(atPath: folder)
            throw WorkError(
                .workerUnavailable,
                "the HTML engine in '\(engine)' does not start; remove that folder and run scripts/setup again",
                detail: words)
        }
    }

    deinit {
        process.end()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Lays out a document.
    ///
    /// - Throws: The reason for the failure. After an error the worker cannot be used again.
    func layOut(_ request: Request, limits: HTMLLimits) throws(Failure) -> HTMLPages {
        guard let line = try? JSONEncoder().encode(request) else {
            throw Failure(
                error: WorkError(.damaged, "cannot send the HTML to the engine; check the page size"))
        }
        served += 1
        let answer: Answer
        let pdf: [UInt8]
        do throws(InteractiveProcess.Interruption) {
            let moment = ContinuousClock.now + .seconds(limits.wallSeconds)
            try process.send(Array(line) + [UInt8(ascii: "\n")], until: moment)
            answer = try self.answer(limits, until: moment)
            pdf = try process.bytes(answer.bytes, until: moment)
        } catch {
            let ending = process.end()
            throw Failure(
                error: HTMLLayoutFailure.interrupted(error, ending: ending, words: lastWords, limits: limits),
                wasKilled: error == .ended && ending == .signaled(SIGKILL))
        }
        if let failed = answer.failed {
            throw Failure(error: HTMLLayoutFailure.failed(failed, words: answer.words, limits: limits))
        }
        return HTMLPages(
            pdf: pdf, pageCount: answer.pages ?? 0, lastPageHeight: answer.height ?? 0,
            notes: (answer.notes ?? []).prefix(100).map { $0.tamed() },
            links: (answer.links ?? []).compactMap(HTMLPages.Link.init),
            anchors: (answer.anchors ?? []).compactMap(HTMLPages.Anchor.init))
    }

    private func answer(
        _ limits: HTMLLimits, until moment: ContinuousClock.Instant
    ) throws(InteractiveProcess.Interruption) -> Answer {
        let bytes = try process.line(longest: Self.longestAnswer, until: moment)
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)),
            (0...limits.outputBytes).contains(answer.bytes)
        else { throw .tooLong }
        return answer
    }

    /// Whether the process can accept a document: it is running and has sent no unexpected output.
    var isAlive: Bool { process.isQuiet }

    /// The end of the error output.
    private var lastWords: String? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/errors"), !data.isEmpty else { return nil }
        return String(decoding: data.suffix(2048), as: UTF8.self).tamed(to: 2048)
    }

    /// Reads the worker's source from the socket.
    ///
    /// The socket avoids a temporary file and a very long argument.
    static let bootstrap = """
        import sys; f = sys.stdin.buffer.raw; n = int(f.readline()); s = b''
        while len(s) < n: s += f.read(n - len(s))
        exec(compile(s, 'html-worker.py', 'exec'))
        """

    private static func makeFolder() throws(WorkError) -> String {
        removeStaleFolders()
        var path = Array("\(FileManager.default.temporaryDirectory.path)/printq-html-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw WorkError(
                .writeFailed,
                "cannot create a folder for the HTML engine in '\(FileManager.default.temporaryDirectory.path)'",
                detail: String(cString: strerror(errno)))
        }
        return path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Removes empty folders of killed programs.
    ///
    /// The sandboxed process empties its folder, but cannot remove the folder itself.
    private static func removeStaleFolders() {
        let temporary = FileManager.default.temporaryDirectory.path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        where name.hasPrefix("printq-html-") {
            var status = stat()
            // A new folder may still be empty, so only folders older than 60 s are removed. Folders with files are
            // kept.
            guard stat("\(temporary)/\(name)", &status) == 0, status.st_mtim.tv_sec < time(nil) - 60 else { continue }
            rmdir("\(temporary)/\(name)")
        }
    }

    private static func environment(temporary: String) -> [String] {
        let passed = [
            "HOME", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
            "XDG_DATA_HOME", "XDG_DATA_DIRS", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "no_proxy",
        ]
        let ours = ProcessInfo.processInfo.environment
        return ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TMPDIR=\(temporary)", "MALLOC_ARENA_MAX=2"]
            + passed.compactMap { name in ours[name].map { "\(name)=\($0)" } }
    }
}
