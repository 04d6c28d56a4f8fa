// Processes fifty documents, some with workers that crash, and prints the leaked resources.
//
// The program is a separate process in which nothing else opens files or starts processes. `pool-leaks WORKER FOLDER`
// prints the number of crashed requests, the additional open files, and whether child processes are left.

import FoundationEssentials
import Glibc
import PrintModel
import PrintWork

@main
enum PoolLeaks {
    static func main() async throws {
        let (worker, folder) = (CommandLine.arguments[1], CommandLine.arguments[2])
        _ = try await WorkerPool(executable: worker).inspect(document("say first", in: "\(folder)/first"))
        let before = openFiles
        let pool = WorkerPool(executable: worker)
        async let life: Void = pool.run()
        let crashed = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                group.addTask { try await crashes(number, pool: pool, folder: folder) }
            }
            var sum = 0
            for try await one in group { sum += one }
            return sum
        }
        pool.shutdown()
        await life
        print(
            "crashes \(crashed)", "files \(openFiles - before)", "children \(waitpid(-1, nil, WNOHANG) == -1 ? 0 : 1)")
    }

    /// Processes one document; returns 1 if its worker crashed.
    private static func crashes(_ number: Int, pool: WorkerPool, folder: String) async throws -> Int {
        let order = number % 7 == 0 ? "crash" : "say \(number)"
        do {
            let summary = try await pool.inspect(document(order, in: "\(folder)/job-\(number)"))
            guard summary.notices == ["\(number)"] else { fatalError("response to another request: \(summary)") }
            return 0
        } catch let error as WorkError where error.code == .workerCrashed {
            return 1
        }
    }

    /// Creates a document with a command for the test worker.
    private static func document(_ order: String, in folder: String) throws -> InputDocument {
        mkdir(folder, 0o700)
        let path = "\(folder)/document-1.txt"
        try order.write(toFile: path, atomically: false, encoding: .utf8)
        return InputDocument(path: path)
    }

    private static var openFiles: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
