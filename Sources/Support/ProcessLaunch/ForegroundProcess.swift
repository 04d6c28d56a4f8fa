// Starts a program in the foreground, with the same terminal, files and process group.

import FoundationEssentials
import Glibc

/// The open files and ignored signals that this process has inherited and passes on to a program.
///
/// Create this value at the start of the process, before the process opens files or ignores signals itself.
public struct InheritedProcessState: Sendable {
    /// The open file descriptors.
    public let descriptors: Set<Int32>
    /// The ignored signals among `SIGHUP`, `SIGINT`, `SIGQUIT` and `SIGTERM`.
    ///
    /// `nohup` and shells start background programs with some of these signals ignored.
    public let ignoredSignals: Set<Int32>

    /// Creates the state from the current open files and ignored signals.
    public init() {
        descriptors = Set(Launch.openDescriptors)
        ignoredSignals = Set([SIGHUP, SIGINT, SIGQUIT, SIGTERM].filter(Self.isIgnored))
    }

    /// Creates a state from the given open files and ignored signals.
    package init(descriptors: Set<Int32>, ignoredSignals: Set<Int32> = []) {
        self.descriptors = descriptors
        self.ignoredSignals = ignoredSignals
    }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
    }
}

/// A program that runs in the foreground, as if started by a shell.
///
/// The program has the standard streams, the inherited files and the process group of this process. The program can
/// therefore read from the terminal, and receives the signals of Ctrl-C and Ctrl-Z.
///
///     let process = try ForegroundProcess(["lp", "letter.pdf"], environment: variables, handing: state)
///     let code = await process.untilEnded()
///
/// The program's signal mask is empty. The program ignores only the signals that were ignored when this process
/// started.
public final class ForegroundProcess: Sendable {
    /// The process ID.
    public let pid: Int32
    private let ending: ChildProcessExit

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: The path of the executable, or its name in `PATH`, followed by its arguments.
    ///   - environment: The complete environment.
    ///   - state: The inherited files and signals.
    /// - Throws: `LaunchError` when the program cannot be started.
    public init(
        _ words: [String], environment: [String: String], handing state: InheritedProcessState
    ) throws(LaunchError) {
        precondition(!words.isEmpty, "the argument list must begin with the program")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Launch.openDescriptors where descriptor > 2 && !state.descriptors.contains(descriptor) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        pid = try Launch.spawn(
            words[0], Array(words.dropFirst()), environment.map { "\($0.key)=\($0.value)" }, &actions,
            ignoring: state.ignoredSignals)
        ending = ChildProcessExit(of: pid)
    }

    /// Waits until the process exits, without ending the process.
    ///
    /// - Returns: The exit code, or the negated number of the signal that ended the process.
    public func untilEnded() async -> Int32 { await ending.wait() }

    /// Sends a signal to the process and all its descendants, and waits until the process ends.
    ///
    /// A process that is still running after `timeout` is killed. Descendants that are still running when the process
    /// has ended are killed too.
    ///
    /// If this process is in the foreground, a signal from the keyboard (`SIGINT`, `SIGQUIT`) is not sent again. The
    /// terminal has already sent the signal to all processes.
    ///
    /// - Returns: The exit code, or the negated number of the signal that ended the process.
    @discardableResult
    public func end(by signal: Int32, timeout: Duration = .seconds(5)) async -> Int32 {
        if let code = ending.code { return code }
        // Stop the processes first, so that no process can start another process unnoticed.
        ending.send(SIGSTOP)
        let started = ProcessTree().stopped(below: pid)
        if ![SIGINT, SIGQUIT].contains(signal) || !Self.isInForeground {
            ending.send(signal)
            started.send(signal)
        }
        ending.send(SIGCONT)
        started.send(SIGCONT)
        let (pid, ending) = (pid, ending)
        let code = await ending.wait(timeout: timeout) {
            // Descendants are found through their parent, so search before killing the parent. The parent is killed
            // first, so that it cannot react to the end of its children.
            ending.send(SIGSTOP)
            let all = started.stopped(below: pid)
            ending.send(SIGKILL)
            all.send(SIGKILL)
        }
        started.stopped().send(SIGKILL)
        return code
    }

    /// Whether this process receives signals from the keyboard.
    private static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
