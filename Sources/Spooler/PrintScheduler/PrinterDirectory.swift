// Caches the backend and the last responses of each printer.

public import PrintModel
import PrintSpool
import AsyncPrimitives

/// The backends of the configured printers, and a cache of the printers' last responses.
///
/// A printer may respond slowly, and does not respond while it is off. A submission must not wait for a response.
public actor PrinterDirectory {
    /// A function that creates the backend of a printer from its configuration.
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
        /// The error of the last status request; nil if the printer responded.
        var problem: BackendError?
        /// Whether the last request failed.
        var isSilent = false
        /// The time when the printer last missed the deadline of `quickStatus(of:)`.
        var slowAt: UnixTime = -.infinity
        /// The printer's state reasons in the printer's last event in the log.
        var toldReasons: [String] = []
        /// The error of the last job creation, if a person must fix the problem.
        ///
        /// A printer with such an error may still respond to status requests.
        var refusal: BackendError?

        /// The status to show to people: the last refusal, otherwise the status that the printer reported.
        var shownStatus: PrinterStatus? { status.map { refusal.flatMap(PrinterStatus.init(awaitingPerson:)) ?? $0 } }
    }

    /// The lifetime of cached capabilities, in seconds.
    private static let capabilitiesLifetime = 60.0
    /// The lifetime of a cached status, in seconds.
    private static let statusLifetime = 1.0
    /// The deadline of `quickStatus(of:)`.
    private static let quickDeadline = Duration.seconds(2)
    /// The time in seconds for which `quickStatus(of:)` sends no requests to a printer that missed the deadline.
    private static let slowLifetime = 10.0

    /// Creates a directory.
    ///
    /// `make` creates the backends, and `sleeper` measures the deadlines.
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

    /// Returns the capabilities of a printer, which are requested at most once a minute.
    ///
    /// If the printer does not respond, returns the capabilities from the last response.
    ///
    /// - Throws: `BackendError` if the printer has never responded and does not respond now.
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

    /// Returns the capabilities from the printer's last response; nil if the printer has never responded.
    ///
    /// If the capabilities were never requested, requests them now, with a short deadline.
    public func knownCapabilities(of printer: ConfiguredPrinter) async -> PrinterCapabilities? {
        guard let known = try? entry(for: printer) else { return nil }
        return known.wasAsked ? known.capabilities : await quickStatus(of: printer).capabilities
    }

    /// Returns the status of a printer, which is requested at most once a second; nil while the printer cannot be
    /// reached.
    ///
    /// If the printer requires credentials or presents a different certificate, the status is `stopped`, and the
    /// message contains a remedy.
    public func status(of printer: ConfiguredPrinter) async -> PrinterStatus? {
        guard let known = try? entry(for: printer) else { return nil }
        if isFresh(known.statusAt, for: Self.statusLifetime) { return known.shownStatus }
        let (answer, problem) = await Self.ask(known.backend)
        // A canceled request contains no information about the printer.
        if answer == nil, Task.isCancelled { return nil }
        if answer == nil { noteFailure(of: printer) } else { noteAnswer(of: printer) }
        let status = answer ?? problem.flatMap(PrinterStatus.init(awaitingPerson:))
        update(printer) {
            ($0.status, $0.problem) = (status, problem)
            $0.statusAt = clock()
        }
        return (try? entry(for: printer))?.shownStatus
    }

    /// Stores the printer's response to the creation of a job: nil if the printer accepted the job, or an error that a
    /// person must fix.
    ///
    /// A CUPS server reports the status of its queues without credentials, and may require credentials for printing.
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

    /// Stores the printer's state reasons in the newest event of the log, and returns the reasons in the event before.
    func tell(_ reasons: [String], of printer: ConfiguredPrinter) -> [String] {
        let before = entries[printer.name]?.toldReasons ?? []
        update(printer) { $0.toldReasons = reasons }
        return before
    }

    // MARK: - Responses within a deadline

    /// The capabilities and the status that a printer reported within a short deadline, or that are in the cache.
    public struct QuickStatus: Sendable {
        /// The capabilities; nil if the printer has never responded.
        public var capabilities: PrinterCapabilities?
        /// The status; nil if the printer cannot be reached or missed the deadline.
        public var status: PrinterStatus?
        /// The error of the status request; nil if the printer responded or missed the deadline.
        public var problem: BackendError?
    }

    /// Returns the status and capabilities of a printer within two seconds.
    ///
    /// If the printer misses this deadline, returns the cached capabilities.
    ///
    /// Lists of printers use this function. A single printer that accepts connections but never responds must not delay
    /// the list.
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

    /// Requests the status of the printer; returns nil if the printer misses the deadline.
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

    /// Removes a printer's responses from the cache, so that new requests are sent to the printer.
    ///
    /// Call this function when a printer cannot be reached, because a different printer may use the address later. Call
    /// this function also when a person has entered credentials or accepted a certificate.
    package func forgetAnswers(of printer: ConfiguredPrinter) {
        update(printer) {
            ($0.askedAt, $0.statusAt, $0.slowAt) = (-.infinity, -.infinity, -.infinity)
            $0.refusal = nil
        }
    }

    /// Returns a stream with the names of the printers that respond again after a failed request.
    ///
    /// A second stream ends the first stream.
    func recoveries() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        recoveryWatcher?.finish()
        recoveryWatcher = continuation
        return stream
    }

    private func noteFailure(of printer: ConfiguredPrinter) {
        // A canceled request contains no information about the printer.
        guard !Task.isCancelled else { return }
        update(printer) { $0.isSilent = true }
    }

    private func noteAnswer(of printer: ConfiguredPrinter) {
        guard entries[printer.name]?.isSilent == true else { return }
        update(printer) { $0.isSilent = false }
        recoveryWatcher?.yield(printer.name)
    }

    // MARK: - Entries

    /// Returns whether a cached response is fresh.
    ///
    /// A response with a time in the future is stale, because the clock was set back.
    private func isFresh(_ time: UnixTime, for seconds: Double) -> Bool {
        (0..<seconds).contains(clock() - time)
    }

    private func update(_ printer: ConfiguredPrinter, _ change: (inout Entry) -> Void) {
        // The device URI of the printer may have changed during the request.
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
