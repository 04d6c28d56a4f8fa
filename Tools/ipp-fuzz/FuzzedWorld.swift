// Sends fuzzed requests to new simulated printers.

import FoundationEssentials
import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer

/// The error for a failed check.
struct Wrong: Error, CustomStringConvertible {
    var description: String
}

/// A test world: newly started printers, and the requests for them.
struct FuzzedWorld {
    private let control: SimulatorControl
    private let number: UInt64
    private var maker: RequestMaker
    private var summary = Summary()

    private static let printers = [
        """
        { name: 'laser', makeAndModel: 'Laser', media: ['A4', 'Letter'], color: true,
          sides: ['one-sided', 'two-sided-long-edge'], formats: ['application/pdf', 'image/jpeg', 'image/urf'],
          trays: [{ name: 'tray-1' }, { name: 'tray-2', capacity: 10, loaded: 10 }],
          supplies: [{ name: 'Black toner', color: 'black', yield: 1000, level: 50 }] }
        """,
        """
        { name: 'roll', makeAndModel: 'Roll', media: ['4x6in'], cutter: true, kind: 'roll',
          customMedia: { width: [20, 101.6], height: [20, 2000], margins: 0 },
          trays: [{ name: 'main', roll: 101.6 }] }
        """,
    ]

    /// Runs a world.
    ///
    /// - Throws: `Wrong` at the first failed check.
    static func run(_ number: UInt64, requests: Int) async throws -> Summary {
        let folder = try TemporaryFolder()
        let log = SimulatorLog(startingAt: 0)
        let environment = SimulatorEnvironment(
            worker: ScriptedWorker(pages: 2), clock: TestClock(), now: { 1_700_000_000 }, note: { log.append($0) })
        let descriptions = try printers.map {
            try SimulatedPrinterDescription(json5: Data($0.utf8), file: "fuzz.json5")
        }
        let open = try await OpenPrinters(descriptions, output: folder.path("output"), in: environment)
        let service = SimulatorService(open.printers, in: environment)
        let operations = PrinterOperations(
            service, events: log, numbersJobsGlobally: false, isOpen: true, clock: { 1_700_000_000 })
        var world = FuzzedWorld(
            control: SimulatorControl(FaultyAnswers(operations, service: service), service: service), number: number,
            maker: try RequestMaker(seed: number))
        let running = Task { await service.run() }
        defer { running.cancel() }
        for request in 0..<requests {
            LastWords.note(world: number, request: request)
            try await world.put(request)
        }
        try await world.expectPrinting(service.devices[0])
        LastWords.rest()
        running.cancel()
        await running.value
        return world.summary
    }

    /// Sends the next request to the decoder and, if it can be decoded, to the printers.
    private mutating func put(_ index: Int) async throws {
        let bytes = maker.next()
        let document = maker.document()
        let isRead = decodesAlike(bytes)
        guard case .success(let message) = isRead else {
            if case .failure(let wrong) = isRead { throw Wrong(description: "request \(index): \(wrong): \(bytes)") }
            summary.refused += 1
            return
        }
        guard let message else {
            summary.refused += 1
            return
        }
        let request = IPPRequest(
            message: message, document: DocumentStream(bytes: document), peer: .tcp(address: "127.0.0.1", port: 1))
        // Operations that wait for an event must return at once, because there are no other events here.
        request.disconnection.give()
        let answer = try await control.answer(to: request).whole()
        if let fault = AnswerCheck(request: message, answer: answer).fault {
            throw Wrong(description: "request \(index): \(fault): \(bytes) got the response \(answer)")
        }
        summary.answered += 1
        summary.statuses[answer.status.description, default: 0] += 1
        if answer.status.isSuccess { summary.carriedOut += 1 }
    }

    /// Decodes the bytes at once and in pieces; returns nil if the decoder rejects them.
    private mutating func decodesAlike(_ bytes: [UInt8]) -> Result<Message?, Wrong> {
        let whole = try? Message.decode(bytes)
        var decoder = MessageDecoder()
        var inPieces: Message?
        var place = 0
        while place < bytes.count, inPieces == nil {
            let piece = bytes[place..<min(bytes.count, place + maker.pieceLength())]
            place = piece.endIndex
            do { inPieces = try decoder.feed(piece)?.message } catch { break }
        }
        guard whole?.message == inPieces else {
            return .failure(Wrong(description: "the result of decoding in pieces is \(String(describing: inPieces))"))
        }
        guard let (message, length) = whole else { return .success(nil) }
        guard let again = try? message.encoded(), again[...] == bytes[..<length] else {
            return .failure(Wrong(description: "it differs after decoding and encoding"))
        }
        return .success(message)
    }

    /// Checks that the printers still print a valid job after all requests.
    private mutating func expectPrinting(_ printer: SimulatedPrinter) async throws {
        for operation in [IPP.Operation.enablePrinter, .resumePrinter] {
            let answer = await control.respond(to: honest(operation))
            guard answer.status.isSuccess else { throw Wrong(description: "\(operation): \(answer)") }
        }
        let events = await printer.events()
        var request = honest(.printJob)
        request.document = DocumentStream(bytes: Array("%PDF-1.4 …".utf8))
        let answer = await control.respond(to: request)
        guard let id = answer[.job]?.integer("job-id").map(Int.init) else {
            throw Wrong(description: "Print-Job at the end: \(answer)")
        }
        if await printer.job(id)?.state.isTerminal != true {
            for await event in events where event == .jobChanged(id) {
                if await printer.job(id)?.state.isTerminal == true { break }
            }
        }
        let state = await printer.job(id)?.state
        guard state == .completed else {
            throw Wrong(description: "the job at the end is \(String(describing: state))")
        }
    }

    private func honest(_ operation: IPP.Operation) -> IPPRequest {
        IPPRequest(
            message: RequestMaker.honest(operation, at: "ipp://localhost/ipp/print/laser"),
            peer: .tcp(address: "127.0.0.1", port: 1))
    }
}
