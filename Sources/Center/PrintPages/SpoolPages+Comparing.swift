// Compares the pages of a document with the printed sides.

import FoundationEssentials
package import PrintCenter
import PrintModel
import PrintWork

extension SpoolPages {
    /// The maximum difference at which two color components (0 to 255) count as equal.
    private static let tolerance = 16
    /// The maximum number of pixels in each compared image.
    private static let mostPixels = 6_000_000.0

    /// Compares a document page with the printed side that contains the page.
    ///
    /// The comparison uses the laid-out page, so that the result contains only differences that printing has caused.
    package func compare(_ id: Int, page: Int, for user: CenterUser) async throws -> PageComparisonResult {
        let job = try await job(id)
        let documents = try await documents(job).view
        guard documents.opened.sizes.indices.contains(page - 1) else { throw Self.noPage(page, of: id) }
        let view = try await laidOut(job)
        let sides = try await printedSides(job)
        let resolution = 100
        guard let layout = view.layout, let index = layout.sides.firstIndex(where: { $0.pages.contains(page) }),
            sides.indices.contains(index), let source = sides[index].source
        else {
            return PageComparisonResult(
                page: page, printed: nil, differences: [], resolution: resolution, tolerance: Self.tolerance)
        }
        let size = view.opened.sizes[index]
        let inches = size.width * size.height / (72 * 72)
        let dpi = min(resolution, max(24, Int((Self.mostPixels / inches).squareRoot())))
        // The laid-out pages come first, then the pages of the view with the printed side.
        let first = view.opened.sizes.count
        let compared = ViewedDocuments(
            id: "\(layout.plain.id) with \(source.documents.id)",
            request: ViewRequest(
                documents: layout.plain.request.documents + source.documents.request.documents,
                folder: source.documents.request.folder))
        let paper = layout.plan.imposition.paper
        let differences = try await asProblem {
            try await pictures.viewer.compare(
                ComparisonCommand(
                    page: index + 1, printed: first + source.page, printableArea: paper.printableRect, resolution: dpi),
                of: compared, for: user.name)
        }
        var results: [PageComparisonResult.Difference] = []
        for difference in differences {
            results.append(await describe(difference, job, paper))
        }
        return PageComparisonResult(
            page: page, printed: index + 1, differences: results, resolution: dpi, tolerance: Self.tolerance)
    }

    private func describe(
        _ difference: SideDifference, _ job: Job, _ paper: PrintPaper
    ) async -> PageComparisonResult.Difference {
        let areas = difference.areas.map {
            PageComparisonResult.Difference.Area(x: $0.minX, y: $0.minY, width: $0.width, height: $0.height)
        }
        let places = areas.count == 1 ? "in 1 area" : "in \(areas.count) areas"
        let share = "\(Self.percent(difference.share)) of the page differs, \(places)."
        var result = PageComparisonResult.Difference(cause: difference.cause.rawValue, areas: areas, detail: "")
        switch difference.cause {
        case .printableArea:
            result.detail = Self.sentence(difference.edges, paper, job.printer)
            result.remedy = "Reprint scaled to fit…"
            result.options = [("print-scaling", "fit")]
        case .color:
            let printer = try? await spool.printer(named: job.printer)
            var isColorPrinter = false
            if let printer { isColorPrinter = await hasColor(printer) }
            if isColorPrinter {
                result.detail = "The job was printed in gray. \(share)"
                result.remedy = "Reprint in color…"
                result.options = [("print-color-mode", "color")]
            } else {
                result.detail = "\(job.printer) cannot print in color. \(share)"
                if let other = await colorPrinter() {
                    result.remedy = "Reprint on \(other)…"
                    result.printer = other
                }
            }
        case .missing:
            result.detail = "Content is missing \(places). \(Self.percent(difference.share)) of the page differs."
            result.remedy = "Reprint…"
        case .other: result.detail = share
        }
        return result
    }

    private func hasColor(_ printer: ConfiguredPrinter) async -> Bool {
        await directory.knownCapabilities(of: printer)?.colorModes.contains(.color) ?? false
    }

    /// Returns the name of the first color printer; nil if there is no color printer.
    private func colorPrinter() async -> String? {
        for printer in (try? await spool.printers()) ?? [] where await hasColor(printer) { return printer.name }
        return nil
    }

    private static func percent(_ share: Double) -> String {
        let percent = Int((share * 100).rounded())
        return percent < 1 ? "Less than 1 %" : "\(percent) %"
    }

    /// Returns a sentence that gives the widths of the unprintable margins at the given edges, such as "4.2 mm at the
    /// top lies outside …".
    static func sentence(_ edges: [PageImage.Edge], _ paper: PrintPaper, _ printer: String) -> String {
        func width(_ edge: PageImage.Edge) -> Length {
            switch edge {
            case .top: paper.margins.top
            case .left: paper.margins.left
            case .bottom: paper.margins.bottom
            case .right: paper.margins.right
            }
        }
        let widths = Set(edges.map(width))
        func list(_ words: [String]) -> String {
            words.count < 2
                ? words.joined() : words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
        }
        let amounts =
            widths.count == 1
            ? "\(millimeters(width(edges[0]))) at the \(list(edges.map(\.rawValue)))"
            : list(edges.map { "\(millimeters(width($0))) at the \($0.rawValue)" })
        let verb = edges.count == 1 ? "lies" : "lie"
        return "\(amounts) \(verb) outside the printable area of \(printer)."
    }

    private static func millimeters(_ length: Length) -> String {
        let hundredths = length.hundredths
        let fraction = hundredths % 100
        let digits = fraction % 10 == 0 ? "\(fraction / 10)" : (fraction < 10 ? "0" : "") + "\(fraction)"
        return "\(hundredths / 100)\(fraction == 0 ? "" : ".")\(fraction == 0 ? "" : digits) mm"
    }
}
