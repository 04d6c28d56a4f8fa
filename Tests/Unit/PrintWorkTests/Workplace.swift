// The documents and workers of a test.

import Glibc
import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Testing

/// A temporary folder for a test, deleted with the last reference.
final class Workplace: Sendable {
    let folder: String

    init() {
        folder = "/tmp/printwork-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        mkdir(folder, 0o700)
        symlink(BuiltPrograms.folder + "test-worker", "\(folder)/worker")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Writes a document in a separate folder.
    ///
    /// The test worker executes each line of the document as a command.
    func document(_ orders: String..., in job: String = "job") throws -> InputDocument {
        mkdir("\(folder)/\(job)", 0o700)
        let path = "\(folder)/\(job)/document-1.txt"
        try orders.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        return InputDocument(path: path)
    }

    /// Creates a request for a PDF beside the document.
    func preparation(_ orders: String..., in job: String = "job") throws -> PrepareRequest {
        var request = PrepareRequest(
            documents: [], imposition: Imposition(paper: PrintPaper(media: .a4)),
            output: "\(folder)/\(job)/prepared.pdf")
        request.documents = [try document(orders.joined(separator: "\n"), in: job)]
        return request
    }

    /// Writes a shell script that is used as a worker.
    func script(_ lines: String) throws -> String {
        let path = "\(folder)/worker.sh"
        try ("#!/bin/sh\n" + lines + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o700)
        return path
    }

    /// The test worker under a unique name, so that the test can find the worker's processes.
    var worker: String { "\(folder)/worker" }

    /// Creates a pool of test workers.
    func pool(_ limits: WorkerLimits = WorkerLimits(), isWarm: Bool = true, concurrent: Int = 2) -> WorkerPool {
        WorkerPool(executable: worker, limits: limits, isWarm: isWarm, concurrent: concurrent)
    }
}

/// A pool that keeps processes waiting while its `run()` is active.
protocol RunnablePool: Sendable {
    func run() async
    func shutdown()
}

extension WorkerPool: RunnablePool {}
extension OfficePool: RunnablePool {}

extension RunnablePool {
    /// Runs the pool while `body` uses the pool.
    ///
    /// The function returns when all processes of the pool have ended.
    func running<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        async let life: Void = run()
        do {
            let result = try await body()
            shutdown()
            await life
            return result
        } catch {
            shutdown()
            await life
            throw error
        }
    }
}

/// Information about the processes of this system.
enum Processes {
    /// Returns the process IDs of this process's children that run a program.
    static func children(running program: String) -> Set<pid_t> {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return Set(numbers.filter { parent(of: $0) == getpid() && arguments(of: $0).contains(program) })
    }

    /// Returns the process IDs of this process's children that run a program with a folder in its arguments.
    static func children(running program: String, in folder: String) -> Set<pid_t> {
        children(running: program).filter { process in arguments(of: process).contains { $0.contains(folder) } }
    }

    /// Returns whether a process exists.
    ///
    /// A zombie does not count.
    static func isAlive(_ process: pid_t) -> Bool {
        guard let status = status(of: process) else { return false }
        return !status.contains("State:\tZ")
    }

    private static func status(of process: pid_t) -> String? {
        let status = text(of: "/proc/\(process)/status")
        return status.isEmpty ? nil : status
    }

    private static func arguments(of process: pid_t) -> [String] {
        text(of: "/proc/\(process)/cmdline").split(separator: "\0").map(String.init)
    }

    private static func parent(of process: pid_t) -> pid_t? {
        guard let line = status(of: process)?.split(separator: "\n").first(where: { $0.hasPrefix("PPid:") }) else {
            return nil
        }
        return pid_t(line.dropFirst(6))
    }
}
