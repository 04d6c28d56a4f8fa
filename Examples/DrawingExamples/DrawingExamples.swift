// Small drawings in today's Swift, one a file: the cases of a drawing guide that this library has to serve well.
//
//     swift run DrawingExamples pentagon pentagon.pdf

import PrintGraphics

@main
struct DrawingExamples {
    /// Each example by its name; it writes a file.
    static let all: [(name: String, run: @Sendable (String) throws -> Void)] = [
        ("pentagon", pentagon), ("arc", arc), ("even-odd", evenOdd), ("appended-oval", appendedOval),
        ("filled-oval", filledOval), ("hit-test", hitTest), ("document", document), ("thumbnail", thumbnail),
        ("page-image", pageImage),
    ]

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let name = arguments.first, let output = arguments.last,
            let example = all.first(where: { $0.name == name })
        else {
            print("usage: DrawingExamples NAME OUTPUT, NAME being one of \(all.map(\.name).joined(separator: ", "))")
            return
        }
        try example.run(output)
    }
}
