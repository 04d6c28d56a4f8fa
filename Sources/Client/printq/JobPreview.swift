// Shows the pages of a job, which printd draws.

import ArgumentParser
import FoundationEssentials
import Glibc
import PrintqOutput
import SpoolerClient
import TerminalImages

/// The preview of a job.
///
/// The preview shows the printed sides, or the pages of the documents if the sides are not known.
///
/// printd sends the images, because most users cannot read the spool of the system spooler.
struct JobPreview {
    let job: JobView
    let download: JobPageDownload
    let pages: DrawablePages
    /// The folder for the page images.
    let folder: String
    let resolution: Int
    /// Whether the new page images replace existing files in the folder.
    let replaces: Bool

    /// Downloads the page images, and shows a progress line on a terminal.
    ///
    /// - Parameter limit: The maximum number of images.
    /// - Parameter onImage: A function that is called with each page and the path of the page image.
    func draw(_ limit: Int, onImage: (DrawablePages.Page, String) -> Void) async throws(SpoolerClientError) {
        let count = min(limit, pages.pages.count)
        let width = StandardOutput.progressWidth
        defer { if width != nil { StandardOutput.show("\r\u{1B}[K") } }
        for page in pages.pages.prefix(count) {
            if width != nil { StandardOutput.show("\r\u{1B}[KDrawing page \(page.number) of \(count)") }
            let digits = String(page.number)
            let path = "\(folder)/page-\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits).png"
            let isDrawn = try await download.draw(
                page, pages.side, resolution: resolution, to: path, replaces: replaces)
            if isDrawn { onImage(page, path) }
            if Task.isCancelled { return }
        }
    }

    /// The number and the kind of the pages as text, such as `2 printed sides on 1 sheet`.
    var text: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        guard pages.side == .printed else { return count(pages.pages.count, "page") }
        let sheets = Set(pages.pages.compactMap(\.sheet)).count
        let isPrinted = pages.pages.allSatisfy { $0.state == "printed" }
        return "\(count(pages.pages.count, isPrinted ? "printed side" : "side")) on \(count(sheets, "sheet"))"
    }

    /// The pages of the preview as a table.
    var table: TextTable {
        var table = TextTable(
            pages.side == .printed
                ? [.right("SIDE"), .right("SHEET"), .left("FACE"), .left("STATE"), .left("SIZE"), .flexible("PAGES")]
                : [.right("PAGE"), .left("SIZE")])
        for page in pages.pages {
            let size = "\(Self.millimeters(page.width)) × \(Self.millimeters(page.height)) mm"
            guard pages.side == .printed else {
                table.add(["\(page.number)", size])
                continue
            }
            let content = page.blank ? "blank" : page.pages.map(String.init).joined(separator: ", ")
            table.add([
                "\(page.number)", page.sheet.map(String.init) ?? "", page.face ?? "", page.state ?? "", size, content,
            ])
        }
        return table
    }

    /// Returns the pages of the preview as JSON.
    ///
    /// - Parameter images: The paths of the page images.
    func json(images: [String]) -> JSONText {
        .object([
            ("job-id", .number(job.id)), ("side", .string(pages.side.rawValue)),
            ("count", .number(pages.pages.count)), ("printq-output-pages", .strings(images)),
        ])
    }

    private static func millimeters(_ points: Double) -> Int { Int((points * 25.4 / 72).rounded()) }
}

/// A namespace for functions that create and remove a private folder.
enum TemporaryFolder {
    /// Creates a folder that only the user can enter, and returns its path.
    static func make() throws(SpoolerClientError) -> String {
        let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        let path = "\(parent)/printq-preview-\(UUID().uuidString)"
        guard mkdir(path, 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw SpoolerClientError(.output, "cannot create the folder '\(path.printable)': \(reason)")
        }
        return path
    }

    static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
