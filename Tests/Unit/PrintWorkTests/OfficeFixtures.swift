// Office documents made by LibreOffice during the tests.

import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Testing

/// Documents of all types, each made once by `soffice`.
actor OfficeFixtures {
    static let shared = OfficeFixtures()

    private let folder: TemporaryFolder?
    private var made: [String: Task<String, any Error>] = [:]

    private init() { folder = try? TemporaryFolder() }

    /// The extensions of the documents, with the text that each document contains.
    static let kinds: [(ending: String, text: String)] =
        ["doc", "docx", "odt", "rtf"].map { (ending: $0, text: "Zebra crossing") }
        + ["xls", "xlsx", "ods"].map { (ending: $0, text: "Pomegranate") }
        + ["ppt", "pptx", "odp"].map { (ending: $0, text: "Giraffe slide") }

    /// Returns the path of a document with an extension: a letter, a table or a presentation.
    func document(_ ending: String) async throws -> String {
        let source =
            switch ending {
            case "xls", "xlsx", "ods": ("table.csv", "Fruit,Count\nPomegranate,3\nQuince,5\n")
            case "ppt", "pptx", "odp": ("slides.fodp", Self.slides)
            default: ("letter.txt", "Dear reader,\n\nZebra crossing ahead.\n")
            }
        return try await make(ending, name: source.0, text: source.1)
    }

    /// Returns the path of a document that LibreOffice makes from a file; the file is made once.
    ///
    /// - Parameters:
    ///   - ending: The extension of the document.
    ///   - name: The name of the file.
    ///   - text: The content of the file.
    ///   - filter: The filter that reads the file; nil to detect it.
    func make(_ ending: String, name: String, text: String, filter: String? = nil) async throws -> String {
        let key = "\(name) \(ending)"
        if let task = made[key] { return try await task.value }
        let folder = try #require(self.folder)
        let task = Task { [number = made.count] in
            let place = folder.path("\(number)")
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: "\(place)/\(name)"))
            try Self.createProfile("\(place)/profile/user")
            let run = try await ProgramRun(
                "/usr/bin/soffice",
                ["-env:UserInstallation=file://\(place)/profile", "--headless"]
                    + (filter.map { ["--infilter=\($0)"] } ?? []) + [
                        "--convert-to", filter == nil ? ending : "\(ending):writer8", name,
                    ],
                environment: ["HOME": place, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], in: place)
            let path = "\(place)/\(name.prefix { $0 != "." }).\(ending)"
            try #require(FileManager.default.fileExists(atPath: path), "\(run.complaints)")
            return path
        }
        made[key] = task
        return try await task.value
    }

    /// Encrypts a copy of the document with an extension, and returns the path of the copy.
    ///
    /// A macro saves the copy, because `--convert-to` has no option for a password.
    func encrypted(_ ending: String, password: String) async throws -> String {
        let key = "\(password) \(ending)"
        if let task = made[key] { return try await task.value }
        let folder = try #require(self.folder)
        let original = try await document(ending)
        let filters = [
            "doc": "MS Word 97", "xls": "MS Excel 97", "odt": "writer8", "odp": "impress8",
            "docx": "MS Word 2007 XML", "xlsx": "Calc MS Excel 2007 XML", "pptx": "Impress MS PowerPoint 2007 XML",
        ]
        let filter = try #require(filters[ending])
        let task = Task { [number = made.count] in
            let place = folder.path("\(number)")
            let user = "\(place)/profile/user"
            try Self.createProfile(user)
            try FileManager.default.createDirectory(
                atPath: "\(user)/basic/Standard", withIntermediateDirectories: true)
            let path = "\(place)/encrypted.\(ending)"
            for (file, content) in Self.macro(from: original, to: path, filter: filter, password: password) {
                try Data(content.utf8).write(to: URL(filePath: "\(user)/\(file)"))
            }
            let run = try await ProgramRun(
                "/usr/bin/soffice",
                ["-env:UserInstallation=file://\(place)/profile", "--headless", "macro:///Standard.Making.Encrypt"],
                environment: ["HOME": place, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], in: place)
            try #require(FileManager.default.fileExists(atPath: path), "\(run.complaints)")
            return path
        }
        made[key] = task
        return try await task.value
    }

    /// Creates a profile that LibreOffice takes as its own.
    ///
    /// In a new profile, LibreOffice replaces macros, and tests its drawing functions, which takes longer than its start.
    private static func createProfile(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let items = [("Office", "ooSetupInstCompleted", "true"), ("Product", "ooSetupLastVersion", "99.9")].map {
            "<item oor:path=\"/org.openoffice.Setup/\($0)\"><prop oor:name=\"\($1)\" oor:op=\"fuse\">"
                + "<value>\($2)</value></prop></item>"
        }
        let settings =
            "<oor:items xmlns:oor=\"http://openoffice.org/2001/registry\">\(items.joined())</oor:items>"
        try Data(settings.utf8).write(to: URL(filePath: "\(folder)/registrymodifications.xcu"))
    }

    /// The files of a profile with a macro that encrypts a document and ends LibreOffice.
    private static func macro(
        from original: String, to path: String, filter: String, password: String
    ) -> [(file: String, content: String)] {
        let isOpenXML = path.hasSuffix("x")
        let secret =
            isOpenXML ? "Value(\"EncryptionData\", Key(\"\(password)\"))" : "Value(\"Password\", \"\(password)\")"
        let namespace = "xmlns:library=\"http://openoffice.org/2000/library\""
        return [
            (
                "basic/script.xlc",
                "<library:libraries \(namespace)><library:library library:name=\"Standard\" library:link=\"false\"/>"
                    + "</library:libraries>"
            ),
            (
                "basic/Standard/script.xlb",
                "<library:library \(namespace) library:name=\"Standard\" library:readonly=\"false\" "
                    + "library:passwordprotected=\"false\"><library:element library:name=\"Making\"/></library:library>"
            ),
            (
                "basic/Standard/Making.xba",
                """
                <script:module xmlns:script="http://openoffice.org/2000/script" script:name="Making"
                  script:language="StarBasic"><![CDATA[
                ' The filters of Office Open XML read their password from these values.
                Function Key(password As String)
                  Dim values(1) As New com.sun.star.beans.NamedValue
                  values(0).Name = "CryptoType"
                  values(0).Value = "Standard"
                  values(1).Name = "OOXPassword"
                  values(1).Value = password
                  Key = CreateUnoValue("[]com.sun.star.beans.NamedValue", values())
                End Function

                Function Value(name As String, content)
                  Dim property As New com.sun.star.beans.PropertyValue
                  property.Name = name
                  property.Value = content
                  Value = property
                End Function

                Sub Encrypt
                  On Error Resume Next
                  document = StarDesktop.loadComponentFromURL("file://\(original)", "_blank", 0, _
                    Array(Value("Hidden", True)))
                  document.storeToURL("file://\(path)", _
                    Array(Value("FilterName", "\(filter)"), \(secret)))
                  StarDesktop.terminate()
                End Sub
                ]]></script:module>
                """
            ),
        ]
    }

    private static let slides = """
        <?xml version="1.0" encoding="UTF-8"?>
        <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
            xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
            xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
            xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
            office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation">
        <office:body><office:presentation><draw:page draw:name="one">
        <draw:frame svg:x="2cm" svg:y="2cm" svg:width="20cm" svg:height="3cm">
        <draw:text-box><text:p>Giraffe slide</text:p></draw:text-box></draw:frame>
        </draw:page></office:presentation></office:body></office:document>
        """
}

/// A folder for the conversions of one test.
final class OfficeWorkplace: Sendable {
    let folder: TemporaryFolder
    /// The folder for the private folders of processes, which workers of another user can enter.
    var scratch: String { folder.path("scratch") }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        for path in [folder.path, scratch] { chmod(path, 0o755) }
    }

    /// Creates a pool of real converters; without `run()`, each document starts a process.
    func pool(
        executable: String = BuiltPrograms.folder + "print-office", limits: WorkerLimits = OfficePool.usualLimits,
        standby: Int? = nil, idleSeconds: Int = 300, installation: OfficeInstallation? = OfficeInstallation.find()
    ) -> OfficePool {
        OfficePool(
            executable: executable, limits: limits, standby: standby, idleSeconds: idleSeconds,
            installation: installation, scratch: scratch)
    }

    /// Creates a request for a PDF with the name of the document.
    func request(_ path: String, name: String? = nil, as ending: String? = nil) throws -> ConvertRequest {
        let file = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        let type =
            ending.flatMap(DocumentTypes.builtIn.type(forExtension:))
            ?? DocumentTypes.builtIn.type(forName: file)
        return ConvertRequest(
            document: InputDocument(path: path, name: name), type: try #require(type),
            layout: ConversionLayout(pageSize: Size(width: 595, height: 842)),
            output: folder.path("\(name ?? file).\(UInt32.random(in: 0...UInt32.max)).pdf"))
    }

    /// Writes a file.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// The files in the scratch folder, except for the lock of the pool.
    func remains() -> [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: scratch)) ?? [])
            .filter { $0.split(separator: "/").count > 1 && !$0.hasSuffix("/lock") }
    }

    /// Returns the text of a PDF.
    static func text(of pdf: String) async throws -> String {
        try await program("pdftotext", ["-layout", pdf, "-"])
    }

    /// Returns the number of images with 2 × 2 pixels in a PDF; LibreOffice's own symbols are larger.
    static func smallImageCount(of pdf: String) async throws -> Int {
        // Columns: page, number, type, width, height, …
        try await program("pdfimages", ["-list", pdf]).split(separator: "\n").dropFirst(2)
            .filter { $0.split(separator: " ").dropFirst(3).prefix(2) == ["2", "2"] }.count
    }

    private static func program(_ name: String, _ arguments: [String]) async throws -> String {
        let run = try await ProgramRun(
            "/usr/bin/\(name)", arguments, environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], in: "/")
        try #require(run.code == 0, "\(run.complaints)")
        return run.output
    }
}
