// Switches printers on, and locks their output folders.

import Glibc
package import PrinterSimulator

/// Printers that are switched on, with the locks on their folders.
package struct OpenPrinters: Sendable {
    /// The printers, in the order of their descriptions.
    package let printers: [SimulatedPrinter]
    private let holds: [FolderHold]

    /// Switches on the described printers.
    ///
    /// Each printer gets a folder with its name in `output`.
    ///
    /// - Parameter patience: The time to wait for a process that has locked a folder, because that process may be about
    ///   to exit.
    /// - Throws: `SimulatorServerError` when another process has locked a folder, or a folder cannot be used.
    package init(
        _ descriptions: [SimulatedPrinterDescription], output: String, in surroundings: SimulatorEnvironment,
        patience: Duration = .seconds(3)
    ) async throws(SimulatorServerError) {
        var printers: [SimulatedPrinter] = []
        var holds: [FolderHold] = []
        for description in descriptions {
            let folder = "\(output)/\(description.name)"
            do throws(SimulatorError) {
                try SimulatedPrinter.makeFolder(folder)
                // Lock the folder first. Switching on changes the jobs in the folder, and a running printer may be
                // using them.
                holds.append(try await .taken(folder, printer: description.name, patience: patience))
                printers.append(try SimulatedPrinter(description, output: folder, in: surroundings))
            } catch {
                let code: SimulatorServerError.Code = error.code == .notPossible ? .outputInUse : .outputUnusable
                throw SimulatorServerError(code, error.message, cause: error)
            }
        }
        self.printers = printers
        self.holds = holds
    }
}

/// An exclusive lock on a printer's folder, until it is released or the process exits.
private final class FolderHold: Sendable {
    private let descriptor: Int32

    init(_ folder: String, printer: String) throws(SimulatorError) {
        let path = "\(folder)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw SimulatorError(.fileSystem, "cannot open '\(path)': \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw SimulatorError(
                .notPossible,
                "another printsim uses the printer '\(printer)' in '\(folder)'; stop that printsim, or choose "
                    + "another --output"
            )
        }
    }

    deinit {
        // Unlock explicitly, because a child process that is being started still shares the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Waits for the lock and takes it.
    static func taken(_ folder: String, printer: String, patience: Duration) async throws(SimulatorError) -> FolderHold
    {
        let end = ContinuousClock.now + patience
        while true {
            do throws(SimulatorError) {
                return try FolderHold(folder, printer: printer)
            } catch {
                // flock() has no notification, so the lock is polled.
                guard error.code == .notPossible, .now < end,
                    (try? await Task.sleep(for: .milliseconds(50))) != nil
                else { throw error }
            }
        }
    }
}

/// An error of the simulator server.
package struct SimulatorServerError: Error, Sendable, CustomStringConvertible {
    /// The kind of an error, for programs.
    package enum Code: String, Sendable, Hashable {
        /// Another process uses the output folder.
        case outputInUse
        /// The folder cannot be created, read or written.
        case outputUnusable
        /// The golden pages do not exist.
        case goldenMissing
    }

    /// The kind of the error, for programs.
    package var code: Code
    /// A sentence that states what failed, on which object, and what to do next.
    package var message: String
    /// The underlying error of the printer; nil when there is none.
    package var cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }
}
