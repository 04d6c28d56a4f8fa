// Checks the printers for `printq doctor`, within a time limit.

import AsyncPrimitives
package import PrintModel
package import PrintScheduler
import Synchronization

/// The health checks of printers.
///
/// The checks run concurrently and end after a timeout, even if many printers do not respond.
package struct PrinterHealth: Sendable {
    /// The timeouts of the checks, and the maximum number of concurrent checks.
    package struct Limits: Sendable {
        /// The timeout for checking all printers.
        package var total = Duration.seconds(5)
        /// The timeout for checking one printer.
        ///
        /// Simulated printers use the timeout for all printers, because `printd` might first start `printsim`.
        package var each = Duration.seconds(2)
        /// The maximum number of printers that are checked at the same time.
        package var concurrent = 100

        /// Creates the limits with default values.
        package init() {}
    }

    private let directory: PrinterDirectory
    private let limits: Limits
    private let clock: any Clock<Duration>

    /// Creates the printer checks.
    ///
    /// - Parameter clock: The clock that measures the timeouts.
    package init(
        directory: PrinterDirectory, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.directory, self.limits, self.clock) = (directory, limits, clock)
    }

    /// The result of the check of one printer.
    private enum Answer: Sendable {
        case status(PrinterStatus)
        case silent(reason: String)
    }

    /// Checks the printers, and returns the results in the order of the printers.
    ///
    /// The last results report the printers that were not checked in time, and a missing default printer.
    package func findings(of printers: [ConfiguredPrinter]) async -> [HealthFinding] {
        guard !printers.isEmpty else {
            return [
                HealthFinding(
                    .printers, "printers", .warning, "there are no printers",
                    advice: "add a printer with 'printq printers add'")
            ]
        }
        let answers = await answers(of: printers)
        var findings: [HealthFinding] = []
        for printer in printers {
            if printer.isPaused { findings.append(Self.paused(printer)) }
            if let answer = answers[printer.name] { findings += finding(printer, answer) }
        }
        let late = printers.filter { answers[$0.name] == nil }.map(\.name)
        if !late.isEmpty { findings.append(unchecked(late, of: printers.count)) }
        if printers.count > 1, !printers.contains(where: \.isDefault) {
            findings.append(
                HealthFinding(
                    .printers, "default-printer", .warning,
                    "there is no default printer, so each job must specify a printer",
                    advice: "choose a default printer with 'printq printers default NAME'"))
        }
        return findings
    }

    // MARK: - Requests

    /// The results of the finished checks, by printer name.
    private final class Answers: Sendable {
        let values = Mutex<[String: Answer]>([:])
    }

    /// Returns the results that arrive before the timeout, by printer name.
    private func answers(of printers: [ConfiguredPrinter]) async -> [String: Answer] {
        let answers = Answers()
        let ordered = await ordered(printers)
        _ = await outcome(within: limits.total, by: clock) { [self] in
            await withTaskGroup(of: (String, Answer)?.self) { group in
                var rest = ordered[...]
                for printer in rest.prefix(limits.concurrent) {
                    group.addTask { await answer(of: printer).map { (printer.name, $0) } }
                }
                rest = rest.dropFirst(limits.concurrent)
                for await result in group {
                    if let (name, answer) = result { answers.values.withLock { $0[name] = answer } }
                    if !Task.isCancelled, let printer = rest.popFirst() {
                        group.addTask { await answer(of: printer).map { (printer.name, $0) } }
                    }
                }
            }
        }
        return answers.values.withLock { $0 }
    }

    /// Returns the printers in the order in which they are checked.
    ///
    /// Printers that responded to their last request come first.
    ///
    /// The check of an unresponsive printer lasts until the timeout, and must not delay the other checks.
    private func ordered(_ printers: [ConfiguredPrinter]) async -> [ConfiguredPrinter] {
        var groups: [[ConfiguredPrinter]] = [[], [], []]
        for printer in printers {
            let last = await directory.lastStatus(of: printer)
            groups[last.map { $0.status == nil ? 2 : 0 } ?? 1].append(printer)
        }
        return groups.flatMap(\.self)
    }

    /// Checks a printer; returns nil if the timeout for all printers has passed.
    private func answer(of printer: ConfiguredPrinter) async -> Answer? {
        let isSimulated = printer.deviceURI.hasPrefix("printsim:")
        let limit = isSimulated ? limits.total : limits.each
        let status = await outcome(within: limit, by: clock) { await directory.status(of: printer) }
        if Task.isCancelled { return nil }
        guard let answered = status else { return .silent(reason: "no response within \(limit.components.seconds) s") }
        if let answered { return .status(answered) }
        if let problem = await directory.lastStatus(of: printer)?.problem { return .silent(reason: problem.message) }
        return .silent(reason: await unusable(printer))
    }

    /// Returns the reason why a printer cannot be used although its last query reported no error.
    private func unusable(_ printer: ConfiguredPrinter) async -> String {
        do {
            _ = try await directory.backend(for: printer)
            return "the printer does not respond reliably"
        } catch let error as BackendError {
            return error.message
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Results

    private static func paused(_ printer: ConfiguredPrinter) -> HealthFinding {
        let why = printer.pauseMessage.isEmpty ? "" : " (\(printer.pauseMessage))"
        return HealthFinding(
            .printers, "printer-paused", .warning, "\(printer.name) is paused\(why)",
            advice: "'printq printers resume \(printer.name)' resumes the printer", printer: printer.name)
    }

    private func finding(_ printer: ConfiguredPrinter, _ answer: Answer) -> [HealthFinding] {
        let name = printer.name
        switch answer {
        case .silent(let reason):
            return [
                HealthFinding(
                    .printers, "printer", .error,
                    "\(name) (\(printer.deviceURI.withoutUserInfo)) cannot be reached: \(reason)",
                    advice:
                        "check that the printer is on; 'printq printers change \(name) --uri URI' changes its address",
                    printer: name)
            ]
        case .status(let status) where status.state == .stopped && !printer.isPaused:
            return [
                HealthFinding(
                    .printers, "printer", .warning, "\(name) is stopped: \(status.message)", printer: name)
            ]
        case .status:
            return printer.isPaused
                ? [] : [HealthFinding(.printers, "printer", .ok, "\(name) responds", printer: name)]
        }
    }

    private func unchecked(_ names: [String], of count: Int) -> HealthFinding {
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return HealthFinding(
            .printers, "printers-unchecked", .warning,
            "\(names.count) of \(count) printers were not checked within \(limits.total.components.seconds) s: \(shown)",
            advice: "run 'printq doctor' again, or see 'printq printers'")
    }
}

extension String {
    /// The URI without the user name and the password.
    package var withoutUserInfo: String {
        guard let start = firstRange(of: "://")?.upperBound else { return self }
        let authority = self[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return self }
        return self[..<start] + String(self[index(after: at)...])
    }
}
