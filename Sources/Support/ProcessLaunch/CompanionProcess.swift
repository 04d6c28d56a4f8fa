// Starts a process that ends together with the process that started it.

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A child process that exits when this process closes the standard input of the child.
///
/// The input is closed when the last reference to this object is released, or when this process ends.
///
///     let printer = try CompanionProcess(program: "/usr/bin/printsim", arguments: ["--until-eof"], log: log)
///     let ready = await printer.readLine(within: .seconds(20))
///     let code = await printer.end()
///
/// The program must exit when its standard input ends, as `printsim --until-eof` does.
public final class CompanionProcess: Sendable {
    /// The process ID.
    public let pid: Int32
    private let input: Mutex<Int32?>
    private let output: Mutex<Int32?>
    private let ending: ChildProcessExit

    /// Starts a program with only the three standard streams open.
    ///
    /// The program's standard input and standard output are connected to this process.
    ///
    /// - Parameters:
    ///   - program: The path of the executable.
    ///   - arguments: The arguments, without the program name.
    ///   - environment: Variables for the program. The variables are added to the inherited environment, and replace
    ///     inherited variables of the same name.
    ///   - log: The file to which standard error is appended.
    /// - Throws: `LaunchError` when the program cannot be started.
    public init(
        program: String, arguments: [String], environment: [String: String] = [:], log: String
    ) throws(LaunchError) {
        // Sockets instead of pipes, because close-on-exec must be set atomically and Swift does not import pipe2(2).
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard socketpair(AF_UNIX, kind, 0, &toChild) == 0 else { throw LaunchError(program, errno) }
        defer { close(toChild[0]) }
        guard socketpair(AF_UNIX, kind, 0, &fromChild) == 0 else {
            let code = errno
            close(toChild[1])
            throw LaunchError(program, code)
        }
        defer { close(fromChild[1]) }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        do throws(LaunchError) {
            pid = try Launch(
                program: program, arguments: arguments, environment: variables.map { "\($0.key)=\($0.value)" },
                input: toChild[0],
                output: fromChild[1], log: log
            ).start()
        } catch {
            close(toChild[1])
            close(fromChild[0])
            throw error
        }
        input = Mutex(toChild[1])
        output = Mutex(fromChild[0])
        ending = ChildProcessExit(of: pid)
    }

    deinit {
        Self.shut(input)
        Self.shut(output)
    }

    /// Returns the first line of standard output, and closes the output.
    ///
    /// Returns nil if the output ends without a line, or if the time limit passes.
    public func readLine(within span: Duration) async -> String? {
        let descriptor = output.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let descriptor else { return nil }
        let seconds = Double(span.components.seconds) + Double(span.components.attoseconds) / 1e18
        // Reading blocks a thread, so a dedicated thread is used.
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "first line").async {
                let line = firstLine(of: descriptor, deadline: seconds)
                close(descriptor)
                continuation.resume(returning: line)
            }
        }
    }

    /// The exit code, or the negated number of the signal that ended the process; nil while the process is running.
    public var exitCode: Int32? { ending.code }

    /// Waits until the process exits, without ending the process.
    ///
    /// - Returns: The exit code, or the negated number of the signal that ended the process.
    public func untilEnded() async -> Int32 { await ending.wait() }

    /// Closes the standard input of the process, and waits until the process exits.
    ///
    /// If the process is still running after `timeout`, the method kills the process.
    ///
    /// - Returns: The exit code, or the negated number of the signal that ended the process.
    @discardableResult
    public func end(timeout: Duration = .seconds(20)) async -> Int32 {
        Self.shut(input)
        let ending = ending
        return await ending.wait(timeout: timeout) { ending.send(SIGKILL) }
    }

    private static func shut(_ descriptor: borrowing Mutex<Int32?>) {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}
