// A program that prints an invoice: letterhead, a table over several pages, totals, and "page n of m".
//
//     swift run Invoice invoice.pdf
//     swift run Invoice --printer color-laser

import ExampleRun
import PrintKit

@main
struct Invoicing {
    @MainActor static func main() async {
        await runExample("Invoice (OUTPUT | --printer PRINTER)", CommandLine.arguments.dropFirst(), printInvoice)
    }

    @MainActor static func printInvoice(_ controller: PrintInteractionController, _: [String]) async throws {
        let articles = ["Paper, A4, 80 g", "Paper, A3, 120 g", "Toner, black", "Toner, cyan", "Staples", "Drum unit"]
        let invoice = Invoice(
            number: "2024-0117", customer: ["Ada Example", "12 Mill Lane", "Oxford"],
            items: (1...54).map { number in
                Item(
                    name: "\(articles[number % articles.count]), lot \(number)", quantity: number % 4 + 1,
                    cents: 450 + 135 * (number % 7))
            })
        controller.printInfo.jobName = "Invoice \(invoice.number)"
        controller.printPageRenderer = InvoiceRenderer(invoice)
        try await controller.print(to: controller.printer(named: controller.printInfo.printerID))
    }
}

/// An article on the invoice.
struct Item {
    var name: String
    var quantity: Int
    /// The unit price in cents.
    var cents: Int

    var total: Int { quantity * cents }
}

struct Invoice {
    var number: String
    var customer: [String]
    var items: [Item]

    var net: Int { items.reduce(0) { $0 + $1.total } }
    /// The tax of 19 per cent, rounded to the cent.
    var tax: Int { (net * 19 + 50) / 100 }
    var gross: Int { net + tax }
}

/// Returns an amount with two decimals.
func amount(_ cents: Int) -> String {
    let digits = "\(cents % 100)"
    return "\(cents / 100).\(digits.count == 1 ? "0" : "")\(digits)"
}
