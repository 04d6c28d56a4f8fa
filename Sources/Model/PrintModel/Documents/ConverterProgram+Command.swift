// Makes the command lines of converter programs.

extension ConverterProgram {
    /// Creates the program of a converter; nil if printq converts the documents without a separate program.
    ///
    /// - Parameters:
    ///   - isEncapsulated: Whether a PostScript document is an EPS file. The bounding box of an EPS file becomes the
    ///     page.
    ///   - pageSize: The page size for a PostScript document that sets no page size, in points.
    package init?(_ converter: DocumentConverter, isEncapsulated: Bool = false, pageSize: Size) {
        switch converter {
        case .program(let program): self = program
        case .postScript: self = .ghostscript(isEncapsulated: isEncapsulated, pageSize: pageSize)
        default: return nil
        }
    }

    /// The path of Ghostscript, from the Debian package `ghostscript`.
    package static let ghostscriptPath = "/usr/bin/gs"

    /// The text that precedes the number of pages in the last line of Ghostscript's output.
    package static let pageCountMark = "printq-pages: "

    /// The line that a waiting Ghostscript prints before it opens the document.
    package static let startLine = "printq-start"

    package static let waitingInput = "in/document.ps"

    package static let waitingOutput = "work/output.pdf"

    /// Returns the page size for a PostScript document that sets no page size: a portrait page in whole points.
    package static func postScriptPage(_ pageSize: Size) -> Size {
        Size(
            width: Double(wholePoints(min(pageSize.width, pageSize.height))),
            height: Double(wholePoints(max(pageSize.width, pageSize.height))))
    }

    /// Returns the command for a waiting Ghostscript: a process that is started in advance, and that opens the document
    /// after it reads a line from standard input.
    ///
    /// At the end of standard input, Ghostscript exits. The options are the same as for a Ghostscript that does not
    /// wait. The document cannot be an EPS file.
    ///
    /// - Parameter pageSize: The page size for a PostScript document that sets no page size, in points.
    package static func waitingGhostscript(pageSize: Size) -> ConverterProgram {
        ghostscript(
            pageSize: pageSize,
            waiting: ["(%stdin) (r) file 16 string readline not {quit} if pop (\(startLine)\\n) print flush"])
    }

    private static func ghostscript(
        isEncapsulated: Bool = false, pageSize: Size, waiting: [String] = []
    ) -> ConverterProgram {
        // A PostScript program draws on a portrait page, unless it sets another one.
        let page = postScriptPage(pageSize)
        return ConverterProgram(
            name: "Ghostscript",
            arguments: [
                ghostscriptPath, "-dSAFER", "-dBATCH", "-dNOPAUSE", "-dQUIET", "-sDEVICE=pdfwrite",
                "-dCompatibilityLevel=1.7", "-dAutoRotatePages=/None", "-dEmbedAllFonts=true",
                "-dDEVICEWIDTHPOINTS=\(Int(page.width))", "-dDEVICEHEIGHTPOINTS=\(Int(page.height))",
            ] + (isEncapsulated ? ["-dEPSCrop"] : []) + [
                "-sOutputFile={output}",
                // Ghostscript embeds the 14 standard fonts only with an empty list of exceptions.
                "-c", "<</NeverEmbed []>> setdistillerparams",
            ] + waiting + [
                "-f", "{input}",
                // Ghostscript makes a blank page of a document without pages, so the pages are counted.
                "-c", "{(\(pageCountMark)) print currentpagedevice /PageCount get =} stopped pop",
            ])
    }

    /// Returns a length as a whole number of points, limited to the range of PDF page sizes.
    private static func wholePoints(_ points: Double) -> Int {
        points.isFinite ? Int(min(max(points, 3), 14_400).rounded()) : 3
    }

    /// Returns the program's path and its arguments.
    ///
    /// The paths of the document and of the PDF replace the placeholders `{input}` and `{output}`.
    package func arguments(input: String, output: String) -> [String] {
        arguments.map { argument in
            // The parts are replaced separately, so that a path that contains a placeholder stays as it is.
            argument.split(separator: "{input}", omittingEmptySubsequences: false).map { part in
                part.split(separator: "{output}", omittingEmptySubsequences: false).joined(separator: output)
            }.joined(separator: input)
        }
    }

    /// Returns whether the first bytes of a PostScript document identify an EPS file.
    ///
    /// An EPS file begins with `%!PS-Adobe-3.0 EPSF-3.0`, or with the binary header of DOS EPS files
    /// (Encapsulated PostScript File Format Specification 3.0).
    package static func isEncapsulated(head: some Swift.Collection<UInt8>) -> Bool {
        if head.starts(with: [0xC5, 0xD0, 0xD3, 0xC6]) { return true }
        // Old drivers write the end-of-job character of a serial line before the header.
        let line = String(decoding: head.drop { $0 == 0x04 }.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        return line.hasPrefix("%!PS-Adobe-") && line.split(separator: " ").dropFirst().contains { $0.hasPrefix("EPSF") }
    }
}

extension DocumentConverter {
    /// The name of the converter program for messages; `The converter` if the converter is not a separate program.
    package var programName: String {
        switch self {
        case .program(let program): program.name
        case .postScript: "Ghostscript"
        default: "The converter"
        }
    }

    /// The path of the program; nil if the converter is not a separate program.
    package var programPath: String? {
        switch self {
        case .program(let program): program.arguments.first
        case .postScript: ConverterProgram.ghostscriptPath
        default: nil
        }
    }
}
