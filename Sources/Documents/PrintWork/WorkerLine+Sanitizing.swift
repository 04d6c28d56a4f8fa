// Sanitizes text from a worker, so that it can be stored, logged and shown.

import PrintModel
import ProcessPools

extension WorkerLine {
    /// A copy of this line with sanitized text.
    ///
    /// A document may have compromised the worker, so the text of the worker is not trusted.
    var sanitized: WorkerLine {
        switch self {
        case .locked: return self
        case .progress(var progress):
            let notice = progress.outcome?.notice?.sanitized()
            progress.outcome?.notice = notice
            return .progress(progress)
        case .inspected(var summary):
            summary.title = summary.title?.sanitized()
            summary.notices = Self.sanitized(summary.notices)
            return .inspected(summary)
        case .identified: return self
        case .converted(var document):
            document.notices = Self.sanitized(document.notices)
            document.notes = Self.sanitized(document.notes)
            return .converted(document)
        case .drafted(var document):
            document.notices = Self.sanitized(document.notices)
            return .drafted(document)
        case .prepared(var document):
            document.notices = Self.sanitized(document.notices)
            return .prepared(document)
        case .rendered(var document):
            document.notices = Self.sanitized(document.notices)
            return .rendered(document)
        case .rasterized(var document):
            document.notices = Self.sanitized(document.notices)
            document.missingFonts = document.missingFonts.prefix(Self.mostNotices).map { $0.sanitized(to: 100) }
            return .rasterized(document)
        case .opened, .compared: return self
        case .words(let words):
            return .words(words.map { PageWord($0.text.sanitized(), area: $0.area, endsLine: $0.endsLine) })
        case .drawn(var tile):
            tile.notice = tile.notice?.sanitized()
            return .drawn(tile)
        case .failed(let error):
            return .failed(WorkError(error.code, error.message.sanitized(), detail: error.detail?.sanitized(to: 4000)))
        }
    }

    /// The maximum number of notices for a document.
    static let mostNotices = 100

    private static func sanitized(_ notices: [String]) -> [String] {
        notices.prefix(mostNotices).map { $0.sanitized() }
    }
}
