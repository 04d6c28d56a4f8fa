// Handles CUPS-Get-Printers.

import IPP
import PrintModel
import Synchronization

extension PrinterOperations {
    /// Handles CUPS-Get-Printers: sends the first printers immediately, and the other printers while the client reads
    /// the response.
    func getPrinters(_ exchange: Exchange) async throws -> IPPAnswer {
        let wanted = exchange.requestedAttributes()
        var printers: [ServedPrinter] = []
        for printer in try await service.printers() where try await lists(printer, for: exchange) {
            printers.append(printer)
        }
        if let mask = exchange.attributes.integer("printer-type-mask"), mask != 0 {
            let type = exchange.attributes.integer("printer-type") ?? 0
            printers = printers.filter { $0.cupsType.rawValue & mask == type & mask }
        }
        if let first = exchange.attributes.string("first-printer-name") {
            printers = Array(printers.drop { $0.name != first })
        }
        if let limit = exchange.attributes.integer("limit"), limit > 0 { printers = Array(printers.prefix(Int(limit))) }
        let kind = listKind(exchange, wanted)
        let pages = PrinterPages(printers)
        let next = { @Sendable (most: Int) async throws -> IPPAnswer.Part? in
            guard let page = pages.next(most) else { return nil }
            var groups: [AttributeGroup] = []
            guard let kind else {
                for printer in page { groups.append(await shownPrinter(printer, exchange, wanted)) }
                return IPPAnswer.Part(groups)
            }
            var bytes: [UInt8] = []
            for printer in page {
                let listed = try await listedGroup(printer, kind, exchange, wanted)
                groups.append(listed.group)
                bytes += listed.encoded
            }
            return IPPAnswer.Part(groups, encoded: bytes)
        }
        let first = try await next(8)?.groups ?? []
        let most = kind == nil ? 8 : 64
        let more: IPPAnswer.More = { () async throws in try await next(most) }
        return IPPAnswer(exchange.reply(first), more: pages.isAtEnd ? nil : more)
    }

    /// Returns a text that is equal for all requests to which a printer has the same group of attributes; nil if an
    /// attribute can change while the description of the printer stays the same, such as the current time.
    private func listKind(_ exchange: Exchange, _ wanted: RequestedAttributes) -> String? {
        guard wanted.areAll(in: Self.namesOfLists.all), !wanted.names("queued-job-count") else { return nil }
        let address = "\(exchange.target.printerURI("")) \(exchange.security) \(exchange.isFromNetwork)"
        return "\(address) \(authorizationServer() ?? "") \(wanted.sortedNames.joined(separator: " "))"
    }

    private func listedGroup(
        _ printer: ServedPrinter, _ kind: String, _ exchange: Exchange, _ wanted: RequestedAttributes
    ) async throws -> ListedGroups.Listed {
        if let listed = printer.listed?[kind] { return listed }
        let group = await shownPrinter(printer, exchange, wanted)
        let listed = ListedGroups.Listed(group: group, encoded: try group.encoded())
        printer.listed?[kind] = listed
        return listed
    }

    /// A list that returns a few printers at a time.
    ///
    /// Therefore all attributes of 1,000 printers are never in memory together.
    private final class PrinterPages: Sendable {
        private let left: Mutex<ArraySlice<ServedPrinter>>

        init(_ printers: [ServedPrinter]) { left = Mutex(printers[...]) }

        var isAtEnd: Bool { left.withLock { $0.isEmpty } }

        /// Returns the next printers, at least one printer, or `nil` at the end of the list.
        func next(_ most: Int) -> ArraySlice<ServedPrinter>? {
            left.withLock { left in
                let page = left.prefix(most)
                left = left.dropFirst(most)
                return page.isEmpty ? nil : page
            }
        }
    }
}
