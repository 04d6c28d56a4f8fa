// How a worker process is started.

import FoundationEssentials
import Glibc
import PrintModel
import Subprocess

/// The command line, environment and limits that every worker gets; nothing of a job is among them.
struct WorkerCommand: Sendable {
    /// The path of the worker's program.
    var executable: String
    /// What it may use up.
    var limits: WorkerLimits

    /// The user that it becomes when this process is root's; an error when there is none.
    var user: Result<WorkerUser?, WorkError> = .success(nil)
    /// Whether it opens no document where the kernel has no Landlock.
    var requiresLandlock = false

    /// Why it cannot be started, found out before trying; nil when it can.
    var obstacle: WorkError? {
        if case .failure(let error) = user { return error }
        if access(executable, X_OK) == 0 { return nil }
        return WorkError(
            .workerUnavailable,
            "the program that works on documents, '\(executable)', is missing or cannot be run; install printq again",
            detail: String(cString: strerror(errno)))
    }

    /// What to start: `prlimit … -- worker` in a session of its own, so that one signal reaches all of it.
    var configuration: Configuration {
        var options = PlatformOptions()
        options.createSession = true
        // It is killed outright (Worker.stop), since it has nothing to put in order.
        options.teardownSequence = []
        return Configuration(
            executable: .name("prlimit"),
            arguments: Arguments(limitArguments + ["--", executable] + workerArguments),
            environment: .custom(environment), workingDirectory: "/", platformOptions: options)
    }

    private var limitArguments: [String] {
        [
            "--as=\(limits.memoryBytes)",
            // SIGXCPU at the first number; SIGKILL at the second, for one that ignores it.
            "--cpu=\(limits.processorSeconds):\(limits.processorSeconds + 2)",
            "--fsize=\(limits.outputBytes)", "--nofile=\(limits.openFiles)", "--core=0",
        ]
    }

    private var workerArguments: [String] {
        var arguments = [
            "--page-seconds=\(limits.pageSeconds)", "--detour-seconds=\(max(limits.processorSeconds / 2, 1))",
        ]
        if case .success(let user?) = user { arguments.append("--become=\(user.user):\(user.group)") }
        if requiresLandlock { arguments.append("--require-landlock") }
        return arguments
    }

    private var environment: [Subprocess.Environment.Key: String] {
        var environment: [Subprocess.Environment.Key: String] = [
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent",
            // A crash is an answer here; the backtracer would take long and hold the pipes.
            "SWIFT_BACKTRACE": "enable=no",
            // Each heap of a thread reserves 64 MiB of address space.
            "MALLOC_ARENA_MAX": "2",
        ]
        for name in ["TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"] {
            if let value = getenv(name) {
                environment[Subprocess.Environment.Key(rawValue: name)!] = String(cString: value)
            }
        }
        return environment
    }
}
