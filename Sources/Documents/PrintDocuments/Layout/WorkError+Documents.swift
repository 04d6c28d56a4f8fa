// Errors about documents.

import CQPDF
import DocumentFiles
import PrintModel

extension WorkError {
    /// Returns the error for a document that libqpdf could not open.
    static func opening(_ name: String, status: cqpdf_status, passwordGiven: Bool) -> WorkError {
        guard status.code == CQPDF_PASSWORD else { return damaged(name, status: status) }
        return .encrypted(name, passwordGiven: passwordGiven, detail: status.text)
    }

    /// Returns the error for a document that libqpdf could not read completely.
    static func damaged(_ name: String, status: cqpdf_status) -> WorkError {
        switch status.code {
        case CQPDF_MEMORY:
            WorkError(
                .memoryExceeded, "\(name) needs more memory than is available; print fewer pages",
                detail: status.text)
        case CQPDF_UNREADABLE:
            WorkError(.documentMissing, "cannot read \(name); check the permissions of the file", detail: status.text)
        default:
            WorkError(
                .damaged, "\(name) is damaged beyond repair; open the document in a viewer and save a new copy",
                detail: status.text)
        }
    }

    /// Returns the error for a job that cannot continue at a page, because the page does not exist.
    static func nothingFrom(_ impression: Int) -> WorkError {
        WorkError(.noPages, "page \(impression) does not exist in the layout for this printer; reprint the job")
    }

    /// Returns the error for a document with missing pages, for clients that require fidelity.
    static func missingPages(in document: OpenDocument) -> WorkError {
        WorkError(
            .damaged,
            "\(document.name) lacks \(document.missingPages) of its pages; save a new copy, or print without --fidelity"
        )
    }

    /// Returns the error for a document without pages, or without readable pages.
    static func noPages(in document: OpenDocument) -> WorkError {
        if let notice = document.notices.first {
            return WorkError(
                .damaged,
                "\(document.name) is damaged and has no readable pages; open the document in a viewer and save a new copy",
                detail: notice)
        }
        return WorkError(.noPages, "\(document.name) has no pages; check that the correct document was submitted")
    }

    /// Returns the error for page ranges that contain no page of the document.
    static func noChosenPages(of count: Int, in document: InputDocument, ranges: PageRanges) -> WorkError {
        let text = "\(ranges)"
        let pages = text.allSatisfy(\.isNumber) ? "page \(text)" : "pages \(text)"
        let verb = text.allSatisfy(\.isNumber) ? "is" : "are"
        let valid = count == 1 ? "only page 1" : "1-\(count)"
        return WorkError(.noPages, "\(pages) of \(document.nameInMessages) \(verb) out of range (\(valid))")
    }

    /// Returns the error for a document whose format is not supported.
    static func unsupported(_ format: DocumentFormat?, declared: DocumentFormat?, name: String) -> WorkError {
        if format == nil, declared == .pdf {
            return WorkError(
                .unsupportedFormat,
                "\(name) was submitted as PDF, but is not a PDF; save the document as PDF and print the PDF")
        }
        let type = format.map { " \($0)" } ?? ""
        return WorkError(
            .unsupportedFormat, "unsupported file type\(type): \(name); save the document as PDF and print the PDF")
    }

    /// Returns the error for a number of copies that produces too many sides.
    static func tooManySides(imposition: Imposition) -> WorkError {
        WorkError(
            .outputTooLarge,
            "\(imposition.copies) copies need more than \(DocumentWorker.largestSideCount) sides; print fewer copies")
    }

    /// Returns the error for an imposition that failed.
    static func imposing(onto output: String, status: cqpdf_status, names: [String]) -> WorkError {
        switch status.code {
        case CQPDF_CANCELED:
            WorkError(.canceled, "the work on the document was canceled")
        case CQPDF_UNWRITABLE:
            WorkError(
                .writeFailed, "cannot write '\(output)': \(status.text); free some space or choose another folder",
                detail: "errno \(status.system_error)")
        default:
            damaged(names.joined(separator: ", "), status: status)
        }
    }
}

extension cqpdf_status {
    /// The error message of libqpdf.
    var text: String {
        withUnsafeBytes(of: words) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
