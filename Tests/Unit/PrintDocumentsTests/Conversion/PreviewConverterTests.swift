// Tests the previews of iWork documents.

import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

@Suite struct PreviewConverterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Creates a ZIP file of files with given contents.
    private func package(_ name: String, _ files: [String: Data]) async throws -> String {
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as package:
                for name, path in zip(sys.argv[2::2], sys.argv[3::2]): package.write(path, name)
            """
        var arguments = ["-c", script, folder.path(name)]
        for (index, file) in files.enumerated() {
            try file.value.write(to: URL(fileURLWithPath: folder.path("content-\(index)")))
            arguments += [file.key, folder.path("content-\(index)")]
        }
        try await run("python3", arguments)
        return folder.path(name)
    }

    private func pdf() async throws -> Data {
        let png = try await makeQuarters("a.png", in: folder)
        let conversion = try await Conversion(png)
        return try #require(FileManager.default.contents(atPath: conversion.path))
    }

    @Test(arguments: ["QuickLook/Preview.pdf", "preview.pdf"])
    func `the preview PDF in an iWork package is printed`(name: String) async throws {
        let path = try await package("a.pages", [name: pdf(), "Index/Document.iwa": Data([1, 2, 3])])
        let conversion = try await Conversion(path)
        #expect(conversion.document.pageCount == 1)
        expectPixels(try await conversion.page(), "RRGG\nBBKK")
    }

    @Test(arguments: [("a.pages", "Pages"), ("a.numbers", "Numbers"), ("a.key", "Keynote")])
    func `an iWork package without a preview PDF is refused with advice to export a PDF`(
        name: String, application: String
    )
        async throws
    {
        let path = try await package(name, ["preview.jpg": Data([0xFF, 0xD8]), "Index/Document.iwa": Data([1])])
        let error = await #expect(throws: WorkError.self) { try await Conversion(path) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("open the document in \(application), choose File > Export To > PDF") == true)
    }

    @Test func `an iWork package is refused if its preview is not a PDF`() async throws {
        let path = try await package("a.key", ["preview.pdf": Data("hello".utf8)])
        let error = await #expect(throws: WorkError.self) { try await Conversion(path) }
        #expect(error?.code == .damaged)
    }

    @Test func `an iWork package whose preview is too large is refused before decompression`() async throws {
        let path = folder.path("a.pages")
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as package:
                with package.open('preview.pdf', 'w') as entry:
                    entry.write(b'%PDF-1.4 ')
                    for _ in range(300): entry.write(bytes(1 << 20))
            """
        try await run("python3", ["-c", script, path])
        let error = await #expect(throws: WorkError.self) { try await Conversion(path) }
        #expect(error?.code == .outputTooLarge)
    }

    @Test func `the conversion of a damaged iWork package never crashes the process`() async throws {
        let path = try await package("a.pages", ["preview.pdf": pdf(), "Index/Document.iwa": Data([1, 2, 3])])
        var mutations = ByteMutations()
        _ = try await convertDamaged(path, times: 300, &mutations)
    }
}
