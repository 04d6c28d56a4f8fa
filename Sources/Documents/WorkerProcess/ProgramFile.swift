// Finds the files that the kernel opens to execute a program.

import Glibc
import PrintModel

/// An executable program: an ELF file, or a script whose first line names its interpreter.
struct ProgramFile {
    /// The path of the file to execute.
    var path: String
    /// The arguments, beginning with the name of the program.
    var arguments: [String]
    /// The files that the kernel opens: the program, the interpreter of a script, and the dynamic loader.
    private(set) var files: [String] = []

    /// The folders in which `env` finds interpreters.
    private static let searched = ["/usr/local/bin", "/usr/bin", "/bin"]
    /// The maximum number of nested interpreters, which equals the limit of Linux.
    private static let mostInterpreters = 4

    /// Finds the files of a program by reading the first bytes of the program and its interpreters.
    ///
    /// - Throws: `unsupportedFormat` if a file is missing or cannot be executed.
    init(arguments: [String], name: String) throws(WorkError) {
        guard let path = arguments.first, path.hasPrefix("/") else {
            throw Self.unusable(name, "the path of the program is not absolute")
        }
        (self.path, self.arguments) = (path, arguments)
        var next: String? = path
        for _ in 0...Self.mostInterpreters {
            guard let file = next else { return }
            guard access(file, X_OK) == 0 else {
                throw Self.unusable(name, "'\(file)' cannot be executed", detail: String(cString: strerror(errno)))
            }
            files.append(file)
            let head = Self.head(of: file)
            if head.starts(with: "#!".utf8) {
                next = try interpreter(ofScript: file, head: head, name: name)
            } else {
                next = Self.loader(of: file, head: head)
            }
        }
        throw Self.unusable(name, "'\(path)' has too many nested interpreters")
    }

    /// Returns the interpreter of a script.
    ///
    /// For `#!/usr/bin/env python3`, the function returns `python3`, because the sandbox prevents `env` from executing
    /// the interpreter.
    private mutating func interpreter(
        ofScript script: String, head: [UInt8], name: String
    ) throws(WorkError) -> String {
        let line = String(decoding: head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let interpreter = words.first, interpreter.hasPrefix("/") else {
            throw Self.unusable(name, "the first line of '\(script)' contains no interpreter with an absolute path")
        }
        guard interpreter.hasSuffix("/env") else { return interpreter }
        guard script == path, words.count == 2,
            let found = Self.searched.map({ "\($0)/\(words[1])" as String }).first(where: { access($0, X_OK) == 0 })
        else {
            throw Self.unusable(
                name, "the first line of '\(script)' must be '#!', followed by the path of an existing interpreter")
        }
        path = found
        arguments = [found, script] + arguments.dropFirst()
        return found
    }

    /// Returns the dynamic loader of an ELF file (program header `PT_INTERP`); nil for a static program.
    private static func loader(of file: String, head: [UInt8]) -> String? {
        // 64-bit, little-endian, as on x86_64 and aarch64.
        guard head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), head.count >= 64 else { return nil }
        func number(_ offset: Int, _ bytes: Int) -> Int? {
            guard offset >= 0, offset + bytes <= head.count else { return nil }
            return head[offset..<(offset + bytes)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard let table = number(32, 4), let size = number(54, 2), let count = number(56, 2) else { return nil }
        for entry in 0..<count {
            let header = table + entry * size
            guard number(header, 4) == 3, let offset = number(header + 8, 4), let length = number(header + 32, 4)
            else { continue }
            guard length > 1, offset + length <= head.count else { return nil }
            return String(decoding: head[offset..<(offset + length - 1)], as: UTF8.self)
        }
        return nil
    }

    private static func head(of file: String) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }

    static func unusable(_ name: String, _ reason: String, detail: String? = nil) -> WorkError {
        WorkError(
            .unsupportedFormat,
            "\(name) cannot convert the document: \(reason); "
                + "install the program again, or correct its entry in the spool's folder 'types'",
            detail: detail)
    }
}
