// A simulated printer that belongs to a test.

import FoundationEssentials
import Glibc
import IPPClient
import ProcessLaunch
import Synchronization

/// A simulated printer that belongs to a test: an IPP Everywhere printer on this machine that nobody else prints on.
///
///     let printer = try await TestPrinter.start("color-laser")
///     try await myApp.print(report, to: printer.uri)
///     let job = try await printer.nextJob()
///     #expect(job.pages.count == 2)
///     #expect(try job.pages[0].text.contains("Dear"))
///
/// It is a `printsim` of its own, on a free port of the loopback, with a temporary folder for what is printed. It prints
/// at once, and all that is left to chance, job identifiers and dates too, is decided by a seed. It ends with `stop()`, with
/// the last reference to it, or with the process of the test, however that ends. To hold it to the end of a block, whatever
/// the optimizer makes of references, use ``with(_:speed:seed:faults:output:sourceFile:_:)``.
public final class TestPrinter: Sendable {
    /// Its name, such as `color-laser`.
    public let name: String
    /// Where to print: `ipp://localhost:PORT/ipp/print/NAME`.
    public let uri: String
    /// Where to print under TLS: `ipps://localhost:PORT/ipp/print/NAME`, with a certificate that the printer made for itself;
    /// nil when it speaks none.
    public let ippsURI: String?
    /// The TCP port that it listens on, on the loopback only.
    public let port: Int
    /// The folder of what it prints; removed when it ends, unless `start` was given one.
    public let outputFolder: String

    let process: CompanionProcess
    let conversation: PrinterConversation
    /// Over a Unix socket, which is there while faults keep everybody else out.
    let care: PrinterConversation
    /// The jobs that `nextJob()` has given out.
    let given = Mutex<Set<Int>>([])
    private let log: LogFile

    private init(ready: Ready, process: CompanionProcess, log: LogFile) throws(PrintTestingError) {
        guard let printer = ready.printers.first,
            let port = printer.uri.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap({
                Int($0)
            })
        else { throw PrintTestingError(.printerEnded, "printsim serves no printer") }
        (name, uri, ippsURI, outputFolder) = (printer.name, printer.uri, printer.ippsURI, printer.output)
        (self.port, self.process, self.log) = (port, process, log)
        conversation = PrinterConversation(uri: printer.uri, address: .tcp(host: "127.0.0.1", port: port))
        care = log.socket.map { PrinterConversation(uri: printer.uri, address: .unix(path: $0)) } ?? conversation
    }

    /// Starts a printer.
    ///
    /// - Parameters:
    ///   - printer: the name of a printer that comes with printq (`color-laser`, `mono-laser`, `inkjet`, `inkjet-duplex`,
    ///     `photo`, `label`, `roll`), or the path of a printer's file that ends in `.json5`, from the root or from the folder
    ///     of the test's source.
    ///   - speed: how fast it prints: `instant`, `x1` for real time, or `xN`.
    ///   - seed: what decides all that is left to chance.
    ///   - faults: what shall go wrong from the start, such as `media-jam at page 2`.
    ///   - output: a folder for what is printed, which is kept; nil for one that goes with the printer.
    ///   - sourceFile: the test's source.
    /// - Throws: `programMissing`, or `printerEnded` with the words of `printsim`.
    public static func start(
        _ printer: String = "color-laser", speed: String = "instant", seed: UInt64 = 1, faults: [String] = [],
        output: String? = nil, sourceFile: String = #filePath
    ) async throws(PrintTestingError) -> TestPrinter {
        let programs = try PrintingPrograms.found()
        let log = try LogFile()
        var arguments = ["serve", "--port", "0", "--until-eof", "--no-dns-sd", "--speed", speed, "--seed", "\(seed)"]
        arguments += faults.flatMap { ["--fault", $0] }
        arguments += output.map { ["--output", $0] } ?? ["--temporary"]
        arguments += log.socket.map { ["--socket", $0] } ?? []
        if printer.hasSuffix(".json5") {
            let (folder, file) = try SourceFolder(of: sourceFile).split(printer)
            arguments += ["--simulators", folder, String(file.dropLast(6))]
        } else {
            arguments += (programs.simulators.map { ["--simulators", $0] } ?? []) + [printer]
        }
        let process: CompanionProcess
        do throws(LaunchError) {
            process = try CompanionProcess(program: programs.printsim, arguments: arguments, log: log.path)
        } catch {
            throw PrintTestingError(.programMissing, error.description, cause: error)
        }
        guard let line = await process.readLine(within: .seconds(60)),
            let ready = try? JSONDecoder().decode(Ready.self, from: Data(line.utf8))
        else {
            let code = await process.end()
            throw PrintTestingError(
                .printerEnded, "the printer '\(printer)' did not start (exit code \(code)): \(log.words)")
        }
        return try TestPrinter(ready: ready, process: process, log: log)
    }

    /// Runs a test with a printer, and ends it afterwards.
    ///
    ///     try await TestPrinter.with("label") { printer in
    ///         try await printer.submit("label.pdf")
    ///         #expect(try await printer.nextJob().state == .completed)
    ///     }
    ///
    /// - Parameters: as for `start`.
    /// - Throws: what `start` throws, or the body.
    public static func with<Result: Sendable>(
        _ printer: String = "color-laser", speed: String = "instant", seed: UInt64 = 1, faults: [String] = [],
        output: String? = nil, sourceFile: String = #filePath, _ body: (TestPrinter) async throws -> Result
    ) async throws -> Result {
        let printer = try await start(
            printer, speed: speed, seed: seed, faults: faults, output: output, sourceFile: sourceFile)
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await body(printer))
        } catch {
            result = .failure(error)
        }
        await printer.stop()
        return try result.get()
    }

    /// Environment variables by which programs find the printer: `PRINTSIM_URI`, `PRINTSIM_IPPS_URI`, and `CUPS_SERVER` and
    /// `LPDEST`, so that plain `lp` reaches it.
    ///
    /// A program that is given these beside the test's own environment must not find `PRINTER` there, by which some name
    /// their own default printer; this dictionary cannot take a variable away:
    ///
    ///     var variables = ProcessInfo.processInfo.environment.merging(printer.environment) { $1 }
    ///     variables["PRINTER"] = nil
    public var environment: [String: String] {
        var variables = ["PRINTSIM_URI": uri, "CUPS_SERVER": "localhost:\(port)", "LPDEST": name]
        variables["PRINTSIM_IPPS_URI"] = ippsURI
        return variables
    }

    /// What the printer has complained about so far, a line each.
    public var complaints: String { log.words }

    /// Ends the printer, and waits until it has ended; what is temporary of it is gone then.
    public func stop() async { await process.end() }

    /// The error for a printer that is no longer there; nil while it runs.
    var ended: PrintTestingError? {
        process.exitCode.map { code in
            let how = code < 0 ? "by signal \(-code)" : "with exit code \(code)"
            let words = log.words
            return PrintTestingError(
                .printerEnded, "the printer \(name) has ended \(how)\(words.isEmpty ? "" : ": \(words)")")
        }
    }
}

/// The line by which printsim says where its printers are.
private struct Ready: Decodable {
    struct Printer: Decodable {
        var name: String
        var uri: String
        var ippsURI: String?
        var output: String
    }

    var printers: [Printer]
}

/// A file for what a program complains about, and the name of a socket beside it.
private final class LogFile: Sendable {
    let path: String

    init() throws(PrintTestingError) {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/print-testing-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw PrintTestingError(.printerEnded, "no temporary file can be made: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        self.path = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unlink(path)
        if let socket { unlink(socket) }
    }

    /// The path of a socket; nil where such a path is too long for the kernel (unix(7)).
    var socket: String? {
        let path = "\(path).sock"
        return path.utf8.count < 108 ? path : nil
    }

    var words: String {
        var text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
