// Collects the results of a preview, as a table and as JSON.

package import PrintModel
package import SpoolerClient

/// The results of a preview of several files.
package struct PreviewResults: Sendable {
    private struct Entry {
        var file: String
        var document: PreviewedDocument?
        var images: [String] = []
        var failure: SpoolerClientError?
    }

    private var entries: [Entry]

    /// Creates empty results for the given files.
    ///
    /// - Parameter files: The files as the user typed their names.
    package init(files: [String]) { entries = files.map { Entry(file: $0) } }

    /// Adds a result.
    ///
    /// The method ignores a result for an unknown document.
    package mutating func add(_ event: PreviewEvent) {
        switch event {
        case .document(let document):
            if entries.indices.contains(document.index) { entries[document.index].document = document }
        case .page(let index, _, let path):
            if entries.indices.contains(index) { entries[index].images.append(path) }
        case .failed(let index, let error):
            if entries.indices.contains(index) { entries[index].failure = SpoolerClientError(preview: error) }
        case .finished: break
        }
    }

    /// The paths of the page images of all files, in order.
    package var images: [String] { entries.flatMap(\.images) }

    /// The page images of each file.
    package var thumbnails: [(name: String, images: [String])] { entries.map { ($0.file, $0.images) } }

    /// The reasons why files cannot be shown.
    package var failures: [SpoolerClientError] { entries.compactMap(\.failure) }

    /// The failure of the first file that cannot be shown; nil if all files can be shown.
    package var failure: SpoolerClientError? { failures.first }

    /// The notices, each with the name of its file.
    package var notices: [String] {
        entries.flatMap { entry in (entry.document?.notices ?? []).map { "\(entry.file): \($0)" } }
    }

    /// The table of the files that can be shown.
    package var table: TextTable {
        var table = TextTable([
            .flexible("FILE"), .left("TYPE"), .right("PAGES"), .right("SIDES"), .right("SHEETS"), .left("PAPER"),
            .flexible("TITLE"),
        ])
        for entry in entries {
            guard let document = entry.document else { continue }
            table.add([
                entry.file, document.type ?? "unknown", "\(document.pages)", "\(document.sides)",
                "\(document.sheets)", document.paper.media.localizedName, document.title ?? "",
            ])
        }
        return table
    }

    /// The previewed files as JSON.
    package var json: JSONText {
        .array(
            entries.map { entry in
                var members: [(name: String, value: JSONText)] = [("file", .string(entry.file))]
                if let document = entry.document {
                    members += [
                        ("type", document.type.map { .string($0) } ?? .null),
                        ("document-format", document.format.map { .string($0.rawValue) } ?? .null),
                        ("title", document.title.map { .string($0) } ?? .null),
                        ("pages", .number(document.pages)), ("sides", .number(document.sides)),
                        ("sheets", .number(document.sheets)), ("media", .string(document.paper.media.name)),
                        ("notices", .strings(document.notices)), ("images", .strings(entry.images)),
                    ]
                }
                if let failure = entry.failure { members.append(("error", .string(failure.message))) }
                return .object(members)
            })
    }
}

extension SpoolerClientError {
    /// Creates an error for a document that cannot be shown.
    package init(preview error: WorkError) {
        let code: Code =
            switch error.code {
            case .documentMissing: .noInput
            case .workerUnavailable, .sandboxIncomplete: .unavailable
            case .writeFailed: .output
            case .canceled: .notDone
            default: .badDocument
            }
        self.init(code, error.message)
    }
}
