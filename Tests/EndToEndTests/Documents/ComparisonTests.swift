// Tests the programs that compare printq's pages with those of other programs every night.

import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ComparisonTests {
    /// Draws white pages, and refuses documents that are not PDF.
    private static let wrongProgram = """
        #!/usr/bin/python3
        import json, sys
        order = json.load(sys.stdin)
        for path in order.get("documents", []):
            print(json.dumps({"document": path, "message": "refused"}))
        for group in order.get("groups", []):
            width, height = (round(group[side] * group["resolution"] / 72) for side in ("width", "height"))
            path = order["output"] + "/white.ppm"
            with open(path, "wb") as file:
                file.write(b"P6 %d %d 255\\n" % (width, height) + bytes([255]) * (3 * width * height))
            print(json.dumps({"images": [path], "notices": []}))
        """

    @Test(arguments: [
        (script: "compare-pages", name: "page.pdf", list: "--reviewed", line: "page.pdf\t1\tA test."),
        (script: "compare-html", name: "page.html", list: "--exceptions", line: "page.html\tA test."),
        (script: "compare-office", name: "page.docx", list: "--exceptions", line: "page.docx\tA test."),
    ])
    func `a comparison fails if printq prints a document differently and the document is not in the list`(
        script: String, name: String, list: String, line: String
    ) async throws {
        let folder = try TemporaryFolder()
        for name in ["documents", "wrong"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        let document = URL(filePath: folder.path("documents/\(name)"))
        if name.hasSuffix("pdf") {
            var pdf = PDFBuilder()
            pdf.addPage(width: 200, height: 200) { $0.fill(.black, x: 0, y: 0, width: 100, height: 200) }
            try Data(pdf.bytes).write(to: document)
        } else {
            let sample = try await SampleDocuments.shared.value.path(document.pathExtension)
            try FileManager.default.copyItem(atPath: sample, toPath: document.path)
        }
        for name in ["page-images", "print-worker"] {
            try Data(Self.wrongProgram.utf8).write(to: URL(filePath: folder.path("wrong/\(name)")))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: folder.path("wrong/\(name)"))
        }
        try Data("\(line)\n".utf8).write(to: URL(filePath: folder.path("list.txt")))

        func comparison(_ programs: String, _ options: String...) async throws -> ProgramRun {
            let output = script == "compare-pages" ? ["--output", folder.path("output")] : []
            return try await ForeignDocuments.script(
                script, ["--programs", programs] + output + options + [folder.path("documents")])
        }
        let right = try await comparison(URL(filePath: Programs.beside("page-images")).deletingLastPathComponent().path)
        #expect(right.code == 0, "\(right.output)\(right.complaints)")
        #expect(right.output.contains(script == "compare-office" ? "1 equal" : "1 alike"), "\(right.output)")
        let wrong = try await comparison(folder.path("wrong"))
        #expect(wrong.code == 1 && wrong.output.contains(name), "\(wrong.output)\(wrong.complaints)")
        let reviewed = try await comparison(folder.path("wrong"), list, folder.path("list.txt"))
        #expect(reviewed.code == 0 && reviewed.output.contains("A test."), "\(reviewed.output)\(reviewed.complaints)")
    }
}
