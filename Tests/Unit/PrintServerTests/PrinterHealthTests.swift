import PrintModel
import PrintScheduler
import PrintSpool
import Testing

@testable import PrintServer

/// Tests of the checks of printers within time limits.
struct PrinterHealthTests {
    /// A printer that responds, refuses, or is silent until the request is canceled.
    private struct Printer: PrinterBackend {
        enum Behavior { case responding, refusing, silent, stopped }
        let behavior: Behavior

        func status() async throws(BackendError) -> PrinterStatus {
            switch behavior {
            case .responding: return PrinterStatus(state: .idle)
            case .stopped: return PrinterStatus(state: .stopped, message: "out of paper")
            case .refusing: throw BackendError(.unreachable, "connection refused")
            case .silent:
                let (never, _) = AsyncStream.makeStream(of: Void.self)
                for await _ in never {}
                throw BackendError(.unreachable, "canceled")
            }
        }
        func capabilities() async throws(BackendError) -> PrinterCapabilities {
            throw BackendError(.unreachable, "not used")
        }
        func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
            RemoteJob(id: 1, uuid: nil)
        }
        func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {}
        func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? { nil }
        func cancelJob(_ job: RemoteJob) async throws(BackendError) {}
    }

    private let directory = PrinterDirectory(clock: Spool.systemTime) { printer in
        Printer(
            behavior: printer.name.hasPrefix("silent")
                ? .silent
                : printer.name.hasPrefix("refusing")
                    ? .refusing : printer.name.hasPrefix("stopped") ? .stopped : .responding)
    }

    private func printers(_ kind: String, _ count: Int) -> [ConfiguredPrinter] {
        (1...count).map { ConfiguredPrinter(name: "\(kind)-\($0)", deviceURI: "ipp://ann:secret@host/\($0)") }
    }

    private func health(total: Duration, each: Duration, concurrent: Int = 20) -> PrinterHealth {
        var limits = PrinterHealth.Limits()
        (limits.total, limits.each, limits.concurrent) = (total, each, concurrent)
        return PrinterHealth(directory: directory, limits: limits)
    }

    @Test func `each printer has a health check result with the printer's name and without the password of the URI`()
        async
    {
        var paused = printers("responding", 1)[0]
        (paused.name, paused.isPaused, paused.pauseMessage) = ("paused", true, "new toner")
        var all = printers("responding", 2) + printers("refusing", 1) + printers("stopped", 1) + [paused]
        all[0].isDefault = true
        let findings = await health(total: .seconds(60), each: .seconds(60)).findings(of: all)
        #expect(
            findings.map(\.line) == [
                "ok: responding-1 responds", "ok: responding-2 responds",
                "error: refusing-1 (ipp://host/1) cannot be reached: connection refused; check that the printer is on; "
                    + "'printq printers change refusing-1 --uri URI' changes its address",
                "warning: stopped-1 is stopped: out of paper",
                "warning: paused is paused (new toner); 'printq printers resume paused' resumes the printer",
            ])
        #expect(findings.map { $0.printer ?? "" } == all.map(\.name))
    }

    @Test func `if most of 300 printers are silent, the health check reports the number of unchecked printers`() async {
        let dead = printers("silent", 280)
        let alive = printers("responding", 20)
        // These printers responded before, so they are checked first.
        for printer in alive { _ = await directory.status(of: printer) }
        let findings = await health(total: .seconds(3), each: .milliseconds(500), concurrent: 20)
            .findings(of: dead + alive)
        #expect(findings.count { $0.state == .ok } == 20)
        let late = findings.first { $0.check == "printers-unchecked" }
        let errors = findings.count { $0.check == "printer" && $0.state == .error }
        #expect(late?.state == .warning)
        #expect(
            late?.message.hasPrefix("\(280 - errors) of 300 printers were not checked within") == true, "\(findings)")
    }

    @Test func `if a printer does not respond before its timeout, the health check reports an error for this printer`()
        async
    {
        let findings = await health(total: .seconds(60), each: .milliseconds(20)).findings(of: printers("silent", 1))
        #expect(findings.count == 1 && findings[0].state == .error)
        #expect(findings[0].message.contains("no response within"))
    }

    @Test func `without printers, the health check result contains the command that adds a printer`() async {
        let findings = await health(total: .seconds(1), each: .seconds(1)).findings(of: [])
        #expect(findings.map(\.line) == ["warning: there are no printers; add a printer with 'printq printers add'"])
    }
}
