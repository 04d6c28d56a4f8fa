// Resolves paths relative to the source file of a test.

/// The folder of a test's source file, to which relative paths in the test refer.
struct SourceFolder {
    private let path: String

    init(of sourceFile: String) {
        path = sourceFile.lastIndex(of: "/").map { String(sourceFile[..<$0]) } ?? "."
    }

    func resolve(_ name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }

    /// - Throws: `usage` when the path ends with a slash.
    func split(_ name: String) throws(PrintTestingError) -> (folder: String, file: String) {
        let whole = resolve(name)
        guard let slash = whole.lastIndex(of: "/"), slash != whole.index(before: whole.endIndex) else {
            throw PrintTestingError(.usage, "invalid file name '\(name)'")
        }
        return (String(whole[..<slash]), String(whole[whole.index(after: slash)...]))
    }
}
