// Runs programs to their end.

import FoundationEssentials
import Subprocess

/// The result of running a program.
///
/// Foundation's `Process` is not suitable: it watches its children with select(2), which does not support file
/// descriptors above 1023, and concurrent tests have more open files.
public struct ProgramRun: Sendable {
    /// The exit code; the negative signal number if a signal ended the program.
    public var code: Int32
    /// The text on standard output.
    public var output: String
    /// The text on standard error.
    public var complaints: String

    /// Runs a program with exactly this environment, and waits for its end.
    ///
    /// - Parameters:
    ///   - program: The path of the program.
    ///   - folder: The working directory.
    ///   - input: The text for standard input.
    public init(
        _ program: String, _ arguments: [String], environment: [String: String], in folder: String, input: String = ""
    ) async throws {
        var variables: [Subprocess.Environment.Key: String] = [:]
        for (name, value) in environment {
            if let key = Subprocess.Environment.Key(rawValue: name) { variables[key] = value }
        }
        let run = try await Subprocess.run(
            .path(.init(program)), arguments: Arguments(arguments), environment: .custom(variables),
            workingDirectory: .init(folder), input: .string(input), output: .string(limit: 16 << 20),
            error: .string(limit: 16 << 20))
        switch run.terminationStatus {
        case .exited(let code): self.code = code
        case .signaled(let signal): self.code = -signal
        }
        output = run.standardOutput
        complaints = run.standardError
    }
}
