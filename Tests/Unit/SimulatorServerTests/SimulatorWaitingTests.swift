import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Synchronization
import Testing

/// Tests of timeouts: jobs without documents, idle printers, locked folders.
struct SimulatorWaitingTests {
    @Test func `if a job has no document after five minutes, the simulated printer aborts the job`() async throws {
        let clock = TestClock()
        let time = Mutex(1_700_000_000.0)
        try await TestPrinters.serving(clock: clock, now: { time.withLock { $0 } }) { printers in
            _ = try await printers.ask(.createJob)
            await clock.sleepers(1)
            time.withLock { $0 += 299 }
            clock.advance(by: .seconds(10))
            await clock.sleepers(1)
            #expect(try await printers.job(1) { _ in true }.isIncoming)
            time.withLock { $0 += 1 }
            clock.advance(by: .seconds(10))
            let job = try await printers.job(1)
            #expect(job.state == .aborted)
            #expect(job.reasons == [.multipleOperationTimeOut, .abortedBySystem])
            let late = try await printers.ask(
                .sendDocument, job: 1, [Attribute("last-document", .boolean(true))], document: TestPrinters.pdf)
            #expect(late.status == .clientErrorNotPossible)
        }
    }

    @Test func `printsim's idle detector reports idleness only after the idle time passes without requests or jobs`()
        async throws
    {
        struct Echo: IPPResponder {
            func answer(to request: IPPRequest) async -> IPPAnswer { IPPAnswer(request.message) }
        }
        let clock = TestClock()
        let busy = Mutex(true)
        let watch = IdleDetector(Echo(), clock: clock)
        let idle = Task { await watch.untilIdle(for: .seconds(100)) { busy.withLock { $0 } } }
        func rounds(_ count: Int) async {
            for _ in 0..<count {
                await clock.sleepers(1)
                clock.advance(by: .seconds(10))
            }
        }
        await rounds(20)
        await clock.sleepers(1)
        busy.withLock { $0 = false }
        await rounds(9)
        await clock.sleepers(1)  // nine quiet intervals are too few
        let request = Message(operation: .getJobs, requestID: 1)
        _ = await watch.respond(to: IPPRequest(message: request, peer: .tcp(address: "::1", port: 1)))
        await rounds(1)
        await rounds(9)
        await clock.sleepers(1)
        await rounds(1)
        await idle.value
        #expect(clock.now.offset == .seconds(400))
    }

    @Test
    func `after a 'leave' command, printsim exits when all jobs have ended, unless another process has sent a request`()
        async throws
    {
        struct Echo: IPPResponder {
            func answer(to request: IPPRequest) async -> IPPAnswer { IPPAnswer(request.message) }
        }
        let clock = TestClock()
        let busy = Mutex(true)
        let watch = IdleDetector(Echo(), clock: clock)
        let gone = Mutex(false)
        let leaving = Task {
            await watch.untilReleased { busy.withLock { $0 } }
            gone.withLock { $0 = true }
        }
        func ask(_ operation: IPP.Operation, _ words: String, _ peer: Peer) async -> Status {
            let message = Message(
                operation: operation, requestID: 1, groups: [.operation([Attribute("printq-control", .text(words))])])
            let answer = await watch.answer(to: IPPRequest(message: message, peer: peer))
            return answer.message.status
        }
        func process(_ pid: Int32) -> Peer { .unix(uid: 1, gid: 1, pid: pid) }
        let leave = IPP.Operation(rawValue: 0x5053)
        // A release over TCP or with a different command has no effect.
        _ = await ask(leave, "leave", .tcp(address: "127.0.0.1", port: 1))
        _ = await ask(leave, "status", process(7))
        #expect(await ask(leave, "leave", process(7)) == .successfulOk)
        await clock.sleepers(1)
        // Requests of the process that has released the printers do not cancel the release.
        _ = await ask(.getJobs, "", process(7))
        clock.advance(by: .milliseconds(200))
        await clock.sleepers(1)
        // A request of another process cancels the release, so the printers stay when their jobs have ended.
        _ = await ask(.getJobs, "", process(8))
        busy.withLock { $0 = false }
        clock.advance(by: .milliseconds(200))
        #expect(!gone.withLock { $0 })
        busy.withLock { $0 = true }
        _ = await ask(leave, "leave", process(8))
        await clock.sleepers(1)
        busy.withLock { $0 = false }
        clock.advance(by: .milliseconds(200))
        await leaving.value
    }

    @Test func `printsim refuses an output folder while another printsim uses the folder`() async throws {
        let folder = try TemporaryFolder()
        let environment = SimulatorEnvironment(worker: ScriptedWorker(pages: 1))
        let description = try SimulatedPrinterDescription(json5: .init(TestPrinters.laser.utf8), file: "laser.json5")
        func open() async throws(SimulatorServerError) -> OpenPrinters {
            try await OpenPrinters([description], output: folder.path, in: environment, timeout: .zero)
        }
        var first: OpenPrinters? = try await open()
        #expect(first?.printers.count == 1)
        var refusal: SimulatorServerError?
        do throws(SimulatorServerError) { _ = try await open() } catch { refusal = error }
        #expect(refusal?.code == .outputInUse)
        #expect(refusal?.message.contains("another printsim uses the printer 'laser'") == true)
        first = nil
        let again = try await open()
        #expect(again.printers.count == 1)
    }
}
