// Defines the moments at which programs are killed.

import Foundation
import PrintModel
import PrintTestSupport
import SpoolerTrials

/// A moment at which programs are killed.
enum Moment {
    /// The moment after a number of milliseconds.
    case delay(Int)
    /// The moment after a number of acknowledged submissions.
    case acknowledged(Int)
    /// A moment when a job has this reason.
    case reason(String)
    /// A moment while the spool receives a document.
    case arriving
    /// A moment while a document is sent to a printer.
    case delivering
    /// A moment while a printer reads or prints a document.
    case printing

    static func random(using random: inout SeededRandom) -> Moment {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: .delay(Int.random(in: 0...200, using: &random))
        case 2: .acknowledged(Int.random(in: 1...4, using: &random))
        case 3: .reason("job-transforming")
        case 4: .reason("job-outgoing")
        case 5: .reason("job-printing")
        case 6: .arriving
        case 7: .delivering
        default: .printing
        }
    }

    var name: String {
        switch self {
        case .delay: "random"
        case .acknowledged: "after acknowledgements"
        case .reason(let reason): reason
        case .arriving: "document arrives"
        case .delivering: "document goes to the printer"
        case .printing: "printer prints"
        }
    }

    /// Waits for the moment; returns false if it does not occur in time.
    func comes(in world: CrashTrial.World, within limit: Duration) async throws -> Bool {
        if case .delay(let milliseconds) = self {
            try await Task.sleep(for: .milliseconds(milliseconds))  // a random moment
            return true
        }
        let before = world.written.acceptances.count
        let client = TrialClient(world.spooler.client())
        do {
            // Most of these moments last for milliseconds, and half of them cause no notification.
            try await eventually(name, within: limit, every: .milliseconds(1)) {
                try await isNow(in: world, acceptedBefore: before, client: client)
            }
        } catch is NeverSo {
            await client.close()
            return false
        }
        await client.close()
        return true
    }

    private func isNow(in world: CrashTrial.World, acceptedBefore before: Int, client: TrialClient) async throws -> Bool
    {
        func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: "\(world.spooler.spool)/\(folder)")) ?? []
        }
        switch self {
        case .delay: return true
        case .acknowledged(let count): return world.written.acceptances.count >= before + count
        case .reason(let reason):
            return try await client.jobs(.notCompleted).contains { $0.reasons.contains(reason) }
        case .arriving: return !names("incoming").isEmpty
        case .delivering: return CrashTrial.printers.contains { !names("output/\($0)/incoming").isEmpty }
        case .printing:
            return CrashTrial.printers.contains { printer in
                let folders = names("output/\(printer)").filter { $0.hasPrefix("job-") }.sorted().suffix(2)
                return folders.contains { names("output/\(printer)/\($0)").contains("unprinted") }
            }
        }
    }
}
