// Checks PDF/A documents.

import Foundation

/// The rules of PDF/A-2b and PDF/A-3b (ISO 19005-2, ISO 19005-3) for the kinds of content that PrintGraphics writes.
///
/// The rules read the output of `qpdf --json=2`.
package struct ArchiveRules {
    private let path: String
    private let objects: [String: Any]

    package init(_ path: String) async throws {
        self.path = path
        let run = try await ProgramRun(
            "/usr/bin/qpdf", ["--json=2", "--json-stream-data=inline", "--decode-level=generalized", path],
            environment: [:], in: "/tmp")
        let all = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
        objects = (all?["qpdf"] as? [Any])?.last as? [String: Any] ?? [:]
    }

    /// Returns the sentences about the rules that the document breaks; an empty array for a conforming document.
    package func violations(part: Int) async throws -> [String] {
        var broken: [String] = []
        func check(_ holds: Bool, _ rule: String) { if !holds, !broken.contains(rule) { broken.append(rule) } }

        let bytes = Array(try Data(contentsOf: URL(filePath: path)).prefix(20))
        check(bytes.starts(with: Array("%PDF-1.7\n%".utf8)), "the header is %PDF-1.7 and a comment")
        check(bytes.dropFirst(10).prefix(4).allSatisfy { $0 > 127 }, "the comment has four bytes above 127")
        check((trailer["/ID"] as? [Any])?.count == 2, "the trailer has an ID")
        check(trailer["/Encrypt"] == nil, "the document is not encrypted")

        let intent = (resolve(root["/OutputIntents"]) as? [Any]).flatMap { resolve($0.first) } as? [String: Any]
        check(intent?["/S"] as? String == "/GTS_PDFA1", "the document has an output intent of PDF/A")
        check(intent?["/OutputConditionIdentifier"] != nil, "the output intent has an identifier")
        let profile = stream(intent?["/DestOutputProfile"])
        check(profile?.dictionary["/N"] as? Int == 3, "the output profile has three components")
        check(profile?.data.dropFirst(36).prefix(4) == Data("acsp".utf8), "the output profile is an ICC profile")

        for value in objects.values { checkObject(value, check) }
        for annotation in annotations {
            let flags = annotation["/F"] as? Int ?? 0
            check(flags & 4 != 0 && flags & 0b100011 == 0, "annotations are printed and not hidden")
            check(
                annotation["/Subtype"] as? String == "/Link" || annotation["/AP"] != nil, "annotations have appearances"
            )
        }
        let files = objects.values.compactMap { dictionary($0) }.filter { $0["/Type"] as? String == "/Filespec" }
        check(files.isEmpty || part == 3, "only PDF/A-3 has attachments")
        let associated = resolve(root["/AF"]) as? [Any] ?? []
        check(associated.count == files.count, "attachments are associated with the document")
        for file in files {
            check(
                file["/AFRelationship"] != nil && file["/F"] != nil && file["/UF"] != nil, "attachments are described")
            let content = stream((resolve(file["/EF"]) as? [String: Any])?["/F"])
            check(content?.dictionary["/Subtype"] != nil, "attachments have a type")
            let parameters = resolve(content?.dictionary["/Params"]) as? [String: Any]
            check(parameters?["/ModDate"] != nil, "attachments have a date")
        }
        try await checkMetadata(part, check)
        return broken
    }

    private func checkObject(_ value: Any, _ check: (Bool, String) -> Void) {
        guard let dictionary = dictionary(value) else { return }
        if dictionary["/Type"] as? String == "/Font" {
            let kind = dictionary["/Subtype"] as? String
            if kind != "/Type0", kind != "/Type3" {
                let descriptor = resolve(dictionary["/FontDescriptor"]) as? [String: Any] ?? [:]
                let files = ["/FontFile", "/FontFile2", "/FontFile3"].filter { descriptor[$0] != nil }
                check(files.count == 1, "fonts are embedded")
            }
            check(
                kind != "/CIDFontType2" || dictionary["/CIDToGIDMap"] != nil, "TrueType CID fonts map codes to glyphs")
            if kind == "/Type0" || kind == "/TrueType" || kind == "/Type1" {
                check(dictionary["/ToUnicode"] != nil, "fonts map codes to characters")
            }
        }
        check(dictionary["/Interpolate"] as? Bool != true, "images are not interpolated")
        for key in ["/OPI", "/TR", "/Ref", "/Alternates", "/AA", "/XFA"] {
            check(dictionary[key] == nil, "no entry \(key)")
        }
        let text = "\(dictionary)"
        for name in ["/JavaScript", "/Launch", "/LZWDecode", "/DeviceCMYK", "/PS"] {
            let words = text.split { " ,;()[]\n\"".contains($0) }
            check(!words.contains { $0 == name }, "no \(name)")
        }
    }

    /// Checks that the packet is XML, states the part, and agrees with the information dictionary.
    private func checkMetadata(_ part: Int, _ check: (Bool, String) -> Void) async throws {
        guard let metadata = stream(root["/Metadata"]) else { return check(false, "the document has metadata") }
        check(metadata.dictionary["/Filter"] == nil, "the metadata is not compressed")
        let xml = String(decoding: metadata.data, as: UTF8.self)
        let parsed = try await ProgramRun(
            "/usr/bin/python3", ["-c", "import sys, xml.dom.minidom as m; m.parse(sys.stdin.buffer)"],
            environment: ["PYTHONUTF8": "1"], in: "/tmp", input: xml)
        check(parsed.code == 0, "the metadata is XML")
        check(xml.contains("<pdfaid:part>\(part)</pdfaid:part>"), "the metadata states the part")
        check(xml.contains("<pdfaid:conformance>B</pdfaid:conformance>"), "the metadata states the level")
        func text(_ element: String) -> String? {
            guard let start = xml.range(of: "<\(element)>"), let end = xml.range(of: "</\(element)>") else {
                return nil
            }
            return String(xml[start.upperBound..<end.lowerBound]).replacing(#/<[^>]*>/#, with: "")
                .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        }
        let info = resolve(trailer["/Info"]) as? [String: Any] ?? [:]
        let pairs = [
            "/Title": "dc:title", "/Author": "dc:creator", "/Subject": "dc:description", "/Keywords": "pdf:Keywords",
            "/Creator": "xmp:CreatorTool", "/Producer": "pdf:Producer", "/CreationDate": "xmp:CreateDate",
            "/ModDate": "xmp:ModifyDate",
        ]
        for (key, element) in pairs {
            var value = (info[key] as? String).map { String($0.dropFirst(2)) }
            var other = text(element)
            if key.hasSuffix("Date") { (value, other) = (value?.filter(\.isNumber), other?.filter(\.isNumber)) }
            check(value == other, "\(key) is equal to \(element)")
        }
        check(info["/CreationDate"] != nil && info["/Producer"] != nil, "the document has a date and a producer")
    }

    // MARK: Objects

    private var trailer: [String: Any] { (objects["trailer"] as? [String: Any])?["value"] as? [String: Any] ?? [:] }
    private var root: [String: Any] { resolve(trailer["/Root"]) as? [String: Any] ?? [:] }

    private var annotations: [[String: Any]] {
        objects.values.compactMap { dictionary($0) }.filter { $0["/Type"] as? String == "/Annot" }
    }

    private func resolve(_ value: Any?) -> Any? {
        guard let name = value as? String, name.hasSuffix(" R"), let object = objects["obj:\(name)"] else {
            return value
        }
        return (object as? [String: Any])?["value"] ?? object
    }

    /// Returns the dictionary of an object or of its stream.
    private func dictionary(_ object: Any) -> [String: Any]? {
        let object = object as? [String: Any]
        return object?["value"] as? [String: Any] ?? (object?["stream"] as? [String: Any])?["dict"] as? [String: Any]
    }

    private func stream(_ value: Any?) -> (dictionary: [String: Any], data: Data)? {
        let object = (value as? String).flatMap { objects["obj:\($0)"] } as? [String: Any]
        guard let stream = object?["stream"] as? [String: Any], let dictionary = stream["dict"] as? [String: Any],
            let data = (stream["data"] as? String).flatMap({ Data(base64Encoded: $0) })
        else { return nil }
        return (dictionary, data)
    }
}
