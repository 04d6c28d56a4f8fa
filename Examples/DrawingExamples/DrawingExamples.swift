// Small drawing programs, one drawing per file. They cover the listings of a drawing guide.
//
//     swift run DrawingExamples pentagon pentagon.pdf

import PrintGraphics

@main
struct DrawingExamples {
    /// The examples with their names.
    ///
    /// Each example writes a file to a path.
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
            print("usage: DrawingExamples NAME OUTPUT, where NAME is one of \(all.map(\.name).joined(separator: ", "))")
            return
        }
        try example.run(output)
    }
}
