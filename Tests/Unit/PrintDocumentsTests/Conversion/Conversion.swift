// Converts files for tests, and draws the result with another program.

import PrintDocuments
import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

/// A conversion of one file in a temporary folder.
struct Conversion {
    /// The folder with the PDF.
    let folder: TemporaryFolder
    /// The answer of the converter.
    let document: ConvertedDocument

    /// Converts a file by the type of its extension.
    init(_ path: String, layout: ConversionLayout = Self.paper) async throws {
        let folder = try TemporaryFolder()
        let type = try #require(
            DocumentTypes.builtIn.type(forExtension: String(path.split(separator: ".").last ?? "")))
        document = try await DocumentConverters().convert(
            ConvertRequest(
                document: InputDocument(path: path), type: type, layout: layout, output: folder.path("pages.pdf")))
        self.folder = folder
    }

    /// A4 without options.
    static let paper = ConversionLayout(pageSize: Size(width: 595, height: 842))

    /// The path of the PDF.
    var path: String { folder.path("pages.pdf") }

    /// Draws a page with poppler's Splash backend.
    func page(_ number: Int = 1, dpi: Int = 72) async throws -> Drawn {
        let options = ["-r", "\(dpi)", "-f", "\(number)", "-l", "\(number)", "-singlefile"]
        try await run("pdftoppm", options + [path, folder.path("page")])
        return try Drawn(ppm: #require(FileManager.default.contents(atPath: folder.path("page.ppm"))))
    }

    /// The output of `pdfimages -list`: one line for each image.
    func images() async throws -> [[String]] {
        try await run("pdfimages", ["-list", path]).split(separator: "\n").dropFirst(2)
            .map { $0.split(separator: " ").map(String.init) }
    }
}

/// A page as pixels.
struct Drawn: PixelSheet {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    /// Reads a binary PPM file without comments.
    init(ppm: Data) throws {
        let file = [UInt8](ppm)
        var (words, position): ([String], Int) = ([], 0)
        while words.count < 4 {
            let end = try #require(file[position...].firstIndex { $0 <= 32 })
            words.append(String(decoding: file[position..<end], as: UTF8.self))
            position = end + 1
        }
        (width, height) = try (#require(Int(words[1])), #require(Int(words[2])))
        bytes = Array(file[position...])
        try #require(words[0] == "P6" && bytes.count == width * height * 3)
    }

    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let start = (y * width + x) * 3
        return (bytes[start], bytes[start + 1], bytes[start + 2])
    }
}

/// Runs a program that must succeed, and returns its output.
@discardableResult
func run(_ program: String, _ arguments: [String]) async throws -> String {
    let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"]
    let result = try await ProgramRun("/usr/bin/\(program)", arguments, environment: environment, in: "/tmp")
    try #require(result.code == 0, "\(program) failed: \(result.complaints)")
    return result.output
}

/// Creates an image of four colored quarters with ImageMagick: red, green, blue and black, in reading order.
///
/// - Parameters:
///   - name: The name of the file; its extension is the format.
///   - size: The width and height of a quarter.
func makeQuarters(
    _ name: String, in folder: TemporaryFolder, size: String = "20x10", options: [String] = []
) async throws -> String {
    let path = folder.path(name)
    try await run(
        "convert",
        [
            "-size", size, "(", "xc:red", "xc:lime", "+append", ")", "(", "xc:blue", "xc:black", "+append", ")",
            "-append",
        ]
            + options + [path])
    return path
}

/// Converts damaged copies of a document; every conversion must end with a result or an error.
///
/// Returns the number of conversions with a result.
func convertDamaged(_ path: String, times: Int, _ mutations: inout ByteMutations) async throws -> Int {
    let folder = try TemporaryFolder()
    let original = try [UInt8](#require(FileManager.default.contents(atPath: path)))
    let damaged = folder.path("damaged.\(path.split(separator: ".").last ?? "")")
    var successes = 0
    for _ in 0..<times {
        try Data(mutations.mutated(original)).write(to: URL(fileURLWithPath: damaged))
        do {
            let conversion = try await Conversion(damaged)
            #expect(FileManager.default.fileExists(atPath: conversion.path))
            successes += 1
        } catch let error as WorkError {
            #expect(!error.message.isEmpty)
        }
    }
    return successes
}
