import FoundationEssentials
import PrintTestSupport
import Testing

@testable import DocumentInteraction

/// Tests of menus and previews of a document.
struct DocumentInteractionTests {
    private let folder: TemporaryFolder
    private let delegate = Recorder()
    private let presenter = RecordingPresenter()

    init() throws { folder = try TemporaryFolder() }

    private func controller(_ name: String = "notes.txt", _ text: String = "hello\n") throws
        -> DocumentInteractionController
    {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        let controller = DocumentInteractionController(url: URL(filePath: path))
        controller.delegate = delegate
        controller.presenter = presenter
        controller.applicationRegistry = ApplicationRegistry(environment: [
            "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": "/nowhere",
        ])
        controller.printInteractionController = nil
        return controller
    }

    /// Writes the desktop entry of an application that writes its arguments to a file.
    private func install(_ id: String, _ name: String, types: String, arguments: String = "%f") throws {
        let applications = folder.path("share/applications")
        try FileManager.default.createDirectory(atPath: applications, withIntermediateDirectories: true)
        let program = folder.path("open.sh")
        try "#!/bin/sh\nprintf '%s\\n' \"$@\" >\"$0.part\" && mv \"$0.part\" \"$0.out\"\n"
            .write(toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        try """
        [Desktop Entry]
        Type=Application
        Name=\(name)
        Exec=\(program) \(arguments)
        MimeType=\(types)
        """.write(toFile: "\(applications)/\(id).desktop", atomically: true, encoding: .utf8)
    }

    // MARK: Properties

    @Test func `the name, the type and the icons of a document interaction come from the document`() throws {
        let text = try controller()
        #expect(text.name == "notes.txt" && text.uti == "public.plain-text")
        #expect(text.icons == ["text-plain", "text-x-generic"])
        // The contents take precedence over the name.
        let pdf = try controller("report.txt", "%PDF-1.7\n")
        #expect(pdf.uti == "com.adobe.pdf" && pdf.icons == ["application-pdf", "x-office-document"])
        let unknown = try controller("data.bin", "\u{0}\u{1}\u{2}")
        #expect(unknown.uti == nil && unknown.icons.isEmpty)
    }

    @Test func `if an app sets a name and a type, both values are used until the app sets a new URL`() throws {
        let controller = try controller()
        (controller.name, controller.uti) = ("My notes", "public.html")
        #expect(controller.name == "My notes" && controller.icons.first == "text-html")
        let url = controller.url
        controller.url = url
        #expect(controller.name == "notes.txt" && controller.uti == "public.plain-text")
    }

    // MARK: Nothing to show

    @Test func `if nothing can be shown, the methods that present a preview or a menu return false`() async throws {
        let empty = DocumentInteractionController()
        empty.presenter = presenter
        #expect(try await !empty.presentPreview())
        #expect(try await !empty.presentOptionsMenu())
        #expect(try await !empty.presentOpenInMenu())
        let unknown = try controller("data.bin", "\u{0}\u{1}")
        delegate.parent = presenter
        #expect(try await !unknown.presentPreview())
        #expect(try await !unknown.presentOptionsMenu())
        #expect(delegate.calls.isEmpty && presenter.menus.isEmpty)
    }

    @Test func `a preview requires a delegate that returns a presenter`() async throws {
        let controller = try controller()
        #expect(try await !controller.presentPreview())
        delegate.parent = presenter
        #expect(try await controller.presentPreview())
        #expect(presenter.previews == [["notes.txt"]])
        #expect(delegate.calls == ["will begin preview", "did end preview"])
    }

    // MARK: Menus

    @Test func `the options menu lists the possible actions and performs the chosen action`() async throws {
        try install("b.reader", "Reader", types: "text/plain;")
        let controller = try controller()
        delegate.parent = presenter
        delegate.actions = [.print]
        presenter.choice = 1
        #expect(try await controller.presentOptionsMenu())
        #expect(presenter.menus == [["Preview", "Print", "Open in Reader"]])
        #expect(delegate.calls == ["will present options", "did dismiss options", "print"])
    }

    @Test func `without a delegate that prints, the menu prints a document that the destination prints`() async throws {
        let controller = try controller()
        let destination = RecordingDestination()
        let printing = PrintInteractionController()
        (printing.destination, printing.optionsPresenter) = (destination, DecidingPresenter())
        controller.printInteractionController = printing
        controller.name = "My notes"
        presenter.choice = 0
        #expect(try await controller.presentOptionsMenu())
        #expect(presenter.menus == [["Print"]])
        #expect(destination.jobs.map(\.title) == ["My notes"] && destination.jobs.first?.path == controller.url?.path)
        #expect(printing.printingItem == nil)
        controller.url = URL(filePath: folder.path("missing.txt"))
        #expect(try await !controller.presentOptionsMenu())
    }

    @Test func `a menu has the style that the program prefers`() async throws {
        let controller = try controller()
        delegate.actions = [.copy]
        let style = PresentationStyle.popover(from: Rect(x: 7, y: 1, width: 10, height: 1))
        #expect(try await controller.presentOptionsMenu(as: style))
        #expect(presenter.styles == [style])
    }

    @Test func `without a linked presenter, the error names the product that contains a presenter`() async throws {
        let controller = try controller()
        controller.presenter = MissingDocumentPresenter()
        delegate.actions = [.copy]
        let error = await #expect(throws: PrintError.self) { try await controller.presentOptionsMenu() }
        #expect(error?.code == .printingNotAvailable && error?.message.contains("PrintKitTerminal") == true)
    }

    @Test func `if the user closes the menu, no action is performed`() async throws {
        let controller = try controller()
        delegate.actions = [.copy]
        presenter.choice = nil
        #expect(try await controller.presentOptionsMenu())
        #expect(presenter.menus == [["Copy"]])
        #expect(delegate.calls == ["will present options", "did dismiss options"])
    }

    @Test func `'dismissMenu' closes the visible menu`() async throws {
        let controller = try controller()
        delegate.actions = [.copy]
        let (shown, showing) = AsyncStream<Void>.makeStream()
        controller.presenter = WaitingPresenter(shown: showing)
        let box = Box(controller)
        async let result = box.present()
        for await _ in shown { break }
        box.controller.dismissMenu()
        let isShown = try await result
        #expect(isShown)
        #expect(delegate.calls == ["will present options", "did dismiss options"])
    }

    @Test func `'dismissPreview' closes the visible preview`() async throws {
        let controller = try controller()
        let (shown, showing) = AsyncStream<Void>.makeStream()
        delegate.parent = WaitingPresenter(shown: showing)
        let box = Box(controller)
        async let result = box.presentPreview()
        for await _ in shown { break }
        box.controller.dismissPreview()
        let isShown = try await result
        #expect(isShown)
        #expect(delegate.calls == ["will begin preview", "did end preview"])
    }

    @Test func `the 'Open In' menu starts the chosen application without a shell`() async throws {
        try install("a.editor", "Editor", types: "text/plain", arguments: "--new \"two words\" %f")
        let controller = try controller("a b; $(touch x).txt")
        presenter.choice = 0
        #expect(try await controller.presentOpenInMenu())
        let output = folder.path("open.sh.out")
        try await eventually("the application has started") { FileManager.default.fileExists(atPath: output) }
        let arguments = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(arguments == ["--new", "two words", folder.path("a b; $(touch x).txt")])
        #expect(
            delegate.calls == [
                "will present open in", "did dismiss open in", "will send to Editor", "will send to a.editor.desktop",
                "did send to Editor", "did send to a.editor.desktop",
            ])
    }

    @Test func `if the chosen application cannot be started, an error is thrown`() async throws {
        try install("a.editor", "Editor", types: "text/plain")
        let controller = try controller()
        try FileManager.default.removeItem(atPath: folder.path("open.sh"))
        presenter.choice = 0
        let error = await #expect(throws: PrintError.self) { try await controller.presentOpenInMenu() }
        #expect(error?.message == "cannot open 'notes.txt' with Editor")
    }

    // MARK: Applications

    @Test func `the applications for a document are sorted by rank`() throws {
        try install("plain", "Plain editor", types: "text/plain")
        try install("other", "Another browser", types: "text/html")
        try install("chosen", "Browser", types: "text/html")
        try install("added", "Word processor", types: "application/msword")
        try install("removed", "Removed", types: "text/html")
        try install("hidden", "Hidden", types: "text/html\nHidden=true")
        try """
        [Default Applications]
        text/html=missing.desktop;chosen.desktop
        [Added Associations]
        text/html=added.desktop;
        [Removed Associations]
        text/html=removed.desktop;
        """.write(toFile: folder.path("share/applications/mimeapps.list"), atomically: true, encoding: .utf8)
        let registry = ApplicationRegistry(environment: [
            "XDG_DATA_HOME": folder.path("share"), "XDG_DATA_DIRS": "/nowhere", "XDG_CONFIG_HOME": "/nowhere",
            "XDG_CONFIG_DIRS": "/nowhere",
        ])
        let found = registry.applications(for: [DocumentFormat(rawValue: "text/html")])
        #expect(found.map(\.name) == ["Browser", "Word processor", "Another browser", "Plain editor"])
        #expect(found.map(\.rank) == [.owner, .default, .default, .alternate])
        #expect(registry.applications(for: [DocumentFormat(rawValue: "image/png")]).isEmpty)
    }

    @Test(arguments: [
        ("view %f", ["view", "/d/a b.txt"]), ("view %U", ["view", "file:///d/a%20b.txt"]),
        ("view", ["view", "/d/a b.txt"]), ("view 100%% %F", ["view", "100%", "/d/a b.txt"]),
        ("view %i %c %m%f", ["view", "--icon", "eye", "Viewer", "", "/d/a b.txt"]),
        (#""/opt/my app/view" "a\"b" %f"#, ["/opt/my app/view", "a\"b", "/d/a b.txt"]),
    ]) func `the command line of a desktop entry is split into arguments`(line: String, arguments: [String]) throws {
        let entry = "[Desktop Entry]\nType=Application\nName=Viewer\nIcon=eye\nExec=\(line)\n"
        let application = try #require(DocumentApplication(id: "v.desktop", entry: entry))
        #expect(application.arguments(for: URL(filePath: "/d/a b.txt")) == arguments)
    }

    @Test(arguments: [
        "Type=Link\nExec=view %f", "Type=Application", "Type=Application\nExec=\"view %f",
        "Type=Application\nExec=view %f\nTerminal=true",
    ]) func `a desktop entry without an application or a command line is ignored`(lines: String) {
        #expect(DocumentApplication(id: "v.desktop", entry: "[Desktop Entry]\nName=V\n\(lines)\n") == nil)
    }
}

/// A controller that a test uses from two tasks, one after another.
private final class Box: @unchecked Sendable {
    let controller: DocumentInteractionController
    init(_ controller: DocumentInteractionController) { self.controller = controller }
    func present() async throws -> Bool { try await controller.presentOptionsMenu() }
    func presentPreview() async throws -> Bool { try await controller.presentPreview() }
}

/// A delegate that records its calls.
private final class Recorder: DocumentInteractionControllerDelegate {
    var calls: [String] = []
    var parent: (any DocumentPresenting)?
    var actions: Set<DocumentAction> = []

    func documentInteractionControllerParentForPreview(
        _ controller: DocumentInteractionController
    ) -> (any DocumentPresenting)? { parent }

    func documentInteractionControllerWillBeginPreview(_ controller: DocumentInteractionController) {
        calls.append("will begin preview")
    }

    func documentInteractionControllerDidEndPreview(_ controller: DocumentInteractionController) {
        calls.append("did end preview")
    }

    func documentInteractionControllerWillPresentOptionsMenu(_ controller: DocumentInteractionController) {
        calls.append("will present options")
    }

    func documentInteractionControllerDidDismissOptionsMenu(_ controller: DocumentInteractionController) {
        calls.append("did dismiss options")
    }

    func documentInteractionControllerWillPresentOpenInMenu(_ controller: DocumentInteractionController) {
        calls.append("will present open in")
    }

    func documentInteractionControllerDidDismissOpenInMenu(_ controller: DocumentInteractionController) {
        calls.append("did dismiss open in")
    }

    func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingTo application: DocumentApplication
    ) { calls.append("will send to \(application.name)") }

    func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingTo application: DocumentApplication
    ) { calls.append("did send to \(application.name)") }

    // UIKit's signatures.

    func documentInteractionController(
        _ controller: DocumentInteractionController, willBeginSendingToApplication application: String?
    ) { calls.append("will send to \(application ?? "")") }

    func documentInteractionController(
        _ controller: DocumentInteractionController, didEndSendingToApplication application: String?
    ) { calls.append("did send to \(application ?? "")") }

    func documentInteractionController(
        _ controller: DocumentInteractionController, canPerform action: DocumentAction
    ) -> Bool { actions.contains(action) }

    nonisolated(nonsending) func documentInteractionController(
        _ controller: DocumentInteractionController, perform action: DocumentAction
    ) async { calls.append("\(action)") }
}
