// What can go wrong with a document, in words.

import CQPDF
import Glibc
import PrintModel

extension WorkError {
    /// The name people know a document by: its own, else the last part of its path.
    static func name(of document: InputDocument) -> String {
        if let name = document.name, !name.isEmpty { return name }
        return document.path.split(separator: "/").last.map(String.init) ?? document.path
    }

    /// The system does not give the file.
    static func unreadable(_ path: String, errno error: Int32) -> WorkError {
        WorkError(
            .documentMissing,
            error == ENOENT || error == ENOTDIR
                ? "there is no file '\(path)'; check the name"
                : "'\(path)' cannot be read: \(String(cString: strerror(error))); check who may read it",
            detail: "errno \(error)")
    }

    /// libqpdf could not open the document.
    static func opening(_ name: String, status: cqpdf_status, passwordGiven: Bool) -> WorkError {
        guard status.code == CQPDF_PASSWORD else { return damaged(name, status: status) }
        return WorkError(
            .passwordRequired,
            passwordGiven
                ? "the password does not open \(name); give the one it was encrypted with"
                : "\(name) is encrypted and does not open without a password; save a copy without one and print that",
            detail: status.text)
    }

    /// libqpdf could not read on.
    static func damaged(_ name: String, status: cqpdf_status) -> WorkError {
        switch status.code {
        case CQPDF_MEMORY:
            WorkError(
                .memoryExceeded, "\(name) needs more memory than there is; print fewer of its pages",
                detail: status.text)
        case CQPDF_UNREADABLE:
            WorkError(.documentMissing, "\(name) cannot be read; check who may read it", detail: status.text)
        default:
            WorkError(
                .damaged, "\(name) is damaged beyond repair; open it in a viewer and save it again",
                detail: status.text)
        }
    }

    /// The job is to go on from a side that it does not have.
    static func nothingFrom(_ impression: Int) -> WorkError {
        WorkError(
            .noPages, "nothing is left to print from page \(impression) on, laid out for this printer; reprint the job")
    }

    /// The document lists pages that it does not have, and the client requires fidelity.
    static func missingPages(in document: OpenDocument) -> WorkError {
        WorkError(
            .damaged,
            "\(document.name) lacks \(document.missingPages) of its pages; save it again, or print it without --fidelity"
        )
    }

    /// The document has no pages at all, or none that can be read.
    static func noPages(in document: OpenDocument) -> WorkError {
        if let notice = document.notices.first {
            return WorkError(
                .damaged,
                "\(document.name) is damaged, and none of its pages can be read; open it in a viewer and save it again",
                detail: notice)
        }
        return WorkError(.noPages, "\(document.name) has no pages; check that it is the right document")
    }

    /// The ranges name pages that the document does not have.
    static func noChosenPages(of count: Int, in document: InputDocument, ranges: PageRanges) -> WorkError {
        let has = count == 1 ? "only one page" : "only \(count) pages"
        return WorkError(
            .noPages, "\(name(of: document)) has \(has), none of which is in \(ranges); choose from 1-\(count)")
    }

    /// It is a document, but not one that becomes sheets here.
    static func unsupported(_ format: DocumentFormat?, declared: DocumentFormat?, name: String) -> WorkError {
        if format == nil, declared == .pdf {
            return WorkError(
                .unsupportedFormat, "\(name) is not a PDF, although it is said to be one; save it as PDF and print that"
            )
        }
        let what = format.map { "is \($0)" } ?? "is of no known format"
        return WorkError(.unsupportedFormat, "\(name) \(what), which cannot be printed; save it as PDF and print that")
    }

    /// The copies make more sides than anyone prints.
    static func tooManySides(imposition: Imposition) -> WorkError {
        WorkError(
            .outputTooLarge,
            "\(imposition.copies) copies make more than \(DocumentWorker.largestSideCount) sides; print fewer copies")
    }

    /// The imposed document could not be made.
    static func imposing(onto output: String, status: cqpdf_status, names: [String]) -> WorkError {
        switch status.code {
        case CQPDF_CANCELED:
            WorkError(.canceled, "the work was canceled")
        case CQPDF_UNWRITABLE:
            WorkError(
                .writeFailed, "'\(output)' cannot be written: \(status.text); make room or choose another folder",
                detail: "errno \(status.system_error)")
        default:
            damaged(names.joined(separator: ", "), status: status)
        }
    }
}

extension cqpdf_status {
    /// libqpdf's words.
    var text: String {
        withUnsafeBytes(of: words) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
