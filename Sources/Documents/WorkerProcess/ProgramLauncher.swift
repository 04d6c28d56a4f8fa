// The main function of a process that executes a converter program in a sandbox.

import CSandbox
import FoundationEssentials
import Glibc
import PrintModel

/// The main function of `print-launcher`, which serves one request to convert a document with a separate program.
///
/// The launcher reads the request from standard input, enters the sandbox and sends the response `locked`. Then the
/// process executes the program:
///
/// - The sandbox is the same as for the workers. The filter of system calls also allows one `execve` call, which starts
///   the program. The program cannot start processes or execute another program.
/// - The program can read system files and the document. The program can write only to the output folder, which is also
///   the working directory, `HOME` and `TMPDIR`. The folder contains a symbolic link to the document. The name of the
///   link ends with an extension of the document type, because many programs require an extension.
/// - Standard output and standard error go to the launcher's standard error. All other file descriptors are closed.
///
/// With `--place=FOLDER`, the launcher reads no request. The launcher immediately executes Ghostscript in a sandbox for
/// the private folder `FOLDER`. Ghostscript initializes itself, and waits for a line on standard input. Then
/// Ghostscript converts the document that the spooler has copied to the folder.
///
/// The exit status of the process is the exit status of the program. Therefore the response `locked` is the last
/// response, unless the launcher cannot execute the program and sends `failed`.
package struct ProgramLauncher {
    /// The option with the time limit of the program, in seconds (`--wall-seconds=300`).
    ///
    /// After this time, a timer ends the program. The timer is a last resort. Normally the spooler enforces the limit,
    /// and the kernel kills the program if the spooler is killed (`sandbox_lock`). A program that ignores signals also
    /// ignores the timer.
    private static let wallOption = "--wall-seconds="
    /// The option with the private folder of a waiting program (`--place=/tmp/…/1`).
    private static let placeOption = "--place="
    /// The option with the page size for a waiting Ghostscript, in points (`--page-size=595x842`).
    private static let pageSizeOption = "--page-size="

    /// The option of a launcher that starts processes for a spooler of another user.
    ///
    /// Standard input is the connection to the spooler (`ProcessHost`).
    private static let hostOption = "--host"

    /// Creates a launcher, which serves one request.
    package init() {}

    /// Serves the request.
    ///
    /// The exit status is 1 if the launcher cannot execute the program.
    package func run() -> Never {
        if CommandLine.arguments.contains(Self.hostOption) { sandbox_host_processes(STDIN_FILENO) }
        let replies = ReplyChannel.takingStandardOutput()
        if let place = Self.value(of: Self.placeOption) {
            do throws(WorkError) { try executeWaiting(in: place, replies) } catch { replies.end(.failed(error)) }
        }
        guard let line = StandardInput.readLine() else { _exit(0) }  // no request was sent
        guard let request = try? JSONDecoder().decode(WorkerRequest.self, from: line) else {
            replies.end(.failed(WorkError(.workerUnavailable, "the launcher received an invalid request")))
        }
        do throws(WorkError) {
            switch request.task {
            case .probe:
                let locked = try ProcessSandbox.lock(for: .probe, arguments: CommandLine.arguments)
                replies.end(.locked(locked.protections))
            case .convert(let conversion): try execute(request.complete(conversion), replies)
            default: throw WorkError(.workerUnavailable, "the launcher received an unknown request; reinstall printq")
            }
        } catch {
            replies.end(.failed(error))
        }
    }

    private func execute(_ request: ConvertRequest, _ replies: ReplyChannel) throws(WorkError) -> Never {
        let converter = request.type.converter
        guard let program = ConverterProgram(converter, pageSize: request.layout.pageSize) else {
            throw WorkError(.workerUnavailable, "no program converts documents of type '\(request.type.name)'")
        }
        // Finds the files of the program. The arguments are made after the lock, because they depend on the document.
        let file = try ProgramFile(arguments: program.arguments, name: converter.programName)
        let link = "document.\(Self.linkExtension(for: request))"
        let null = open("/dev/null", O_RDWR)
        umask(0o077)
        ThreadLimit.apply(arguments: CommandLine.arguments)
        Self.startTimer()
        let locked = try ProcessSandbox.lock(
            for: .convert(request), arguments: CommandLine.arguments, executing: file
        ) { request throws(WorkError) in
            guard let folder = request.outputFolders.first, let document = request.inputs.first,
                chdir(folder) == 0, symlink(document, link) == 0
            else {
                throw WorkError(
                    .writeFailed, "cannot access the folder of the conversion; check the free disk space",
                    detail: String(cString: strerror(errno)))
            }
        }
        guard let hidden = locked.program, null >= 0, let output = locked.request.output,
            dup2(null, STDIN_FILENO) >= 0
        else {
            throw WorkError(.workerUnavailable, "the launcher cannot execute a program; run 'printq doctor'")
        }
        replies.send(.locked(locked.protections))

        var arguments = file.arguments
        let isEncapsulated = converter == .postScript && Self.isEncapsulated(locked.request.document.path)
        if let whole = ConverterProgram(
            converter, isEncapsulated: isEncapsulated, pageSize: request.layout.pageSize)
        {
            let inserted = file.arguments.count - program.arguments.count
            arguments =
                Array(file.arguments.prefix(max(inserted, 0) + 1))
                + whole.arguments(input: "\(output.folder)/\(link)", output: output.file ?? "").dropFirst()
        }
        let error = execute(hidden, arguments, folder: output.folder, keeping: Self.descriptors(in: locked.request))
        throw ProgramFile.unusable(
            converter.programName, "'\(file.path)' cannot be executed", detail: String(cString: strerror(error)))
    }

    /// Executes a Ghostscript that waits for a line on standard input before it opens the document.
    ///
    /// - Parameter place: The private folder of the process. The program can read the folder `in`, and write to the
    ///   folder `work`.
    private func executeWaiting(in place: String, _ replies: ReplyChannel) throws(WorkError) -> Never {
        let parts = Self.value(of: Self.pageSizeOption)?.split(separator: "x").compactMap { Double($0) } ?? []
        guard place.hasPrefix("/"), parts.count == 2 else {
            throw WorkError(.workerUnavailable, "the launcher received invalid options; reinstall printq")
        }
        let program = ConverterProgram.waitingGhostscript(pageSize: Size(width: parts[0], height: parts[1]))
        let file = try ProgramFile(arguments: program.arguments, name: program.name)
        let folder = "\(place)/work"
        umask(0o077)
        ThreadLimit.apply(arguments: CommandLine.arguments)
        Self.startTimer()
        guard chdir(folder) == 0 else {
            throw WorkError(
                .writeFailed, "cannot access the folder of the conversion; check the free disk space",
                detail: String(cString: strerror(errno)))
        }
        let locked = try ProcessSandbox.lock(
            readable: ["\(place)/in"], writable: [folder], arguments: CommandLine.arguments, executing: file)
        guard let hidden = locked.program else {
            throw WorkError(.workerUnavailable, "the launcher cannot execute a program; run 'printq doctor'")
        }
        replies.send(.locked(locked.protections))
        let arguments = program.arguments(
            input: "\(place)/\(ConverterProgram.waitingInput)", output: "\(place)/\(ConverterProgram.waitingOutput)")
        let error = execute(hidden, arguments, folder: folder, keeping: [])
        throw ProgramFile.unusable(
            program.name, "'\(file.path)' cannot be executed", detail: String(cString: strerror(error)))
    }

    /// Executes a program with a minimal environment; returns the error number of a failure.
    private func execute(
        _ program: UnsafePointer<CChar>, _ arguments: [String], folder: String, keeping descriptors: [CInt]
    ) -> CInt {
        let environment = [
            "PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=\(folder)", "TMPDIR=\(folder)", "MALLOC_ARENA_MAX=2",
        ]
        return withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                descriptors.withUnsafeBufferPointer { kept in
                    sandbox_execute(program, arguments, environment, kept.baseAddress, kept.count)
                }
            }
        }
    }

    /// Returns the file descriptors that occur in the paths of a request (`WorkerFileAccess`).
    private static func descriptors(in request: WorkerRequest) -> [CInt] {
        (request.inputs + request.outputFolders).compactMap { path in
            let parts = path.split(separator: "/")
            guard parts.starts(with: ["proc", "self", "fd"]), parts.count >= 4 else { return nil }
            return CInt(parts[3])
        }
    }

    /// Starts the timer, which the program cannot change.
    private static func startTimer() {
        if let seconds = value(of: wallOption).flatMap({ UInt32($0) }) { alarm(seconds + 1) }
    }

    /// Returns the value of a command line option; nil if the option is missing.
    private static func value(of option: String) -> String? {
        CommandLine.arguments.first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
    }

    /// Returns the file name extension for the link to the document.
    ///
    /// The document's own extension is used if it belongs to the document type. Otherwise the result is the preferred
    /// extension of the type.
    private static func linkExtension(for request: ConvertRequest) -> String {
        let name = request.document.name ?? request.document.path
        let own = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let known = request.type.extensions.filter { ending in
            !ending.isEmpty && ending.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        }
        return known.contains(own) ? own : known.first ?? "bin"
    }

    private static func isEncapsulated(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(descriptor, &bytes, bytes.count)
        return ConverterProgram.isEncapsulated(head: bytes.prefix(max(count, 0)))
    }

    private func withCStrings<R>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> R
    ) -> R {
        // The process becomes the program, so the copies are not freed.
        let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
        return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
