// Starts a simulated printer for a test.

import FoundationEssentials
import Glibc
import IPPClient
import ProcessLaunch
import Synchronization

/// A simulated printer for one test: a separate IPP Everywhere printer on this machine.
///
///     let printer = try await TestPrinter.start("color-laser")
///     try await myApp.print(report, to: printer.uri)
///     let job = try await printer.nextJob()
///     #expect(job.pages.count == 2)
///     #expect(try job.pages[0].text.contains("Dear"))
///
/// Each printer is a separate `printsim` process on a free loopback port, with a temporary output folder. The printer
/// prints without delay, and a seed determines all random values, including job identifiers and dates.
///
/// The process ends on `stop()`, when the last reference is released, or when the test's process ends for any reason.
/// The optimizer may release a reference early. To keep the printer until the end of a block, use
/// ``with(_:speed:seed:faults:output:sourceFile:_:)``.
public final class TestPrinter: Sendable {
    /// The printer's name, such as `color-laser`.
    public let name: String
    /// The printer's URI: `ipp://localhost:PORT/ipp/print/NAME`.
    public let uri: String
    /// The printer's URI for TLS: `ipps://localhost:PORT/ipp/print/NAME`, with a self-signed certificate; nil when the
    /// printer does not support TLS.
    public let ippsURI: String?
    /// The TCP port on the loopback interface.
    public let port: Int
    /// The output folder.
    ///
    /// The folder is deleted when the printer stops, unless the caller passed the folder to `start`.
    public let outputFolder: String

    let process: CompanionProcess
    let conversation: PrinterConversation
    /// The connection for control commands.
    ///
    /// The connection uses a Unix socket, which works even while faults block all other clients.
    let control: PrinterConversation
    /// The numbers of the jobs that `nextJob()` and `job(_:timeout:)` have returned.
    let returned = Mutex<Set<Int>>([])
    private let log: LogFile

    private init(ready: Ready, process: CompanionProcess, log: LogFile) throws(PrintTestingError) {
        guard let printer = ready.printers.first,
            let port = printer.uri.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap({
                Int($0)
            })
        else { throw PrintTestingError(.printerEnded, "printsim reported no printer with a TCP port") }
        (name, uri, ippsURI, outputFolder) = (printer.name, printer.uri, printer.ippsURI, printer.output)
        (self.port, self.process, self.log) = (port, process, log)
        conversation = PrinterConversation(uri: printer.uri, address: .tcp(host: "127.0.0.1", port: port))
        control = log.socket.map { PrinterConversation(uri: printer.uri, address: .unix(path: $0)) } ?? conversation
    }

    /// Starts a printer.
    ///
    /// - Parameters:
    ///   - printer: The name of a printer that comes with printq, or the path of a printer file that ends in `.json5`.
    ///     The names are `color-laser`, `mono-laser`, `inkjet`, `inkjet-duplex`, `photo`, `label` and `roll`. A
    ///     relative path starts at the folder of the test's source file.
    ///   - speed: The print speed: `instant`, `x1` for real time, or `xN` for N times as fast.
    ///   - seed: The seed of all random values.
    ///   - faults: Faults to inject at the start, such as `media-jam at page 2`.
    ///   - output: The output folder, which is kept; nil for a temporary folder that is deleted when the printer stops.
    /// - Throws: `programMissing`, or `printerEnded` with the messages of `printsim`.
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
                .printerEnded, "cannot start the printer '\(printer)' (exit code \(code)): \(log.text)")
        }
        return try TestPrinter(ready: ready, process: process, log: log)
    }

    /// Runs a test with a printer, and stops the printer afterwards.
    ///
    ///     try await TestPrinter.with("label") { printer in
    ///         try await printer.submit("label.pdf")
    ///         #expect(try await printer.nextJob().state == .completed)
    ///     }
    ///
    /// - Throws: The errors of `start` and of the body.
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

    /// The environment variables with the address of the printer: `PRINTSIM_URI` and `PRINTSIM_IPPS_URI`, and for `lp`,
    /// `CUPS_SERVER` and `LPDEST`.
    ///
    /// If you add these variables to the environment of the test, remove `PRINTER`, because some programs read the
    /// default printer from `PRINTER`. A dictionary cannot remove a variable:
    ///
    ///     var variables = ProcessInfo.processInfo.environment.merging(printer.environment) { $1 }
    ///     variables["PRINTER"] = nil
    public var environment: [String: String] {
        var variables = ["PRINTSIM_URI": uri, "CUPS_SERVER": "localhost:\(port)", "LPDEST": name]
        variables["PRINTSIM_IPPS_URI"] = ippsURI
        return variables
    }

    /// The messages that the printer has written to standard error so far, one message per line.
    public var complaints: String { log.text }

    /// Stops the printer, and waits until the printer's process has ended and the temporary files are deleted.
    public func stop() async { await process.end() }

    var ended: PrintTestingError? {
        process.exitCode.map { code in
            let how = code < 0 ? "by signal \(-code)" : "with exit code \(code)"
            let messages = log.text
            return PrintTestingError(
                .printerEnded, "the printer \(name) has ended \(how)\(messages.isEmpty ? "" : ": \(messages)")")
        }
    }
}

private struct Ready: Decodable {
    struct Printer: Decodable {
        var name: String
        var uri: String
        var ippsURI: String?
        var output: String
    }

    var printers: [Printer]
}

/// A temporary file for the messages of a program.
///
/// A caller can create a socket in the same folder.
private final class LogFile: Sendable {
    let path: String

    init() throws(PrintTestingError) {
        var path = Array("\(FileManager.default.temporaryDirectory.path)/print-testing-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw PrintTestingError(
                .printerEnded, "cannot create a temporary file: \(String(cString: strerror(errno)))")
        }
        close(descriptor)
        self.path = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unlink(path)
        if let socket { unlink(socket) }
    }

    /// The path of a socket; nil if the path is too long for the kernel (unix(7)).
    ///
    /// The name begins with the random letters of `path`. If several processes open sockets whose names begin with the
    /// same letters, the processes wait for each other. Random letters avoid this delay.
    var socket: String? {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let socket = "\(path[...slash])\(path.suffix(6))-print-testing.sock"
        return socket.utf8.count < 108 ? socket : nil
    }

    var text: String {
        var text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
