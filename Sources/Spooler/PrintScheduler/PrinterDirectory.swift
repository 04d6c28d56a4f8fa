// Caches the backend and the last responses of each printer.

public import PrintModel
import PrintSpool
import AsyncPrimitives

/// The backends of the configured printers, and a cache of the printers' last responses.
///
/// A printer might respond slowly or not at all. The submission of a job must not wait for a response of the printer.
public actor PrinterDirectory {
    /// A function that creates the backend of a printer from its configuration.
    public typealias MakeBackend = @Sendable (ConfiguredPrinter) throws -> any PrinterBackend

    private let make: MakeBackend
    let clock: @Sendable () -> UnixTime
    let sleeper: any Clock<Duration>
    var entries: [String: Entry] = [:]
    private var recoveryWatcher: AsyncStream<String>.Continuation?

    /// The lifetime of cached capabilities, in seconds.
    private static let capabilitiesLifetime = 60.0
    /// The lifetime of a cached status, in seconds.
    private static let statusLifetime = 1.0

    /// Creates a directory.
    ///
    /// The closure `make` creates the backends, and the clock `sleeper` measures the deadlines.
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
    /// - Throws: The error that `make` throws for an unusable device URI.
    public func backend(for printer: ConfiguredPrinter) throws -> any PrinterBackend { try entry(for: printer).backend }

    /// Removes all backends.
    ///
    /// Call this function after the connection settings have changed.
    ///
    /// The next request to a printer creates a new backend. Jobs in progress keep their backends.
    public func forgetBackends() {
        for name in entries.keys { entries[name]?.deviceURI = "" }
    }

    /// Removes the backends and the responses of all printers except the given printers.
    ///
    /// Jobs in progress keep their backends.
    package func keepOnly(_ names: Set<String>) {
        for name in entries.keys where !names.contains(name) { entries[name] = nil }
    }

    /// Returns the capabilities of a printer.
    ///
    /// The directory caches a response for one minute.
    ///
    /// If the printer does not respond, the function returns the capabilities from the last response. Concurrent calls
    /// share one request.
    ///
    /// - Throws: `BackendError` if the printer has never responded and does not respond now.
    public func capabilities(of printer: ConfiguredPrinter) async throws -> PrinterCapabilities {
        let known = try entry(for: printer)
        if let capabilities = known.capabilities, hasFreshCapabilities(known) { return capabilities }
        do {
            guard let answer = await capabilitiesRequest(to: printer, known).answer() else {
                throw CancellationError()
            }
            return try answer.get()
        } catch {
            if let capabilities = known.capabilities { return capabilities }
            throw error
        }
    }

    /// Returns the request for the capabilities in progress, or starts a request.
    ///
    /// The answer is stored before the request ends, so that a caller finds one or the other.
    private func capabilitiesRequest(
        to printer: ConfiguredPrinter, _ known: Entry
    ) -> SharedRequest<Result<PrinterCapabilities, BackendError>> {
        if let request = known.capabilitiesRequest, request.join() { return request }
        let request = SharedRequest { [backend = known.backend] () async -> Result<PrinterCapabilities, BackendError> in
            do throws(BackendError) {
                let capabilities = try await backend.capabilities()
                await self.note(capabilities, of: printer)
                return .success(capabilities)
            } catch {
                await self.note(nil, of: printer)
                return .failure(error)
            }
        }
        update(printer) { $0.capabilitiesRequest = request }
        return request
    }

    /// Stores the answer to a request for the capabilities; nil if the printer did not respond.
    private func note(_ capabilities: PrinterCapabilities?, of printer: ConfiguredPrinter) {
        // A canceled request contains no information about the printer.
        guard !Task.isCancelled || capabilities != nil else { return }
        update(printer) {
            $0.wasAsked = true
            guard let capabilities else { return }
            ($0.capabilities, $0.askedAt) = (capabilities, clock())
        }
        noteResponse(capabilities != nil, of: printer)
    }

    /// Returns the capabilities from the printer's last response; nil if the printer has never responded.
    ///
    /// If the capabilities were never requested, the function requests the capabilities now, with a short deadline.
    ///
    /// - Parameter waits: Whether the function waits for this first response.
    public func knownCapabilities(of printer: ConfiguredPrinter, waits: Bool = true) async -> PrinterCapabilities? {
        guard let known = try? entry(for: printer) else { return nil }
        if known.wasAsked { return known.capabilities }
        if waits { return await quickStatus(of: printer).capabilities }
        if !known.isBeingAsked {
            update(printer) { $0.isBeingAsked = true }
            Task {
                _ = await quickStatus(of: printer)
                update(printer) { $0.isBeingAsked = false }
            }
        }
        return known.capabilities
    }

    /// Returns the status of a printer; nil if the printer cannot be reached.
    ///
    /// The directory requests the status at most once a second, and again after ``expireStatus(ofPrinterNamed:)``.
    /// Concurrent calls share one request.
    ///
    /// If the printer requires credentials or presents a different certificate, the status is `stopped`, and the
    /// message explains how to fix the problem.
    public func status(of printer: ConfiguredPrinter) async -> PrinterStatus? {
        guard let known = try? entry(for: printer) else { return nil }
        if hasFreshStatus(known) { return known.shownStatus }
        // A canceled caller has no information about the printer.
        guard await statusRequest(to: printer, known).answer() != nil else { return nil }
        return (try? entry(for: printer))?.shownStatus
    }

    /// Marks the cached status of a printer as expired, so that the next call of ``status(of:)`` sends a request.
    ///
    /// Call this function before an event of the printer or of its job is stored. Clients read the status after the
    /// event. If clients received an outdated status, no second event would make the clients read the status again.
    ///
    /// The function also applies to other printers with the same device URI.
    package func expireStatus(ofPrinterNamed name: String) {
        guard let deviceURI = entries[name]?.deviceURI else { return }
        for (name, entry) in entries where entry.deviceURI == deviceURI { entries[name]?.expirations += 1 }
    }

    /// Stores whether the printer has refused the last Create-Job request.
    ///
    /// A CUPS server reports the status of its queues without credentials, and may require credentials for printing.
    ///
    /// - Parameter refusal: The error that a person must fix; nil if the printer accepted the job.
    func noteRefusal(_ refusal: BackendError?, of printer: ConfiguredPrinter) {
        update(printer) { $0.refusal = refusal }
    }

    /// Returns the request for the status in progress, or starts a request.
    ///
    /// A request that began before the status expired can have an outdated answer.
    private func statusRequest(
        to printer: ConfiguredPrinter, _ known: Entry
    ) -> SharedRequest<Void> {
        if known.expirationsAtStart == known.expirations, let request = known.statusRequest, request.join() {
            return request
        }
        let request = SharedRequest { await self.requestStatus(of: printer, known) }
        update(printer) { ($0.statusRequest, $0.expirationsAtStart) = (request, known.expirations) }
        return request
    }

    /// Requests the status of a printer, and stores the answer.
    private func requestStatus(of printer: ConfiguredPrinter, _ known: Entry) async {
        let status: PrinterStatus?
        var problem: BackendError?
        do throws(BackendError) {
            status = try await known.backend.status()
        } catch {
            // A canceled request contains no information about the printer.
            guard !Task.isCancelled else { return }
            (status, problem) = (PrinterStatus(awaitingPerson: error), error)
        }
        noteResponse(problem == nil, of: printer)
        update(printer) {
            ($0.status, $0.problem) = (status, problem)
            ($0.statusAt, $0.expirationsAtRequest) = (clock(), known.expirations)
        }
    }

    /// Stores the state reasons of the printer's newest event, and returns the state reasons of the previous event.
    func tell(_ reasons: [String], of printer: ConfiguredPrinter) -> [String] {
        let before = entries[printer.name]?.reportedReasons ?? []
        update(printer) { $0.reportedReasons = reasons }
        return before
    }

    // MARK: - Silence

    /// Marks a printer's cached responses as expired, so that the directory sends new requests to the printer.
    ///
    /// Call this function when a printer cannot be reached, because a different printer may use the address later. Call
    /// this function also when a person has entered credentials or accepted a certificate.
    package func forgetAnswers(of printer: ConfiguredPrinter) {
        update(printer) {
            ($0.askedAt, $0.statusAt, $0.slowAt) = (-.infinity, -.infinity, -.infinity)
            ($0.capabilitiesRequest, $0.statusRequest) = (nil, nil)
            $0.refusal = nil
        }
    }

    /// Returns a stream with the names of the printers that respond again after a failed request.
    ///
    /// When a second stream is created, the first stream ends.
    func recoveries() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        recoveryWatcher?.finish()
        recoveryWatcher = continuation
        return stream
    }

    /// Notes whether a printer has responded to a request.
    private func noteResponse(_ hasResponded: Bool, of printer: ConfiguredPrinter) {
        let wasSilent = entries[printer.name]?.isSilent == true
        guard hasResponded == wasSilent else { return }
        update(printer) { $0.isSilent = !hasResponded }
        if hasResponded { recoveryWatcher?.yield(printer.name) }
    }

    // MARK: - Entries

    /// Returns whether a cached response is fresh.
    ///
    /// A response with a time in the future counts as stale, because the wall-clock time was set back.
    func isFresh(_ time: UnixTime, for seconds: Double) -> Bool {
        (0..<seconds).contains(clock() - time)
    }

    func hasFreshCapabilities(_ entry: Entry) -> Bool {
        entry.capabilities != nil && isFresh(entry.askedAt, for: Self.capabilitiesLifetime)
    }

    func hasFreshStatus(_ entry: Entry) -> Bool {
        entry.expirationsAtRequest == entry.expirations && isFresh(entry.statusAt, for: Self.statusLifetime)
    }

    func update(_ printer: ConfiguredPrinter, _ change: (inout Entry) -> Void) {
        // The device URI of the printer may have changed during the request.
        guard var entry = entries[printer.name], entry.deviceURI == printer.deviceURI else { return }
        change(&entry)
        entries[printer.name] = entry
    }

    func entry(for printer: ConfiguredPrinter) throws -> Entry {
        if let entry = entries[printer.name], entry.deviceURI == printer.deviceURI { return entry }
        let entry = Entry(deviceURI: printer.deviceURI, backend: try make(printer))
        entries[printer.name] = entry
        return entry
    }
}
