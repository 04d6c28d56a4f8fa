// The backend of each printer, and the printer's last answers.

public import PrintModel
import PrintSpool
import AsyncPrimitives

/// The backends of the configured printers, and a cache of the printers' last answers.
///
/// A printer needs time to answer, and does not answer while it is off. A submission must not wait for that.
public actor PrinterDirectory {
    /// Creates the backend of a printer from its configuration.
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
        /// The error of the last status request; nil when the printer answered.
        var problem: BackendError?
        /// Whether the last request failed.
        var isSilent = false
        /// When the printer last missed the deadline of `quickStatus(of:)`.
        var slowAt: UnixTime = -.infinity
        /// The printer's state reasons in the last event of the log.
        var toldReasons: [String] = []
        /// The error of the last job creation, if a person must act on it.
        ///
        /// Such a printer may still answer status requests.
        var refusal: BackendError?

        /// The status to show to people: the last refusal, or else the printer's answer.
        var shownStatus: PrinterStatus? { status.map { refusal.flatMap(PrinterStatus.init(awaitingPerson:)) ?? $0 } }
    }

    /// How long an answer about capabilities is fresh, in seconds.
    private static let capabilitiesLifetime = 60.0
    /// How long an answer about the status is fresh, in seconds.
    private static let statusLifetime = 1.0
    /// The deadline of `quickStatus(of:)`.
    private static let quickDeadline = Duration.seconds(2)
    /// How long `quickStatus(of:)` does not ask a printer that missed the deadline, in seconds.
    private static let slowLifetime = 10.0

    /// Creates a directory that creates backends with `make` and measures deadlines with `sleeper`.
    public init(
        clock: @escaping @Sendable () -> UnixTime, sleeper: any Clock<Duration> = ContinuousClock(),
        make: @escaping MakeBackend
    ) {
        self.make = make
        self.clock = clock
        self.sleeper = sleeper
    }

    /// Returns the backend of a printer.
    ///
    /// - Throws: The error of `make` for an unusable device URI.
    public func backend(for printer: ConfiguredPrinter) throws -> any PrinterBackend { try entry(for: printer).backend }

    /// Returns the capabilities of a printer, which are requested once a minute.
    ///
    /// A printer that does not answer has the capabilities of its last answer.
    ///
    /// - Throws: `BackendError` when the printer has never answered and does not answer now.
    public func capabilities(of printer: ConfiguredPrinter) async throws -> PrinterCapabilities {
        let known = try entry(for: printer)
        if let capabilities = known.capabilities, isFresh(known.askedAt, for: Self.capabilitiesLifetime) {
            return capabilities
        }
        do {
            let capabilities = try await known.backend.capabilities()
            update(printer) {
                $0.wasAsked = true
                $0.capabilities = capabilities
                $0.askedAt = clock()
            }
            noteAnswer(of: printer)
            return capabilities
        } catch {
            noteFailure(of: printer)
            if !Task.isCancelled { update(printer) { $0.wasAsked = true } }
            if let capabilities = known.capabilities { return capabilities }
            throw error
        }
    }

    /// Returns the capabilities in the printer's last answer; nil when the printer has not answered.
    ///
    /// Only a printer that was never asked is asked now, with a short deadline.
    public func knownCapabilities(of printer: ConfiguredPrinter) async -> PrinterCapabilities? {
        guard let known = try? entry(for: printer) else { return nil }
        return known.wasAsked ? known.capabilities : await quickStatus(of: printer).capabilities
    }

    /// Returns the status of a printer, which is requested at most once a second; nil while the printer cannot be
    /// reached.
    ///
    /// A printer that requires credentials, or presents another certificate, is stopped, and its message explains what
    /// to do.
    public func status(of printer: ConfiguredPrinter) async -> PrinterStatus? {
        guard let known = try? entry(for: printer) else { return nil }
        if isFresh(known.statusAt, for: Self.statusLifetime) { return known.shownStatus }
        let (answer, problem) = await Self.ask(known.backend)
        // A cancelled request says nothing about the printer.
        if answer == nil, Task.isCancelled { return nil }
        if answer == nil { noteFailure(of: printer) } else { noteAnswer(of: printer) }
        let status = answer ?? problem.flatMap(PrinterStatus.init(awaitingPerson:))
        update(printer) {
            ($0.status, $0.problem) = (status, problem)
            $0.statusAt = clock()
        }
        return (try? entry(for: printer))?.shownStatus
    }

    /// Stores the printer's answer to a new job: nil when the printer accepted the job, or the error that a person must
    /// act on.
    ///
    /// A CUPS server reports the status of its queues to everybody, and requires credentials only for printing.
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

    /// Stores the printer's state reasons of the newest event in the log, and returns the reasons of the event before.
    func tell(_ reasons: [String], of printer: ConfiguredPrinter) -> [String] {
        let before = entries[printer.name]?.toldReasons ?? []
        update(printer) { $0.toldReasons = reasons }
        return before
    }

    // MARK: - Answers within a deadline

    /// The capabilities and the status of a printer, as far as they are known within a short deadline.
    public struct QuickStatus: Sendable {
        /// The capabilities; nil when the printer has never answered.
        public var capabilities: PrinterCapabilities?
        /// The status; nil while the printer cannot be reached, or when it missed the deadline.
        public var status: PrinterStatus?
        /// The error of the status request; nil when the printer answered or missed the deadline.
        public var problem: BackendError?
    }

    /// Returns the printer's answers within two seconds, or else the known capabilities.
    ///
    /// Lists of printers use this function. One printer that accepts connections and never answers must not delay the
    /// list.
    public func quickStatus(of printer: ConfiguredPrinter) async -> QuickStatus {
        let known: Entry
        do {
            known = try entry(for: printer)
        } catch {
            return QuickStatus(problem: error as? BackendError)
        }
        if !isFresh(known.slowAt, for: Self.slowLifetime), let seen = await answer(of: printer) { return seen }
        return QuickStatus(capabilities: entries[printer.name]?.capabilities)
    }

    private func problem(of printer: ConfiguredPrinter) -> BackendError? { entries[printer.name]?.problem }

    /// Asks the printer; returns nil when it misses the deadline.
    private func answer(of printer: ConfiguredPrinter) async -> QuickStatus? {
        let answer = await outcome(within: Self.quickDeadline, by: sleeper) {
            async let capabilities = try? self.capabilities(of: printer)
            let status = await self.status(of: printer)
            return await QuickStatus(capabilities: capabilities, status: status, problem: self.problem(of: printer))
        }
        if answer == nil, !Task.isCancelled { update(printer) { $0.slowAt = clock() } }
        return answer
    }

    // MARK: - Silence

    /// Removes a printer's answers from the cache, so that the printer is asked again.
    ///
    /// Call this function when a printer cannot be reached, because another printer may answer at its address later.
    /// Call it also when a person has entered credentials or accepted a certificate.
    package func forgetAnswers(of printer: ConfiguredPrinter) {
        update(printer) {
            ($0.askedAt, $0.statusAt, $0.slowAt) = (-.infinity, -.infinity, -.infinity)
            $0.refusal = nil
        }
    }

    /// Returns a stream of the printers that answer again after a failed request, by name.
    ///
    /// A second stream ends the first stream.
    func recoveries() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        recoveryWatcher?.finish()
        recoveryWatcher = continuation
        return stream
    }

    private func noteFailure(of printer: ConfiguredPrinter) {
        // A cancelled request says nothing about the printer.
        guard !Task.isCancelled else { return }
        update(printer) { $0.isSilent = true }
    }

    private func noteAnswer(of printer: ConfiguredPrinter) {
        guard entries[printer.name]?.isSilent == true else { return }
        update(printer) { $0.isSilent = false }
        recoveryWatcher?.yield(printer.name)
    }

    // MARK: - Entries

    /// Returns whether an answer is fresh.
    ///
    /// An answer from the future is stale: the clock was set back.
    private func isFresh(_ time: UnixTime, for seconds: Double) -> Bool {
        (0..<seconds).contains(clock() - time)
    }

    private func update(_ printer: ConfiguredPrinter, _ change: (inout Entry) -> Void) {
        // The printer may have got another device URI during the request.
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
    /// Creates the status of a printer that requires credentials or a certificate decision; nil for other errors.
    ///
    /// The reasons are the keywords of CUPS.
    fileprivate init?(awaitingPerson error: BackendError) {
        switch error.code {
        case .authenticationRequired:
            self.init(state: .stopped, reasons: ["cups-held-for-authentication"], message: error.message)
        case .untrusted: self.init(state: .stopped, reasons: ["cups-certificate-error"], message: error.message)
        default: return nil
        }
    }
}
