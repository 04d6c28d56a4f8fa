import FoundationEssentials
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

@testable import DocumentInteraction

/// Tests of what the application that opens a document receives.
struct OpenedDocumentTests {
    private let desktop: DesktopFolder
    private let program = Programs.beside("DocumentExamples")

    init() throws { desktop = try DesktopFolder() }

    private var log: String { desktop.folder.path("received.txt") }

    private func received() async throws -> String {
        try await eventually("the application has received the document", in: desktop.folder.path) {
            FileManager.default.contents(atPath: log)?.last == UInt8(ascii: "\n")
        }
        return try String(contentsOfFile: log, encoding: .utf8)
    }

    @Test func `an application receives the document, the program that asks and the annotation`() async throws {
        try desktop.install("viewer", "Viewer", types: "text/calendar;", command: "\(program) --log=\(log) %u")
        let url = try desktop.file("a b.ics", Array("BEGIN:VCALENDAR\n".utf8))
        let controller = desktop.controller(url)
        (controller.annotation, controller.sourceApplication) = (["page": 7], "com.acme.Mail.desktop")
        let presenter = RecordingPresenter()
        presenter.choice = 0
        controller.presenter = presenter
        #expect(try await controller.presentOpenInMenu())
        #expect(try await received() == "\(url.path), from com.acme.Mail.desktop, page 7\n")
    }

    @Test func `a program opens a document in another program`() async throws {
        try desktop.install("viewer", "Viewer", types: "text/calendar;", command: "\(program) --log=\(log) %f")
        let url = try desktop.file("a.ics", Array("BEGIN:VCALENDAR\n".utf8))
        let run = try await desktop.example("--open", "a.ics")
        #expect(run.code == 0, "\(run.complaints)")
        #expect(try await received() == "\(url.path), from DocumentExamples, page 3\n")
    }

    @Test func `an application on the session bus receives the document, and the bus starts the application`()
        async throws
    {
        let services = desktop.folder.path("share/dbus-1/services")
        try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
        try """
        [D-BUS Service]
        Name=com.acme.Calendar-App
        Exec=\(program) --serve=com.acme.Calendar-App --log=\(log)
        """.write(toFile: "\(services)/com.acme.service", atomically: true, encoding: .utf8)
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(desktop.folder.path("bus"))</listen>
          <servicedir>\(services)</servicedir>
          <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy>
        </busconfig>
        """.write(toFile: desktop.folder.path("bus.conf"), atomically: true, encoding: .utf8)
        var bus: ChildProgram? = try ChildProgram(
            "dbus-daemon", ["--config-file=\(desktop.folder.path("bus.conf"))", "--nofork", "--print-address"])
        let address = try #require(bus?.readLine())
        try desktop.install(
            "com.acme.Calendar-App", "Calendar", types: "text/calendar;", command: "/bin/false",
            more: "DBusActivatable=true")
        let url = try desktop.file("a b.ics", Array("BEGIN:VCALENDAR\n".utf8))
        let controller = desktop.controller(url)
        (controller.annotation, controller.sourceApplication) = (["page": 7], "mail")
        controller.sessionBus = address
        let presenter = RecordingPresenter()
        presenter.choice = 0
        controller.presenter = presenter
        #expect(controller.applications.first?.isDBusActivatable == true)
        #expect(try await controller.presentOpenInMenu())
        #expect(try await received() == "\(url.path), from mail, page 7\n")
        // The name has an owner now, so a second program is refused.
        let error = await #expect(throws: PrintError.self) {
            _ = try await OpenRequests(application: "com.acme.Calendar-App", bus: address)
        }
        #expect(error?.message.contains("another program already has the name") == true)
        let others = try await OpenRequests(application: "com.acme.Other", bus: address)
        // Kills the bus. The documents end, so the application that the bus has started ends, too.
        bus = nil
        for await _ in others.documents {}
    }

    @Test func `without a session bus, the command of the desktop entry is started`() async throws {
        try desktop.install(
            "com.acme.Viewer", "Viewer", types: "text/calendar;", command: "\(program) --log=\(log) %f",
            more: "DBusActivatable=true")
        let url = try desktop.file("a.ics", Array("BEGIN:VCALENDAR\n".utf8))
        let application = try #require(desktop.controller(url).applications.first)
        let message = try OpenMessage(url, source: "mail", annotation: nil)
        try await application.open(message, url, bus: "unix:path=/nowhere/bus")
        #expect(try await received() == "\(url.path), from mail, page 0\n")
    }

    @Test func `without a session bus and without a command, the error names the application and the cause`()
        async throws
    {
        let entry = "[Desktop Entry]\nType=Application\nName=Viewer\nDBusActivatable=true\n"
        let application = try #require(DocumentApplication(id: "com.acme.Viewer.desktop", entry: entry))
        #expect(DocumentApplication(id: "viewer.desktop", entry: entry) == nil, "a name on the bus has two parts")
        let url = URL(filePath: "/d/a.ics")
        let message = try OpenMessage(url, source: "mail", annotation: nil)
        let error = await #expect(throws: PrintError.self) {
            try await application.open(message, url, bus: "unix:path=/nowhere/bus")
        }
        #expect(error?.message == "cannot open 'a.ics' with Viewer")
        #expect(error?.description.contains("cannot connect to the session bus") == true)
    }

    @Test(arguments: [
        (["--new", "a.ics"], "file:///d/a.ics"), (["/e/b c"], "file:///e/b%20c"),
        (["https://example.org/a"], "https://example.org/a"), (["-v"], nil), ([], nil),
    ])
    func `the first argument that is no option is the document`(arguments: [String], url: String?) {
        let document = OpenedDocument.fromArguments(arguments, message: nil, folder: "/d")
        #expect(document?.url.absoluteString == url && document?.sourceApplication == nil)
    }

    @Test func `a message about another document is ignored`() throws {
        let message = try OpenMessage(URL(filePath: "/d/a b.ics"), source: "mail", annotation: "draft").json
        let document = OpenedDocument.fromArguments(["a b.ics"], message: message, folder: "/d")
        #expect(document?.sourceApplication == "mail")
        #expect(try document?.annotation(as: String.self) == "draft")
        let error = #expect(throws: PrintError.self) { try document?.annotation(as: Int.self) }
        #expect(error?.message.hasPrefix("the annotation of 'a b.ics' is not a Int") == true)
        let other = OpenedDocument.fromArguments(["b.ics"], message: message, folder: "/d")
        #expect(other?.sourceApplication == nil && other?.annotationData == nil)
        #expect(OpenedDocument.fromArguments(["b.ics"], message: "no JSON", folder: "/d") != nil)
    }

    @Test func `an annotation of more than 64 KiB is refused`() {
        let error = #expect(throws: PrintError.self) {
            try OpenMessage(
                URL(filePath: "/d/a.ics"), source: nil, annotation: String(repeating: "a", count: 65_536))
        }
        #expect(error?.message.contains("has 65538 bytes; the maximum is 65536 bytes") == true)
    }

    @Test func `the identifier of a program is its desktop entry if the desktop has started the program`() {
        let entry = "/usr/share/applications/com.acme.Mail.desktop"
        let started = ["GIO_LAUNCHED_DESKTOP_FILE": entry, "GIO_LAUNCHED_DESKTOP_FILE_PID": "\(getpid())"]
        #expect(OpenMessage.ownIdentifier(environment: started) == "com.acme.Mail.desktop")
        let inherited = ["GIO_LAUNCHED_DESKTOP_FILE": entry, "GIO_LAUNCHED_DESKTOP_FILE_PID": "1"]
        #expect(OpenMessage.ownIdentifier(environment: inherited) != "com.acme.Mail.desktop")
    }
}
