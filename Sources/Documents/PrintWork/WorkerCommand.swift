// The command that starts a worker process.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools
import WorkerProcess

/// The command line, environment and limits of all workers.
///
/// These values contain no data of a job.
struct WorkerCommand: Sendable {
    /// The path of the worker program.
    var executable: String
    /// The resource limits of the workers.
    var limits: WorkerLimits

    /// The user of the workers if this process runs as root.
    ///
    /// The value is an error if the user does not exist.
    var user: Result<WorkerUser?, WorkError> = .success(nil)
    /// The host that starts the workers as another user; nil if this process starts the workers.
    var host: ProcessHost?
    /// Whether documents are refused if the kernel does not support Landlock.
    var requiresLandlock = false
    /// Whether the process is `print-launcher`, which executes the program of a converter.
    ///
    /// In this case, the exit status determines the result.
    var executesProgram = false
    /// The line that a program in a waiting process prints before it opens the document; nil for other processes.
    ///
    /// The program reads one line from standard input, prints this line, and opens the document. Before this line, the
    /// output of the program cannot depend on the document.
    var startLine: String?
    /// The maximum time in seconds for which the process waits for a request.
    var waitSeconds = 0
    /// Additional arguments of the worker program.
    var arguments: [String] = []
    /// The program that converts the document, such as `LibreOffice`, for messages; nil for printq's own code.
    var tool: String?

    /// The reason why the worker cannot be started, determined before the start; nil if the worker can be started.
    var unavailability: WorkError? {
        if case .failure(let error) = user { return error }
        if access(executable, X_OK) == 0 { return nil }
        return WorkError(
            .workerUnavailable,
            "the document worker '\(executable)' is missing or not executable; reinstall printq",
            detail: String(cString: strerror(errno)))
    }

    /// The arguments of `prlimit`, which sets the limits and then executes the worker.
    var prlimitArguments: [String] { limitArguments + [processorLimit, "--", executable] + workerArguments }

    /// The arguments of `prlimit` for a worker program that forks workers (`WorkerTemplate`).
    ///
    /// Each worker sets its limit of processor time itself, because the template must not use up the limit.
    var templateArguments: [String] {
        limitArguments + ["--", executable, "--forks=\(limits.processorSeconds)"] + workerArguments
    }

    /// Returns the JSON of a request for the worker, and the files to send with it, which the caller closes.
    ///
    /// - Throws: `workerUnavailable` if the worker's user cannot get access to a file.
    func message(_ request: WorkerRequest) throws(WorkError) -> (line: [UInt8], files: [CInt]) {
        var (request, files) = (request.forWorker, [CInt]())
        if let host {
            let identity: ProcessHost.Identity
            do throws(LaunchError) { identity = try host.identity() } catch {
                throw WorkError(
                    .workerUnavailable,
                    "the document worker does not start; run 'systemctl status printq-worker.socket'",
                    detail: error.description)
            }
            (request, files) = try WorkerFileAccess.granted(
                request, to: WorkerIdentity(user: identity.user, group: identity.group))
        }
        guard let line = try? JSONEncoder().encode(request) else {
            for file in files { close(file) }
            throw WorkError(.workerUnavailable, "cannot encode the request as JSON")
        }
        return (Array(line) + [UInt8(ascii: "\n")], files)
    }

    private var limitArguments: [String] {
        [
            "--as=\(limits.memoryBytes)", "--fsize=\(limits.outputBytes)", "--nofile=\(limits.openFiles)", "--core=0",
        ]
    }

    /// SIGXCPU at the first limit, SIGKILL at the second for a worker that ignores SIGXCPU.
    private var processorLimit: String { "--cpu=\(limits.processorSeconds):\(limits.processorSeconds + 2)" }

    private var workerArguments: [String] {
        var arguments = [
            "--page-seconds=\(limits.pageSeconds)", "--fallback-seconds=\(max(limits.processorSeconds / 2, 1))",
        ]
        if host != nil {
            arguments.append(WorkerFileAccess.received)
        } else if case .success(let user?) = user {
            arguments.append("--become=\(user.user):\(user.group)")
        }
        if requiresLandlock { arguments.append("--require-landlock") }
        if executesProgram { arguments.append("--wall-seconds=\(limits.wallSeconds + waitSeconds)") }
        return arguments + self.arguments
    }

    /// The environment variables as `NAME=value` strings.
    var environment: [String] {
        var environment = [
            "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent",
            // A crash is a valid result. The backtracer would take a long time and keep the pipes open.
            "SWIFT_BACKTRACE=enable=no",
            // Each thread's heap reserves 64 MiB of address space.
            "MALLOC_ARENA_MAX=2",
            // Other file systems of GIO would start threads.
            "GIO_USE_VFS=local",
        ]
        for name in ["TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH"] {
            if let value = getenv(name) { environment.append("\(name)=\(String(cString: value))") }
        }
        return environment
    }
}
