// The text of a job's pages, found by another program: no library that reads PDFs comes into the tests' process.

import FoundationEssentials
import Glibc
import ProcessLaunch
import Synchronization

/// The text of each page of a job, found when it is asked for.
final class JobTexts: Sendable {
    private let documents: [PrintedJob.Document]
    private let job: Int
    private let ranges: PageRanges
    private let found = Mutex<Result<[String], PrintTestingError>?>(nil)

    /// The texts of a job's documents, of each of which the ranges were printed.
    init(_ documents: [PrintedJob.Document], job: Int, ranges: PageRanges) {
        (self.documents, self.job, self.ranges) = (documents, job, ranges)
    }

    /// The text of a printed page, counted from 1 over all documents.
    func text(ofPage number: Int) throws(PrintTestingError) -> String {
        let texts = try found.withLock { found in
            if found == nil { found = read() }
            return found ?? .success([])
        }.get()
        guard texts.indices.contains(number - 1) else {
            throw PrintTestingError(
                .unreadable, "page \(number) of job \(job) is not among the \(texts.count) pages of its documents")
        }
        return texts[number - 1]
    }

    private func read() -> Result<[String], PrintTestingError> {
        var texts: [String] = []
        for document in documents {
            guard document.format == .pdf else {
                return .failure(
                    PrintTestingError(
                        .noText,
                        "job \(job) came as \(document.format), which has pixels and no text; look at its colours, or "
                            + "compare it with a golden image"))
            }
            do throws(PrintTestingError) {
                let pages = try Self.pages(of: document.path)
                texts += ranges.pages(of: pages.count).map { pages[$0 - 1] }
            } catch {
                return .failure(error)
            }
        }
        return .success(texts)
    }

    /// The text of each page of a PDF: `pdftotext` ends each with a form feed.
    private static func pages(of path: String) throws(PrintTestingError) -> [String] {
        let output = "\(path).\(UInt64.random(in: 0 ... .max)).txt"
        defer { unlink(output) }
        guard let code = Programs.run("pdftotext", ["-q", "-enc", "UTF-8", path, output]) else {
            throw PrintTestingError(
                .programMissing, "the program 'pdftotext' does not run; install Debian's poppler-utils")
        }
        guard code == 0, let data = try? Data(contentsOf: URL(filePath: output)) else {
            throw PrintTestingError(.unreadable, "pdftotext cannot read '\(path)' (exit code \(code))")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\u{C}", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
}
