// The documents and converter programs of a test.

import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Testing

/// A temporary folder with documents, programs and the outputs of conversions, deleted with the last reference.
final class ConverterPlace: Sendable {
    let folder: String
    /// The folder of the outputs, which contains only finished PDFs.
    var outputs: String { "\(folder)/outputs" }

    init() {
        folder = "/tmp/printconvert-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        mkdir(folder, 0o755)
        mkdir(outputs, 0o700)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Creates a converter with the real launcher.
    func programs(_ limits: WorkerLimits = WorkerLimits(), requiresLandlock: Bool = true) -> ConverterPrograms {
        ConverterPrograms(
            executable: BuiltPrograms.folder + "print-launcher", limits: limits, requiresLandlock: requiresLandlock)
    }

    /// Writes a document.
    func document(_ bytes: [UInt8], name: String = "document.ps") throws -> InputDocument {
        let path = "\(folder)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return InputDocument(path: path)
    }

    /// Writes a file that no converter may read.
    func secret() throws -> String {
        let path = "\(folder)/secret.txt"
        try "canary".write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o644)
        return path
    }

    /// Creates a request for a PostScript document.
    func postScript(_ text: String, pageSize: Size = Size(width: 595, height: 842)) throws -> ConvertRequest {
        try request(document(Array(text.utf8)), .postScript, pageSize: pageSize)
    }

    /// Creates a request for a document.
    func request(
        _ document: InputDocument, _ converter: DocumentConverter, extensions: [String] = ["ps"],
        pageSize: Size = Size(width: 595, height: 842)
    ) -> ConvertRequest {
        ConvertRequest(
            document: document,
            type: DocumentType(
                name: "Test document", identifier: "org.example.test",
                formats: [DocumentFormat(rawValue: "application/x-test")], extensions: extensions,
                converter: converter),
            layout: ConversionLayout(pageSize: pageSize), output: "\(outputs)/converted.pdf")
    }

    /// Writes a Python script, and creates a request to convert a document with it.
    ///
    /// The script has the variables `source` and `target`, and the function `pdf()` that writes a small PDF.
    func python(_ lines: String, firstLine: String = "#!/usr/bin/python3 -I") throws -> ConvertRequest {
        let path = "\(folder)/converter"
        let start = """
            \(firstLine)
            import os, sys, socket, time
            source, target = sys.argv[1:3]
            def pdf():
                with open(target, 'wb') as file: file.write(b'%PDF-1.4 ' + open(source, 'rb').read())

            """
        try (start + lines + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o755)
        let program = ConverterProgram(name: "test-converter", arguments: [path, "{input}", "{output}"])
        return try request(document(Array("hello".utf8), name: "letter.tst"), .program(program), extensions: ["tst"])
    }

    /// The names of the files in the folder of the outputs.
    var leftovers: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: outputs)) ?? []).sorted() }

    /// The bytes of the output.
    var output: [UInt8] { Array(FileManager.default.contents(atPath: "\(outputs)/converted.pdf") ?? Data()) }

    /// Runs a program with the output and returns its text.
    func text(of program: String, _ arguments: [String] = []) async throws -> String {
        let run = try await ProgramRun(
            "/usr/bin/\(program)", arguments + ["\(outputs)/converted.pdf"] + (program == "pdftotext" ? ["-"] : []),
            environment: ["PATH": "/usr/bin"], in: folder)
        #expect(run.code == 0, "\(run.complaints)")
        return run.output
    }

    /// Expects that a conversion fails and leaves nothing behind.
    @discardableResult
    func expectFailure(
        _ code: WorkError.Code, _ request: ConvertRequest, limits: WorkerLimits = WorkerLimits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> WorkError? {
        let programs = programs(limits)
        let error = await #expect(throws: WorkError.self, sourceLocation: sourceLocation) {
            try await programs.convert(request)
        }
        #expect(error?.code == code, "\(error?.message ?? "") \(error?.detail ?? "")", sourceLocation: sourceLocation)
        #expect(leftovers == [], sourceLocation: sourceLocation)
        return error
    }
}
