import Glibc
import PrintModel
import PrintSpool
import SimulatedDatabase
import SimulatedDisk
import Synchronization
import Testing

/// Tests of one disk failure at each writing call in turn.
///
/// A submission is either accepted completely or refused, and a refused submission leaves no files.
struct InjectedFaultTests {
    /// The ways to submit a job.
    enum Way: CaseIterable {
        case small, large, both, inParts, largeInParts

        var sizes: [Int] {
            switch self {
            case .small: [100]
            case .large: [200_000]
            case .both: [100, 70_000]
            case .inParts: [100, 100]
            case .largeInParts: [70_000, 200_000]
            }
        }

        var isInParts: Bool { self == .inParts || self == .largeInParts }

        /// The minimum number of writing calls.
        ///
        /// A small document needs a commit. A large document also needs open, two or more writes, fsync, mkdir, rename
        /// and two folder syncs.
        var leastCalls: Int {
            switch self {
            case .small: 1
            case .large, .both: 9
            case .inParts: 3
            case .largeInParts: 18
            }
        }
    }

    @Test(arguments: Way.allCases, [ENOSPC, EIO, EDQUOT])
    func `if a write call fails, accepted jobs are kept and a refused job leaves no files`(
        way: Way, number: Int32
    ) async throws {
        var call = 0
        while true {
            let place = try Place()
            let spool = try await place.open()
            place.disk.arm(number, atCall: call)
            let outcome = await place.submit(way, to: spool, named: "first")
            let isOver = place.disk.disarm()
            if isOver { break }
            try await place.check(outcome, way, number, "\(way), call \(call)", spool)
            call += 1
        }
        #expect(call >= way.leastCalls)
    }
}

/// A spool on a simulated disk that fails once.
private struct Place {
    let files = SimulatedDisk()
    let disk = FailingOnce()
    let database: MemoryDatabase

    init() throws { database = try MemoryDatabase() }

    func open() async throws -> Spool {
        let handle = SimulatedDisk.Handle(files, fault: { [disk] call, _ in disk.number(at: call) })
        let counter = Counter()
        let spool = try Spool(
            folder: "/spool", clock: { 1_000_000 },
            medium: .memory(
                files: handle, database: MemoryDatabase.Handle(database, for: disk), makeName: { counter.next() }))
        if try await spool.printers().isEmpty {
            try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "test:laser"))
        }
        return spool
    }

    /// Submits a job like a client that stops at the first error.
    func submit(_ way: InjectedFaultTests.Way, to spool: Spool, named name: String) async -> Result<Int, SpoolError> {
        let submission = Submission(printer: "laser", owner: "ada", name: name)
        do throws(SpoolError) {
            guard way.isInParts else {
                var documents: [(IncomingDocument, name: String?, format: DocumentFormat)] = []
                for size in way.sizes { documents.append((try document(size, spool), name: nil, format: .pdf)) }
                return .success(try await spool.submit(submission, documents: documents).id)
            }
            let id = try await spool.createJob(submission).id
            for size in way.sizes {
                _ = try await spool.addDocument(
                    try document(size, spool), name: nil, format: .pdf, to: id, isLast: false)
            }
            return .success(try await spool.closeJob(id).id)
        } catch {
            return .failure(error)
        }
    }

    private func document(_ size: Int, _ spool: Spool) throws(SpoolError) -> IncomingDocument {
        let document = spool.makeIncoming()
        let bytes = Self.bytes(size)
        try document.write(bytes.prefix(size / 2))
        try document.write(bytes.suffix(from: size / 2))
        return document
    }

    private static func bytes(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 + size) } }

    func check(
        _ outcome: Result<Int, SpoolError>, _ way: InjectedFaultTests.Way, _ number: Int32, _ words: Comment,
        _ spool: Spool
    ) async throws {
        var accepted: [Int] = []
        switch outcome {
        case .success(let id): accepted.append(id)
        case .failure(let error):
            #expect(error.code == (number == EIO ? .unwritable : .noSpace), words)
            let left = try await spool.jobs()
            if way.isInParts {
                // Acknowledged documents stay. The job waits for more documents until its timeout.
                #expect(left.allSatisfy { $0.reasons == [.jobIncoming] }, words)
                for job in left { try await spool.change(job.id, .cancelRequested(byOperator: false)) }
            } else {
                #expect(left.isEmpty, words)
                #expect(files.files.allSatisfy { $0 == "/spool/lock" }, words)
            }
            #expect(!files.files.contains { $0.hasPrefix("/spool/incoming/") }, words)
        }
        #expect(files.openCount == 0, words)
        accepted.append(try await submit(way, to: spool, named: "next").get())

        // After a power cut, all accepted data is complete.
        try spool.close()
        files.cutPower { false }
        let reopened = try await open()
        #expect(try await reopened.jobs().map(\.id) == accepted, words)
        for id in accepted {
            let documents = try await reopened.documents(of: id)
            #expect(documents.map { files.read($0.path) ?? [] } == way.sizes.map { Self.bytes($0) }, words)
        }
        try reopened.close()
    }
}

/// A disk and a database that fail once, at the n-th writing call.
private final class FailingOnce: MemoryDatabase.Process {
    private let state = Mutex<(number: Int32, rest: Int)?>(nil)

    /// Makes a later call fail; the next call has the number 0.
    func arm(_ number: Int32, atCall call: Int) { state.withLock { $0 = (number: number, rest: call) } }

    /// Disarms the fault, and returns whether the fault was still armed.
    func disarm() -> Bool { state.withLock { $0.take() != nil } }

    /// Returns the `errno` if the current call must fail; nil otherwise.
    func number(at call: String) -> Int32? {
        state.withLock { state -> Int32? in
            guard let armed = state else { return nil }
            guard armed.rest == 0 else {
                state = (number: armed.number, rest: armed.rest - 1)
                return nil
            }
            state = nil
            return armed.number
        }
    }

    func schedule(_ work: @escaping @Sendable () -> Void) { work() }

    var failure: MemoryDatabase.CommitFailure? { nil }

    func willCommit() -> MemoryDatabase.CommitFailure? {
        number(at: "commit").map { $0 == EIO ? .inputOutput : .full }
    }

    func didCommit() {}
}

/// A source of unique names.
private final class Counter: Sendable {
    private let last = Atomic(Int.random(in: 1...1_000_000_000))

    func next() -> String { "name-\(last.wrappingAdd(1, ordering: .relaxed).newValue)" }
}
