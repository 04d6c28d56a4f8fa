// Where a test's documents lie, and the workers it has them worked on by.

import Glibc
import FoundationEssentials
import PrintModel
import PrintTestSupport
import PrintWork
import Testing

/// A folder of a test's own, gone with it.
final class Workplace: Sendable {
    let folder: String

    init() {
        folder = "/tmp/printwork-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        mkdir(folder, 0o700)
        symlink(Self.programs + "test-worker", "\(folder)/worker")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A document whose lines the test worker obeys, in a folder of its own.
    func document(_ orders: String..., in job: String = "job") throws -> InputDocument {
        mkdir("\(folder)/\(job)", 0o700)
        let path = "\(folder)/\(job)/document-1.txt"
        try orders.joined(separator: "\n").write(toFile: path, atomically: false, encoding: .utf8)
        return InputDocument(path: path)
    }

    /// A request to make a PDF beside the document.
    func preparation(_ orders: String..., in job: String = "job") throws -> PrepareRequest {
        var request = PrepareRequest(
            documents: [], imposition: Imposition(paper: PrintPaper(media: .a4)),
            output: "\(folder)/\(job)/prepared.pdf")
        request.documents = [try document(orders.joined(separator: "\n"), in: job)]
        return request
    }

    /// A program of shell lines that stands in for a worker.
    func script(_ lines: String) throws -> String {
        let path = "\(folder)/worker.sh"
        try ("#!/bin/sh\n" + lines + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o700)
        return path
    }

    /// The worker that does what documents say, under a name of this test's own, so that its processes are known.
    var worker: String { "\(folder)/worker" }

    /// A pool of such workers.
    func pool(_ limits: WorkerLimits = WorkerLimits(), warm: Int = 1, concurrent: Int = 2) -> WorkerPool {
        WorkerPool(executable: worker, limits: limits, warm: warm, concurrent: concurrent)
    }

    /// Where the programs of this build lie.
    static let programs: String = {
        let here = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return String(here.prefix(through: here.lastIndex(of: "/") ?? here.startIndex))
    }()
}

extension WorkerPool {
    /// Runs the pool while `body` uses it, and returns when nothing of it is left.
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

/// What the processes of this system tell of themselves.
enum Processes {
    /// The children of this process that run the given program, by number.
    static func children(running program: String) -> Set<pid_t> {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { pid_t($0) } ?? []
        return Set(numbers.filter { parent(of: $0) == getpid() && arguments(of: $0).contains(program) })
    }

    /// Whether there is such a process; a zombie is none.
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
