// Returns the status of printers within a deadline.

import AsyncPrimitives
public import PrintModel

extension PrinterDirectory {
    /// The timeout of `quickStatus(of:)`.
    private static let quickDeadline = Duration.seconds(2)
    /// The time in seconds for which `quickStatus(of:)` sends no requests to a printer that missed the deadline.
    private static let slowLifetime = 10.0

    /// The capabilities and the status of a printer.
    ///
    /// The values are the printer's response within a short deadline, or cached values.
    public struct QuickStatus: Sendable {
        /// The capabilities; nil if the printer has never responded.
        public var capabilities: PrinterCapabilities?
        /// The status; nil if the printer cannot be reached or missed the deadline.
        public var status: PrinterStatus?
        /// The error of the status request; nil if the printer responded or missed the deadline.
        public var problem: BackendError?

        package init(
            capabilities: PrinterCapabilities? = nil, status: PrinterStatus? = nil, problem: BackendError? = nil
        ) {
            (self.capabilities, self.status, self.problem) = (capabilities, status, problem)
        }
    }

    /// Returns the status and capabilities of a printer within two seconds.
    ///
    /// If the printer misses this deadline, the function returns the cached capabilities.
    ///
    /// A single printer that accepts connections but never responds must not delay a list of printers.
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

    /// Returns the status and capabilities of several printers within two seconds, in the order of the printers.
    ///
    /// Only a printer whose cached values have expired costs a task and a timer, and a request.
    package func quickStatuses(of printers: [ConfiguredPrinter]) async -> [QuickStatus] {
        var seen = printers.map(freshStatus)
        let expired = seen.indices.filter { seen[$0] == nil }
        if !expired.isEmpty {
            await withTaskGroup(of: (Int, QuickStatus).self) { group in
                for index in expired { group.addTask { (index, await self.quickStatus(of: printers[index])) } }
                for await (index, status) in group { seen[index] = status }
            }
        }
        return seen.compactMap(\.self)
    }

    /// Returns the cached values that `quickStatus(of:)` returns without a request; nil if it must send a request.
    private func freshStatus(of printer: ConfiguredPrinter) -> QuickStatus? {
        guard let entry = entries[printer.name], entry.deviceURI == printer.deviceURI else { return nil }
        if isFresh(entry.slowAt, for: Self.slowLifetime) { return QuickStatus(capabilities: entry.capabilities) }
        guard hasFreshStatus(entry) else { return nil }
        let status = entry.shownStatus
        let isSilent = entry.isSilent && status == nil
        guard isSilent || hasFreshCapabilities(entry) else { return nil }
        return QuickStatus(capabilities: entry.capabilities, status: status, problem: entry.problem)
    }

    /// Returns the last response of a printer, and sends no request.
    ///
    /// If the printer did not respond to the last request, the status in the result is nil. If the status was never
    /// requested, the result is nil.
    package func lastStatus(of printer: ConfiguredPrinter) -> QuickStatus? {
        guard let entry = entries[printer.name], entry.deviceURI == printer.deviceURI, entry.statusAt > -.infinity
        else { return nil }
        return QuickStatus(capabilities: entry.capabilities, status: entry.shownStatus, problem: entry.problem)
    }

    private func problem(of printer: ConfiguredPrinter) -> BackendError? { entries[printer.name]?.problem }

    /// Requests the status of the printer; returns nil if the printer misses the deadline.
    private func answer(of printer: ConfiguredPrinter) async -> QuickStatus? {
        let wasSilent = entries[printer.name]?.isSilent == true
        let answer = await outcome(within: Self.quickDeadline, by: sleeper) {
            // A printer that responds to no request is asked once.
            if wasSilent, await self.status(of: printer) == nil, let seen = await self.lastStatus(of: printer) {
                return seen
            }
            async let capabilities = try? self.capabilities(of: printer)
            let status = await self.status(of: printer)
            return await QuickStatus(capabilities: capabilities, status: status, problem: self.problem(of: printer))
        }
        if answer == nil, !Task.isCancelled { update(printer) { ($0.slowAt, $0.wasAsked) = (clock(), true) } }
        return answer
    }
}
