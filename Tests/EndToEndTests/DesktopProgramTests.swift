// Tests the options of desktop programs that read PPD files: CUPS' own programs, pycups, GTK 3, Qt 5 and Java.

import Foundation
import PrintTestSupport
import Testing

/// Each test uses a printd without a cupsd.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct DesktopProgramTests {
    private let spooler: TestSpooler
    private let host: String

    init() throws {
        spooler = try TestSpooler()
        host = try spooler.start(listen: "localhost:0").host
    }

    private func run(_ program: String, _ arguments: String...) async throws -> ProgramRun {
        let environment = ["CUPS_SERVER": host, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": spooler.folder.path]
        let run = try await spooler.run(program, arguments, environment: environment)
        try #require(run.code == 0, "\(run)")
        return run
    }

    private struct Printed: Decodable, Equatable {
        var media: String
        var source: String?
        var sides: String
        var warnings: [String]
    }

    /// Waits for the end of a job on the color laser printer, and returns what the printer received.
    private func printed(_ id: Int) async throws -> Printed {
        struct File: Decodable {
            struct Paper: Decodable { var media: String }
            var paper: Paper
            var mediaSource: String?
            var sides: String
            var warnings: [String]?
        }
        try await spooler.waitForEnd(of: id)
        let folder = try #require(try await spooler.job(id).folder)
        let file = try JSONDecoder().decode(
            File.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/job.json")))
        return Printed(
            media: file.paper.media, source: file.mediaSource, sides: file.sides, warnings: file.warnings ?? [])
    }

    /// Expects two jobs on both sides of the paper, of A4 and of Letter.
    private func expectBothPapers(source: String? = "tray-2") async throws {
        for (id, media) in [(1, "iso_a4_210x297mm"), (2, "na_letter_8.5x11in")] {
            #expect(
                try await printed(id)
                    == Printed(media: media, source: source, sides: "two-sided-long-edge", warnings: []))
        }
    }

    private func document() throws -> String { try spooler.file("a.pdf", .numbered(pages: 2)) }

    // MARK: - CUPS

    @Test(arguments: ["color-laser", "inkjet", "inkjet-duplex", "label", "mono-laser", "photo", "roll"])
    func `the PPD file of a printer is valid`(printer: String) async throws {
        let file = spooler.folder.path("\(printer).ppd")
        let get = try await run(
            "curl", "-s", "-f", "-o", file, "-w", "%{content_type}", "http://\(host)/printers/\(printer).ppd")
        #expect(get.output == "application/vnd.cups-ppd")
        let test = try await run("cupstestppd", "-v", file)
        #expect(test.output.contains("PASS") && !test.output.contains("FAIL"), "\(test)")
    }

    @Test func `the PPD file of a folder is valid, and an unknown printer has none`() async throws {
        let name = "files"
        try FileManager.default.createDirectory(atPath: spooler.folder.path("out"), withIntermediateDirectories: true)
        expect(try await spooler.printq("printers", "add", name, "folder:\(spooler.folder.path("out"))"))
        let file = spooler.folder.path("\(name).ppd")
        _ = try await run("curl", "-s", "-f", "-o", file, "http://\(host)/printers/\(name).ppd")
        #expect(try await run("cupstestppd", file).output.contains("PASS"))
        let none = try await run(
            "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://\(host)/printers/nobody.ppd")
        #expect(none.output == "404")
    }

    @Test func `lp sends options of the PPD file that lpoptions lists, and the printer applies them`() async throws {
        let list = try await run("lpoptions", "-p", "color-laser", "-l")
        for line in [
            "InputSlot/Paper Source: *Auto Tray1 Tray2 Manual", "Duplex/Two-Sided: *None DuplexNoTumble DuplexTumble",
            "ColorModel/Color Mode: *RGB Gray",
        ] { #expect(list.lines.contains(line), "\(list)") }
        _ = try await run(
            "lp", "-d", "color-laser", "-o", "PageSize=Letter", "-o", "Duplex=DuplexTumble", "-o", "InputSlot=Tray2",
            "-o", "MediaType=Stationery", "-o", "Resolution=300dpi", "-o", "cupsPrintQuality=High", try document())
        #expect(
            try await printed(1)
                == Printed(media: "na_letter_8.5x11in", source: "tray-2", sides: "two-sided-short-edge", warnings: []))
    }

    @Test func `pycups gets the PPD file by the name of the printer and as a file of the server`() async throws {
        let script = """
            import cups
            connection = cups.Connection()
            for get in (connection.getPPD, connection.getServerPPD):
                ppd = cups.PPD(get("color-laser"))
                option = ppd.findOption("InputSlot")
                print(option.defchoice, [choice["choice"] for choice in option.choices])
            """
        let got = try await run("/usr/bin/python3", "-c", script)
        #expect(
            got.lines == ["Auto ['Auto', 'Tray1', 'Tray2', 'Manual']", "Auto ['Auto', 'Tray1', 'Tray2', 'Manual']"])
    }

    // MARK: - GTK

    private static let gtk = """
        \(VirtualDisplay.python)
        import sys
        gtk, gobject = ctypes.CDLL("libgtk-3.so.0"), ctypes.CDLL("libgobject-2.0.so.0")
        P, S = ctypes.c_void_p, ctypes.c_char_p
        def call(name, result, *types):
            function = getattr(gtk, name)
            function.restype, function.argtypes = result, types
            return function
        gtk.gtk_init(None, None)
        name_of = call("gtk_printer_get_name", S, P)
        gobject.g_object_ref.argtypes, gobject.g_object_ref.restype = [P], P
        found = []
        @ctypes.CFUNCTYPE(ctypes.c_int, P, P)
        def note(printer, data):
            if name_of(printer) != b"color-laser": return 0
            found.append(gobject.g_object_ref(printer))
            return 1
        gtk.gtk_enumerate_printers(note, None, None, 1)
        printer = found[0]
        details = []
        @ctypes.CFUNCTYPE(None, P, ctypes.c_int, P)
        def acquired(printer, success, data):
            details.append(success)
            gtk.gtk_main_quit()
        gobject.g_signal_connect_data(P(printer), b"details-acquired", acquired, None, None, 0)
        if not call("gtk_printer_has_details", ctypes.c_int, P)(printer):
            call("gtk_printer_request_details", None, P)(printer)
            gtk.gtk_main()
        class List(ctypes.Structure): pass
        List._fields_ = [("data", P), ("next", ctypes.POINTER(List)), ("previous", P)]
        papers = ctypes.cast(call("gtk_printer_list_papers", P, P)(printer), ctypes.POINTER(List))
        names = []
        while papers:
            size = call("gtk_page_setup_get_paper_size", P, P)(papers.contents.data)
            names.append(call("gtk_paper_size_get_name", S, P)(size).decode())
            papers = papers.contents.next
        print(details, names)
        Done = ctypes.CFUNCTYPE(None, P, P, P)
        done = Done(lambda job, data, error: gtk.gtk_main_quit())
        for paper in (b"iso_a4", b"na_letter"):
            settings, setup = call("gtk_print_settings_new", P)(), call("gtk_page_setup_new", P)()
            for key, value in [(b"cups-Duplex", b"DuplexNoTumble"), (b"cups-InputSlot", b"Tray2")]:
                call("gtk_print_settings_set", None, P, S, S)(settings, key, value)
            call("gtk_page_setup_set_paper_size_and_default_margins", None, P, P)(
                setup, call("gtk_paper_size_new", P, S)(paper))
            job = call("gtk_print_job_new", P, S, P, P, P)(paper, printer, settings, setup)
            assert call("gtk_print_job_set_source_file", ctypes.c_int, P, S, P)(job, sys.argv[1].encode(), None)
            call("gtk_print_job_send", None, P, Done, P, P)(job, done, None, None)
            gtk.gtk_main()
        screen.kill()
        """

    @Test func `GTK lists the sizes of a printer, and prints on both sides of A4 and Letter from the chosen tray`()
        async throws
    {
        let list = try await run("/usr/bin/python3", "-c", Self.gtk, try document())
        #expect(list.output.contains("[1] ['iso_a4', 'na_letter', 'na_legal', 'iso_a5', 'iso_a6'"), "\(list)")
        try await expectBothPapers()
    }

    // MARK: - Qt

    // Qt's print dialog passes the tray as an option of the PPD file in this property (PPK_CupsOptions).
    private static let qt = """
        import sys
        from PyQt5.QtWidgets import QApplication
        from PyQt5.QtPrintSupport import QPrinter, QPrinterInfo, QPrintEngine
        from PyQt5.QtGui import QPainter, QPageSize
        application = QApplication(sys.argv)
        info = QPrinterInfo.printerInfo("color-laser")
        print([size.name() for size in info.supportedPageSizes()][:3], len(info.supportedDuplexModes()))
        for size in (QPageSize.A4, QPageSize.Letter):
            printer = QPrinter(info)
            printer.setPageSize(QPageSize(size))
            printer.setDuplex(QPrinter.DuplexLongSide)
            printer.printEngine().setProperty(QPrintEngine.PrintEnginePropertyKey(0xfe00), ["InputSlot", "Tray2"])
            painter = QPainter(printer)
            printer.newPage()
            painter.end()
        """

    @Test func `Qt lists the sizes and sides of a printer, and prints on both sides of A4 and Letter from a tray`()
        async throws
    {
        let list = try await run("/usr/bin/python3", "-c", Self.qt)
        #expect(list.lines.first == "['A4', 'Letter', 'Legal'] 4", "\(list)")
        try await expectBothPapers()
    }

    // MARK: - Chromium

    // Chromium uses the size in its preferences only if all properties are those of the printer, with the name in the PPD
    // file as `vendor_id`. It offers no trays on Linux.
    private static let chromium = """
        \(VirtualDisplay.python)
        import json, sys
        folder, paper, name, width, height = sys.argv[1:]
        width, height, margin = int(width), int(height), 4230
        size = {
            "custom_display_name": paper, "height_microns": height, "imageable_area_bottom_microns": margin,
            "imageable_area_left_microns": margin, "imageable_area_right_microns": width - margin,
            "imageable_area_top_microns": height - margin, **({"is_default": True} if paper == "A4" else {}),
            "name": name, "vendor_id": paper, "width_microns": width}
        state = {
            "version": 2, "recentDestinations": [{"id": "color-laser", "origin": "local"}], "mediaSize": size,
            "isDuplexEnabled": True, "isDuplexShortEdge": False}
        profile = folder + "/" + paper
        os.makedirs(profile + "/Default")
        with open(profile + "/Default/Preferences", "w") as file:
            json.dump({"printing": {"print_preview_sticky_settings": {"appState": json.dumps(state)}}}, file)
        page = profile + "/page.html"
        with open(page, "w") as file:
            file.write("<title>Page</title><body onload='print()' onafterprint='close()'>"
                       "<p>one<p style='break-before: page'>two")
        # Chromium ends when the page closes itself after it was printed.
        subprocess.run(
            ["chromium", "--no-sandbox", "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu",
             "--disable-dev-shm-usage", "--kiosk-printing", "--app=file://" + page],
            env=dict(os.environ, HOME=profile), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        screen.kill()
        """

    @Test func `Chromium prints on both sides of A4 and Letter`() async throws {
        for words in [["A4", "ISO_A4", "210002", "297000"], ["Letter", "NA_LETTER", "215900", "279400"]] {
            let arguments = ["-c", Self.chromium, spooler.folder.path] + words
            let run = try await spooler.run("/usr/bin/python3", arguments, environment: ["CUPS_SERVER": host])
            try #require(run.code == 0, "\(run)")
        }
        try await expectBothPapers(source: nil)
    }

    // MARK: - Java

    // Java sends either a size or a tray with a job.
    private static let java = """
        import java.io.FileInputStream;
        import javax.print.*;
        import javax.print.attribute.*;
        import javax.print.attribute.standard.*;

        public class Print {
            public static void main(String[] arguments) throws Exception {
                for (PrintService service : PrintServiceLookup.lookupPrintServices(null, null)) {
                    if (!service.getName().equals("color-laser")) continue;
                    for (Media media : (Media[]) service.getSupportedAttributeValues(Media.class, null, null)) {
                        System.out.println(media);
                        if (media.toString().equals("Tray 2")) print(service, media, arguments[0]);
                    }
                    print(service, MediaSizeName.ISO_A4, arguments[0]);
                    print(service, MediaSizeName.NA_LETTER, arguments[0]);
                }
            }

            static void print(PrintService service, Media media, String file) throws Exception {
                service.createPrintJob().print(
                    new SimpleDoc(new FileInputStream(file), DocFlavor.INPUT_STREAM.PDF, null),
                    new HashPrintRequestAttributeSet(new PrintRequestAttribute[] {Sides.TWO_SIDED_SHORT_EDGE, media}));
            }
        }
        """

    @Test func `Java lists sizes and trays of a printer, and prints on both sides of A4, of Letter and from a tray`()
        async throws
    {
        let source = try spooler.file("Print.java", Array(Self.java.utf8))
        let list = try await run("java", source, try document())
        #expect(Set(["iso-a4", "na-letter", "Tray 1", "Tray 2", "Manual"]).isSubset(of: list.lines), "\(list)")
        let tray = try await printed(1)
        #expect(tray.source == "tray-2" && tray.sides == "two-sided-short-edge" && tray.warnings == [], "\(tray)")
        for (id, media) in [(2, "iso_a4_210x297mm"), (3, "na_letter_8.5x11in")] {
            #expect(
                try await printed(id)
                    == Printed(media: media, source: nil, sides: "two-sided-short-edge", warnings: []))
        }
    }
}
