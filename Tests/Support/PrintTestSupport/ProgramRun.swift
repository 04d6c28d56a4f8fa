// Running programs to their end.

import FoundationEssentials
import Subprocess

/// What a run of a program left behind.
///
/// Not Foundation's `Process`: it watches its children with select(2), which knows no file above number 1023, and many tests
/// at once have more open.
public struct ProgramRun: Sendable {
    /// The exit code; minus the signal's number when a signal ended it.
    public var code: Int32
    /// What it wrote to standard output.
    public var output: String
    /// What it wrote to standard error.
    public var complaints: String

    /// Runs a program with just this environment, and waits for its end.
    ///
    /// - Parameters:
    ///   - program: its path.
    ///   - folder: where it runs.
    ///   - input: what it reads from standard input.
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
