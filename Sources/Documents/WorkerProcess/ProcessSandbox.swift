// Puts the worker process into a sandbox for one request.

import CSandbox
import Glibc
package import PrintModel

/// The sandbox that restricts a process to the files of its request.
package enum ProcessSandbox {
    /// The system files that a worker can require to process documents: libraries, fonts, character sets, color
    /// profiles and time zones.
    ///
    /// The list contains only public files of `/etc`, because `/etc` also contains secrets of other programs.
    private static let readable = [
        "/usr", "/lib", "/lib32", "/lib64",
        "/etc/fonts", "/etc/ld.so.cache", "/etc/localtime", "/etc/locale.alias", "/etc/magic", "/etc/papersize",
        "/etc/alternatives", "/var/cache/fontconfig", "/etc/ghostscript", "/var/lib/ghostscript",
        "/dev/zero", "/dev/random", "/dev/urandom", "/proc/self", "/sys/devices/system/cpu",
    ]

    /// A sandboxed worker, with its protections and the request.
    ///
    /// Inside the sandbox, the process can open the paths that the request contains.
    struct Locked {
        var protections: WorkerProtections
        var request: WorkerRequest
        /// A pointer to the path of the program that the process can execute; nil without a program.
        ///
        /// The system call filter accepts only this pointer, whose value is secret.
        var program: UnsafePointer<CChar>?
    }

    /// Enters the sandbox permanently.
    ///
    /// Libraries write temporary files to the output folder of the request, because no other folder is writable. A
    /// process that runs as root changes to the user of `--become=USER:GROUP`. With `--require-landlock`, a kernel
    /// without Landlock is an error.
    ///
    /// - Parameters:
    ///   - request: The request with the paths that the process can use.
    ///   - arguments: The command line.
    ///   - program: The program that the process executes afterwards; nil for no program.
    ///   - prepare: A function that runs before the sandbox is active, with the final paths of the request.
    static func lock(
        for request: WorkerRequest, arguments: [String], executing program: ProgramFile? = nil,
        prepare: (WorkerRequest) throws(WorkError) -> Void = { _ throws(WorkError) in }
    ) throws(WorkError) -> Locked {
        let identity = try identity(arguments)
        var request = request
        if geteuid() == 0, let identity { request = try WorkerFileAccess.request(request, to: identity) }
        try prepare(request)
        if let folder = request.outputFolders.first { setenv("TMPDIR", folder, 1) }
        let hidden = program.flatMap { sandbox_hide($0.path) }
        let protections = try lock(
            readable: request.inputs, writable: request.outputFolders, as: identity, program: hidden,
            executable: program?.files ?? [])
        if request != .probe { try requireFiles(protections, arguments: arguments) }
        return Locked(protections: protections, request: request, program: hidden)
    }

    /// Enters the sandbox permanently, before the process receives a request.
    ///
    /// A process that runs as root changes to the user of `--become=USER:GROUP`. With `--require-landlock`, a kernel
    /// without Landlock is an error.
    ///
    /// - Parameters:
    ///   - readable: The files and folders that the process can read, in addition to libraries and fonts.
    ///   - writable: The folders in which the process can create files.
    ///   - arguments: The command line of the process.
    ///   - hasDatabase: Whether the process can use an SQLite database.
    package static func lock(
        readable: [String], writable: [String], arguments: [String], hasDatabase: Bool = false
    ) throws(WorkError) -> WorkerProtections {
        let protections = try lock(
            readable: readable, writable: writable, as: identity(arguments), hasDatabase: hasDatabase)
        try requireFiles(protections, arguments: arguments)
        return protections
    }

    /// Enters the sandbox permanently, before the process executes a program that waits for a document.
    ///
    /// - Returns: The protections, and a pointer to the path of the program, as in `Locked`.
    static func lock(
        readable: [String], writable: [String], arguments: [String], executing program: ProgramFile
    ) throws(WorkError) -> (protections: WorkerProtections, program: UnsafePointer<CChar>?) {
        let hidden = sandbox_hide(program.path)
        let protections = try lock(
            readable: readable, writable: writable, as: identity(arguments), program: hidden,
            executable: program.files)
        try requireFiles(protections, arguments: arguments)
        return (protections, hidden)
    }

    /// Returns the user and group of the option `--become`; nil if the option is missing.
    ///
    /// - Throws: `workerUnavailable` if the process runs as root, and the option is missing, is invalid, or specifies
    ///   root.
    private static func identity(_ arguments: [String]) throws(WorkError) -> WorkerIdentity? {
        let identity = WorkerIdentity(arguments: arguments)
        guard geteuid() == 0 else { return identity }
        guard let identity, identity.user != 0, identity.group != 0 else {
            throw WorkError(
                .workerUnavailable,
                "a worker must not run as root; set worker.user in printd.json5 to an unprivileged user")
        }
        return identity
    }

    private static func requireFiles(_ protections: WorkerProtections, arguments: [String]) throws(WorkError) {
        guard !protections.files, arguments.contains("--require-landlock") else { return }
        throw WorkError(
            .sandboxIncomplete,
            "this kernel has no Landlock, so a document could read other files; boot a kernel with Landlock, "
                + "or set worker.requireLandlock to false in printd.json5 and restart printd")
    }

    private static func lock(
        readable: [String], writable: [String], as identity: WorkerIdentity?,
        program: UnsafePointer<CChar>? = nil, executable: [String] = [], hasDatabase: Bool = false
    ) throws(WorkError) -> WorkerProtections {
        sandbox_watch_memory()
        var report = sandbox_report()
        let error = withCStrings(Self.readable + readable) { readable in
            withCStrings(writable + ["/dev/null"]) { writable in
                withCStrings(executable) { executable in
                    var rules = sandbox_rules()
                    (rules.readable, rules.readable_count) = (readable.baseAddress, readable.count)
                    (rules.writable, rules.writable_count) = (writable.baseAddress, writable.count)
                    (rules.executable, rules.executable_count) = (executable.baseAddress, executable.count)
                    rules.program = program
                    rules.has_database = hasDatabase ? 1 : 0
                    (rules.user, rules.group) = (identity?.user ?? 0, identity?.group ?? 0)
                    rules.is_flat = CommandLine.arguments.contains(WorkerFileAccess.received) ? 1 : 0
                    return sandbox_lock(&rules, &report)
                }
            }
        }
        guard error == 0 else {
            let step = report.failed.map { String(cString: $0) } ?? "a system call"
            throw WorkError(
                .workerUnavailable,
                "the worker could not enter its sandbox and opened no document; run 'printq doctor'",
                detail: "\(step): \(String(cString: strerror(error)))")
        }
        return WorkerProtections(systemCalls: report.seccomp != 0, landlockVersion: Int(report.landlock_abi))
    }

    private static func withCStrings<R>(
        _ strings: [String], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> R
    ) -> R {
        let copies = strings.map { UnsafePointer<CChar>(strdup($0)) }
        defer { for copy in copies { free(UnsafeMutablePointer(mutating: copy)) } }
        return copies.withUnsafeBufferPointer(body)
    }
}
