// Converts damaged copies of documents, and counts the outcomes.
//
//   document-mutations FOLDER COUNT [EXTENSION ...]
//
// FOLDER contains one document of each type (scripts/sample-documents). Each of COUNT damaged copies is prepared with the
// converters, sandboxes and limits of printd. The program fails if a preparation takes longer than its limits allow, or
// fails without a reason.

import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessLaunch
import ProcessPools

@main
enum DocumentMutations {
    static func main() async {
        let words = CommandLine.arguments
        guard words.count >= 3, let count = Int(words[2]), count > 0 else {
            print("usage: document-mutations FOLDER COUNT [EXTENSION ...]")
            exit(64)
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: words[1]))?.sorted() ?? []
        let chosen = words.dropFirst(3)
        let samples = names.filter { name in
            chosen.isEmpty || chosen.contains { name.hasSuffix(".\($0)") }
        }
        let trial = MutationTrial(limits: WorkerLimits(processorSeconds: 20, wallSeconds: 60))
        print("type      printed  refused  limit  crash  fault   slowest")
        let faults = await trial.running {
            var faults = 0
            for name in samples {
                guard let bytes = FileManager.default.contents(atPath: "\(words[1])/\(name)"), bytes.count > 16 else {
                    continue
                }
                let row = await trial.outcomes(of: name, Array(bytes), count: count)
                print(row.line)
                faults += row.faults
            }
            return faults
        }
        exit(faults == 0 ? 0 : 1)
    }
}

/// The outcomes of the damaged copies of one document.
struct MutationOutcomes: Sendable {
    var name: String
    /// The numbers of copies that were prepared, that were refused with a reason, that exceeded a limit, and whose
    /// worker crashed.
    var printed = 0, refused = 0, limited = 0, crashed = 0
    /// The number of copies that took longer than the limits allow, failed without a reason, or left files behind.
    var faults = 0
    var slowest = 0.0

    var line: String {
        func column(_ number: Int, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - "\(number)".count)) + "\(number)"
        }
        let type = String(name.split(separator: ".").last ?? "")
        return type + String(repeating: " ", count: max(0, 8 - type.count)) + column(printed, 9) + column(refused, 9)
            + column(limited, 7) + column(crashed, 7) + column(faults, 7) + "   \((slowest * 100).rounded() / 100) s"
    }
}

/// A trial that prepares damaged documents.
struct MutationTrial: Sendable {
    private let limits: WorkerLimits
    private let documents: ConvertingWorkerPool
    private let folder: String

    init(limits: WorkerLimits) {
        self.limits = limits
        folder = "/tmp/document-mutations-\(getpid())"
        var settings = ConvertingWorkerPool.Settings(
            programs: String(Programs.beside("print-worker").dropLast("/print-worker".count)))
        settings.limits = limits
        documents = ConvertingWorkerPool(settings)
    }

    /// Runs the converters while `body` uses them.
    func running(_ body: @Sendable () async -> Int) async -> Int {
        async let life: Void = documents.run()
        let result = await body()
        documents.shutdown()
        await life
        try? FileManager.default.removeItem(atPath: folder)
        return result
    }

    func outcomes(of name: String, _ bytes: [UInt8], count: Int) async -> MutationOutcomes {
        var outcomes = MutationOutcomes(name: name)
        var mutations = ByteMutations()
        for number in 1...count {
            let job = "\(folder)/\(name)-\(number)"
            try? FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
            let path = "\(job)/document-1"
            try? Data(mutations.mutated(bytes)).write(to: URL(filePath: path))
            let request = PrepareRequest(
                documents: [InputDocument(path: path, name: name)],
                imposition: Imposition(paper: PrintPaper(media: .a4, margins: .all(.millimeters(4)))),
                output: "\(job)/prepared.pdf")
            let start = ContinuousClock.now
            var words = ""
            do throws(WorkError) {
                _ = try await documents.prepare(request) { _ in }
                outcomes.printed += 1
            } catch {
                words = error.message
                switch error.code {
                case .workerCrashed: outcomes.crashed += 1
                case .processorTimeExceeded, .pageTimeExceeded, .timeExceeded, .memoryExceeded, .outputTooLarge:
                    outcomes.limited += 1
                default: outcomes.refused += 1
                }
                if error.message.isEmpty { outcomes.faults += 1 }
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            outcomes.slowest = max(outcomes.slowest, seconds)
            // A document is identified, converted and laid out, each within the limit.
            if seconds > Double(3 * limits.wallSeconds) { outcomes.faults += 1 }
            let left = (try? FileManager.default.contentsOfDirectory(atPath: job)) ?? []
            let unexpected = left.filter { $0.contains(".partial") }
            if !unexpected.isEmpty {
                outcomes.faults += 1
                print("\(name) \(number) left \(unexpected) behind: \(words)")
            }
            try? FileManager.default.removeItem(atPath: job)
        }
        return outcomes
    }
}
