// Loads a document with LibreOffice and writes it as a PDF.

import COfficeKit
import FoundationEssentials
import Glibc
import PrintModel

/// The LibreOffice library, which runs in this process.
struct LibreOffice {
    private let office: OpaquePointer
    private let macros: OfficeMacros

    /// Starts LibreOffice, which takes one to two seconds.
    ///
    /// - Throws: `workerUnavailable`.
    init(program: String, place: OfficePlace) throws(WorkError) {
        try place.createProfile()
        var reason: UnsafePointer<CChar>?
        guard let office = office_start(program, place.profileURL, &reason) else {
            throw WorkError(
                .workerUnavailable,
                "LibreOffice cannot start; reinstall libreoffice-writer-nogui, libreoffice-calc-nogui and "
                    + "libreoffice-impress-nogui",
                detail: reason.map { String(cString: $0) })
        }
        self.office = office
        macros = OfficeMacros(office: office, resultPath: place.work + "/result")
        office_set_paper(office, 0)
        // The first macro loads Basic.
        _ = try macros.adopt()
    }

    /// Converts the document of a request into a PDF at the output path of the request.
    ///
    /// - Throws: `documentMissing`, `damaged`, `passwordRequired`, `memoryExceeded` or `writeFailed`.
    func convert(_ request: ConvertRequest) throws(WorkError) -> ConvertedDocument {
        let name = request.document.name.map { "'\($0)'" } ?? "the document"
        let content: OfficeContent
        do throws(WorkError) { content = try OfficeContent(request.document) } catch {
            throw WorkError(.documentMissing, "cannot read \(name)", detail: error.message)
        }
        guard content != .other else {
            throw WorkError(
                .damaged,
                "\(name) is damaged, or its type is not \(request.type.name); open the document in its application "
                    + "and save a new copy")
        }
        guard content != .encryptedPresentation else {
            throw WorkError(
                .passwordRequired,
                "\(name) is encrypted, and LibreOffice cannot decrypt presentations of type PPT; save a copy without "
                    + "a password and print the copy")
        }
        let kind = try load(request.document, paper: OfficePaper(request.layout.pageSize), name: name)
        guard content.matches(kind) else { throw Self.unreadable(name, detail: nil) }

        let records = office_record_fonts(office) != 0
        let sheets = request.layout.text.sheets
        var notices: [String] = []
        switch try macros.save(OfficePlace.url(request.output), pages: request.layout.text.office, sheets: sheets) {
        case .saved(let count):
            if let count, let sheets, let ranges = try? PageRanges(sheets),
                ranges.ranges.contains(where: { $0.upperBound > count && $0.upperBound < PageRanges.end })
            {
                notices.append("\(name) has no sheets after sheet \(count), but sheets '\(sheets)' were chosen")
            }
        case .noSheet(let count):
            throw WorkError(
                .noPages,
                "sheets '\(sheets ?? "")' of \(name) have no pages; the number of visible sheets is \(count)")
        case .failed(let error):
            throw failure(
                WorkError(
                    .damaged, "LibreOffice cannot lay out \(name); save the document as PDF and print the PDF",
                    detail: error))
        }
        let drawn = records ? recordedFonts() : []
        return try Self.withBytes(of: request.output, name: name) { bytes in
            let pdf = ProducedPDF(bytes: bytes)
            let fonts = FontSubstitution.replaced(
                drawn: drawn, embedded: pdf.fontNames, isText: kind == .text)
            return ConvertedDocument(
                pageCount: pdf.pageCount, notices: notices + fonts.filter { !$0.keepsWidths }.map(\.notice),
                notes: fonts.filter(\.keepsWidths).map(\.notice))
        }
    }

    /// Loads a document without a window.
    ///
    /// If LibreOffice cannot read the document, the function loads the document again with a window. LibreOffice then
    /// asks for the password, or repairs a damaged document.
    private func load(
        _ document: InputDocument, paper: OfficePaper, name: String
    ) throws(WorkError) -> LoadedKind {
        let isLetter: CInt = paper == .letter ? 1 : 0
        if isLetter != 0 { office_set_paper(office, isLetter) }
        let url = OfficePlace.url(document.path)
        if let kind = try macros.load(url, password: document.password) { return kind }
        var reason = OFFICE_UNREADABLE
        if office_load(office, url, document.password, isLetter, &reason) != 0, let kind = try macros.adopt() {
            return kind
        }
        switch reason {
        case OFFICE_NEEDS_PASSWORD: throw .encrypted(name, passwordGiven: false)
        case OFFICE_WRONG_PASSWORD: throw .encrypted(name, passwordGiven: true)
        default:
            throw failure(Self.unreadable(name, detail: error))
        }
    }

    private static func unreadable(_ name: String, detail: String?) -> WorkError {
        WorkError(
            .damaged,
            "LibreOffice cannot read \(name); open the document in its application and save a new copy",
            detail: detail)
    }

    private var error: String { String(cString: office_last_error(office)) }

    /// Returns `memoryExceeded` if the process has used most of its address space, otherwise the given error.
    ///
    /// LibreOffice catches failed allocations and reports the document as unreadable.
    private func failure(_ error: WorkError) -> WorkError {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_AS.rawValue)), &limit) == 0, limit.rlim_cur < UInt.max / 2,
            let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmPeak:") }),
            let peak = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ UInt($0) }),
            peak >= limit.rlim_cur / 1024 / 4 * 3
        else { return error }
        return WorkError(
            .memoryExceeded,
            "converting the document with LibreOffice needed more than \(limit.rlim_cur >> 20) MiB of memory; "
                + "print the document in parts, or raise the limit", detail: error.message)
    }

    private func recordedFonts() -> [(requested: String, used: String)] {
        var fonts = [office_font](repeating: office_font(), count: 1000)
        let count = office_recorded_fonts(office, &fonts, Int32(fonts.count))
        return fonts.prefix(Int(count)).map { font in
            (
                String(
                    decoding: UnsafeBufferPointer(start: font.requested, count: Int(font.requested_length)),
                    as: UTF16.self),
                String(decoding: UnsafeBufferPointer(start: font.used, count: Int(font.used_length)), as: UTF16.self)
            )
        }
    }

    /// Maps a file into memory, and calls a function with the bytes of the file.
    private static func withBytes<R>(
        of path: String, name: String, _ body: (UnsafeRawBufferPointer) -> R
    ) throws(WorkError) -> R {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped) } catch {
            throw WorkError(
                .writeFailed, "cannot read the PDF that LibreOffice wrote for \(name)", detail: "\(error)")
        }
        return data.withUnsafeBytes(body)
    }
}
