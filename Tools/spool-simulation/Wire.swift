// The way from a spooler's process to a printer of its world.

import Glibc
import PrintModel

/// The way from a spooler's process to a printer: requests and answers take time, and can go astray.
struct Wire: PrinterBackend {
    let world: World
    let process: SpoolerProcess
    let device: Device

    private enum Step { case ask, create, send, cancel }

    func capabilities() async throws(BackendError) -> PrinterCapabilities {
        _ = try await exchange(.ask) {}
        return PrinterCapabilities(
            makeAndModel: "Simulated", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
    }

    func status() async throws(BackendError) -> PrinterStatus { try await exchange(.ask) { device.status } }

    func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        world.ledger.sawDelivery(of: request)
        return try await exchange(.create, of: request.name) { device.create(request.name) }
    }

    func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        guard let bytes = world.disk.read(path) else {
            throw BackendError(.documentMissing, "'\(path)' cannot be read")
        }
        let document = String(decoding: bytes, as: UTF8.self)
        let answer = try await exchange(.send, of: device.jobName(job.id), onCut: { device.receivePart(for: job.id) }) {
            device.receive(document, for: job.id)
        }
        switch answer {
        case .taken: return
        case .unknown: throw BackendError(.refused, "\(device.name) answers client-error-not-found")
        case .notPossible: throw BackendError(.refused, "\(device.name) answers client-error-not-possible")
        }
    }

    func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        let found = try await exchange(.ask) { device.status(job.id) }
        guard let found, job.uuid == nil || found.uuid == job.uuid else { return nil }
        return found.status
    }

    func cancelJob(_ job: RemoteJob) async throws(BackendError) {
        try await exchange(.cancel) { device.cancel(job.id) }
    }

    /// One request and its answer; `effect` is what it does at the printer.
    private func exchange<Answer>(
        _ step: Step, of name: String? = nil, onCut: @escaping @Sendable () -> Void = {},
        _ effect: @escaping @Sendable () -> Answer
    ) async throws(BackendError) -> Answer {
        let dice = world.dice
        guard process.isAlive else { throw BackendError(.unreachable, "the process is dead") }
        world.fuse(.request)
        await world.loop.pause(dice.seconds(0.001...1))
        guard process.isAlive, !Task.isCancelled else {
            // What was on the wire when the process died, or thought better of it, may arrive all the same.
            if dice.chance(0.5) {
                world.note(.late, "\(step) at \(device.name)")
                world.loop.after(process.isAlive ? 0 : dice.seconds(0...3)) { _ = effect() }
            }
            throw BackendError(.unreachable, "nobody waits for the answer", mayHaveBeenReceived: true)
        }
        guard world.loop.now >= device.silentUntil else { throw fault(.unreachable, "no answer") }
        guard dice.chance(world.linkTrouble) else { return try await answer(effect()) }
        switch dice.number(0...6) {
        case 0: throw fault(.lostRequest, "the connection was lost", mayHaveBeenReceived: true)
        case 1:
            _ = effect()
            throw fault(.lostAnswer, "the answer was lost", mayHaveBeenReceived: true)
        case 2:
            world.note(.duplicate, "\(step) at \(device.name)")
            let first = effect()
            _ = effect()
            return try await answer(first)
        case 3: throw fault(.busy, "busy", code: .busy)
        case 4 where step != .ask && step != .cancel && dice.chance(0.3):
            if let name { world.ledger.blame(.refused, name: name) }
            throw fault(.refused, "client-error-attributes-or-values-not-supported", code: .refused)
        case 5:
            _ = effect()
            throw fault(.badAnswer, "what it answers makes no sense", mayHaveBeenReceived: true, code: .badAnswer)
        case 6 where step == .send:
            onCut()
            throw fault(.cutOff, "the connection was lost in the middle", mayHaveBeenReceived: true)
        default: throw fault(.unreachable, "cannot be reached")
        }
    }

    private func answer<Answer>(_ answer: Answer) async throws(BackendError) -> Answer {
        await world.loop.pause(world.dice.seconds(0.001...0.2))
        // Whoever stopped listening does not know whether it was done.
        guard process.isAlive, !Task.isCancelled else {
            throw BackendError(.unreachable, "cancelled", mayHaveBeenReceived: true)
        }
        return answer
    }

    private func fault(
        _ happening: Happening, _ words: String, mayHaveBeenReceived: Bool = false,
        code: BackendError.Code = .unreachable
    ) -> BackendError {
        world.note(happening, device.name)
        return BackendError(code, "\(device.name): \(words)", mayHaveBeenReceived: mayHaveBeenReceived)
    }
}
