// A process of the HTML engine, which lays out one document after another.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools
import SafeFiles

/// A Python process with WeasyPrint that waits for documents.
///
/// The process and its files are removed when the last reference to this object is released. After an error, the worker
/// cannot be used again.
///
/// `@unchecked Sendable`: only one thread at a time uses a worker, the thread whose request took it from `ProcessPool`.
final class HTMLWorker: PooledProcess, @unchecked Sendable {
    /// The values with which an engine starts its processes.
    struct Command: Sendable {
        /// The folder of the Python environment; nil to search for the folder.
        var folder: String?
        /// The resource limits for documents that `HTMLEngine.convert` converts.
        var limits: HTMLLimits
        /// The user name for the conversion processes if this process runs as root; nil for the default user.
        var user: String?
        /// Whether the engine refuses documents if the kernel does not support Landlock.
        var requiresLandlock: Bool
    }

    /// The reason why a document was not laid out.
    struct Failure: Error {
        var error: WorkError
        /// Whether another process killed the worker.
        ///
        /// In this case, another worker can lay out the document.
        var wasKilled = false
    }

    /// The maximum address space of the process in bytes.
    private let memoryBytes: Int
    /// The maximum CPU time for all documents of the process together, in seconds.
    ///
    /// The process cannot raise this limit.
    private let mostProcessorSeconds: Int
    /// The resources that the process can access.
    private(set) var access: HTMLAccess
    /// The versions of WeasyPrint and Python.
    private(set) var versions = ""
    /// The number of documents that the process has laid out.
    private(set) var served = 0
    private let process: InteractiveProcess
    private let folder: HTMLWorkerFolder

    /// The maximum length of a response line, in bytes.
    ///
    /// This length is sufficient, because the numbers of notices and links in a response are limited.
    private static let longestAnswer = 4 << 20
    /// The maximum time for the start of the process, in seconds.
    ///
    /// Python starts slowly on a busy system.
    private static let longestStart = 60.0

    /// Starts a process and waits until the process is ready.
    ///
    /// - Parameter cancellation: The conversion for which the process starts. A cancellation of the conversion kills
    ///   the process.
    init(
        engine: String, limits: HTMLLimits, access: HTMLAccess, cancellation: HTMLCancellation? = nil
    ) throws(WorkError) {
        memoryBytes = limits.memoryBytes
        // Python lowers the limit for each document. The sum allows the start and several long documents.
        mostProcessorSeconds = 4 * min(limits.processorSeconds, 1 << 30) + 5
        self.access = access
        folder = try HTMLWorkerFolder(for: access.user)
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: "prlimit",
                arguments: [
                    "--as=\(memoryBytes)", "--cpu=\(mostProcessorSeconds)", "--fsize=\(256 << 20)", "--nofile=1024",
                    "--core=0", "--",
                    "\(engine)/bin/python", "-I", "-B", "-c", Self.bootstrap,
                ],
                environment: Self.environment(temporary: folder.path), errors: folder.errors)
        } catch {
            throw WorkError(.workerUnavailable, "the HTML engine does not start: \(error.description)")
        }
        let source = Self.source
        let sandbox = HTMLSandbox(process: process.pid, access: access, engine: engine, temporary: folder.path)
        // The encoder accepts all text and numbers. An empty line would end the process.
        let rules = (try? JSONEncoder().encode(sandbox)).map(Array.init) ?? []
        let moment = ContinuousClock.now + .seconds(Self.longestStart)
        cancellation?.attach(process.pid)
        do throws(InteractiveProcess.Interruption) {
            try process.send(Array("\(source.count)\n".utf8) + source + rules + [UInt8(ascii: "\n")], until: moment)
            let line = try process.line(longest: Self.longestAnswer, until: moment)
            let answer = try? JSONDecoder().decode(HTMLAnswer.self, from: Data(line))
            versions = "WeasyPrint \(answer?.ready ?? "?"), Python \(answer?.python ?? "?")".sanitized()
            cancellation?.detach()
        } catch {
            cancellation?.detach()
            let lines = lastLines
            let ending = process.end()
            // A process that ends by itself will end again, so a document is refused. A process that is killed or slow
            // may start later.
            let isBroken = if case .exited = ending { error == .ended } else { false }
            throw WorkError(
                isBroken && access.owner != nil ? .unsupportedFormat : .workerUnavailable,
                "the HTML engine in '\(engine)' does not start; remove that folder and run 'scripts/setup documents'",
                detail: lines)
        }
    }

    deinit { process.end() }

    func dismiss() { process.end() }

    /// Sends a document to the process, and receives the response of the process.
    ///
    /// - Parameter output: The open file that receives the PDF; nil to return the PDF.
    /// - Returns: The response, and the PDF if `output` is nil.
    /// - Throws: The reason for the failure. After an error, the worker cannot be used again.
    func answer(
        _ request: HTMLRequest, _ input: HTMLInput, limits: HTMLLimits, output: AtomicFile<Failure>? = nil,
        cancellation: HTMLCancellation? = nil
    ) throws(Failure) -> (HTMLAnswer, [UInt8]) {
        guard let line = try? JSONEncoder().encode(request) else {
            throw Failure(
                error: WorkError(
                    .damaged,
                    "cannot lay out the document because the page size is not a finite number; check the page size"))
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
                error: HTMLLayoutFailure.failed(failed, reason: result.reason, detail: result.detail, limits: limits))
        }
        return (result, pdf)
    }

    /// Receives the PDF from the process, and writes the PDF to a file.
    private func receive(
        _ count: Int, into output: AtomicFile<Failure>, _ limits: HTMLLimits, until moment: ContinuousClock.Instant,
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
            do throws(Failure) { try output.append(piece) } catch {
                cancellation?.detach()
                throw error
            }
        }
    }

    private func interrupted(
        _ interruption: InteractiveProcess.Interruption, _ limits: HTMLLimits, _ cancellation: HTMLCancellation?
    ) -> Failure {
        cancellation?.detach()
        let used = processorSeconds
        var ending = process.end()
        // The kernel kills a process that has ignored the limit of its document at the limit of all documents.
        if ending == .signaled(SIGKILL), used >= Double(mostProcessorSeconds) - 1 { ending = .signaled(SIGXCPU) }
        return Failure(
            error: HTMLLayoutFailure.interrupted(interruption, ending: ending, detail: lastLines, limits: limits),
            wasKilled: interruption == .ended && ending == .signaled(SIGKILL))
    }

    /// The CPU time that the process has used, in seconds.
    ///
    /// The time is available until the process is reaped, even if the process has ended.
    private var processorSeconds: Double { ProcessorTime.seconds(of: process.pid) }

    private func answer(
        _ limits: HTMLLimits, until moment: ContinuousClock.Instant
    ) throws(InteractiveProcess.Interruption) -> HTMLAnswer {
        let bytes = try process.line(longest: Self.longestAnswer, until: moment)
        guard let answer = try? JSONDecoder().decode(HTMLAnswer.self, from: Data(bytes)),
            (0...limits.outputBytes).contains(answer.bytes)
        else { throw .tooLong }
        return answer
    }

    /// Returns whether the process can serve a document with the given access rights and limits.
    ///
    /// The process must have the given memory limit, enough CPU time, and the given access rights. A process that has
    /// served no document has no owner, and can serve the documents of any owner.
    func canServe(_ wanted: HTMLAccess, within limits: HTMLLimits) -> Bool {
        guard memoryBytes == limits.memoryBytes,
            processorSeconds + Double(limits.processorSeconds) + 2 < Double(mostProcessorSeconds)
        else { return false }
        var unowned = wanted
        unowned.owner = nil
        return access == wanted || served == 0 && access == unowned
    }

    /// Reserves the process for documents of the owner `wanted.owner`.
    func reserve(for wanted: HTMLAccess) { access.owner = wanted.owner }

    /// Whether the process should serve further documents.
    ///
    /// A process is replaced after some documents, to free the memory that its libraries retain.
    var isReusable: Bool { served < 200 }

    /// Whether the process can accept a document: the process is running and has sent no unexpected output.
    var isAlive: Bool { process.isQuiet }

    /// The last part of the error output.
    private var lastLines: String? {
        guard let data = FileManager.default.contents(atPath: folder.errors), !data.isEmpty else {
            return nil
        }
        return String(decoding: data.suffix(2048), as: UTF8.self).sanitized(to: 2048)
    }

    /// The Python program that enters the sandbox and then serves requests.
    private static let source =
        PackageResources.html_sandbox_py + PackageResources.html_messages_py + PackageResources.html_fetching_py
        + PackageResources.html_text_py + PackageResources.html_mail_py + PackageResources.html_books_py
        + PackageResources.html_flow_py + PackageResources.html_worker_py

    /// The Python program that reads the worker's source code from the socket.
    ///
    /// The socket avoids a temporary file and a very long argument.
    static let bootstrap = """
        import sys; f = sys.stdin.buffer.raw; n = int(f.readline()); s = b''
        while len(s) < n: s += f.read(n - len(s))
        exec(compile(s, 'html-worker.py', 'exec'))
        """

    private static func environment(temporary: String) -> [String] {
        let passed = [
            "HOME", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
            "XDG_DATA_HOME", "XDG_DATA_DIRS", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ]
        let ours = ProcessInfo.processInfo.environment
        return ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TMPDIR=\(temporary)", "MALLOC_ARENA_MAX=2"]
            + passed.compactMap { name in ours[name].map { "\(name)=\($0)" } }
    }
}
