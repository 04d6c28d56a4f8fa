// A process that ends with its starter.

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization

/// A process that knows by its standard input when it is no longer wanted: that ends with the last reference to this, and
/// with this process, however it ends.
///
///     let printer = try CompanionProcess(program: "/usr/bin/printsim", arguments: ["--until-eof"], log: log)
///     let ready = await printer.readLine(within: .seconds(20))
///     let code = await printer.end()
///
/// The program has to end when its standard input does, as `printsim --until-eof` does.
public final class CompanionProcess: Sendable {
    /// The process.
    public let pid: Int32
    private let input: Mutex<Int32?>
    private let output: Mutex<Int32?>
    private let ending: ChildEnding

    /// Starts a program with nothing of ours open but its standard input and output, which are pipes to here.
    ///
    /// - Parameters:
    ///   - program: the path of the executable.
    ///   - arguments: its arguments, without its name.
    ///   - environment: what is added to our environment for it, or replaces what is there.
    ///   - log: the file that its standard error is appended to.
    public init(
        program: String, arguments: [String], environment: [String: String] = [:], log: String
    ) throws(LaunchError) {
        // Sockets, for what others start at this moment must not hold them open, and Swift knows no pipe2(2).
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
        ending = ChildEnding(of: pid)
    }

    deinit {
        Self.shut(input)
        Self.shut(output)
    }

    /// The first line of its standard output, which is closed then; nil when it ends without one, or the time is over.
    public func readLine(within span: Duration) async -> String? {
        let descriptor = output.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let descriptor else { return nil }
        let seconds = Double(span.components.seconds) + Double(span.components.attoseconds) / 1e18
        // Reading blocks a thread; it has one of its own.
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "first line").async {
                let line = firstLine(of: descriptor, deadline: seconds)
                close(descriptor)
                continuation.resume(returning: line)
            }
        }
    }

    /// Its exit code, or minus the number of the signal that ended it; nil while it runs.
    public var exitCode: Int32? { ending.code }

    /// Waits until it has ended by itself; its exit code, or minus the number of the signal that ended it.
    public func untilEnded() async -> Int32 { await ending.wait() }

    /// Ends it: closes its standard input and waits; one that has not ended after `patience` is killed.
    ///
    /// - Returns: its exit code, or minus the number of the signal that ended it.
    @discardableResult
    public func end(patience: Duration = .seconds(20)) async -> Int32 {
        Self.shut(input)
        let ending = ending
        return await ending.wait(patience: patience) { ending.send(SIGKILL) }
    }

    private static func shut(_ descriptor: borrowing Mutex<Int32?>) {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}
