// Shows the Print Center on the terminal, for `printq center --terminal`.

import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import SpoolerClient
import TerminalCenter
import TerminalImages

/// The terminal Print Center of a spool.
struct CenterTerminal {
    let session: Session

    /// Runs the Print Center until the user quits.
    ///
    /// - Throws: `output` if standard input or standard output is not a terminal; `ExitCode` if a signal ended the
    ///   program.
    func run() async throws {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            throw SpoolerClientError(
                .output, "--terminal requires a terminal; use 'printq queue' or 'printq watch' instead")
        }
        let spooler = try session.spooler
        // Starts printd if it is not running, before the screen changes.
        _ = try await spooler.ask(.cupsGetDefault, requested: ["printer-name"])
        let connection = try CenterConnection(spooler, at: try session.place)
        let tasks = Task { await connection.run() }
        let signal = await withCheckedContinuation { continuation in
            // The loop blocks its thread while it waits for keys.
            DispatchQueue.global().async { continuation.resume(returning: Self.show(connection)) }
        }
        tasks.cancel()
        await tasks.value
        if let signal { throw ExitCode(128 + signal) }
    }

    private static func show(_ connection: CenterConnection) -> Int32? {
        guard let terminal = RawTerminal() else { return nil }
        let environment = ProcessInfo.processInfo.environment
        let graphics = TerminalGraphics(environment: environment)
            .confirmed(by: terminal.askForGraphics(), in: environment)
        let hasColors = (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "vt100"
        var center = TerminalPrintCenter(connection, on: terminal, graphics: graphics, hasColors: hasColors)
        return center.run()
    }
}
