// Office documents that refer to other files and to servers.

import FoundationEssentials
import PrintTestSupport
import Testing

/// A maker of documents that try to read a file and to connect to a server.
struct HostileDocuments {
    /// The folder for the documents.
    let folder: String
    /// The path of the file that the documents refer to.
    let canary: String
    /// The server that the documents refer to: `http://127.0.0.1:PORT`.
    let server: String

    /// The documents, each with the text `visible`.
    static let names = [
        "picture-file.docx", "picture-http.docx", "picture-file.odt", "picture-http.odt", "frame-file.odt",
        "frame-http.odt", "drawing-file.odt", "drawing-http.odt", "section-file.odt", "picture-file.rtf",
        "picture-http.rtf", "function.ods", "picture-file.odp",
    ]

    /// Makes a document and returns its path.
    func make(_ name: String) async throws -> String {
        let run = try await ProgramRun(
            "/usr/bin/python3", ["-c", Self.script, name, canary, server], environment: [:], in: folder)
        try #require(run.code == 0, "\(run.complaints)")
        return "\(folder)/\(name)"
    }

    private static let script = #"""
        import sys, zipfile
        name, canary, server = sys.argv[1:]
        target = "file://" + canary if "-file." in name else server + "/canary.png"

        def write(files):
            with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
                for path, text in files:
                    archive.writestr(path, text, zipfile.ZIP_STORED if path == "mimetype" else zipfile.ZIP_DEFLATED)

        def opendocument(kind, body, extra=[], manifest=""):
            spaces = " ".join('xmlns:%s="urn:oasis:names:tc:opendocument:xmlns:%s:1.0"' % (short, full) for short, full in [
                ("office", "office"), ("text", "text"), ("draw", "drawing"), ("table", "table"),
                ("svg", "svg-compatible")]) + ' xmlns:xlink="http://www.w3.org/1999/xlink"'
            content = '<office:document-content %s office:version="1.2"><office:body><office:%s>%s</office:%s>' \
                '</office:body></office:document-content>' % (spaces, kind, body, kind)
            mime = "application/vnd.oasis.opendocument." + kind
            write([("mimetype", mime), ("content.xml", content), ("META-INF/manifest.xml",
                '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" '
                'manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="%s"/>'
                '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml" manifest:size="999">%s'
                '</manifest:file-entry>%s</manifest:manifest>' % (mime, manifest, "".join(
                    '<manifest:file-entry manifest:full-path="%s" manifest:media-type="image/svg+xml"/>' % path
                    for path, text in extra)))] + extra)

        frame = '<draw:frame text:anchor-type="as-char" svg:x="1cm" svg:y="6cm" svg:width="5cm" svg:height="5cm">%s</draw:frame>'
        link = 'xlink:href="%s" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"' % target
        if name.endswith(".docx"):
            write([
                ("[Content_Types].xml", '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
                    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
                    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
                    'wordprocessingml.document.main+xml"/></Types>'),
                ("_rels/.rels", '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
                    '<Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
                    'officeDocument" Target="word/document.xml"/></Relationships>'),
                ("word/_rels/document.xml.rels",
                    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
                    'Id="b" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" '
                    'Target="%s" TargetMode="External"/></Relationships>' % target),
                ("word/document.xml", '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
                    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
                    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
                    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
                    'xmlns:p="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body><w:p><w:r><w:t>visible'
                    '</w:t></w:r></w:p><w:p><w:r><w:drawing><wp:inline><wp:extent cx="1800000" cy="1800000"/>'
                    '<wp:docPr id="1" name="x"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/'
                    'drawingml/2006/picture"><p:pic><p:nvPicPr><p:cNvPr id="1" name="x"/><p:cNvPicPr/></p:nvPicPr>'
                    '<p:blipFill><a:blip r:link="b"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>'
                    '<a:off x="0" y="0"/><a:ext cx="1800000" cy="1800000"/></a:xfrm><a:prstGeom prst="rect"/></p:spPr>'
                    '</p:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p></w:body></w:document>'),
            ])
        elif name.endswith(".rtf"):
            open(name, "w").write(
                r'{\rtf1\ansi visible\par {\field{\*\fldinst { INCLUDEPICTURE "%s" \\d }}{\fldrslt }}\par}' % target)
        elif name == "encrypted.odt":
            opendocument("text", "", manifest='<manifest:encryption-data manifest:checksum-type="urn:oasis:names:tc:'
                'opendocument:xmlns:manifest:1.0#sha256-1k" manifest:checksum="ITv1NqzuxdlnZbvGCgTmIzkiP8h/xJkUrFUYGuNYxpY=">'
                '<manifest:algorithm manifest:algorithm-name="http://www.w3.org/2001/04/xmlenc#aes256-cbc" '
                'manifest:initialisation-vector="ITv1NqzuxdlnZbvGCgTmIw=="/><manifest:key-derivation '
                'manifest:key-derivation-name="PBKDF2" manifest:key-size="32" manifest:iteration-count="1024" '
                'manifest:salt="ITv1NqzuxdlnZbvGCgTmIw=="/><manifest:start-key-generation manifest:'
                'start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256" manifest:key-size="32"/>'
                '</manifest:encryption-data>')
        elif name.startswith("picture") and name.endswith(".odt"):
            opendocument("text", "<text:p>visible</text:p><text:p>" + frame % ("<draw:image %s/>" % link) + "</text:p>")
        elif name.startswith("frame"):
            text = link.replace("canary.png", "canary.txt")
            opendocument("text", "<text:p>visible</text:p><text:p>" + frame % ("<draw:floating-frame %s/>" % text)
                + "</text:p>")
        elif name.startswith("section"):
            opendocument("text", '<text:p>visible</text:p><text:section text:name="s"><text:section-source %s/>'
                '<text:p/></text:section>' % link.replace("canary.png", "canary.txt"))
        elif name.startswith("drawing"):
            opendocument("text", "<text:p>visible</text:p><text:p>"
                + frame % '<draw:image xlink:href="Pictures/a.svg" xlink:type="simple" xlink:show="embed"/>' + "</text:p>",
                [("Pictures/a.svg", '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
                    'width="100" height="100"><image xlink:href="%s" width="100" height="100"/></svg>' % target)])
        elif name.endswith(".ods"):
            opendocument("spreadsheet", '<table:table table:name="t"><table:table-row><table:table-cell '
                'office:value-type="string"><text:p>visible</text:p></table:table-cell><table:table-cell '
                'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" '
                'table:formula="of:=COM.MICROSOFT.WEBSERVICE(&quot;%s/canary.txt&quot;)"/></table:table-row></table:table>'
                % server)
        else:
            opendocument("presentation", '<draw:page draw:name="one"><draw:frame svg:x="2cm" svg:y="2cm" '
                'svg:width="9cm" svg:height="3cm"><draw:text-box><text:p>visible</text:p></draw:text-box></draw:frame>'
                + frame % ("<draw:image %s/>" % link) + '</draw:page>')
        """#
}
