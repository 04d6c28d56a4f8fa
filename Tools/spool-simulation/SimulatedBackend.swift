// Simulates the connection from the spooler to a printer.

import Glibc
import PrintModel

/// A simulated connection to a printer: requests and responses take time, and can be lost.
struct SimulatedBackend: PrinterBackend {
    let simulation: Simulation
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
        simulation.ledger.sawDelivery(of: request)
        return try await exchange(.create, of: request.name) { device.create(request.name) }
    }

    func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        guard let bytes = process.host.disk.read(path) else {
            throw BackendError(.documentMissing, "'\(path)' cannot be opened")
        }
        let document = String(decoding: bytes, as: UTF8.self)
        let answer = try await exchange(.send, of: device.jobName(job.id), onCut: { device.receivePart(for: job.id) }) {
            device.receive(document, for: job.id)
        }
        switch answer {
        case .taken: return
        case .unknown: throw BackendError(.refused, "\(device.name) returned client-error-not-found")
        case .notPossible: throw BackendError(.refused, "\(device.name) returned client-error-not-possible")
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

    /// Sends one request and receives the response; `effect` is the effect of the request on the printer.
    private func exchange<Answer>(
        _ step: Step, of name: String? = nil, onCut: @escaping @Sendable () -> Void = {},
        _ effect: @escaping @Sendable () -> Answer
    ) async throws(BackendError) -> Answer {
        let dice = simulation.dice
        guard process.isAlive else { throw BackendError(.unreachable, "the process is dead") }
        process.host.fuse(.request)
        // The request of a stopped host is either on the way already, or is sent when the host continues.
        if simulation.isShared, dice.chance(0.5) {
            let arrival = await onNetwork { arrive(step, of: name, isCanceled: false, onCut: onCut, effect) }
            return try await answer(arrival.get())
        }
        await simulation.loop.pause(dice.seconds(0.001...1))
        let arrival = arrive(step, of: name, isCanceled: Task.isCancelled, onCut: onCut, effect)
        return try await answer(arrival.get())
    }

    /// Runs `arrive` after a delay, even if the process is stopped in the meantime, and returns its result.
    private func onNetwork<Answer>(
        _ arrive: @escaping () -> Result<Answer, BackendError>
    ) async -> Result<Answer, BackendError> {
        nonisolated(unsafe) let arrive = arrive
        return await withCheckedContinuation { continuation in
            simulation.loop.after(simulation.dice.seconds(0.001...1)) { continuation.resume(returning: arrive()) }
        }
    }

    /// Executes a request at the printer, or loses the request or the response.
    private func arrive<Answer>(
        _ step: Step, of name: String?, isCanceled: Bool, onCut: () -> Void, _ effect: @escaping @Sendable () -> Answer
    ) -> Result<Answer, BackendError> {
        let dice = simulation.dice
        guard process.isAlive, !isCanceled else {
            // A request that was sent before the process died or the task was canceled may still arrive.
            if dice.chance(0.5) {
                simulation.note(.late, "\(step) at \(device.name)")
                simulation.loop.after(process.isAlive ? 0 : dice.seconds(0...3)) { _ = effect() }
            }
            return .failure(BackendError(.unreachable, "the request was canceled", mayHaveBeenReceived: true))
        }
        guard simulation.loop.now >= device.silentUntil else { return fault(.unreachable, "no response") }
        guard dice.chance(simulation.linkTrouble) else { return .success(effect()) }
        switch dice.number(0...6) {
        case 0: return fault(.lostRequest, "the connection was lost", mayHaveBeenReceived: true)
        case 1:
            _ = effect()
            return fault(.lostAnswer, "the response was lost", mayHaveBeenReceived: true)
        case 2:
            simulation.note(.duplicate, "\(step) at \(device.name)")
            let first = effect()
            _ = effect()
            return .success(first)
        case 3: return fault(.busy, "busy", code: .busy)
        case 4 where step != .ask && step != .cancel && dice.chance(0.3):
            if let name { simulation.ledger.blame(.refused, name: name) }
            return fault(.refused, "client-error-attributes-or-values-not-supported", code: .refused)
        case 5:
            _ = effect()
            return fault(.badAnswer, "the response is invalid", mayHaveBeenReceived: true, code: .badAnswer)
        case 6 where step == .send:
            onCut()
            return fault(.cutOff, "the connection was lost during the document", mayHaveBeenReceived: true)
        default: return fault(.unreachable, "cannot be reached")
        }
    }

    private func answer<Answer>(_ answer: Answer) async throws(BackendError) -> Answer {
        await simulation.loop.pause(simulation.dice.seconds(0.001...0.2))
        // A canceled request may have been executed.
        guard process.isAlive, !Task.isCancelled else {
            throw BackendError(.unreachable, "canceled", mayHaveBeenReceived: true)
        }
        return answer
    }

    private func fault<Answer>(
        _ happening: Happening, _ words: String, mayHaveBeenReceived: Bool = false,
        code: BackendError.Code = .unreachable
    ) -> Result<Answer, BackendError> {
        simulation.note(happening, device.name)
        return .failure(
            BackendError(code, "\(device.name): \(words)", mayHaveBeenReceived: mayHaveBeenReceived))
    }
}
