// Tests clients that are not part of CUPS: pycups, GTK's print dialog, pyipp.

import Foundation
import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(4)))
struct ForeignClientTests {
    private let spooler: TestSpooler
    /// The address `localhost:PORT`.
    private let host: String

    init() throws {
        spooler = try TestSpooler()
        host = try spooler.start(listen: "localhost:0").host
    }

    /// Returns the server address for a client: the socket or the TCP port.
    private func server(_ way: String) -> String { way == "socket" ? spooler.socket : host }

    /// Runs a script in Debian's Python, and decodes its last line as JSON.
    private func python<Result: Decodable>(
        _ script: String, _ arguments: String..., python: String = "/usr/bin/python3",
        environment: [String: String] = [:]
    ) async throws -> Result {
        let run = try await spooler.run(python, ["-c", script] + arguments, environment: environment)
        try #require(run.code == 0, "\(run)")
        let line = try #require(run.lines.last, "\(run)")
        return try JSONDecoder().decode(Result.self, from: Data(line.utf8))
    }

    // MARK: - pycups

    private struct PycupsSubmission: Decodable {
        var subscription: Int
        var job: Int
    }

    private struct PycupsReport: Decodable {
        var printers: [String]
        var standard: String
        var uri: String
        var owner: String
        var told: [String]
        var subscriptions: [Int]
        var canceled: Int
    }

    private static let connecting = """
        import cups, json, sys
        server, user, file = sys.argv[1:4]
        cups.setServer(server)
        cups.setUser(user)
        connection = cups.Connection()

        """

    private static let submitting = """
        subscription = connection.createSubscription("/", events=["job-created", "job-completed"], lease_duration=300)
        job = connection.printFile("color-laser", file, "letter", {"copies": "2"})
        print(json.dumps({"subscription": subscription, "job": job}))
        """

    private static let looking = """
        subscription, job = int(sys.argv[4]), int(sys.argv[5])
        printers = connection.getPrinters()
        told = [event["notify-subscribed-event"] for event in connection.getNotifications([subscription])["events"]]
        jobs = connection.getJobs(which_jobs="all", requested_attributes=["job-id", "job-originating-user-name"])
        mine = connection.getSubscriptions("/", my_subscriptions=True)
        connection.renewSubscription(subscription, 60)
        connection.cancelSubscription(subscription)
        connection.disablePrinter("mono-laser")
        waiting = connection.printFile("mono-laser", file, "letter", {})
        connection.cancelJob(waiting)
        connection.enablePrinter("mono-laser")
        print(json.dumps({
            "printers": sorted(printers), "standard": connection.getDefault(),
            "uri": printers["color-laser"]["printer-uri-supported"],
            "owner": jobs[job]["job-originating-user-name"], "told": told,
            "subscriptions": [one["notify-subscription-id"] for one in mine],
            "canceled": connection.getJobAttributes(waiting)["job-state"]}))
        """

    @Test(arguments: ["socket", "TCP"])
    func `with pycups, a user can list printers, submit jobs, subscribe to events and cancel jobs`(way: String)
        async throws
    {
        let file = try spooler.file("letter.pdf", .numbered(pages: 1))
        let submitted: PycupsSubmission = try await python(
            Self.connecting + Self.submitting, server(way), "ann", file)
        try await spooler.waitForEnd(of: submitted.job)
        let report: PycupsReport = try await python(
            Self.connecting + Self.looking, server(way), "ann", file, "\(submitted.subscription)", "\(submitted.job)")
        #expect(report.printers.count == 7 && report.printers.contains("mono-laser"), "\(report)")
        #expect(report.standard == "color-laser")
        #expect(report.uri == "ipp://\(way == "socket" ? "localhost" : host)/printers/color-laser")
        #expect(report.told.first == "job-created" && report.told.last == "job-completed", "\(report)")
        #expect(report.owner == "ann")
        // pycups sends the user name of a subscription in a different attribute than the user name of a job.
        #expect(report.subscriptions == [submitted.subscription], "the subscription is ann's: \(report)")
        #expect(report.canceled == 7)
        let line = try #require(try spooler.log(of: "color-laser").first)
        #expect(line.copies == 2 && line.state == "completed", "\(line)")
    }

    // MARK: - GTK

    private struct GTKPrinter: Decodable, Equatable {
        var name: String
        var isDefault: Int
        var isPaused: Int
        var takesPDF: Int
    }

    /// The script that lists the printers as a print dialog does.
    ///
    /// GTK requires a display for this script.
    private static let gtk = """
        \(VirtualDisplay.python)
        import json
        gtk = ctypes.CDLL("libgtk-3.so.0")
        gtk.gtk_init(None, None)
        gtk.gtk_printer_get_name.restype = ctypes.c_char_p
        found = []
        @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        def note(printer, data):
            printer = ctypes.c_void_p(printer)
            if not gtk.gtk_printer_is_virtual(printer):
                found.append({
                    "name": gtk.gtk_printer_get_name(printer).decode(),
                    "isDefault": gtk.gtk_printer_is_default(printer),
                    "isPaused": gtk.gtk_printer_is_paused(printer),
                    "takesPDF": gtk.gtk_printer_accepts_pdf(printer)})
            return 0
        gtk.gtk_enumerate_printers(note, None, None, 1)
        print(json.dumps(sorted(found, key=lambda printer: printer["name"])))
        screen.kill()
        """

    @Test(arguments: ["socket", "TCP"])
    func `the print dialog of GTK lists the printers of printd`(way: String) async throws {
        expect(try await spooler.printq("printers", "pause", "mono-laser"))
        let found: [GTKPrinter] = try await python(Self.gtk, environment: ["CUPS_SERVER": server(way)])
        let names = ["color-laser", "inkjet", "inkjet-duplex", "label", "mono-laser", "photo", "roll"]
        #expect(
            found
                == names.map {
                    GTKPrinter(
                        name: $0, isDefault: $0 == "color-laser" ? 1 : 0, isPaused: $0 == "mono-laser" ? 1 : 0,
                        takesPDF: 1)
                })
    }

    // MARK: - pyipp

    private struct PyippReport: Decodable {
        var name: String
        var uris: [String]
        var state: String
    }

    private static let pyipp = """
        import asyncio, json, sys
        from pyipp import IPP
        async def main():
            port, tls, path = int(sys.argv[1]), sys.argv[2] == "https", sys.argv[3]
            async with IPP(host="localhost", port=port, base_path=path, tls=tls, verify_ssl=False) as ipp:
                printer = await ipp.printer()
                print(json.dumps({
                    "name": printer.info.printer_info, "state": printer.state.printer_state,
                    "uris": [uri.uri for uri in printer.uris]}))
        asyncio.run(main())
        """

    @Test(.enabled(if: TestRun.isLong))
    func `pyipp reads the attributes of a printer over HTTP and HTTPS`() async throws {
        let modules = spooler.folder.path("modules")
        expect(try await spooler.run("python3", ["-m", "venv", modules]))
        expect(try await spooler.run("\(modules)/bin/pip", ["install", "-q", "pyipp==0.17.2"]))
        let port = try #require(host.split(separator: ":").last.map(String.init))
        for (scheme, own, other) in [("http", "ipp", "ipps"), ("https", "ipps", "ipp")] {
            for (path, schemes) in [("/ipp/print/color-laser", [own, other]), ("/printers/color-laser", [own])] {
                let report: PyippReport = try await python(
                    Self.pyipp, port, scheme, path, python: "\(modules)/bin/python")
                #expect(report.name == "Simulated color laser printer" && report.state == "idle", "\(report)")
                #expect(report.uris == schemes.map { "\($0)://\(host)\(path)" })
            }
        }
    }
}
