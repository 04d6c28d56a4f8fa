// Switching printers on, each into a folder that no other process prints into.

import Glibc
package import PrinterSimulator

/// Printers that are switched on, and the hold on their folders.
package struct OpenPrinters: Sendable {
    /// The printers, in the order in which they were described.
    package let printers: [SimulatedPrinter]
    private let holds: [FolderHold]

    /// Switches on the described printers, each with a folder of its name in `output`.
    ///
    /// - Parameter patience: how long to wait for a process that has the folders, since it may be about to end.
    /// - Throws: `SimulatorServerError` when another process prints into one of the folders, or it cannot be used.
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
                // First the hold: switching on settles the jobs that were left, which a running printer may be at.
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

/// An exclusive hold on a printer's folder, until it is let go of or the process ends.
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
                "another printsim runs the printer '\(printer)' in '\(folder)'; stop that one, or choose another --output"
            )
        }
    }

    deinit {
        // Unlocked by name, because a child that is just being started still shares the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The hold, taken as soon as it is free.
    static func taken(_ folder: String, printer: String, patience: Duration) async throws(SimulatorError) -> FolderHold
    {
        let end = ContinuousClock.now + patience
        while true {
            do throws(SimulatorError) {
                return try FolderHold(folder, printer: printer)
            } catch {
                // A lock tells nobody when it is let go of, so it is asked again.
                guard error.code == .notPossible, .now < end,
                    (try? await Task.sleep(for: .milliseconds(50))) != nil
                else { throw error }
            }
        }
    }
}

/// Why the printers could not be switched on.
package struct SimulatorServerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, for programs.
    package enum Code: String, Sendable, Hashable {
        /// Another process prints into the folder.
        case outputInUse
        /// The folder cannot be made, read or written.
        case outputUnusable
        /// There are no golden pages to compare with.
        case goldenMissing
    }

    /// What went wrong, for programs.
    package var code: Code
    /// What failed, on what, and what to do next: one sentence for people.
    package var message: String
    /// The printer's own error.
    package var cause: (any Error)?

    init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// The message.
    package var description: String { message }
}
