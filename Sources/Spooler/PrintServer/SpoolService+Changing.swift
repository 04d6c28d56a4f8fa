// Adds, changes and removes printers.

import AsyncPrimitives
public import IPP
import PrintIPP
public import PrintModel
import PrintScheduler
import PrintSpool

extension SpoolService {
    /// Changes a printer atomically.
    ///
    /// If the printer does not exist and the change contains a device URI, the function adds the printer.
    public func addOrModify(printer name: String, change: PrinterChange) async throws {
        do {
            try await check(change, of: name)
            if change.concernsAccess { try await changeAccess(of: name, change) }
            _ = try await spool.addOrModifyPrinter(named: name, change)
        } catch {
            await endTrial(of: name, keepsResults: false)
            throw error
        }
        await endTrial(of: name, keepsResults: true)
        // The administrator expects the printer to be retried now.
        if change.deviceURI != nil || change.isPaused == false || change.concernsAccess {
            await scheduler.tryAgain(printer: name)
        }
        scheduler.wake()
    }

    /// The descriptive attributes of a printer, which an administrator can set to any text.
    public var settableAttributes: [Attribute] {
        [
            "printer-info", "printer-location", "printer-geo-location", "printer-organization",
            "printer-organizational-unit",
        ].map { Attribute($0, .outOfBand(.adminDefine)) }
    }

    /// Sets all given attributes of a printer, or no attribute.
    public func setAttributes(_ attributes: [Attribute], printer: String) async throws {
        var change = try PrinterChange(
            attributes: attributes.map { $0.first?.outOfBandValue == nil ? $0 : Attribute($0.name, .text("")) })
        change.mustExist = true
        try await addOrModify(printer: printer, change: change)
    }

    private func endTrial(of name: String, keepsResults: Bool) async {
        if let trial = access.trial { await BlockingThreads.shared.run { trial.end(name, keepsResults) } }
    }

    private func changeAccess(of name: String, _ change: PrinterChange) async throws {
        let existing = try await spool.printer(named: name)
        let printer = change.applied(to: existing ?? ConfiguredPrinter(name: name, deviceURI: change.deviceURI ?? ""))
        // The current certificate of the printer is the certificate to trust.
        if change.trustsCertificate == true { _ = await directory.status(of: printer) }
        do {
            try await BlockingThreads.shared.run { [access] in try access.change(printer, change) }
        } catch {
            // Trusting a certificate may succeed later. Storing credentials never succeeds without a credential
            // storage.
            let status: Status =
                change.deviceUser == nil ? .clientErrorNotPossible : .clientErrorAttributesOrValuesNotSupported
            throw IPPFailure(status, "\(error)")
        }
        await directory.forgetAnswers(of: printer)
    }

    /// Tests a change of a printer by querying the device, without adding or changing the printer.
    ///
    /// The function returns the capabilities and the status of the device.
    public func look(at name: String, change: PrinterChange) async throws -> (PrinterCapabilities, PrinterStatus) {
        let existing = try await spool.printer(named: name)
        guard let uri = existing?.deviceURI ?? (change.mustExist ? nil : change.deviceURI) else {
            throw IPPFailure.notFound("there is no printer '\(name)'; to add the printer, send its device-uri")
        }
        if let trial = access.trial { await BlockingThreads.shared.run { trial.begin(name) } }
        do {
            return try await look(at: change.applied(to: existing ?? ConfiguredPrinter(name: name, deviceURI: uri)))
        } catch {
            await endTrial(of: name, keepsResults: false)
            throw error
        }
    }

    private func look(at printer: ConfiguredPrinter) async throws -> (PrinterCapabilities, PrinterStatus) {
        let backend = try await way(to: printer)
        typealias Answer = Result<(PrinterCapabilities, PrinterStatus), BackendError>
        let answer = await outcome(within: Self.answerTime) { () async -> Answer in
            do throws(BackendError) {
                return .success((try await backend.capabilities(), try await backend.status()))
            } catch {
                return .failure(error)
            }
        }
        guard let answer else {
            let isSecure = printer.deviceURI.hasPrefix("ipps:")
            throw BackendError(
                .unreachable,
                "\(printer.deviceURI) did not respond within \(Self.answerTime.components.seconds) seconds"
                    + (isSecure ? "; the printer may not support TLS" : ""))
        }
        return try answer.get()
    }

    /// Returns the backend for querying a printer: the backend of the trial query, or the backend that prints the
    /// printer's jobs.
    private func way(to printer: ConfiguredPrinter) async throws -> any PrinterBackend {
        guard let trial = access.trial else { return try await directory.backend(for: printer) }
        return try trial.backend(printer)
    }

    /// Returns the capabilities of a printer; nil if the capabilities are unknown.
    ///
    /// If `moves` is true, the printer has a new device URI, and is queried at the new URI.
    private func capabilities(of printer: ConfiguredPrinter, moves: Bool) async -> PrinterCapabilities? {
        guard moves, access.trial != nil else { return await directory.knownCapabilities(of: printer) }
        return try? await look(at: printer).0
    }

    /// The timeout for querying a device.
    private static let answerTime = Duration.seconds(15)

    /// Throws an error for a change with an unsupported device URI, an invalid name, or an unsupported default option.
    private func check(_ change: PrinterChange, of name: String) async throws {
        let existing = try await spool.printer(named: name)
        guard let uri = existing?.deviceURI ?? (change.mustExist ? nil : change.deviceURI) else {
            throw IPPFailure.notFound("there is no printer '\(name)'; to add the printer, send its device-uri")
        }
        guard ConfiguredPrinter.isValidName(name) else {
            throw IPPFailure.badRequest(
                "invalid printer name '\(name)': use 1 to 127 letters, digits, '-', '_' and '.', "
                    + "and begin with a letter or digit")
        }
        let changed = change.applied(to: existing ?? ConfiguredPrinter(name: name, deviceURI: uri))
        if change.deviceURI != nil {
            do {
                _ = try await way(to: changed)
            } catch {
                throw IPPFailure(.clientErrorAttributesOrValuesNotSupported, "\(error)")
            }
        }
        guard change.options.values.contains(where: { !$0.isEmpty }) else { return }
        guard let capabilities = await capabilities(of: changed, moves: change.deviceURI != nil) else { return }
        var ticket = JobTicket()
        for (option, value) in change.options where !value.isEmpty { try? ticket.set(option, to: value, at: 0) }
        if let conflict = ticket.plan(for: capabilities, named: name).conflicts.first {
            throw IPPFailure(.clientErrorAttributesOrValuesNotSupported, conflict.description)
        }
    }

    /// Cancels or moves the unfinished jobs of a printer, and then removes the printer.
    ///
    /// With `keepPrinter`, the removal fails if the printer has unfinished jobs. With `cancel`, the removal fails if
    /// the printer responds, but does not stop a canceled job within 10 seconds.
    public func remove(printer name: String, jobs: RemovedPrinterJobs) async throws {
        let printer = try await spool.printer(named: name)
        guard printer != nil else { throw IPPFailure.notFound("there is no printer '\(name)'; see 'printq printers'") }
        switch jobs {
        case .keepPrinter: break
        case .cancel: try await cancelAll(of: name)
        case .move(let other): try await moveAll(of: name, to: other)
        }
        try await spool.removePrinter(named: name)
        await BlockingThreads.shared.run { [access] in access.forget(name) }
        await forgetRemovedPrinters()
        scheduler.wake()
    }

    /// Removes from memory what is known about printers that this host or another host has removed.
    public func forgetRemovedPrinters() async {
        guard let printers = try? await spool.printers() else { return }
        let names = Set(printers.map(\.name))
        await directory.keepOnly(names)
        states.keepOnly(names)
        configured.keepOnly(names)
        described.keepOnly(names)
        scheduler.keepOnly(names)
    }

    /// The maximum time that a removal waits for the printer to stop the canceled job.
    private static let stopTime = Duration.seconds(10)

    private func cancelAll(of printer: String) async throws {
        try await change(
            try await unfinished(of: printer).filter { !$0.reasons.contains(.processingToStopPoint) }
                .map { ($0, .cancelRequested(byOperator: true)) })
        let hasStopped = await outcome(within: Self.stopTime) {
            // The stream is created before the first query, so that no change is missed.
            var changes = spool.changes().makeAsyncIterator()
            repeat {
                if (try? await spool.countQueuedJobs(printer: printer)) == 0 { return true }
            } while await changes.next() != nil
            return false
        }
        guard hasStopped != true else { return }
        for job in try await unfinished(of: printer) {
            guard await isSilent(printer) else {
                throw IPPFailure.notPossible(
                    "\(printer) is still printing the canceled job \(job.id); remove the printer later"
                )
            }
            // The printer may never respond again. In that case this job would prevent the removal of the printer.
            try await change(
                job,
                .doubted(
                    message:
                        "\(printer) did not respond before its removal and may still print the job; "
                        + "cancel the job at the printer too"))
        }
    }

    /// Queries a printer, and returns whether the printer does not respond.
    private func isSilent(_ name: String) async -> Bool {
        guard let printer = try? await spool.printer(named: name) else { return true }
        return await directory.status(of: printer) == nil
    }

    private func moveAll(of printer: String, to other: String) async throws {
        guard other != printer else {
            throw IPPFailure.badRequest(
                "cannot move the jobs of \(printer) to the same printer; choose another printer")
        }
        let target = try await spool.printer(named: other)
        guard target != nil else { throw IPPFailure.notFound("cannot move the jobs: there is no printer '\(other)'") }
        let jobs = try await unfinished(of: printer)
        for job in jobs {
            var machine = JobStateMachine(job: job)
            do throws(JobStateMachine.InvalidTransition) {
                _ = try machine.handle(.moveRequested(to: other), at: clock())
            } catch {
                throw IPPFailure.notPossible("\(printer) was not removed and no job was moved: \(error.description)")
            }
        }
        try await spool.move(jobs.map(\.id), to: other)
    }

    private func unfinished(of printer: String) async throws -> [Job] {
        try await spool.jobs(JobFilter(.notCompleted, printer: printer))
    }

    /// Searches for devices that users can add as printers.
    public func devices(within time: Duration) async throws -> DeviceSearch {
        await DeviceSearch(asking: sources, within: time)
    }

    /// Sets whether a printer accepts new jobs.
    public func setAccepting(_ isAccepting: Bool, printer: String) async throws {
        try await spool.setAccepting(isAccepting, printer: printer)
    }
}
