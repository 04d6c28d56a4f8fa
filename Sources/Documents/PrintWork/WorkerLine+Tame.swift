// Sanitizes text from a worker, so that it can be stored, logged and shown.

import PrintModel

extension String {
    /// Returns the text as one line without control characters, truncated to a maximum number of characters.
    func tamed(to longest: Int = 1000) -> String {
        let line = prefix(longest).unicodeScalars.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: Unicode.Scalar(" ")
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(line)) + (dropFirst(longest).isEmpty ? "" : " …")
    }
}

extension WorkerLine {
    /// A copy of this line with sanitized text.
    ///
    /// A document may have compromised the worker, so the text of the worker is not trusted.
    var tamed: WorkerLine {
        switch self {
        case .locked: return self
        case .progress(var progress):
            let notice = progress.outcome?.notice?.tamed()
            progress.outcome?.notice = notice
            return .progress(progress)
        case .inspected(var summary):
            summary.title = summary.title?.tamed()
            summary.notices = Self.tamed(summary.notices)
            return .inspected(summary)
        case .identified: return self
        case .converted(var document):
            document.notices = Self.tamed(document.notices)
            document.notes = Self.tamed(document.notes)
            return .converted(document)
        case .drafted(var document):
            document.notices = Self.tamed(document.notices)
            return .drafted(document)
        case .prepared(var document):
            document.notices = Self.tamed(document.notices)
            return .prepared(document)
        case .rendered(var document):
            document.notices = Self.tamed(document.notices)
            return .rendered(document)
        case .rasterized(var document):
            document.notices = Self.tamed(document.notices)
            return .rasterized(document)
        case .opened, .compared: return self
        case .drawn(var tile):
            tile.notice = tile.notice?.tamed()
            return .drawn(tile)
        case .failed(let error):
            return .failed(WorkError(error.code, error.message.tamed(), detail: error.detail?.tamed(to: 4000)))
        }
    }

    /// The maximum number of notices for a document.
    static let mostNotices = 100

    private static func tamed(_ notices: [String]) -> [String] {
        notices.prefix(mostNotices).map { $0.tamed() }
    }
}
