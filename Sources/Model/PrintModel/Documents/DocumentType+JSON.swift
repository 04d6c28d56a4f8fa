// Reads the document types that administrators register from JSON5.

package import FoundationEssentials

/// An error in a file that registers document types.
///
/// The error names the file, the key and the correction.
public struct DocumentTypeFileError: Error, Hashable, CustomStringConvertible {
    /// The error message for the administrator, in one or two sentences.
    public var description: String

    /// Creates an error about a file of document types.
    public init(_ description: String) { self.description = description }
}

extension DocumentType {
    /// Returns the document types that a file in the spool's folder `types` registers.
    ///
    /// The file contains one object or a list of objects.
    ///
    ///     {
    ///       name: "DVI document", identifier: "org.tug.tex.dvi", formats: ["application/x-dvi"], extensions: ["dvi"],
    ///       program: ["/usr/bin/dvipdfm", "-o", "{output}", "{input}"],
    ///     }
    ///
    /// - Throws: An error that names the file, the key and the correction.
    package static func registered(json5 data: Data, file: String) throws(DocumentTypeFileError) -> [DocumentType] {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            return try decoder.decode(RegisteredTypeList.self, from: data).types.map { try $0.checked() }
        } catch let error as DocumentTypeFileError {
            throw DocumentTypeFileError("'\(file)': \(error.description)")
        } catch let error as DecodingError {
            throw DocumentTypeFileError("'\(file)': \(message(for: error))")
        } catch {
            throw DocumentTypeFileError("'\(file)' is not JSON5: \(error)")
        }
    }

    private static func message(for error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "the key '\(key.stringValue)' is missing; add the key"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            if let key = context.codingPath.last(where: { $0.intValue == nil })?.stringValue {
                "the value of '\(key)' has the wrong type; "
                    + (RegisteredType.lists.contains(key) ? "use a list of strings" : "use a string")
            } else {
                "the file must contain one object or a list of objects"
            }
        default: "invalid JSON5; check for a missing comma, quote or bracket"
        }
    }

    /// Returns the reason why a file or folder with registrations of document types is not trusted; nil if the file or
    /// folder is trusted.
    ///
    /// The files contain the paths of the programs that convert documents. Therefore only root and the owner of the
    /// spool can have write access to the files and their folder.
    ///
    /// - Parameters:
    ///   - mode: The mode of the file (`st_mode`). Only the permission bits are used.
    ///   - user: The user ID under which `printd` runs.
    package static func distrust(of path: String, owner: UInt32, mode: UInt32, user: UInt32) -> DocumentTypeFileError? {
        guard owner == 0 || owner == user else {
            return DocumentTypeFileError(
                "'\(path)' belongs to another user, who could choose the programs that convert documents; "
                    + "run 'chown root \(path)'")
        }
        guard mode & 0o022 == 0 else {
            return DocumentTypeFileError(
                "other users can write to '\(path)', so they could choose the programs that convert documents; "
                    + "run 'chmod go-w \(path)'")
        }
        return nil
    }
}

/// The document types in a file: a single object or a list of objects.
private struct RegisteredTypeList: Decodable {
    var types: [RegisteredType]

    init(from decoder: any Decoder) throws {
        if var list = try? decoder.unkeyedContainer() {
            types = []
            while !list.isAtEnd { types.append(try list.decode(RegisteredType.self)) }
        } else {
            types = [try RegisteredType(from: decoder)]
        }
    }
}

/// A document type in the JSON5 form that an administrator writes.
private struct RegisteredType: Decodable {
    var name: String
    var identifier: String
    var formats: [String]
    var extensions: [String]
    var program: [String]
    var rank: String

    private enum Keys: String, CodingKey, CaseIterable { case name, identifier, formats, extensions, program, rank }

    static let lists = ["formats", "extensions", "program"]

    init(from decoder: any Decoder) throws {
        let known = Keys.allCases.map(\.stringValue)
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            throw DocumentTypeFileError("unknown key '\(key.stringValue)'; \(Self.suggestion(for: key.stringValue))")
        }
        let values = try decoder.container(keyedBy: Keys.self)
        name = try values.decode(String.self, forKey: .name)
        identifier = try values.decode(String.self, forKey: .identifier)
        formats = try values.decode([String].self, forKey: .formats)
        extensions = try values.decodeIfPresent([String].self, forKey: .extensions) ?? []
        program = try values.decode([String].self, forKey: .program)
        rank = try values.decodeIfPresent(String.self, forKey: .rank) ?? DocumentType.HandlerRank.default.rawValue
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    // MARK: - Rules

    func checked() throws(DocumentTypeFileError) -> DocumentType {
        guard !name.isEmpty, name.utf8.count <= 100, !Self.hasControls(name) else {
            throw Self.invalid("name", name, "use a name of up to 100 bytes without control characters")
        }
        guard !identifier.isEmpty, identifier.utf8.count <= 255, identifier.utf8.allSatisfy(Self.isIdentifier) else {
            throw Self.invalid(
                "identifier", identifier, "use letters, digits, dots and hyphens, as in 'org.tug.tex.dvi'")
        }
        guard !formats.isEmpty else {
            throw DocumentTypeFileError("'formats' of '\(name)' is empty; add at least one media type")
        }
        for format in formats { try check(format: format) }
        for ending in extensions {
            guard !ending.isEmpty, ending.utf8.count <= 16, ending.utf8.allSatisfy(Self.isExtension) else {
                throw Self.invalid("extensions", ending, "use lowercase letters and digits without a dot, as in 'dvi'")
            }
        }
        guard let rank = DocumentType.HandlerRank(rawValue: rank) else {
            let names = DocumentType.HandlerRank.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.invalid("rank", self.rank, "use one of \(names)")
        }
        try checkProgram()
        return DocumentType(
            name: name, identifier: identifier, formats: formats.map(DocumentFormat.init(rawValue:)),
            extensions: extensions, converter: .program(ConverterProgram(name: programName, arguments: program)),
            rank: rank)
    }

    private var programName: String { program.first?.split(separator: "/").last.map(String.init) ?? name }

    private func check(format: String) throws(DocumentTypeFileError) {
        let parts = format.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, format.utf8.count <= 255, parts.allSatisfy({ !$0.isEmpty }),
            parts.allSatisfy({ $0.utf8.allSatisfy(Self.isMediaType) })
        else {
            throw Self.invalid("formats", format, "use media types in lowercase, such as 'application/x-dvi'")
        }
        let known = DocumentTypes.builtIn.type(for: DocumentFormat(rawValue: format))
        if known?.converter == .pages || format == DocumentFormat.octetStream.rawValue {
            throw Self.invalid("formats", format, "documents of this format need no converter, so remove the format")
        }
    }

    private func checkProgram() throws(DocumentTypeFileError) {
        guard let path = program.first, path.hasPrefix("/"), !path.hasSuffix("/") else {
            throw Self.invalid(
                "program", program.first ?? "",
                "begin with the absolute path of the program, such as '/usr/bin/dvipdfm'")
        }
        guard !path.contains("{"), program.allSatisfy({ !$0.utf8.contains(0) }) else {
            throw Self.invalid("program", path, "use a program path without placeholders")
        }
        for placeholder in ["{input}", "{output}"] where !program.contains(where: { $0.contains(placeholder) }) {
            let meaning = placeholder == "{input}" ? "the path of the document" : "the path of the PDF"
            throw DocumentTypeFileError(
                "'program' of '\(name)' has no '\(placeholder)'; add an argument with '\(placeholder)' for \(meaning)")
        }
    }

    private static func invalid(_ key: String, _ value: String, _ advice: String) -> DocumentTypeFileError {
        DocumentTypeFileError("invalid value '\(value.prefix(100))' for '\(key)'; \(advice)")
    }

    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    }

    private static func isIdentifier(_ byte: UInt8) -> Bool {
        isExtension(byte) || (0x41...0x5A).contains(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }

    private static func isExtension(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isMediaType(_ byte: UInt8) -> Bool { isExtension(byte) || "!#$&-^_.+".utf8.contains(byte) }

    // MARK: - Suggestions

    private static func suggestion(for key: String) -> String {
        let known = Keys.allCases.map(\.stringValue)
        if let nearest = NearestName.of(key, in: known) { return "did you mean '\(nearest)'?" }
        return "use \(known.joined(separator: ", "))"
    }
}
