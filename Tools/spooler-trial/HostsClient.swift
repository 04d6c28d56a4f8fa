// Submits jobs in a trial with several hosts.

import Foundation
import IPP
import IPPClient
import PrintModel
import SpoolerTrials
import Synchronization

/// A client that submits each job at a random host, and repeats the submission at other hosts until the job is
/// accepted.
struct HostsClient {
    private let number: Int
    private let world: HostsWorld
    private var random: SeededRandom
    private var submissions = 0

    /// The maximum time until a job is accepted.
    private static let timeout = Duration.seconds(120)

    init(_ number: Int, in world: HostsWorld, random: SeededRandom) {
        (self.number, self.world, self.random) = (number, world, random)
    }

    /// Submits jobs until the clients must pause.
    mutating func submitJobs() async {
        while !world.clientsPause.load(ordering: .relaxed) {
            await submit()
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...700, using: &random)))  // the load of the trial
        }
    }

    /// Submits one job until it is accepted, and sometimes repeats the submission after that.
    mutating func submit() async {
        submissions += 1
        let name = "c\(number)-\(submissions)"
        let documents = [world.documents.large, world.documents.long, world.documents.middle, world.documents.small]
        let document = documents[min(3, Int.random(in: 0..<12, using: &random))]
        let printer = HostsWorld.printerName(Int.random(in: 0..<HostsWorld.printerCount, using: &random))
        let end = ContinuousClock.now + Self.timeout
        var repetitions = Int.random(in: 0..<8, using: &random) == 0 ? 1 : 0
        while true {
            let host = world.hosts[Int.random(in: 0..<HostsWorld.hostCount, using: &random)]
            if let failure = await submit(name, document, printer, at: host) {
                guard ContinuousClock.now < end else {
                    return world.record { $0.problems.append("\(name) was not accepted in time: \(failure)") }
                }
                // Clients get no notification when the database is available again.
                try? await Task.sleep(for: .milliseconds(Int.random(in: 20...200, using: &random)))
            } else if repetitions > 0 {
                repetitions -= 1
                world.record { $0.count("submissions repeated after their answer") }
            } else {
                return
            }
        }
    }

    /// Submits the job once, and returns the reason if it was not accepted.
    private func submit(_ name: String, _ document: [UInt8], _ printer: String, at host: TrialHost) async -> String? {
        let client = TrialClient(host.spooler.client(answerLimit: 5), user: "client\(number)")
        let attributes = [
            Attribute("job-name", .name(name)), Attribute("printq-submission-id", .name(name)),
            Attribute("document-format", .mimeMediaType("application/pdf")),
        ]
        let result: Result<Message, IPPClientError>
        do throws(IPPClientError) {
            result = .success(
                try await client.send(.printJob, printer: printer, attributes: attributes, document: document))
        } catch {
            result = .failure(error)
        }
        await client.close()
        switch result {
        case .success(let answer): return take(answer, name)
        case .failure(let error):
            world.record { $0.count(error.mayHaveBeenReceived ? "lost answers" : "refused connections") }
            return "\(host.name): \(error)"
        }
    }

    /// Records a response, and returns the reason if the job was not accepted.
    private func take(_ answer: Message, _ name: String) -> String? {
        if answer.status.isSuccess, let id = answer[.job]?.integer("job-id").map(Int.init) {
            world.record { $0.acknowledged[name, default: []].insert(id) }
            return nil
        }
        let words = answer[.operation]?.string("status-message") ?? ""
        let text = "\(answer.status) '\(words)'"
        world.record { journal in
            journal.count("refused submissions")
            let isExplained = Self.temporary.contains(answer.status) && !words.isEmpty
            if !isExplained { journal.problems.append("\(name) was refused without a temporary error: \(text)") }
        }
        return text
    }

    private static let temporary: Set<Status> = [
        .serverErrorTemporaryError, .serverErrorServiceUnavailable, .serverErrorBusy,
    ]
}
