// Lists all document types that printq prints without registered programs.

extension DocumentTypes {
    /// The document types that printq can print, in the order of `printq types`.
    public static let builtIn = DocumentTypes(pages + text + images + office)

    private static let pages = [
        type("PDF document", "com.adobe.pdf", ["application/pdf"], ["pdf"], .pages, .owner),
        type("PWG raster document", "org.pwg.raster", ["image/pwg-raster"], ["pwg"], .pages, .owner),
        type("Apple raster document", "com.apple.urf", ["image/urf"], ["urf"], .pages, .owner),
        type("JPEG image", "public.jpeg", ["image/jpeg"], ["jpg", "jpeg", "jpe"], .pages),
    ]

    private static let text = [
        type("Plain text", "public.plain-text", ["text/plain"], ["txt", "text", "log"], .text),
        type("Source code", "public.source-code", sourceCodeFormats, sourceCodeExtensions, .sourceCode),
        type(
            "Markdown", "net.daringfireball.markdown", ["text/markdown", "text/x-markdown"], ["md", "markdown"],
            .markdown),
        type("HTML", "public.html", ["text/html", "application/xhtml+xml"], ["html", "htm", "xhtml"], .html),
        type("Comma-separated values", "public.comma-separated-values-text", ["text/csv"], ["csv"], .table),
        type(
            "Tab-separated values", "public.tab-separated-values-text", ["text/tab-separated-values"], ["tsv", "tab"],
            .table),
        type(
            "E-mail message", "com.apple.mail.email", ["message/rfc822", "application/mbox"], ["eml", "mbox"], .email),
        type("EPUB book", "org.idpf.epub-container", ["application/epub+zip"], ["epub"], .book),
        type("PostScript", "com.adobe.postscript", ["application/postscript"], ["ps"], .postScript),
        type(
            "Encapsulated PostScript", "com.adobe.encapsulated-postscript", ["application/eps", "image/x-eps"],
            ["eps", "epsf", "epsi"], .postScript),
    ]

    private static let images = [
        type("PNG image", "public.png", ["image/png"], ["png"], .image),
        type("TIFF image", "public.tiff", ["image/tiff"], ["tiff", "tif"], .image),
        type("GIF image", "com.compuserve.gif", ["image/gif"], ["gif"], .image),
        type("BMP image", "com.microsoft.bmp", ["image/bmp", "image/x-ms-bmp"], ["bmp"], .image),
        type("Windows icon", "com.microsoft.ico", ["image/vnd.microsoft.icon", "image/x-icon"], ["ico"], .image),
        type("Windows cursor", "com.microsoft.cur", ["image/x-win-bitmap"], ["cur"], .image),
        type("X bitmap", "public.xbitmap-image", ["image/x-xbitmap"], ["xbm"], .image),
        type("WebP image", "org.webmproject.webp", ["image/webp"], ["webp"], .image),
        type("HEIF image", "public.heif", ["image/heif", "image/heic"], ["heif", "heic"], .image),
        type("AVIF image", "public.avif", ["image/avif"], ["avif"], .image),
        type(
            "JPEG 2000 image", "public.jpeg-2000", ["image/jp2", "image/jpx", "image/j2k"], ["jp2", "jpx", "j2k"],
            .image),
        type("SVG drawing", "public.svg-image", ["image/svg+xml"], ["svg", "svgz"], .drawing),
    ]

    private static let office = [
        type(
            "Word document", "org.openxmlformats.wordprocessingml.document",
            ["application/vnd.openxmlformats-officedocument.wordprocessingml.document"], ["docx", "dotx"], .office),
        type(
            "Excel workbook", "org.openxmlformats.spreadsheetml.sheet",
            ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"], ["xlsx", "xltx"], .office),
        type(
            "PowerPoint presentation", "org.openxmlformats.presentationml.presentation",
            ["application/vnd.openxmlformats-officedocument.presentationml.presentation"], ["pptx", "potx", "ppsx"],
            .office),
        type("Word 97 document", "com.microsoft.word.doc", ["application/msword"], ["doc", "dot"], .office),
        // The extension is that of all XML documents.
        type(
            "Word 2003 XML document", "com.microsoft.word.wordml", ["application/vnd.ms-wordml"], [], .office),
        type(
            "Excel 2003 XML workbook", "com.microsoft.excel.spreadsheetml", ["application/vnd.ms-spreadsheetml"], [],
            .office),
        type("Excel 97 workbook", "com.microsoft.excel.xls", ["application/vnd.ms-excel"], ["xls", "xlt"], .office),
        type(
            "PowerPoint 97 presentation", "com.microsoft.powerpoint.ppt", ["application/vnd.ms-powerpoint"],
            ["ppt", "pot", "pps"], .office),
        type(
            "OpenDocument text", "org.oasis-open.opendocument.text", ["application/vnd.oasis.opendocument.text"],
            ["odt", "ott"], .office),
        type(
            "OpenDocument spreadsheet", "org.oasis-open.opendocument.spreadsheet",
            ["application/vnd.oasis.opendocument.spreadsheet"], ["ods", "ots"], .office),
        type(
            "OpenDocument presentation", "org.oasis-open.opendocument.presentation",
            ["application/vnd.oasis.opendocument.presentation"], ["odp", "otp"], .office),
        type("Works document", "com.microsoft.works.wps", ["application/vnd.ms-works"], ["wps"], .office),
        type(
            "Works or Lotus spreadsheet", "com.microsoft.works.spreadsheet", ["application/vnd.lotus-1-2-3"],
            ["wks", "wk1"], .office),
        type("RTF document", "public.rtf", ["application/rtf", "text/rtf"], ["rtf"], .office),
        type(
            "Pages document", "com.apple.iwork.pages.sffpages", ["application/vnd.apple.pages"], ["pages"], .preview,
            .alternate),
        type(
            "Numbers spreadsheet", "com.apple.iwork.numbers.sffnumbers", ["application/vnd.apple.numbers"], ["numbers"],
            .preview, .alternate),
        type(
            "Keynote presentation", "com.apple.iwork.keynote.sffkey", ["application/vnd.apple.keynote"], ["key"],
            .preview, .alternate),
    ]

    private static let sourceCodeFormats = [
        "text/x-c", "text/x-c++", "text/x-csrc", "text/x-chdr", "text/x-c++src", "text/x-swift", "text/x-python",
        "text/x-script.python", "text/x-java", "text/x-ruby", "text/x-perl", "text/x-shellscript", "text/x-rust",
        "text/x-go", "text/x-makefile", "text/x-diff", "text/x-patch", "text/x-php", "text/x-lua", "text/x-sql",
        "text/css", "text/javascript", "application/javascript", "application/json", "application/xml", "text/xml",
        "application/yaml", "application/toml",
    ]

    private static let sourceCodeExtensions = [
        "c", "h", "cc", "cpp", "cxx", "hpp", "hh", "m", "mm", "swift", "py", "pyi", "java", "kt", "scala", "cs", "rb",
        "pl", "pm", "sh", "bash", "zsh", "fish", "rs", "go", "hs", "ml", "lua", "r", "jl", "php", "sql", "css", "scss",
        "less", "js", "mjs", "ts", "tsx", "jsx", "json", "json5", "xml", "xsl", "yaml", "yml", "toml", "ini", "cfg",
        "conf", "tex", "diff", "patch", "mk", "cmake", "asm", "s", "vim", "awk", "sed", "clj", "erl", "ex", "exs",
        "dart", "proto", "tcl", "ps1", "bat",
    ]

    private static func type(
        _ name: String, _ identifier: String, _ formats: [String], _ extensions: [String],
        _ converter: DocumentConverter, _ rank: DocumentType.HandlerRank = .default
    ) -> DocumentType {
        DocumentType(
            name: name, identifier: identifier, formats: formats.map(DocumentFormat.init(rawValue:)),
            extensions: extensions, converter: converter, rank: rank)
    }
}
