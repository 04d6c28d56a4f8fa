// The way to each printer, and what it last said of itself.

public import PrintModel
import PrintSpool
import AsyncPrimitives

/// Finds the way to each printer of the queue, and remembers what the printer last said.
///
/// Asking a printer what it can do takes a moment, and a printer that is off cannot be asked at all; a submission should
/// not wait for either.
public actor PrinterDirectory {
    /// Makes the way to a printer from its row.
    public typealias MakeBackend = @Sendable (ConfiguredPrinter) throws -> any PrinterBackend

    private let make: MakeBackend
    private let clock: @Sendable () -> UnixTime
    private let sleeper: any Clock<Duration>
    private var entries: [String: Entry] = [:]
    private var recoveryWatcher: AsyncStream<String>.Continuation?

    private struct Entry {
        var deviceURI: String
        var backend: any PrinterBackend
        var capabilities: PrinterCapabilities?
        var askedAt: UnixTime = -.infinity
        var wasAsked = false
        var status: PrinterStatus?
        var statusAt: UnixTime = -.infinity
        /// Why it did not say how it is, when it was asked last.
        var problem: BackendError?
        /// Whether the last question found nobody there.
        var isSilent = false
        /// When it last did not answer in time for somebody who looks.
        var slowAt: UnixTime = -.infinity
        /// The reasons for its state that were written into the log last.
        var toldReasons: [String] = []
        /// Why it took no job the last time, when a person must see to that: it may answer questions all the same.
        var refusal: BackendError?

        /// How it is as far as people are concerned.
        var told: PrinterStatus? { status.map { refusal.flatMap(PrinterStatus.init(awaitingPerson:)) ?? $0 } }
    }

    /// How long an answer about capabilities holds, in seconds.
    private static let capabilitiesHold = 60.0
    /// How long an answer about the state holds, in seconds.
    private static let statusHold = 1.0
    /// How long somebody who looks at a printer waits for its word.
    private static let patience = Duration.seconds(2)
    /// How long nobody who looks waits again for a printer that was too slow, in seconds.
    private static let slowHold = 10.0

    /// A directory that makes backends with `make`, and loses its patience by `sleeper`.
    public init(
        clock: @escaping @Sendable () -> UnixTime, sleeper: any Clock<Duration> = ContinuousClock(),
        make: @escaping MakeBackend
    ) {
        self.make = make
        self.clock = clock
        self.sleeper = sleeper
    }

    /// The way to a printer.
    ///
    /// - Throws: what `make` throws for a device URI that nothing can reach.
    public func backend(for printer: ConfiguredPrinter) throws -> any PrinterBackend { try entry(for: printer).backend }

    /// What a printer can do: asked anew once a minute; while it is silent, what it said last.
    ///
    /// - Throws: `BackendError` when the printer has never answered and does not now.
    public func capabilities(of printer: ConfiguredPrinter) async throws -> PrinterCapabilities {
        let known = try entry(for: printer)
        if let capabilities = known.capabilities, isFresh(known.askedAt, for: Self.capabilitiesHold) {
            return capabilities
        }
        do {
            let capabilities = try await known.backend.capabilities()
            update(printer) {
                $0.wasAsked = true
                $0.capabilities = capabilities
                $0.askedAt = clock()
            }
            heard(printer)
            return capabilities
        } catch {
            missed(printer)
            if !Task.isCancelled { update(printer) { $0.wasAsked = true } }
            if let capabilities = known.capabilities { return capabilities }
            throw error
        }
    }

    /// What a printer last said that it can do; nil when it has not answered.
    ///
    /// Only a printer that was never asked is asked now, and not for long.
    public func knownCapabilities(of printer: ConfiguredPrinter) async -> PrinterCapabilities? {
        guard let known = try? entry(for: printer) else { return nil }
        return known.wasAsked ? known.capabilities : await glance(at: printer).capabilities
    }

    /// How a printer is, asked at most once a second; nil while it cannot be reached.
    ///
    /// One that wants a login, or shows another certificate, has stopped: a person must see to it, and the words say how.
    public func status(of printer: ConfiguredPrinter) async -> PrinterStatus? {
        guard let known = try? entry(for: printer) else { return nil }
        if isFresh(known.statusAt, for: Self.statusHold) { return known.told }
        let (answer, problem) = await Self.ask(known.backend)
        // Whoever gave up asking has learned nothing about the printer.
        if answer == nil, Task.isCancelled { return nil }
        if answer == nil { missed(printer) } else { heard(printer) }
        let status = answer ?? problem.flatMap(PrinterStatus.init(awaitingPerson:))
        update(printer) {
            ($0.status, $0.problem) = (status, problem)
            $0.statusAt = clock()
        }
        return (try? entry(for: printer))?.told
    }

    /// Takes note of what a printer said to a job: nil, when it took one, or why it wants to see a person first.
    ///
    /// A cupsd tells everybody how its queues are, and asks for a name only when something is printed.
    func noteRefusal(_ refusal: BackendError?, of printer: ConfiguredPrinter) {
        update(printer) { $0.refusal = refusal }
    }

    private static func ask(_ backend: any PrinterBackend) async -> (PrinterStatus?, BackendError?) {
        do throws(BackendError) {
            return (try await backend.status(), nil)
        } catch {
            return (nil, error)
        }
    }

    /// Takes note of the reasons for a printer's state as told, and gives back those told before.
    func tell(_ reasons: [String], of printer: ConfiguredPrinter) -> [String] {
        let before = entries[printer.name]?.toldReasons ?? []
        update(printer) { $0.toldReasons = reasons }
        return before
    }

    // MARK: - At a glance

    /// What can be said of a printer without waiting long for it.
    public struct Glance: Sendable {
        /// What it can do; nil when it has never answered.
        public var capabilities: PrinterCapabilities?
        /// How it is; nil while it cannot be reached, or is slow to answer.
        public var status: PrinterStatus?
        /// Why it does not say how it is; nil when it does, or is slow to answer.
        public var problem: BackendError?
    }

    /// What a printer says within two seconds, else what it said before.
    ///
    /// For people who look at a queue: one printer that takes connections and never answers must not make them wait for
    /// all the others.
    public func glance(at printer: ConfiguredPrinter) async -> Glance {
        let known: Entry
        do {
            known = try entry(for: printer)
        } catch {
            return Glance(problem: error as? BackendError)
        }
        if !isFresh(known.slowAt, for: Self.slowHold), let seen = await answer(of: printer) { return seen }
        return Glance(capabilities: entries[printer.name]?.capabilities)
    }

    private func problem(of printer: ConfiguredPrinter) -> BackendError? { entries[printer.name]?.problem }

    /// What the printer says now; nil when that takes too long.
    private func answer(of printer: ConfiguredPrinter) async -> Glance? {
        let answer = await outcome(within: Self.patience, by: sleeper) {
            async let capabilities = try? self.capabilities(of: printer)
            let status = await self.status(of: printer)
            return await Glance(capabilities: capabilities, status: status, problem: self.problem(of: printer))
        }
        if answer == nil, !Task.isCancelled { update(printer) { $0.slowAt = clock() } }
        return answer
    }

    // MARK: - Silence

    /// Has the next question about a printer be asked of the printer itself: it could not be reached, and may be another
    /// one when it can; or somebody has said whom to trust there, or who we are.
    package func forgetAnswers(of printer: ConfiguredPrinter) {
        update(printer) {
            ($0.askedAt, $0.statusAt, $0.slowAt) = (-.infinity, -.infinity, -.infinity)
            $0.refusal = nil
        }
    }

    /// The names of printers that were silent when they were asked something, each as soon as it answers anybody again.
    ///
    /// A second stream ends the first.
    func recoveries() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        recoveryWatcher?.finish()
        recoveryWatcher = continuation
        return stream
    }

    private func missed(_ printer: ConfiguredPrinter) {
        // Whoever gave up asking has learned nothing about the printer.
        guard !Task.isCancelled else { return }
        update(printer) { $0.isSilent = true }
    }

    private func heard(_ printer: ConfiguredPrinter) {
        guard entries[printer.name]?.isSilent == true else { return }
        update(printer) { $0.isSilent = false }
        recoveryWatcher?.yield(printer.name)
    }

    // MARK: - Entries

    /// Whether an answer of some time ago still holds; none does that comes from the future, for the clock was set.
    private func isFresh(_ time: UnixTime, for seconds: Double) -> Bool {
        (0..<seconds).contains(clock() - time)
    }

    private func update(_ printer: ConfiguredPrinter, _ change: (inout Entry) -> Void) {
        // The printer may have been given another device while we asked.
        guard var entry = entries[printer.name], entry.deviceURI == printer.deviceURI else { return }
        change(&entry)
        entries[printer.name] = entry
    }

    private func entry(for printer: ConfiguredPrinter) throws -> Entry {
        if let entry = entries[printer.name], entry.deviceURI == printer.deviceURI { return entry }
        let entry = Entry(deviceURI: printer.deviceURI, backend: try make(printer))
        entries[printer.name] = entry
        return entry
    }
}

extension PrinterStatus {
    /// A printer that answers nothing before a person has seen to a login or a certificate; nil for other errors.
    ///
    /// The keywords are those of CUPS.
    fileprivate init?(awaitingPerson error: BackendError) {
        switch error.code {
        case .authenticationRequired:
            self.init(state: .stopped, reasons: ["cups-held-for-authentication"], message: error.message)
        case .untrusted: self.init(state: .stopped, reasons: ["cups-certificate-error"], message: error.message)
        default: return nil
        }
    }
}
