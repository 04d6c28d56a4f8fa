import PrintModel
import PrintSpool
import Testing

struct PrintersTests {
    let files = TestSpool()

    @Test func `printers are listed in the order in which they were added, and only one printer is the default`()
        async throws
    {
        let spool = try await files.open(printers: [])
        try await spool.addPrinter(ConfiguredPrinter(name: "zebra", deviceURI: "printsim:zebra", isDefault: true))
        try await spool.addPrinter(
            ConfiguredPrinter(
                name: "apple", deviceURI: "ipp://host/ipp/print", info: "By the door", errorPolicy: .abortJob,
                afterInterruption: .continue))
        try await spool.setDefaultPrinter("apple")
        try spool.close()
        let printers = try await files.open(printers: []).printers()
        #expect(printers.map(\.name) == ["zebra", "apple"])
        #expect(printers.map(\.isDefault) == [false, true])
        #expect(printers[1].info == "By the door")
        #expect(printers[1].errorPolicy == .abortJob)
        #expect(printers.map(\.afterInterruption).sorted { $0.rawValue < $1.rawValue } == [.ask, .continue])
    }

    @Test func `if a printer is added as the default, the printer replaces the previous default`() async throws {
        let spool = try await files.open(printers: [])
        for name in ["a", "b"] {
            try await spool.addPrinter(ConfiguredPrinter(name: name, deviceURI: "printsim:\(name)", isDefault: true))
        }
        #expect(try await spool.printers().filter(\.isDefault).map(\.name) == ["b"])
    }

    @Test func `a printer cannot be added if the name exists or is invalid, and an unknown printer cannot be paused`()
        async throws
    {
        let spool = try await files.open()
        #expect(
            await code { try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "printsim:x")) }
                == .printerExists)
        #expect(
            await code { try await spool.addPrinter(ConfiguredPrinter(name: "a b", deviceURI: "x:y")) } == .invalidName)
        #expect(await code { try await spool.pausePrinter(named: "nowhere") } == .noSuchPrinter)
        #expect(await code { try await spool.setDefaultPrinter("nowhere") } == .noSuchPrinter)
        #expect(try await spool.printer(named: "nowhere") == nil)
    }

    @Test func `a printer with unfinished jobs cannot be removed, and the ended jobs of a removed printer are kept`()
        async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit().id
        #expect(await code { try await spool.removePrinter(named: "laser") } == .notPossible)
        try await spool.complete(id)
        try await spool.removePrinter(named: "laser")
        #expect(try await spool.printers().isEmpty)
        #expect(try await spool.job(id)?.printer == "laser")
    }

    @Test func `each change of a printer adds one event, and a repeated change adds no event`() async throws {
        let spool = try await files.open()
        let start = try await spool.latestEventSequence()
        try await spool.pausePrinter(named: "laser", message: "new toner")
        try await spool.pausePrinter(named: "laser", message: "new toner")
        #expect(try await spool.printer(named: "laser")?.pauseMessage == "new toner")
        try await spool.resumePrinter(named: "laser")
        try await spool.setAccepting(false, printer: "laser")
        try await spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "ipp://host/ipp/print"))
        let events = try await spool.events(after: start)
        #expect(
            events.map { "\($0.kind): \($0.message)" } == [
                "printer-state-changed: Paused: new toner", "printer-state-changed: Resumed",
                "printer-state-changed: Not accepting jobs", "printer-config-changed: Changed",
            ])
        #expect(events.allSatisfy { $0.jobID == nil && $0.printer == "laser" })
    }

    @Test func `when a change of a printer wakes an observer, the observer can read the change`() async throws {
        let spool = try await files.open()
        for round in 0..<100 {
            // The observers of the previous write are woken before this call, which wakes no observers.
            _ = try await spool.synchronousLevel()
            let changes = spool.changes()
            let woken = Task {
                for await _ in changes { return try await spool.printers()[0].isPaused }
                return !round.isMultiple(of: 2)
            }
            if round.isMultiple(of: 2) {
                try await spool.pausePrinter(named: "laser")
            } else {
                try await spool.resumePrinter(named: "laser")
            }
            #expect(try await woken.value == round.isMultiple(of: 2))
        }
    }
}
