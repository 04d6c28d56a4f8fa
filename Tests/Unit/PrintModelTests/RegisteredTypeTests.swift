import FoundationEssentials
import PrintModel
import Testing

/// Tests of the files in which administrators register document types.
struct RegisteredTypeTests {
    private static let dvi = """
        // DVI files of TeX.
        {
          name: "DVI document", identifier: "org.tug.tex.dvi", formats: ["application/x-dvi"], extensions: ["dvi"],
          program: ["/usr/bin/dvipdfm", "-o", "{output}", "{input}"], rank: "alternate",
        }
        """

    private func error(_ text: String) -> String {
        let error = #expect(throws: DocumentTypeFileError.self) {
            try DocumentType.registered(json5: Data(text.utf8), file: "types/dvi.json5")
        }
        return error?.description ?? ""
    }

    private func error(replacing part: String, with other: String) -> String {
        #expect(Self.dvi.contains(part))
        return error(Self.dvi.replacing(part, with: other))
    }

    @Test func `a JSON object registers a document type with a program`() throws {
        let types = try DocumentType.registered(json5: Data(Self.dvi.utf8), file: "dvi.json5")
        let arguments = ["/usr/bin/dvipdfm", "-o", "{output}", "{input}"]
        #expect(
            types == [
                DocumentType(
                    name: "DVI document", identifier: "org.tug.tex.dvi",
                    formats: [DocumentFormat(rawValue: "application/x-dvi")], extensions: ["dvi"],
                    converter: .program(ConverterProgram(name: "dvipdfm", arguments: arguments)), rank: .alternate)
            ])
        let registry = DocumentTypes.builtIn.adding(types)
        #expect(registry.type(forName: "thesis.DVI")?.name == "DVI document")
    }

    @Test func `a JSON array registers several document types`() throws {
        let other = Self.dvi.replacing("dvi\"", with: "xdv\"")
        let types = try DocumentType.registered(json5: Data("[\(Self.dvi), \(other)]".utf8), file: "tex.json5")
        #expect(types.map(\.extensions) == [["dvi"], ["xdv"]])
    }

    @Test func `if a registered document type sets no extensions and no rank, the default values apply`() throws {
        let text = Self.dvi.replacing("extensions: [\"dvi\"],", with: "").replacing(", rank: \"alternate\"", with: "")
        let types = try DocumentType.registered(json5: Data(text.utf8), file: "dvi.json5")
        #expect(types.map(\.extensions) == [[]] && types.map(\.rank) == [.default])
    }

    @Test func `an unknown key in a type file is refused, and the error suggests the most similar known key`() {
        #expect(
            error(replacing: "extensions:", with: "extension:")
                == "'types/dvi.json5': unknown key 'extension'; did you mean 'extensions'?")
        #expect(error(replacing: "program:", with: "Programm:").hasSuffix("did you mean 'program'?"))
        #expect(
            error(replacing: "rank:", with: "priority:")
                == "'types/dvi.json5': unknown key 'priority'; "
                + "use name, identifier, formats, extensions, program, rank")
    }

    @Test func `the error for a missing key or a value of the wrong JSON type in a type file names the key`() {
        #expect(
            error(replacing: "identifier: \"org.tug.tex.dvi\",", with: "")
                == "'types/dvi.json5': the key 'identifier' is missing; add the key")
        #expect(
            error(replacing: "[\"application/x-dvi\"]", with: "\"application/x-dvi\"")
                == "'types/dvi.json5': the value of 'formats' has the wrong type; use a list of strings")
        #expect(
            error(replacing: "\"DVI document\"", with: "7")
                == "'types/dvi.json5': the value of 'name' has the wrong type; use a string")
        #expect(
            error(replacing: "\"-o\"", with: "12")
                == "'types/dvi.json5': the value of 'program' has the wrong type; use a list of strings")
    }

    @Test(arguments: ["{", "", "name: x", "{name: \"x\" identifier: \"y\"}"])
    func `a type file that is not valid JSON5 is refused`(text: String) {
        #expect(error(text) == "'types/dvi.json5': invalid JSON5; check for a missing comma, quote or bracket")
    }

    @Test(arguments: ["7", "\"x\"", "[7]", "null"])
    func `a type file without a JSON object is refused`(text: String) {
        #expect(error(text) == "'types/dvi.json5': the file must contain one object or a list of objects")
    }

    @Test(arguments: ["dvipdfm", "./dvipdfm", "bin/dvipdfm", "", "/usr/bin/"])
    func `a type file is refused if the path of its converter is not absolute`(path: String) {
        #expect(
            error(replacing: "/usr/bin/dvipdfm", with: path)
                == "'types/dvi.json5': invalid value '\(path)' for 'program'; "
                + "begin with the absolute path of the program, such as '/usr/bin/dvipdfm'")
    }

    @Test(arguments: ["{input}", "{output}"])
    func `a type file is refused if the converter arguments lack the input or the output placeholder`(
        placeholder: String
    ) {
        #expect(
            error(replacing: "\"\(placeholder)\"", with: "\"x\"").hasPrefix(
                "'types/dvi.json5': 'program' of 'DVI document' has no '\(placeholder)'; add an argument"))
    }

    @Test func `a type file with an invalid name, media type, extension or rank is refused`() {
        #expect(error(replacing: "\"DVI document\"", with: "\"\"").contains("for 'name'"))
        #expect(
            error(replacing: "org.tug.tex.dvi", with: "org tug").contains("invalid value 'org tug' for 'identifier'"))
        for format in ["dvi", "application/", "Application/x-dvi", "a/b/c", "application/x dvi"] {
            #expect(error(replacing: "application/x-dvi", with: format).contains("'\(format)' for 'formats'"))
        }
        #expect(error(replacing: "application/x-dvi", with: "application/pdf").contains("need no converter"))
        #expect(error(replacing: "[\"application/x-dvi\"]", with: "[]").contains("add at least one media type"))
        for ending in [".dvi", "DVI", "d/vi", ""] {
            #expect(error(replacing: "[\"dvi\"]", with: "[\"\(ending)\"]").contains("'\(ending)' for 'extensions'"))
        }
        #expect(
            error(replacing: "\"alternate\"", with: "\"best\"").hasSuffix("use one of owner, default, alternate, none"))
    }

    @Test func `a type file is refused if other users can change the file, and the error suggests chown or chmod`() {
        func distrust(owner: UInt32, mode: UInt32) -> String? {
            DocumentType.distrust(of: "types/dvi.json5", owner: owner, mode: mode, user: 1000)?.description
        }
        #expect(distrust(owner: 0, mode: 0o100644) == nil)
        #expect(distrust(owner: 1000, mode: 0o100600) == nil)
        #expect(distrust(owner: 1001, mode: 0o100644)?.contains("run 'chown root types/dvi.json5'") == true)
        #expect(distrust(owner: 0, mode: 0o100664)?.contains("run 'chmod go-w types/dvi.json5'") == true)
        #expect(distrust(owner: 1000, mode: 0o040757)?.contains("chmod go-w") == true)
    }
}
