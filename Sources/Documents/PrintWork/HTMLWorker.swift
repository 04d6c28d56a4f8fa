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
    /// The reason why a document was not laid out.
    struct Failure: Error {
        var error: WorkError
        /// Whether another process killed the worker.
        ///
        /// In that case, another worker can lay out the document.
        var wasKilled = false
    }

    /// The limit of the address space in bytes.
    let memoryBytes: Int
    /// The resources that the process may access.
    private(set) var access: HTMLAccess
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
    ///
    /// - Parameter cancellation: The conversion for which the process starts; canceling it kills the process.
    init(
        engine: String, memoryBytes: Int, access: HTMLAccess, cancellation: HTMLCancellation? = nil
    ) throws(WorkError) {
        self.memoryBytes = memoryBytes
        self.access = access
        folder = try Self.makeFolder(for: access.user)
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: "prlimit",
                arguments: [
                    "--as=\(memoryBytes)", "--fsize=\(256 << 20)", "--nofile=1024", "--core=0", "--",
                    "\(engine)/bin/python", "-I", "-B", "-c", Self.bootstrap,
                ],
                environment: Self.environment(temporary: folder), errors: Self.errorsPath(of: folder))
        } catch {
            Self.removeFiles(of: folder)
            throw WorkError(.workerUnavailable, "the HTML engine does not start: \(error.description)")
        }
        let source = Self.source
        let sandbox = HTMLSandbox(process: process.pid, access: access, engine: engine, temporary: folder)
        // The encoder accepts all text and numbers. An empty line would end the process.
        let rules = (try? JSONEncoder().encode(sandbox)).map(Array.init) ?? []
        let moment = ContinuousClock.now + .seconds(Self.longestStart)
        cancellation?.attach(process.pid)
        do throws(InteractiveProcess.Interruption) {
            try process.send(Array("\(source.count)\n".utf8) + source + rules + [UInt8(ascii: "\n")], until: moment)
            let line = try process.line(longest: Self.longestAnswer, until: moment)
            let answer = try? JSONDecoder().decode(HTMLAnswer.self, from: Data(line))
            versions = "WeasyPrint \(answer?.ready ?? "?"), Python \(answer?.python ?? "?")".tamed()
            cancellation?.detach()
        } catch {
            cancellation?.detach()
            let words = lastWords
            process.end()
            Self.removeFiles(of: folder)
            throw WorkError(
                .workerUnavailable,
                "the HTML engine in '\(engine)' does not start; remove that folder and run scripts/setup again",
                detail: words)
        }
    }

    deinit {
        process.end()
        Self.removeFiles(of: folder)
    }

    /// Sends a document and receives the answer.
    ///
    /// - Parameter output: The open file to which the PDF is written; nil to return the PDF.
    /// - Returns: The answer, and the PDF if it is not written to a file.
    /// - Throws: The reason for the failure. After an error the worker cannot be used again.
    func answer(
        _ request: HTMLRequest, _ input: HTMLInput, limits: HTMLLimits, output: Int32? = nil,
        cancellation: HTMLCancellation? = nil
    ) throws(Failure) -> (HTMLAnswer, [UInt8]) {
        guard let line = try? JSONEncoder().encode(request) else {
            throw Failure(
                error: WorkError(.damaged, "cannot send the document to the HTML engine; check the page size"))
        }
        served += 1
        let result: HTMLAnswer
        let pdf: [UInt8]
        let moment = ContinuousClock.now + .seconds(limits.wallSeconds)
        cancellation?.attach(process.pid)
        do throws(InteractiveProcess.Interruption) {
            try process.send(Array(line) + [UInt8(ascii: "\n")], until: moment)
            try input.send(to: process, until: moment)
            result = try self.answer(limits, until: moment)
            pdf = output == nil ? try process.bytes(result.bytes, until: moment) : []
        } catch {
            throw interrupted(error, limits, cancellation)
        }
        if let output { try receive(result.bytes, into: output, limits, until: moment, cancellation) }
        cancellation?.detach()
        if let failed = result.failed {
            throw Failure(
                error: HTMLLayoutFailure.failed(failed, reason: result.reason, words: result.words, limits: limits))
        }
        return (result, pdf)
    }

    /// Writes the PDF to a file while it is received.
    private func receive(
        _ count: Int, into output: Int32, _ limits: HTMLLimits, until moment: ContinuousClock.Instant,
        _ cancellation: HTMLCancellation?
    ) throws(Failure) {
        var left = count
        while left > 0 {
            let piece: [UInt8]
            do throws(InteractiveProcess.Interruption) {
                piece = try process.chunk(longest: left, until: moment)
            } catch {
                throw interrupted(error, limits, cancellation)
            }
            left -= piece.count
            do throws(WorkError) { try PartialFile.append(piece, to: output) } catch {
                cancellation?.detach()
                throw Failure(error: error)
            }
        }
    }

    private func interrupted(
        _ interruption: InteractiveProcess.Interruption, _ limits: HTMLLimits, _ cancellation: HTMLCancellation?
    ) -> Failure {
        cancellation?.detach()
        let ending = process.end()
        return Failure(
            error: HTMLLayoutFailure.interrupted(interruption, ending: ending, words: lastWords, limits: limits),
            wasKilled: interruption == .ended && ending == .signaled(SIGKILL))
    }

    private func answer(
        _ limits: HTMLLimits, until moment: ContinuousClock.Instant
    ) throws(InteractiveProcess.Interruption) -> HTMLAnswer {
        let bytes = try process.line(longest: Self.longestAnswer, until: moment)
        guard let answer = try? JSONDecoder().decode(HTMLAnswer.self, from: Data(bytes)),
            (0...limits.outputBytes).contains(answer.bytes)
        else { throw .tooLong }
        return answer
    }

    /// Whether the process can serve documents with these access rights: it was started for them, or it has served no
    /// owner yet.
    func canServe(_ wanted: HTMLAccess) -> Bool {
        var unowned = wanted
        unowned.owner = nil
        return access == wanted || served == 0 && access == unowned
    }

    /// Reserves the process for the owner in the access rights.
    func reserve(for wanted: HTMLAccess) { access.owner = wanted.owner }

    /// Whether the process can accept a document: it is running and has sent no unexpected output.
    var isAlive: Bool { process.isQuiet }

    /// Returns the path of the error output.
    ///
    /// The file is not in the folder, because the user of the process could replace the file by a link.
    private static func errorsPath(of folder: String) -> String { "\(folder)-errors" }

    private static func removeFiles(of folder: String) {
        ConversionFolder.remove(folder)
        unlink(errorsPath(of: folder))
    }

    /// The end of the error output.
    private var lastWords: String? {
        guard let data = FileManager.default.contents(atPath: Self.errorsPath(of: folder)), !data.isEmpty else {
            return nil
        }
        return String(decoding: data.suffix(2048), as: UTF8.self).tamed(to: 2048)
    }

    /// The program of the process: first the sandbox, last the function that serves requests.
    private static let source =
        PackageResources.html_sandbox_py + PackageResources.html_messages_py + PackageResources.html_fetching_py
        + PackageResources.html_text_py + PackageResources.html_mail_py + PackageResources.html_worker_py

    /// The program text that reads the worker's source from the socket.
    ///
    /// The socket avoids a temporary file and a very long argument.
    static let bootstrap = """
        import sys; f = sys.stdin.buffer.raw; n = int(f.readline()); s = b''
        while len(s) < n: s += f.read(n - len(s))
        exec(compile(s, 'html-worker.py', 'exec'))
        """

    private static func makeFolder(for user: WorkerUser?) throws(WorkError) -> String {
        removeStaleFolders()
        var path = Array("\(FileManager.default.temporaryDirectory.path)/printq-html-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else {
            throw WorkError(
                .writeFailed,
                "cannot create a folder for the HTML engine in '\(FileManager.default.temporaryDirectory.path)'",
                detail: String(cString: strerror(errno)))
        }
        if let user { chown(path, user.user, user.group) }
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
            let path = "\(temporary)/\(name)"
            rmdir(path)
            if name.hasSuffix("-errors"), Glibc.access(String(path.dropLast("-errors".count)), F_OK) != 0 {
                unlink(path)
            }
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
