// Tests lists of the spool's printers: how often a list is made, and that a list contains each earlier change.

import AsyncPrimitives
import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintServer
import PrintSpool
import PrintTestSupport
import Synchronization
import Testing

struct PrinterListTests {
    /// Document types that are requested once for each list, and that the first list waits for.
    private final class GatedTypes: Sendable {
        let arrival = Signal()
        let opening = Signal()
        private let requests = Mutex(0)
        var count: Int { requests.withLock { $0 } }

        func types() async -> PrintableTypes {
            requests.withLock { $0 += 1 }
            arrival.give()
            await opening.wait()
            return .pages
        }
    }

    /// A printer whose status a test changes.
    private final class ChangingPrinter: PrinterBackend {
        let reported = Mutex(PrinterStatus(state: .idle))

        func capabilities() async throws(BackendError) -> PrinterCapabilities {
            try await QuietPrinter().capabilities()
        }
        func status() async throws(BackendError) -> PrinterStatus { reported.withLock { $0 } }
        func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
            RemoteJob(id: 1, uuid: nil)
        }
        func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {}
        func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? { nil }
        func cancelJob(_ job: RemoteJob) async throws(BackendError) {}
    }

    private func change(_ change: (inout PrinterChange) -> Void) -> PrinterChange {
        var changed = PrinterChange()
        change(&changed)
        return changed
    }

    @Test func `100 lists that are requested during a list share one further list, which has the latest changes`()
        async throws
    {
        let gate = GatedTypes()
        let quiet = try await QuietSpool(types: { await gate.types() })
        let first = quiet.service.listPrinters()
        await gate.arrival.wait()
        // The first list has already read the printers.
        try await quiet.spool.addOrModifyPrinter(named: "quiet", change { $0.location = "attic" })
        try await quiet.spool.addPrinter(ConfiguredPrinter(name: "second", deviceURI: "test:second"))
        let others = (0..<100).map { _ in quiet.service.listPrinters() }
        gate.opening.give()
        #expect(try await first.value.map(\.name) == ["quiet"])
        for other in others {
            let list = try await other.value
            #expect(list.map(\.name) == ["quiet", "second"] && list[0].location == "attic")
        }
        #expect(gate.count == 2)
    }

    @Test func `a list after the end of all lists is a new list`() async throws {
        let quiet = try await QuietSpool()
        _ = try await quiet.service.printers()
        try await quiet.spool.addOrModifyPrinter(named: "quiet", change { $0.info = "Changed" })
        #expect(try await quiet.service.printers()[0].info == "Changed")
    }

    @Test func `while changes and lists run concurrently, each list has the changes that ended before its request`()
        async throws
    {
        let quiet = try await QuietSpool()
        try await withThrowingTaskGroup { group in
            for writer in 1...4 {
                group.addTask {
                    let name = "printer-\(writer)"
                    try await quiet.spool.addPrinter(ConfiguredPrinter(name: name, deviceURI: "test:\(name)"))
                    for round in 0..<25 {
                        try await quiet.spool.addOrModifyPrinter(named: name, change { $0.location = "\(round)" })
                        let listed = try await quiet.service.printers().first { $0.name == name }
                        #expect(listed?.location == "\(round)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a printer is described again only after one of its values has changed`() async throws {
        let device = ChangingPrinter()
        let sharing = SharingState()
        let quiet = try await QuietSpool(printer: device, sharing: sharing)
        func listed() async throws -> ListedGroups {
            let list = try #require(try await quiet.service.printers()[0].listed)
            #expect(try await quiet.service.printer(named: "quiet").listed === list)
            return list
        }
        var last = try await listed()
        func expectNewDescription(_ why: Comment, after change: () async throws -> Void) async throws {
            try await change()
            let new = try await listed()
            #expect(new !== last, why)
            last = new
        }
        try await expectNewDescription("row") {
            try await quiet.spool.addOrModifyPrinter(named: "quiet", change { $0.isShared = true })
        }
        try await expectNewDescription("pause") { try await quiet.spool.pausePrinter(named: "quiet") }
        try await expectNewDescription("publication") { sharing.note("Quiet", of: "quiet") }
        let extra = try await quiet.service.printers()[0].extra
        #expect(extra.first { $0.name == "printer-dns-sd-name" }?.values == [.name("Quiet")])
        try await expectNewDescription("status of the device") {
            device.reported.withLock { $0.supplies = [.init(name: "Ink", type: "ink", color: "#000000", level: 7)] }
            await quiet.directory.expireStatus(ofPrinterNamed: "quiet")
        }
        try await quiet.spool.addPrinter(ConfiguredPrinter(name: "second", deviceURI: "test:second"))
        try await expectNewDescription("default printer") { try await quiet.service.setDefault(printer: "second") }
    }

    @Test func `a submitted job does not change the time of the printer's last change`() async throws {
        let quiet = try await QuietSpool()
        let before = try await quiet.service.printers()[0].stateChangedAt
        _ = try await quiet.service.destination(named: "quiet", waits: false)
        try await quiet.spool.addOrModifyPrinter(named: "quiet", change { $0.location = "attic" })
        #expect(try await quiet.service.printers()[0].stateChangedAt == before)
    }
}
