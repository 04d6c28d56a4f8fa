// A program that runs in our place: with our terminal, our files and our process group.

import FoundationEssentials
import Glibc

/// What a program was given by whoever started it, and hands on to one that it runs in its place: to be made at its very
/// start, before it opens files and ignores signals of its own.
public struct StartingState: Sendable {
    /// The files that were open.
    public let descriptors: Set<Int32>
    /// Of `SIGHUP`, `SIGINT`, `SIGQUIT` and `SIGTERM` those that were ignored, as `nohup` and shells have it for programs in
    /// the background.
    public let ignoredSignals: Set<Int32>

    /// What is open and ignored now.
    public init() {
        descriptors = Set(Launch.openDescriptors)
        ignoredSignals = Set([SIGHUP, SIGINT, SIGQUIT, SIGTERM].filter(Self.isIgnored))
    }

    /// A state to hand on that is not ours.
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

/// A program that runs in our place, as a shell would run it: it has our standard streams, the files that we were given, and
/// our process group, so that it may read from the terminal, and Ctrl-C and Ctrl-Z reach it.
///
///     let process = try ForegroundProcess(["lp", "letter.pdf"], environment: variables, handing: state)
///     let code = await process.untilEnded()
///
/// Nothing is blocked in its signal mask, and of signals it ignores only those that we were started with.
public final class ForegroundProcess: Sendable {
    /// The process.
    public let pid: Int32
    private let ending: ChildEnding

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: the path of the executable, or its name in `PATH`, and its arguments.
    ///   - environment: all of its environment.
    ///   - state: what we were given and it gets.
    public init(
        _ words: [String], environment: [String: String], handing state: StartingState
    ) throws(LaunchError) {
        precondition(!words.isEmpty, "a program has a name")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Launch.openDescriptors where descriptor > 2 && !state.descriptors.contains(descriptor) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        pid = try Launch.spawn(
            words[0], Array(words.dropFirst()), environment.map { "\($0.key)=\($0.value)" }, &actions,
            ignoring: state.ignoredSignals)
        ending = ChildEnding(of: pid)
    }

    /// Waits until it has ended by itself; its exit code, or minus the number of the signal that ended it.
    public func untilEnded() async -> Int32 { await ending.wait() }

    /// Passes a signal on to it and to all that it has started, waits until it has ended, and kills what is left of them:
    /// at once when it has ended, and it too when that takes longer than `patience`.
    ///
    /// A signal of the keyboard (`SIGINT`, `SIGQUIT`) has gone to all of them from the terminal, when we are in its foreground;
    /// it is not sent again.
    ///
    /// - Returns: its exit code, or minus the number of the signal that ended it.
    @discardableResult
    public func end(by signal: Int32, patience: Duration = .seconds(5)) async -> Int32 {
        if let code = ending.code { return code }
        // Halted, none of them starts another one unseen.
        ending.send(SIGSTOP)
        var started = ProcessTree(below: pid)
        while true {
            started.send(SIGSTOP)
            let all = started.joined(by: ProcessTree(below: pid))
            if all == started { break }
            started = all
        }
        if ![SIGINT, SIGQUIT].contains(signal) || !Self.isInForeground {
            ending.send(signal)
            started.send(signal)
        }
        ending.send(SIGCONT)
        started.send(SIGCONT)
        let (pid, ending, known) = (pid, ending, started)
        let code = await ending.wait(patience: patience) {
            // Known by their parent as long as it is there; and it goes first, lest it take their end for its own business.
            let all = known.joined(by: ProcessTree(below: pid))
            ending.send(SIGKILL)
            all.send(SIGKILL)
        }
        known.grown.send(SIGKILL)
        return code
    }

    /// Whether the terminal's keys signal us.
    private static var isInForeground: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
