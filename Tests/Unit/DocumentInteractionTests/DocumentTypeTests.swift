import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

@testable import DocumentInteraction

/// Tests of the types of documents that are not only printable types.
struct DocumentTypeTests {
    private let desktop: DesktopFolder

    init() throws { desktop = try DesktopFolder() }

    private static let calendar = Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n".utf8)
    private static let archive: [UInt8] = [0x50, 0x4B, 0x03, 0x04, 0x14] + [UInt8](repeating: 0, count: 25)
    private static let movie: [UInt8] = [0, 0, 0, 24] + Array("ftypmp42".utf8) + [UInt8](repeating: 0, count: 12)

    @Test func `a calendar is offered to calendars before text editors, and is previewed as text`() throws {
        try desktop.install("editor", "Editor", types: "text/plain;")
        try desktop.install("calendar", "Calendar", types: "text/calendar;")
        try desktop.install("hex", "Hex editor", types: "application/octet-stream;")
        try desktop.install("viewer", "Viewer", types: "image/png;")
        let controller = desktop.controller(try desktop.file("team.ics", Self.calendar))
        #expect(controller.uti == "com.apple.ical.ics" && controller.icons.first == "text-calendar")
        #expect(controller.applications.map(\.name) == ["Calendar", "Editor", "Hex editor"])
        #expect(controller.applications.map(\.rank) == [.default, .alternate, .alternate])
        #expect(PreviewController.canPreview(try #require(controller.url)))
    }

    @Test(arguments: [
        ("a.zip", archive, "application/zip", "public.zip-archive"),
        ("archive", archive, "application/zip", "public.zip-archive"),
        ("a.mp4", movie, "video/mp4", "public.mpeg-4"),
        ("a.epub", archive, "application/epub+zip", "org.idpf.epub-container"),
        ("a.vcf", Array("BEGIN:VCARD\n".utf8), "text/vcard", "public.vcard"),
    ])
    func `a file that is not printed has a menu of the applications of the desktop`(
        name: String, bytes: [UInt8], type: String, identifier: String?
    ) throws {
        try desktop.install("a.opener", "Opener", types: "\(type);")
        let controller = desktop.controller(try desktop.file(name, bytes))
        #expect(controller.applications.map(\.name) == ["Opener"])
        #expect(controller.uti == identifier && controller.typeName != nil && !controller.icons.isEmpty)
    }

    @Test func `an application that declares another name of a type opens the type`() throws {
        // The database knows the name only as an alias of application/pdf.
        try desktop.install("viewer", "Viewer", types: "application/x-pdf;")
        let formats = [DocumentFormat(rawValue: "application/x-pdf")]
        #expect(desktop.registry.applications(for: formats).map(\.name) == ["Viewer"])
        let controller = desktop.controller(try desktop.file("a.pdf", Array("%PDF-1.7\n".utf8)))
        #expect(controller.applications.map(\.name) == ["Viewer"])
    }

    @Test func `the contents of a printable document take precedence over its name`() throws {
        try desktop.install("archiver", "Archiver", types: "application/zip;")
        try desktop.install("viewer", "Viewer", types: "application/pdf;")
        let controller = desktop.controller(try desktop.file("a.zip", Array("%PDF-1.7\n".utf8)))
        #expect(controller.uti == "com.adobe.pdf" && controller.applications.map(\.name) == ["Viewer"])
    }

    @Test func `a program declares a type with its own identifier, icons and applications`() throws {
        try desktop.install("composer", "Composer", types: "application/vnd.acme.score;")
        try desktop.install("player", "Player", types: "application/vnd.acme.score;")
        let controller = desktop.controller(try desktop.file("song.Score", [0, 1, 2, 3]))
        #expect(controller.uti == nil && controller.applications.isEmpty)
        var score = DocumentTypeDeclaration(
            name: "Acme score", identifiers: ["com.acme.score", "com.acme.oldscore"],
            formats: ["application/vnd.acme.score", "application/x-oldscore"], extensions: ["score"],
            icons: ["/usr/share/acme/score.png"], application: "player.desktop", rank: .owner)
        let types = DocumentTypeRegistry()
        types.declare(score)
        controller.documentTypes = types
        #expect(controller.uti == "com.acme.score" && controller.typeName == "Acme score")
        #expect(controller.typeIdentifiers == ["com.acme.score", "com.acme.oldscore"])
        #expect(controller.icons == ["/usr/share/acme/score.png"])
        #expect(controller.applications.map(\.name) == ["Player", "Composer"])
        #expect(controller.applications.map(\.rank) == [.owner, .default])
        score.rank = .none
        types.declare(score)
        controller.documentTypes = types
        #expect(types.declarations.count == 1 && controller.applications.map(\.name) == ["Composer"])
    }

    @Test func `a declared type of text is previewed and printed as text`() throws {
        let types = DocumentTypeRegistry()
        types.declare(DocumentTypeDeclaration(name: "Recipe", formats: ["text/x-recipe"], extensions: ["recipe"]))
        let type = types.type(of: try desktop.file("a.recipe", Array("2 eggs\n".utf8)).path, printable: .builtIn)
        #expect(type.name == "Recipe" && type.printable?.identifier == "public.plain-text")
    }

    @Test func `the types that a destination converts are previewed`() throws {
        let dvi = DocumentType(
            name: "DVI document", identifier: "org.tug.tex.dvi",
            formats: [DocumentFormat(rawValue: "application/x-dvi")],
            extensions: ["dvi"], converter: .program(ConverterProgram(name: "dvipdfm", arguments: [])))
        let url = try desktop.file("a.dvi", [0xF7, 0x02, 0x01, 0x83])
        let controller = desktop.controller(url)
        #expect(controller.uti == nil)
        let printing = PrintInteractionController()
        printing.destination = RecordingDestination(registeredDocumentTypes: [dvi])
        controller.printInteractionController = printing
        #expect(controller.uti == "org.tug.tex.dvi" && controller.typeName == "DVI document")
        #expect(printing.canPrint(.url(url)))
    }

    @Test func `old and new Word documents are one type with several identifiers`() throws {
        let controller = desktop.controller(try desktop.file("a.rtf", Array("{\\rtf1 a}".utf8)))
        #expect(controller.typeIdentifiers == ["public.rtf"])
        for identifier in ["com.microsoft.word.doc", "org.openxmlformats.wordprocessingml.document"] {
            controller.uti = identifier
            #expect(
                controller.typeIdentifiers.prefix(2).sorted() == [
                    "com.microsoft.word.doc", "org.openxmlformats.wordprocessingml.document",
                ])
            #expect(controller.uti == identifier)
        }
    }

    @Test func `a format that only the desktop of the user knows has a menu`() async throws {
        try desktop.install("acme", "Acme", types: "application/x-acme-plan;")
        let packages = desktop.folder.path("share/mime/packages")
        try FileManager.default.createDirectory(atPath: packages, withIntermediateDirectories: true)
        try """
        <?xml version="1.0"?>
        <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
          <mime-type type="application/x-acme-plan">
            <comment>Acme plan</comment>
            <magic><match type="string" offset="0" value="ACMEPLAN"/></magic>
            <glob pattern="*.plan"/>
          </mime-type>
        </mime-info>
        """.write(toFile: "\(packages)/acme.xml", atomically: true, encoding: .utf8)
        let update = try ChildProgram("update-mime-database", [desktop.folder.path("share/mime")])
        #expect(try update.finish().code == 0)
        for name in ["house.plan", "house"] {
            _ = try desktop.file(name, Array("ACMEPLAN\u{0}\u{1}".utf8))
            let run = try await desktop.example("--applications", name)
            #expect(run.output == "Acme plan (no identifier)\nAcme, default\n", "\(run.complaints)")
        }
    }

    @Test func `the icons of a document are found in several sizes in the theme and the themes that it inherits from`()
        throws
    {
        let icons = desktop.folder.path("share/icons")
        func write(_ path: String, _ text: String) throws {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            try FileManager.default.createDirectory(atPath: "\(icons)/\(folder)", withIntermediateDirectories: true)
            try text.write(toFile: "\(icons)/\(path)", atomically: true, encoding: .utf8)
        }
        try write("Small/index.theme", "[Icon Theme]\nInherits=Big\nDirectories=16/mimes\n[16/mimes]\nSize=16\n")
        try write(
            "Big/index.theme",
            """
            [Icon Theme]
            Directories=any,48
            ScaledDirectories=16@2
            [any]
            Size=128
            Type=Scalable
            [48]
            Size=48
            [16@2]
            Size=16
            Scale=2
            """)
        for path in ["Big/any/zip.svg", "Big/48/zip.png", "Big/16@2/zip.png", "Small/16/mimes/other.png"] {
            try write(path, "image")
        }
        let theme = IconTheme(named: "Small", environment: desktop.environment)
        let found = theme.files(for: ["missing", "zip", "other"])
        #expect(
            found.map(\.path) == ["Big/16@2/zip.png", "Big/48/zip.png", "Big/any/zip.svg"].map { "\(icons)/\($0)" })
        #expect(found.map(\.size) == [16, 48, 128] && found.map(\.scale) == [2, 1, 1])
        #expect(found.map(\.isScalable) == [false, false, true])
        #expect(theme.files(for: ["../48/zip", "none"]).isEmpty)
        #expect(theme.files(for: ["\(icons)/Big/48/zip.png"]).map(\.size) == [nil])
    }
}
