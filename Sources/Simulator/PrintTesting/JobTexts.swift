// Extracts the text of a job's pages by running pdftotext, so that the test process links no PDF library.

import FoundationEssentials
import Glibc
import ProcessLaunch
import Synchronization

/// The texts of a job's pages.
///
/// The texts are extracted on first use.
final class JobTexts: Sendable {
    private let documents: [PrintedJob.Document]
    private let job: Int
    private let ranges: PageRanges
    private let found = Mutex<Result<[String], PrintTestingError>?>(nil)

    init(_ documents: [PrintedJob.Document], job: Int, ranges: PageRanges) {
        (self.documents, self.job, self.ranges) = (documents, job, ranges)
    }

    /// The argument `number` is the page number among the printed pages of all documents, from 1.
    func text(ofPage number: Int) throws(PrintTestingError) -> String {
        let texts = try found.withLock { found in
            if found == nil { found = read() }
            return found ?? .success([])
        }.get()
        guard texts.indices.contains(number - 1) else {
            throw PrintTestingError(
                .unreadable, "job \(job) has no page \(number): its documents have \(texts.count) pages")
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
                        "job \(job) has no text: its document is \(document.format); check the page's colors, or "
                            + "compare the page with a golden image"))
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

    /// In the output of `pdftotext`, each page ends with a form feed.
    private static func pages(of path: String) throws(PrintTestingError) -> [String] {
        let output = "\(path).\(UInt64.random(in: 0 ... .max)).txt"
        defer { unlink(output) }
        guard let code = Programs.run("pdftotext", ["-q", "-enc", "UTF-8", path, output]) else {
            throw PrintTestingError(
                .programMissing, "cannot run 'pdftotext'; install the Debian package poppler-utils")
        }
        guard code == 0, let data = try? Data(contentsOf: URL(filePath: output)) else {
            throw PrintTestingError(.unreadable, "pdftotext cannot read '\(path)' (exit code \(code))")
        }
        return String(decoding: data, as: UTF8.self).split(separator: "\u{C}", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
}
