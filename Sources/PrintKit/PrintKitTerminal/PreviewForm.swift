// The preview of documents as text, for terminals without images.

import DocumentInteraction
import FoundationEssentials
import Glibc
import SafeFiles

struct PreviewForm: TerminalForm {
    let subject = "the preview"
    let alternative = "set the controller's presenter"
    private static let mostLines = 12

    let pages: [PreviewPage]
    private(set) var index: Int

    init(_ pages: [PreviewPage], index: Int) {
        (self.pages, self.index) = (pages, min(max(0, index), pages.count - 1))
    }

    mutating func handle(_ key: TerminalKey) -> FormOutcome<PreviewEnd> {
        switch key {
        case .escape, .enter, .character("q"): return .accepted(PreviewEnd(index: index))
        case .print where pages[index].canPrint: return .accepted(PreviewEnd(index: index, isPrinting: true))
        case .right, .down, .character("n"): index = min(index + 1, pages.count - 1)
        case .left, .up, .character("p"): index = max(index - 1, 0)
        default: break
        }
        return .open
    }

    var title: String {
        let title = pages[index].title
        return pages.count == 1 ? title : "\(title) (\(index + 1) of \(pages.count))"
    }

    var hint: String {
        let keys = [
            pages.count > 1 ? "arrows show the next or previous item" : nil,
            pages[index].canPrint ? "Ctrl-P prints" : nil, "Escape closes",
        ]
        return keys.compactMap(\.self).joined(separator: " · ")
    }

    var rows: [String] {
        let page = pages[index]
        guard let type = page.typeName, let url = page.url else { return ["This item cannot be previewed."] }
        let size = Self.size(of: url.path)
        let lines = page.isText ? [""] + Self.lines(of: url) : []
        return [size.map { "\(type), \(Self.text(for: $0))" } ?? type] + lines
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func text(for size: Int) -> String {
        switch size {
        case ..<1_000: "\(size) bytes"
        case ..<1_000_000: "\(size / 1_000) kB"
        default: "\(size / 1_000_000) MB"
        }
    }

    /// When the form is shown, control characters in the lines are replaced.
    private static func lines(of url: URL) -> [String] {
        guard DocumentKind.isRegularFile(url.path), let head = try? FileBytes.read(url.path, count: 4096) else {
            return []
        }
        let text = String(decoding: head, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).prefix(mostLines).map { line in
            String(line.filter { $0 != "\r" }).split(separator: "\t", omittingEmptySubsequences: false)
                .joined(separator: "    ")
        }
    }
}
