// Decides whether a laid-out page may replace the image of a simulated printer.

import PrintModel
import PrintWork

/// The results of comparing page images of simulated printers with the laid-out pages.
///
/// A page image shows a printed side at a limited resolution. The laid-out page is sharp at every scale. If a person
/// zooms in, and the laid-out page and the image have no visible difference, the Print Center shows the laid-out page.
actor PrintedOriginals {
    private var results: [String: Task<Bool?, Never>] = [:]

    /// The maximum number of cached comparison results.
    private static let most = 1000

    /// Returns whether the laid-out page has no visible difference from the image of a printed side.
    ///
    /// Each side is compared only once, unless the comparison fails.
    func show(
        _ origin: ViewedSide.Origin, asPrintedOn side: ViewedSide.Source, _ viewer: PageViewer, for user: String
    ) async -> Bool {
        let key = "\(origin.page.documents.id) \(origin.page.page) \(side.documents.id) \(side.page)"
        if let known = results[key] { return await known.value ?? false }
        let comparison = Task { await Self.areSame(origin, side, viewer, user) }
        if results.count >= Self.most { results = [:] }
        results[key] = comparison
        let result = await comparison.value
        // A comparison that failed, for example because the server was busy, is repeated.
        if result == nil { results[key] = nil }
        return result ?? false
    }

    /// Returns whether the laid-out page and the image have no visible difference; nil if the comparison failed.
    private static func areSame(
        _ origin: ViewedSide.Origin, _ side: ViewedSide.Source, _ viewer: PageViewer, _ user: String
    ) async -> Bool? {
        let pages = origin.page.documents.request.documents
        // A layout is one PDF, whose pages precede the images.
        guard pages.count == 1, side.documents.request.documents.indices.contains(side.page - 1) else { return false }
        guard let opened = try? await viewer.pages(of: origin.page.documents, for: user) else { return nil }
        let compared = ViewedDocuments(
            id: "\(origin.page.documents.id) beside \(side.documents.id)",
            request: ViewRequest(
                documents: pages + side.documents.request.documents, folder: side.documents.request.folder))
        let command = ComparisonCommand(
            page: origin.page.page, printed: opened.sizes.count + side.page, printableArea: origin.printableArea,
            resolution: min(origin.imageResolution, 100))
        return (try? await viewer.compare(command, of: compared, for: user))?.isEmpty
    }
}
