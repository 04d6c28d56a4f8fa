// Runs the programs from iOS. This file is not from iOS: it stands for the app and its user, who accepts each job.
//
//     swift run Ported photo photo.pdf

import ExampleRun
import PrintKitUIKitNames

@main
struct Ported {
    /// The programs with their names; each writes one PDF to a path.
    @MainActor static let all: [(name: String, run: @MainActor (String) async throws -> Bool)] = [
        (
            "photo",
            { path in
                let program = PhotoPrinting(photo: makePhoto())
                return await job(path) { program.printPhoto(completion: $0) }
            }
        ),
        (
            "web-page",
            { path in
                let program = WebPagePrinting(
                    title: "The village",
                    articles: (1...9).map { ("Article \($0)", String(repeating: "News of the week. ", count: 40)) })
                return await job(path) { program.printPage(completion: $0) }
            }
        ),
        ("recipes", { path in await job(path) { printRecipes(recipes, completion: $0) } }),
        (
            "labels",
            { path in
                try LabelSheet(addresses: (1...30).map { "Reader \($0)\n\($0) Paper Street\nPrintville" }).pdf()
                    .write(to: URL(fileURLWithPath: path))
                return true
            }
        ),
        (
            "invoice",
            { path in
                let items = (1...30).map {
                    InvoiceDocument.Item(name: "Article \($0)", quantity: $0 % 4 + 1, price: Decimal($0) / 2)
                }
                try InvoiceDocument(number: "2027-04", items: items).write(to: URL(fileURLWithPath: path))
                return true
            }
        ),
        (
            "receipt",
            { path in
                ReceiptPrinting(lines: [("Bread", 320), ("Butter", 249), ("Coffee", 799)]).makePDF().write(
                    toFile: path, atomically: true)
            }
        ),
        ("calendar", { path in await job(path) { printCalendar(completion: $0) } }),
        ("contact-sheet", { path in ContactSheet(images: Array(repeating: makePhoto(), count: 13)).write(to: path) }),
        ("report", { path in await job(path) { printReport(completion: $0) } }),
        (
            "certificate",
            { path in
                try Certificate(name: "Ada Example").data().write(to: URL(fileURLWithPath: path))
                return true
            }
        ),
        (
            "music-paper",
            { path in
                try MusicPaper().pdf(paper: CGRect(x: 0, y: 0, width: 595.2, height: 841.8)).write(
                    to: URL(fileURLWithPath: path))
                return true
            }
        ),
        (
            "badges",
            { path in
                let colors: [UIColor] = [.systemBlue, .systemRed, .systemGreen, .systemPurple]
                let badges = (0..<8).map { Badge(name: "Visitor \($0 + 1)", color: colors[$0 % 4]) }
                try badgeSheet(badges, photo: makePhoto()).write(to: URL(fileURLWithPath: path))
                return true
            }
        ),
    ]

    private static let recipes = (1...6).map { number in
        Recipe(
            title: "Pancakes \(number)", ingredients: ["250 g flour", "3 eggs", "half a liter of milk", "salt"],
            steps: "Stir everything, let it rest for half an hour, and bake thin pancakes in a hot pan.")
    }

    @MainActor static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count == 2, let name = arguments.first, let path = arguments.last,
            let program = all.first(where: { $0.name == name })
        else {
            end("usage: Ported NAME OUTPUT, where NAME is one of \(all.map(\.name).joined(separator: ", "))", code: 64)
        }
        do {
            guard try await program.run(path) else { end("Ported: '\(name)' printed nothing", code: 1) }
        } catch {
            end("Ported: \(error)", code: 1)
        }
    }

    /// Runs a program that prints with the shared controller to a file.
    @MainActor private static func job(_ path: String, _ print: (@escaping (Bool) -> Void) -> Void) async -> Bool {
        let controller = UIPrintInteractionController.shared.controller
        controller.destination = PDFFileDestination(folder: path)
        controller.optionsPresenter = Acceptance()
        return await withCheckedContinuation { continuation in print { continuation.resume(returning: $0) } }
    }
}

/// A user who accepts the options unchanged.
private struct Acceptance: PrinterOptionsPresenting {
    func presentOptions(_ options: PrinterOptions) async throws -> PrinterOptions? { options }

    func presentPrinters(_ printers: [Printer], selected: Int) async throws -> Int? { selected }
}
