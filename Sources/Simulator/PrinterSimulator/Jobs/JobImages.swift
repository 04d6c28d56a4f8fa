// Reads the page images in the folder of a job.

import FoundationEssentials
import Glibc
package import PrintModel
import SafeFiles

/// The page images that a printer wrote into the folder of a job.
///
///     let images = try JobImages(of: job, at: printer)
///     for page in images.pages where page.state == .printed { try images.png(page.number) }
package struct JobImages: Sendable {
    package struct Page: Hashable, Sendable {
        package enum State: Hashable, Sendable {
            case printed
            case printing
            case waiting
            case omitted
        }

        /// The number of the page image, from 1.
        package var number: Int
        /// The size of the page in points.
        package var size: Size
        package var side: JobReport.Side
        package var state: State
    }

    package struct File: Sendable {
        package var bytes: [UInt8]
        /// A text that identifies the version of the file, for example for the HTTP header `ETag`.
        package var tag: String
    }

    package let job: SimulatedJob
    /// The job report in the job's folder; nil if the printer has not read the documents yet.
    package let report: JobReport?
    private let folder: String

    private static let mostBytes = 256 << 20

    /// - Throws: `noSuchJob` if the folder was removed, or belongs to another job.
    package init(of job: SimulatedJob, at printer: SimulatedPrinter) throws(SimulatorError) {
        self.job = job
        folder = printer.folder.path(of: job.folder)
        let report = try? JobReport(folder: folder)
        // An unfinished job has no report until the printer has read its documents.
        guard report?.job.uuid == job.uuid || report == nil && !job.state.isTerminal && access(folder, F_OK) == 0
        else { throw Self.removed(job, at: printer) }
        self.report = report
    }

    private static func removed(_ job: SimulatedJob, at printer: SimulatedPrinter) -> SimulatorError {
        SimulatorError(
            .noSuchJob,
            "the folder '\(job.folder)' of job \(job.id) at printer '\(printer.description.name)' was removed; "
                + "print the document again")
    }

    /// Returns the number of page images in the folder of a job; 0 if the folder was removed.
    package static func count(of job: SimulatedJob, at printer: SimulatedPrinter) -> Int {
        let names = try? FileManager.default.contentsOfDirectory(atPath: printer.folder.path(of: job.folder))
        return names?.count(where: isImage) ?? 0
    }

    /// Returns whether a name is the name of a page image, and not a path to another folder.
    private static func isImage(_ name: String) -> Bool {
        name.hasPrefix("page-") && name.hasSuffix(".png") && !name.utf8.contains(UInt8(ascii: "/"))
    }

    /// The resolution of the images, in dots per inch.
    package var resolution: Int { max(1, report?.resolution ?? 100) }

    /// The pages of the job in page order, without blank backs that have no image.
    ///
    /// The array is empty before the printer has read the documents.
    package var pages: [Page] {
        guard let report else { return [] }
        var pages = report.sides.compactMap { side in
            side.page.map { number in
                Page(
                    number: number, size: report.size(ofPage: number), side: side,
                    state: isPrinted(number) ? .printed : job.state.isTerminal ? .omitted : .waiting)
            }
        }
        if job.state == .processing || job.state == .processingStopped {
            let isReversed = job.plan?.isReversed ?? false
            let next = isReversed ? pages.lastIndex { $0.state == .waiting } : pages.firstIndex { $0.state == .waiting }
            if let next { pages[next].state = .printing }
        }
        return pages
    }

    /// Returns the path of an original document as the client sent it; nil if the document does not exist.
    ///
    /// The `number` counts from 1.
    package func document(_ number: Int) -> String? {
        guard job.documents.indices.contains(number - 1) else { return nil }
        let name = job.documents[number - 1].file
        return name.hasPrefix("original") && !name.contains("/") ? "\(folder)/\(name)" : nil
    }

    /// Returns the path of a request of the job as the client sent it, without its document; nil if the request is not
    /// stored.
    ///
    /// The `number` counts from 1.
    package func request(_ number: Int) -> String? {
        (1...max(1, job.requests)).contains(number) && job.requests > 0
            ? "\(folder)/\(OutputFolder.requestName(number))" : nil
    }

    /// The path of `job.json`: the request as received, the options of the printed job, and its warnings.
    package var reportPath: String { "\(folder)/job.json" }

    private func isPrinted(_ number: Int) -> Bool { access(path(number), R_OK) == 0 }

    private func path(_ number: Int) -> String { "\(folder)/\(report?.pages[number - 1].file ?? "")" }

    /// Returns the image of a page; nil if the page does not exist or is not printed.
    package func png(_ number: Int) throws(SimulatorError) -> File? {
        guard let report, report.pages.indices.contains(number - 1), Self.isImage(report.pages[number - 1].file) else {
            return nil
        }
        let path = path(number)
        // A link in the folder could lead to any file of the user.
        do throws(SystemFailure) {
            let file = try RegularFile(path)
            guard file.size <= Self.mostBytes else { throw SystemFailure(EINVAL) }
            let bytes = try file.bytes(count: file.size)
            let time = file.status.st_mtim
            return File(bytes: bytes, tag: "\(job.uuid)-\(number)-\(time.tv_sec).\(time.tv_nsec)-\(bytes.count)")
        } catch {
            switch error.number {
            case ENOENT: return nil
            case EINVAL:
                throw SimulatorError(.fileSystem, "'\(path)' is not a regular file, or is larger than 256 MiB")
            default: throw .fileSystem("read", path, error.number)
            }
        }
    }
}
