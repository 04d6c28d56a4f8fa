// Stores the printers of the queue.

public import PrintModel

extension Spool {
    /// Returns the printers in the order in which they were added.
    public func printers() async throws(SpoolError) -> [ConfiguredPrinter] {
        let (known, changes) = printerList.known
        if let known { return known }
        let printers = try await read { snapshot in try snapshot.printers() }
        printerList.remember(printers, after: changes)
        return printers
    }

    /// Returns the printer with the given name; nil if the printer does not exist.
    public func printer(named name: String) async throws(SpoolError) -> ConfiguredPrinter? {
        try await read { snapshot in try snapshot.printer(named: name) }
    }

    /// Adds a printer.
    ///
    /// - Throws: `printerExists`, `invalidName`.
    public func addPrinter(_ printer: ConfiguredPrinter) async throws(SpoolError) { try await addPrinters([printer]) }

    /// Adds all given printers, or none of them if an error is thrown.
    ///
    /// - Throws: `printerExists`, `invalidName`.
    public func addPrinters(_ printers: [ConfiguredPrinter]) async throws(SpoolError) {
        for printer in printers where !ConfiguredPrinter.isValidName(printer.name) { throw .invalidName(printer.name) }
        try await writePrinters { [self] transaction in
            for printer in printers {
                guard try transaction.printer(named: printer.name) == nil else {
                    throw SpoolError.printerExists(printer.name)
                }
                try insert(printer, in: transaction)
            }
        }
    }

    /// Changes a printer.
    ///
    /// If the printer does not exist and the change contains a device URI, the function adds the printer, unless the
    /// change requires an existing printer.
    ///
    /// - Returns: `true` if the printer was added.
    /// - Throws: `noSuchPrinter`, `invalidName`; `printerExists` if the printer exists and the change requires a new
    ///   printer.
    @discardableResult
    public func addOrModifyPrinter(named name: String, _ change: PrinterChange) async throws(SpoolError) -> Bool {
        guard ConfiguredPrinter.isValidName(name) else { throw .invalidName(name) }
        return try await writePrinters { [self] transaction in
            guard let printer = try transaction.printer(named: name) else {
                guard !change.mustExist, let deviceURI = change.deviceURI else {
                    throw SpoolError.noSuchPrinter(name)
                }
                try insert(change.applied(to: ConfiguredPrinter(name: name, deviceURI: deviceURI)), in: transaction)
                return true
            }
            guard !change.mustBeNew else { throw SpoolError.printerExists(name) }
            let isStateOnly = change.isPaused != nil || change.isAccepting != nil
            try modifyPrinter(
                printer.name, isStateOnly ? "printer-state-changed" : "printer-config-changed", "Changed",
                in: transaction
            ) { $0 = change.applied(to: $0) }
            return false
        }
    }

    /// Removes a printer and keeps the history of its jobs.
    ///
    /// - Throws: `noSuchPrinter`, or `notPossible` while the printer has jobs that have not ended.
    public func removePrinter(named name: String) async throws(SpoolError) {
        try await writePrinters { [self] transaction in
            guard let printer = try transaction.printer(named: name) else { throw SpoolError.noSuchPrinter(name) }
            let jobs = try transaction.countUnfinishedJobs(printer: name, owner: nil)
            guard jobs == 0 else {
                throw SpoolError.notPossible(
                    "printer '\(name)' has \(jobs) \(jobs == 1 ? "job" : "jobs") and cannot be removed; "
                        + "cancel the jobs with --cancel-jobs, or move them with --move-jobs-to NAME")
            }
            try transaction.removePrinter(named: name)
            try appendEvent("printer-deleted", at: printer, message: "Removed", in: transaction)
        }
    }

    /// Makes a printer the default printer, which prints jobs without a printer name.
    ///
    /// - Throws: `noSuchPrinter`.
    public func setDefaultPrinter(_ name: String) async throws(SpoolError) {
        try await modifyPrinter(name, "printer-config-changed", "Set as the default printer") { $0.isDefault = true }
    }

    /// Pauses a printer, so that its jobs wait (IPP `Pause-Printer`).
    ///
    /// - Throws: `noSuchPrinter`.
    public func pausePrinter(named name: String, message: String = "") async throws(SpoolError) {
        try await modifyPrinter(name, "printer-state-changed", message.isEmpty ? "Paused" : "Paused: \(message)") {
            $0.isPaused = true
            $0.pauseMessage = message
        }
    }

    /// Resumes a paused printer (IPP `Resume-Printer`).
    ///
    /// - Throws: `noSuchPrinter`.
    public func resumePrinter(named name: String) async throws(SpoolError) {
        try await modifyPrinter(name, "printer-state-changed", "Resumed") {
            $0.isPaused = false
            $0.pauseMessage = ""
        }
    }

    /// Sets whether a printer accepts new jobs (IPP `Enable-Printer`, `Disable-Printer`).
    ///
    /// - Throws: `noSuchPrinter`.
    public func setAccepting(_ isAccepting: Bool, printer name: String) async throws(SpoolError) {
        try await modifyPrinter(
            name, "printer-state-changed", isAccepting ? "Accepting jobs" : "Not accepting jobs"
        ) { $0.isAccepting = isAccepting }
    }

    // MARK: - Database access

    /// Runs a transaction that may change the table `printers`, and invalidates the cached printers.
    private func writePrinters<Value: Sendable>(
        _ body: @escaping @Sendable (any SpoolTransaction) throws -> Value
    ) async throws(SpoolError) -> Value {
        printerList.beginChange()
        defer { printerList.endChange() }
        return try await write(body)
    }

    private func insert(_ printer: ConfiguredPrinter, in transaction: any SpoolTransaction) throws {
        if printer.isDefault { try transaction.clearDefaultPrinter() }
        try transaction.insert(printer)
        try keepLocal(printer, in: transaction)
        try appendEvent("printer-added", at: printer, message: "Added", in: transaction)
    }

    private func modifyPrinter(
        _ name: String, _ kind: String, _ message: String,
        _ change: @escaping @Sendable (inout ConfiguredPrinter) -> Void
    ) async throws(SpoolError) {
        try await writePrinters { [self] transaction in try modifyPrinter(name, kind, message, in: transaction, change)
        }
    }

    private func modifyPrinter(
        _ name: String, _ kind: String, _ message: String, in transaction: any SpoolTransaction,
        _ change: (inout ConfiguredPrinter) -> Void
    ) throws {
        guard let before = try transaction.printer(named: name) else { throw SpoolError.noSuchPrinter(name) }
        var printer = before
        change(&printer)
        guard printer != before else { return }
        if printer.isDefault { try transaction.clearDefaultPrinter() }
        try transaction.update(printer)
        if printer.deviceURI != before.deviceURI, before.isLocal || printer.isLocal {
            try transaction.liftRestriction(of: printer.name)
            try keepLocal(printer, in: transaction)
        }
        try appendEvent(kind, at: printer, message: message, in: transaction)
    }

    /// In a shared spool, stores that only this host can reach a local printer.
    private func keepLocal(_ printer: ConfiguredPrinter, in transaction: any SpoolTransaction) throws {
        guard let host = database.hosts?.process.host, printer.isLocal else { return }
        try transaction.restrict(printer.name, toHost: host)
    }
}

extension ConfiguredPrinter {
    /// Whether only the host on which the printer was added can reach the printer: a simulated printer, a folder, or a
    /// queue of the local cupsd.
    var isLocal: Bool {
        switch try? DeviceURI(deviceURI) {
        case .simulated, .folder: true
        case .cups(let queue): queue.host == nil
        case .ipp, nil: false
        }
    }
}
