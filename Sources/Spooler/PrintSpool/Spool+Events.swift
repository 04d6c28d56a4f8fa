// Reads and writes the event log, and reports changes.

public import PrintModel

extension Spool {
    /// Returns the events after the given sequence number, oldest first; 0 starts with the oldest stored event.
    ///
    /// If `jobID` is not nil, returns only the events of this job.
    public func events(after sequence: Int, jobID: Int? = nil, limit: Int = 1000) async throws(SpoolError) -> [JobEvent]
    {
        try await read { snapshot in try snapshot.events(after: sequence, jobID: jobID, limit: limit) }
    }

    /// Returns the events after the given sequence number, and the highest purged sequence number, from the same
    /// snapshot.
    ///
    /// Events are removed together with their jobs. Some events up to the number `purgedThrough` may be missing from
    /// the result. No later event is missing. `purgedThrough` is 0 when no event was removed.
    public func eventPage(
        after sequence: Int, limit: Int = 1000
    ) async throws(SpoolError) -> (events: [JobEvent], purgedThrough: Int) {
        try await read { snapshot in
            (
                try snapshot.events(after: sequence, jobID: nil, limit: limit), try snapshot.purgedEventSequence()
            )
        }
    }

    /// Returns the sequence number of the newest event, or 0 if the log has never contained an event.
    public func latestEventSequence() async throws(SpoolError) -> Int {
        try await read { snapshot in try snapshot.latestEventSequence() }
    }

    /// A counter that increases after each commit that changes data, and after changes by other hosts.
    ///
    /// A reader can compare the counter with an earlier value to detect new data.
    public var commitCount: Int { observers.wakeUps }

    /// Returns the newest events of a job, oldest first.
    public func newestEvents(ofJob jobID: Int, limit: Int = 1000) async throws(SpoolError) -> [JobEvent] {
        try await read { snapshot in try snapshot.newestEvents(ofJob: jobID, limit: limit) }
    }

    // MARK: - Appending

    func appendEvent(_ kind: String, of job: Job, message: String, in transaction: any SpoolTransaction) throws {
        try appendEvent(
            kind, jobID: job.id, printer: job.printer, state: job.state.rawValue, message: message,
            reasons: job.reasons.map(\.rawValue), impressions: job.impressionsPerCopy,
            impressionsCompleted: job.printedImpressions, in: transaction)
    }

    /// Appends an event of a printer to the event log.
    func appendEvent(
        _ kind: String, at printer: ConfiguredPrinter, message: String, in transaction: any SpoolTransaction
    ) throws {
        let isPrinting = try transaction.isPrinting(printer.name)
        let state: PrinterState = printer.isPaused ? .stopped : isPrinting ? .processing : .idle
        try appendEvent(
            kind, jobID: nil, printer: printer.name, state: state.rawValue, message: message,
            reasons: printer.isPaused ? ["paused"] : [], in: transaction)
    }

    /// Appends the status of a printer to the event log.
    ///
    /// Only the task that prints a job at this printer calls this function.
    ///
    /// A power failure may lose the event, because the event is only informative.
    public func noteStatus(_ status: PrinterStatus, message: String, of printer: String) async throws(SpoolError) {
        try await write(.ordered) { [self] transaction in
            try appendEvent(
                "printer-state-changed", jobID: nil, printer: printer, state: status.state.rawValue, message: message,
                reasons: status.reasons, in: transaction)
        }
    }

    /// Appends a printer event to the event log if the state of a job shows that the printer has stopped or is ready
    /// again.
    func appendPrinterEvent(of job: Job, since before: Job, reasons: [String], in transaction: any SpoolTransaction)
        throws
    {
        guard job.hasStoppedPrinter != before.hasStoppedPrinter else { return }
        let (state, message): (PrinterState, String) =
            job.hasStoppedPrinter
            ? (.stopped, job.stateMessage) : (job.state.isTerminal ? .idle : .processing, "Continues")
        try appendEvent(
            "printer-state-changed", jobID: nil, printer: job.printer, state: state.rawValue, message: message,
            reasons: job.hasStoppedPrinter ? reasons : [], in: transaction)
    }

    private func appendEvent(
        _ kind: String, jobID: Int?, printer: String, state: Int?, message: String, reasons: [String] = [],
        impressions: Int? = nil, impressionsCompleted: Int? = nil, in transaction: any SpoolTransaction
    ) throws {
        try transaction.append(
            StoredEvent(
                kind: kind, jobID: jobID, printer: printer, time: clock(), state: state, message: message,
                reasons: reasons, impressions: impressions, impressionsCompleted: impressionsCompleted))
    }
}

extension Job {
    /// Whether the printer has stopped during the job and can continue the job later.
    fileprivate var hasStoppedPrinter: Bool { state == .processingStopped && !reasons.contains(.jobSuspended) }
}

// MARK: - Observers

extension Spool {
    /// Returns a stream of commits with changes.
    ///
    /// All commits with changes since the last element was read are combined into one element.
    ///
    /// To observe every change, first create the stream, then query the spool, then wait for the next element of the
    /// stream. The stream ends when the spool is closed.
    public func changes() -> AsyncStream<Void> { observers.stream() }

    /// The time that an observer should wait between two elements of `changes()` if no person waits for the result.
    ///
    /// While many jobs arrive, the observer then reads the changes of many commits with one query.
    public static let observerPause = Duration.milliseconds(100)

    /// Runs `body`, and calls `wake` after each commit that may make another job printable.
    ///
    /// The calls of `wake` end when `body` returns.
    ///
    /// Almost every commit may make another job printable. The exception is a commit that only adds a job behind other
    /// jobs. `wake` is called on the thread that commits, and must therefore be fast.
    public nonisolated(nonsending) func wake<Value>(
        _ wake: @escaping @Sendable () -> Void, during body: () async throws -> Value
    ) async rethrows -> Value {
        try await observers.wake(wake, during: body)
    }
}
