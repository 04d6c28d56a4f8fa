// The printer options as a form on a terminal.

import DocumentInteraction
import PrintKit

/// The form for the printer options: printer, copies, pages, sides and paper.
///
/// The form omits fields that offer no choice.
struct OptionsForm: TerminalForm {
    enum Field: Hashable {
        case printer, copies, pages, sides, paper
    }

    let subject = "printer options"
    let alternative = "print without options with print(to:), or set the controller's optionsPresenter"

    private(set) var options: PrinterOptions
    private(set) var focus = Field.printer
    /// The text that the person typed for the page ranges.
    ///
    /// The text is empty for all pages.
    private var pagesText = ""
    /// The error message in the form.
    ///
    /// The message disappears when a key is pressed.
    private var complaint: String?
    private var counted: Counted

    private struct Counted: Hashable {
        var printerIndex: Int
        var paper: PrintPaper?
    }

    init(_ options: PrinterOptions) {
        self.options = options
        counted = Counted(printerIndex: options.printerIndex, paper: options.paper)
        if options.pages != .all { pagesText = options.pages.description }
    }

    var fields: [Field] {
        var fields = [Field.printer]
        if options.maximumCopies > 1 { fields.append(.copies) }
        if options.allowsPageRange { fields.append(.pages) }
        if options.duplexModes.count > 1 { fields.append(.sides) }
        if !options.loadedPapers.isEmpty { fields.append(.paper) }
        return fields
    }

    /// Whether the pages must be counted again.
    ///
    /// The value is true if the chosen printer or paper has changed, and the number of pages depends on the paper.
    var isStale: Bool {
        options.counter != nil && counted != Counted(printerIndex: options.printerIndex, paper: options.paper)
    }

    mutating func renew() async {
        counted = Counted(printerIndex: options.printerIndex, paper: options.paper)
        await options.recountPages()
    }

    mutating func handle(_ key: TerminalKey) -> FormOutcome<PrinterOptions> {
        complaint = nil
        switch key {
        case .escape: return .cancelled
        case .enter: return accept()
        case .up: moveFocus(by: -1)
        case .down: moveFocus(by: 1)
        case .left: change(by: -1)
        case .right: change(by: 1)
        case .backspace: erase()
        case .character(let character): type(character)
        case .print: return accept()
        }
        return .open
    }

    private mutating func accept() -> FormOutcome<PrinterOptions> {
        options.pages = .all
        if options.allowsPageRange, !pagesText.isEmpty {
            do {
                options.pages = try PageRanges(pagesText)
            } catch {
                return complain(error.description)
            }
            let count = options.pageCount ?? 1
            guard options.pages.count(of: count) > 0 else {
                return complain("choose pages from 1 to \(count)")
            }
        }
        options.duplex = options.effectiveDuplex
        options.copies = min(options.copies, options.maximumCopies)
        return .accepted(options)
    }

    private mutating func complain(_ message: String) -> FormOutcome<PrinterOptions> {
        (complaint, focus) = (message, .pages)
        return .open
    }

    private mutating func moveFocus(by step: Int) {
        let fields = fields
        let index = (fields.firstIndex(of: focus) ?? 0) + step
        focus = fields[(index + fields.count) % fields.count]
    }

    private mutating func change(by step: Int) {
        switch focus {
        case .printer:
            let count = options.printers.count
            options.printerIndex = (options.printerIndex + step + count) % count
            options.paper = nil
        case .copies: options.copies = min(max(1, options.copies + step), options.maximumCopies)
        case .pages: break
        case .sides:
            let modes = options.duplexModes
            let index = modes.firstIndex(of: options.effectiveDuplex) ?? 0
            options.duplex = modes[(index + step + modes.count) % modes.count]
        case .paper:
            let papers = [nil] + options.loadedPapers.map(Optional.some)
            let index = papers.firstIndex(of: options.paper) ?? 0
            options.paper = papers[(index + step + papers.count) % papers.count]
        }
    }

    private mutating func type(_ character: Character) {
        switch focus {
        case .pages where character.isASCII && (character.isNumber || character == "-" || character == ","):
            if pagesText.count < 100 { pagesText.append(character) }
        case .copies:
            guard let digit = character.wholeNumberValue else { return }
            // The initial value is 1, so the first digit replaces it.
            let typed = options.copies == 1 ? digit : options.copies * 10 + digit
            if (1...options.maximumCopies).contains(typed) { options.copies = typed }
        default: break
        }
    }

    private mutating func erase() {
        switch focus {
        case .pages: pagesText = String(pagesText.dropLast())
        case .copies: options.copies = max(1, options.copies / 10)
        default: break
        }
    }

    // MARK: Lines

    var title: String { "Print \"\(options.title)\"" }

    var hint: String {
        if let complaint { return complaint }
        return focus == .pages
            ? "type pages such as 1-3,7 · Enter prints · Escape cancels"
            : "arrows choose · Enter prints · Escape cancels"
    }

    var rows: [String] {
        fields.map { field in
            let label = Self.labels[field] ?? ""
            let padding = String(repeating: " ", count: 9 - label.count)
            return "\(field == focus ? ">" : " ") \(label)\(padding)\(text(of: field))"
        }
    }

    private static let labels: [Field: String] = [
        .printer: "Printer", .copies: "Copies", .pages: "Pages", .sides: "Sides", .paper: "Paper",
    ]

    private func text(of field: Field) -> String {
        switch field {
        case .printer:
            let place = options.printer.displayLocation.map { " (\($0))" } ?? ""
            return choice(options.printer.displayName, among: options.printers.count) + place
        case .copies: return choice("\(options.copies)", among: options.maximumCopies)
        case .pages: return (pagesText.isEmpty ? "all" : pagesText) + " of \(options.pageCount ?? 1)"
        case .sides: return choice(Self.label(for: options.effectiveDuplex), among: options.duplexModes.count)
        case .paper:
            let name = options.paper.map { $0.media.name + ($0.type.map { type in ", \(type)" } ?? "") }
            return choice(name ?? "automatic", among: options.loadedPapers.count + 1)
        }
    }

    private func choice(_ text: String, among count: Int) -> String { count > 1 ? "< \(text) >" : text }

    private static func label(for duplex: Duplex) -> String {
        switch duplex {
        case .none: "one-sided"
        case .longEdge: "two-sided, long edge"
        case .shortEdge: "two-sided, short edge"
        }
    }
}

struct ListForm: TerminalForm {
    let (subject, alternative): (String, String)
    let (title, hint): (String, String)
    private let items: [String]
    private(set) var index: Int

    init(_ printers: [Printer], selected: Int) {
        (subject, alternative) = ("the printers", "set the picker's presenter")
        (title, hint) = ("Choose a printer", "arrows choose · Enter selects · Escape cancels")
        items = printers.map { printer in
            let more = [printer.makeAndModel, printer.displayLocation].compactMap(\.self).joined(separator: ", ")
            return "\(printer.displayName)\(more.isEmpty ? "" : " (\(more))")"
        }
        index = selected
    }

    init(_ menu: DocumentMenu) {
        (subject, alternative) = ("the menu", "set the controller's presenter")
        (title, hint) = (menu.title, "arrows choose · Enter selects · Escape closes")
        (items, index) = (menu.items.map(\.title), 0)
    }

    mutating func handle(_ key: TerminalKey) -> FormOutcome<Int> {
        switch key {
        case .escape: return .cancelled
        case .enter: return .accepted(index)
        case .up: index = (index - 1 + items.count) % items.count
        case .down: index = (index + 1) % items.count
        default: break
        }
        return .open
    }

    /// The rows for at most 10 items around the selected item, which fit on a small terminal.
    var rows: [String] {
        let first = max(0, min(index - 5, items.count - 10))
        return items.indices.dropFirst(first).prefix(10).map { "\($0 == index ? ">" : " ") \(items[$0])" }
    }
}
