import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import Testing

/// Tests of Office documents whose container is damaged, and of documents with macros.
@Suite(.enabled(if: OfficeInstallation.find() != nil, "LibreOffice is not installed"))
struct OfficeDamageTests {
    private let place: OfficeWorkplace

    init() throws { place = try OfficeWorkplace() }

    /// A kind of damage to a ZIP container.
    enum Damage: String, CaseIterable {
        case truncatedEarly = "cut 10", truncated = "cut 50", truncatedLate = "cut 90", noEnd = "end"
        case noDirectory = "directory", wrongOffset = "offset", wrongChecksums = "checksums", wrongSizes = "sizes"
        case changedData = "data", incompleteMarkup = "markup", emptyParts = "empty", noParts = "none"
    }

    /// Returns the path of a changed copy of a document.
    private func copy(_ change: String, of ending: String) async throws -> String {
        let path = place.folder.path("\(change.split(separator: " ").joined()).\(ending)")
        let run = try await ProgramRun(
            "/usr/bin/python3",
            ["-c", Self.program, change, try await OfficeFixtures.shared.document(ending), path], environment: [:],
            in: place.folder.path)
        try #require(run.code == 0, "\(run.complaints)")
        return path
    }

    @Test(arguments: ["docx", "xlsx", "pptx", "odt"])
    func `an Office document with a damaged container is printed, or refused as damaged`(ending: String) async throws {
        let pool = place.pool(standby: 1)
        try await pool.running {
            for damage in Damage.allCases {
                let request = try place.request(try await copy(damage.rawValue, of: ending))
                do throws(WorkError) {
                    #expect(try await pool.convert(request).pageCount >= 1, "\(damage)")
                } catch {
                    #expect(error.code == .damaged, "\(damage): \(error) \(error.detail ?? "")")
                    #expect(error.message.contains("save a new copy"), "\(damage): \(error.message)")
                }
            }
        }
    }

    @Test(arguments: ["docx", "xlsx", "odt", "ods"])
    func `macros that begin when a document opens do not run`(ending: String) async throws {
        let request = try place.request(try await copy("macro", of: ending))
        #expect(try await place.pool().convert(request).pageCount == 1)
        let text = try #require(OfficeFixtures.kinds.first { $0.ending == ending }?.text)
        let printed = try await OfficeWorkplace.text(of: request.output)
        #expect(printed.contains(text) && !printed.contains("Macro"), "\(printed)")
    }

    private static let program = #"""
        import re, struct, sys, zipfile
        change, source, target = sys.argv[1:]
        data = bytearray(open(source, "rb").read())
        with zipfile.ZipFile(source) as old: parts = [(entry, old.read(entry)) for entry in old.infolist()]
        end = data.rfind(b"PK\5\6")
        directory = struct.unpack_from("<I", data, end + 16)[0]

        def entries(kind, first, sizes):
            at = first
            while data[at:at + 4] == kind:
                yield at
                fields = struct.unpack_from(sizes, data, at + (28 if kind == b"PK\1\2" else 18))
                at += 46 + sum(fields[:3]) if kind == b"PK\1\2" else 30 + fields[0] + sum(fields[2:])

        def write(parts):
            with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
                for entry, content in parts: new.writestr(entry, content, entry.compress_type)

        is_main = lambda entry: re.search(r"(document|sheet1|slide1|presentation|workbook|content)\.xml$", entry.filename)
        if change.startswith("cut"): data = data[:len(data) * int(change[4:]) // 100]
        elif change == "end": data = data[:end]
        elif change == "directory": data[directory:end] = bytes(end - directory)
        elif change == "offset": struct.pack_into("<I", data, end + 16, directory + 100)
        elif change in ("checksums", "sizes"):
            for at in list(entries(b"PK\1\2", directory, "<HHH")):
                place = 16 if change == "checksums" else 24
                struct.pack_into("<I", data, at + place, struct.unpack_from("<I", data, at + place)[0] ^ 0x55)
        elif change == "data":
            for at in list(entries(b"PK\1\2", directory, "<HHH")):
                local = struct.unpack_from("<I", data, at + 42)[0]
                start = local + 30 + sum(struct.unpack_from("<HH", data, local + 26))
                middle = start + struct.unpack_from("<I", data, at + 20)[0] // 2
                data[middle:middle + 8] = b"\xAA" * 8
        if change == "markup": write([(e, c[:len(c) // 2] if is_main(e) else c) for e, c in parts])
        elif change == "empty": write([(e, b"" if e.filename != "mimetype" else c) for e, c in parts])
        elif change == "none": write([(e, c) for e, c in parts if not is_main(e)] or parts[:1])
        elif change == "macro":
            if source.endswith(("odt", "ods")):
                module = ('<?xml version="1.0"?><script:module xmlns:script="http://openoffice.org/2000/script" '
                    'script:name="M" script:language="StarBasic">Sub Main\nThisComponent.Title = "Macro"\n'
                    'If ThisComponent.supportsService("com.sun.star.text.TextDocument") Then _\n'
                    'ThisComponent.Text.String = "Macro" Else ThisComponent.Sheets.getByIndex(0).getCellByPosition(0,0)'
                    '.String = "Macro"\nEnd Sub</script:module>')
                library = ('<?xml version="1.0"?><library:%s xmlns:library="http://openoffice.org/2000/library" '
                    'xmlns:xlink="http://www.w3.org/1999/xlink"%s>%s</library:%s>')
                files = {"Basic/Standard/M.xml": module,
                    "Basic/Standard/script-lb.xml": library % ("library", ' library:name="Standard" '
                        'library:readonly="false" library:passwordprotected="false"',
                        '<library:element library:name="M"/>', "library"),
                    "Basic/script-lc.xml": library % ("libraries", "",
                        '<library:library library:name="Standard" library:link="false"/>', "libraries")}
                event = (b'<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" '
                    b'script:event-name="dom:load" xlink:href="vnd.sun.star.script:Standard.M.Main?language=Basic&amp;'
                    b'location=document" xlink:type="simple"/></office:event-listeners></office:scripts>')
                changed = []
                for entry, content in parts:
                    if entry.filename == "content.xml":
                        content, count = re.subn(rb"<office:scripts ?/>|<office:scripts>.*?</office:scripts>", event,
                            content, flags=re.S)
                        assert count == 1, content[:2000]
                    if entry.filename == "META-INF/manifest.xml":
                        content = content.replace(b"</manifest:manifest>", b"".join(
                            b'<manifest:file-entry manifest:full-path="%s" manifest:media-type="text/xml"/>' % n.encode()
                            for n in files) + b"</manifest:manifest>")
                    changed.append((entry, content))
                write(changed + [(zipfile.ZipInfo(n), t.encode()) for n, t in files.items()])
            else:
                # A project that no program can read.
                folder = "word" if source.endswith("docx") else "xl"
                main = b"document" if folder == "word" else b"workbook"
                changed = []
                for entry, content in parts:
                    if entry.filename == "[Content_Types].xml":
                        content = content.replace(b"</Types>", b'<Override PartName="/%s/vbaProject.bin" ContentType='
                            b'"application/vnd.ms-office.vbaProject"/></Types>' % folder.encode())
                    if entry.filename == f"{folder}/_rels/{main.decode()}.xml.rels":
                        content = content.replace(b"</Relationships>", b'<Relationship Id="rIdV" Type="http://schemas.'
                            b'microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/></Relationships>')
                    changed.append((entry, content))
                write(changed + [(zipfile.ZipInfo(folder + "/vbaProject.bin"), b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" * 99)])
        else: open(target, "wb").write(data)
        """#
}
