// Switches printers on, and locks their output folders.

import Glibc
package import PrinterSimulator

/// The printers that are switched on, with the locks on the printers' folders.
package struct OpenPrinters: Sendable {
    /// The printers, in the same order as the given descriptions.
    package let printers: [SimulatedPrinter]
    private let holds: [FolderHold]

    /// Starts the simulated printers of the given descriptions.
    ///
    /// Each printer gets a folder in `output` with the printer's name.
    ///
    /// - Parameter timeout: The maximum time to wait for another process that has locked a folder. That process might
    ///   exit soon.
    /// - Throws: `SimulatorServerError` if another process has locked a folder, or a folder cannot be used.
    package init(
        _ descriptions: [SimulatedPrinterDescription], output: String, in environment: SimulatorEnvironment,
        timeout: Duration = .seconds(3)
    ) async throws(SimulatorServerError) {
        var printers: [SimulatedPrinter] = []
        var holds: [FolderHold] = []
        for description in descriptions {
            let folder = "\(output)/\(description.name)"
            do throws(SimulatorError) {
                try SimulatedPrinter.makeFolder(folder)
                // Lock the folder first. Switching on changes the jobs in the folder, and a running printer may be
                // using them.
                holds.append(try await .acquired(folder, printer: description.name, timeout: timeout))
                printers.append(try SimulatedPrinter(description, output: folder, in: environment))
            } catch {
                let code: SimulatorServerError.Code = error.code == .notPossible ? .outputInUse : .outputUnusable
                throw SimulatorServerError(code, error.message, cause: error)
            }
        }
        self.printers = printers
        self.holds = holds
    }
}

/// An exclusive lock on a printer's folder.
///
/// The lock ends when the object is released or the process exits.
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

    /// Waits until the lock is free, and acquires the lock.
    static func acquired(_ folder: String, printer: String, timeout: Duration) async throws(SimulatorError)
        -> FolderHold
    {
        let end = ContinuousClock.now + timeout
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

package struct SimulatorServerError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        case outputInUse
        case outputUnusable
        case goldenMissing
    }

    package var code: Code
    package var message: String
    package var cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    package var description: String { message }
}
