// One process of the HTML engine, which lays out one document after another.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch

/// A Python with WeasyPrint that waits for documents; it is gone with its last reference, and its files with it.
///
/// It is for one thread at a time, and after an error for none.
final class HTMLWorker {
    /// A document and how to lay it out, as the worker reads it.
    struct Request: Encodable {
        var html: String
        /// An absolute path; nil when no files are allowed.
        var base: String?
        /// Width and height of the first page, in points.
        var first: [Double]
        /// Width and height of the others.
        var page: [Double]
        var network: Bool
        var pages: Int
        var bytes: Int
        var seconds: Int

        enum CodingKeys: CodingKey { case html, base, first, page, network, pages, bytes, seconds }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(html, forKey: .html)
            // The worker wants each of them, so nil is written as well.
            try container.encode(base, forKey: .base)
            try container.encode(first, forKey: .first)
            try container.encode(page, forKey: .page)
            try container.encode(network, forKey: .network)
            try container.encode(pages, forKey: .pages)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(seconds, forKey: .seconds)
        }
    }

    /// Why a document was not laid out.
    struct Failure: Error {
        var error: WorkError
        /// Somebody killed the worker, so another may be asked.
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

    /// The address space it was given, in bytes.
    let memoryBytes: Int
    /// What it may touch beside the documents themselves.
    let access: HTMLAccess
    /// What it is made of.
    private(set) var versions = ""
    /// How many documents it has laid out.
    private(set) var served = 0
    private let process: ConversingProcess
    private let folder: String

    /// A line says what became of a document; its notes and links are bounded.
    private static let longestAnswer = 4 << 20
    /// A machine that is busy with other things starts a Python slowly.
    private static let longestStart = 60.0

    /// Starts one and waits until it is ready.
    init(engine: String, memoryBytes: Int, access: HTMLAccess) throws(WorkError) {
        self.memoryBytes = memoryBytes
        self.access = access
        folder = try Self.makeFolder()
        do throws(LaunchError) {
            process = try ConversingProcess(
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
        // Text and numbers are never refused by the encoder; an empty line would end the process.
        let rules = (try? JSONEncoder().encode(sandbox)).map(Array.init) ?? []
        let moment = ContinuousClock.now + .seconds(Self.longestStart)
        do throws(ConversingProcess.Interruption) {
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
    /// - Throws: why it could not; then the worker is of no more use.
    func layOut(_ request: Request, limits: HTMLLimits) throws(Failure) -> HTMLPages {
        guard let line = try? JSONEncoder().encode(request) else {
            throw Failure(
                error: WorkError(.damaged, "the HTML cannot be handed to the engine; check its page size"))
        }
        served += 1
        let answer: Answer
        let pdf: [UInt8]
        do throws(ConversingProcess.Interruption) {
            let moment = ContinuousClock.now + .seconds(limits.wallSeconds)
            try process.send(Array(line) + [UInt8(ascii: "\n")], until: moment)
            answer = try self.answer(limits, until: moment)
            pdf = try process.bytes(answer.bytes, until: moment)
        } catch {
            let ending = process.end()
            throw Failure(
                error: HTMLEnding.interrupted(error, ending: ending, words: lastWords, limits: limits),
                wasKilled: error == .ended && ending == .signaled(SIGKILL))
        }
        if let failed = answer.failed {
            throw Failure(error: HTMLEnding.failed(failed, words: answer.words, limits: limits))
        }
        return HTMLPages(
            pdf: pdf, pageCount: answer.pages ?? 0, lastPageHeight: answer.height ?? 0,
            notes: (answer.notes ?? []).prefix(100).map { $0.tamed() },
            links: (answer.links ?? []).compactMap(HTMLPages.Link.init),
            anchors: (answer.anchors ?? []).compactMap(HTMLPages.Anchor.init))
    }

    private func answer(
        _ limits: HTMLLimits, until moment: ContinuousClock.Instant
    ) throws(ConversingProcess.Interruption) -> Answer {
        let bytes = try process.line(longest: Self.longestAnswer, until: moment)
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(bytes)),
            (0...limits.outputBytes).contains(answer.bytes)
        else { throw .tooLong }
        return answer
    }

    /// Whether it can be asked: it says nothing unasked, and its end has not been heard.
    var isAlive: Bool { process.isQuiet }

    /// The end of what it has complained of.
    private var lastWords: String? {
        guard let data = FileManager.default.contents(atPath: "\(folder)/errors"), !data.isEmpty else { return nil }
        return String(decoding: data.suffix(2048), as: UTF8.self).tamed(to: 2048)
    }

    /// Reads the worker's source from the socket, so that it is neither a file nor a very long argument.
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
                "the HTML engine finds no room for its files in '\(FileManager.default.temporaryDirectory.path)'",
                detail: String(cString: strerror(errno)))
        }
        return path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    /// Removes folders of processes whose program was killed: the process empties its folder, but may not remove it.
    private static func removeStaleFolders() {
        let temporary = FileManager.default.temporaryDirectory.path
        for name in (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        where name.hasPrefix("printq-html-") {
            var status = stat()
            // A new one may still be empty. A folder that is not empty stays.
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
