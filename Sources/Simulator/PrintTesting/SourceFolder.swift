// Files that a test names from where its source is.

/// The folder of a test's source, from which the paths count that it names.
struct SourceFolder {
    private let path: String

    /// The folder of a source file.
    init(of sourceFile: String) {
        path = sourceFile.lastIndex(of: "/").map { String(sourceFile[..<$0]) } ?? "."
    }

    /// The path from the root.
    func resolve(_ name: String) -> String { name.hasPrefix("/") ? name : "\(path)/\(name)" }

    /// The folder and the name of a file.
    func split(_ name: String) throws(PrintTestingError) -> (folder: String, file: String) {
        let whole = resolve(name)
        guard let slash = whole.lastIndex(of: "/"), slash != whole.index(before: whole.endIndex) else {
            throw PrintTestingError(.usage, "'\(name)' is no file's name")
        }
        return (String(whole[..<slash]), String(whole[whole.index(after: slash)...]))
    }
}
