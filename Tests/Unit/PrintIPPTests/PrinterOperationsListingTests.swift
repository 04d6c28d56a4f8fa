// Tests lists of jobs over IPP, which are produced in pages.

import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import Testing

struct PrinterOperationsListingTests {
    private let service = ScriptedService(jobs: (1...7).map { .sample(id: $0) }, pageSize: 2)

    private func request(_ attributes: [Attribute] = []) -> IPPRequest {
        let group = AttributeGroup(
            .operation, .preamble + [Attribute("printer-uri", .uri("ipp://localhost/"))] + attributes)
        return IPPRequest(
            message: Message(operation: .getJobs, requestID: 7, groups: [group]),
            peer: .unix(uid: 0, gid: 0, pid: 1))
    }

    private var operations: PrinterOperations {
        PrinterOperations(service, numbersJobsGlobally: true, isOpen: false) { 1_000_000 }
    }

    private func ids(_ groups: [AttributeGroup]) -> [Int32] { groups.compactMap { $0.integer("job-id") } }

    @Test func `the first part of a job list is produced immediately, and the other parts are produced on demand`()
        async throws
    {
        let answer = await operations.answer(to: request())
        #expect(ids(answer.message.groups(.job)) == [1, 2, 3, 4])
        let more = try #require(answer.more)
        #expect(try await more().map { ids($0.groups) } == [5, 6])
        #expect(try await more().map { ids($0.groups) } == [7])
        #expect(try await more() == nil)
        #expect(ids(await operations.respond(to: request()).groups(.job)) == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `a list of 1,000 printers is produced in parts of at most 8 printers`() async throws {
        let printers = (0..<1000).map { number in
            var printer = ServedPrinter.office()
            printer.name = "printer-\(number)"
            return printer
        }
        let operations = PrinterOperations(
            ScriptedService(printers: printers), numbersJobsGlobally: true, isOpen: false
        ) { 1_000_000 }
        let message = Message(
            operation: .cupsGetPrinters, requestID: 7, groups: [AttributeGroup(.operation, .preamble)])
        let answer = await operations.answer(
            to: IPPRequest(message: message, peer: .unix(uid: 0, gid: 0, pid: 1)))
        var names = answer.message.groups(.printer).compactMap { $0.string("printer-name") }
        #expect(names.count == 8)
        let more = try #require(answer.more)
        while let page = try await more() {
            #expect(page.groups.count <= 8)
            names += page.groups.compactMap { $0.string("printer-name") }
        }
        #expect(names == printers.map(\.name))
    }

    // MARK: - Stored attributes of printers

    /// Lists 20 described printers with the given attributes; the result consists of the parts after the first part.
    private func list(
        _ printers: [ServedPrinter], _ names: [String], uri: String = "ipp://localhost/", at now: Double = 1_000_000
    ) async throws -> [IPPAnswer.Part] {
        let operations = PrinterOperations(
            ScriptedService(printers: printers), numbersJobsGlobally: true, isOpen: false
        ) { now }
        let group = AttributeGroup(
            .operation,
            .preamble + [
                Attribute("printer-uri", .uri(uri)), Attribute("requested-attributes", names.map { .keyword($0) }),
            ])
        let answer = await operations.answer(
            to: IPPRequest(
                message: Message(operation: .cupsGetPrinters, requestID: 7, groups: [group]),
                peer: .unix(uid: 0, gid: 0, pid: 1)))
        #expect(answer.message.groups(.printer).count == 8)
        var parts: [IPPAnswer.Part] = []
        let more = try #require(answer.more)
        while let part = try await more() { parts.append(part) }
        #expect(parts.flatMap(\.groups).count == 12)
        for part in parts {
            if let encoded = part.encoded { #expect(try part.groups.flatMap { try $0.encoded() } == encoded) }
        }
        return parts
    }

    private func described() -> [ServedPrinter] {
        (0..<20).map { number in
            var printer = ServedPrinter.office()
            printer.name = "printer-\(number)"
            printer.listed = ListedGroups()
            return printer
        }
    }

    @Test func `the attributes of a described printer are stored for equal requests, and encoded once`() async throws {
        var printers = described()
        let names = ["printer-name", "printer-info", "printer-uri-supported", "media-default", "marker-names"]
        let first = try await list(printers, names)
        #expect(first.allSatisfy { $0.encoded != nil })
        // A changed value without a new description shows that the stored attributes are used.
        for index in printers.indices { printers[index].info = "changed" }
        let second = try await list(printers, names.reversed())
        #expect(second.map(\.encoded) == first.map(\.encoded))
        for index in printers.indices { printers[index].listed = ListedGroups() }
        let third = try await list(printers, names).flatMap(\.groups)
        #expect(third.map { $0.string("printer-info") } == Array(repeating: "changed", count: 12))
    }

    @Test func `requests with other attributes or another address receive their own attributes`() async throws {
        let printers = described()
        let names = ["printer-name", "printer-uri-supported"]
        _ = try await list(printers, names)
        let other = try await list(printers, names, uri: "ipp://office.example:8631/").flatMap(\.groups)
        #expect(other[0].string("printer-uri-supported") == "ipp://office.example:8631/printers/printer-8")
        let more = try await list(printers, names + ["printer-state"]).flatMap(\.groups)
        #expect(more[0].attributes.map(\.name) == ["printer-name", "printer-state", "printer-uri-supported"])
        for port in 1...5 {
            let next = try await list(printers, names, uri: "ipp://localhost:\(port)/").flatMap(\.groups)
            #expect(next[11].string("printer-uri-supported") == "ipp://localhost:\(port)/printers/printer-19")
        }
    }

    @Test(arguments: [["printer-name", "printer-up-time"], ["queued-job-count"], ["all"]])
    func `attributes that change without a new description are not stored`(names: [String]) async throws {
        var printers = described()
        #expect(try await list(printers, names).allSatisfy { $0.encoded == nil })
        for index in printers.indices { printers[index].queuedJobs = { 3 } }
        let later = try await list(printers, names, at: 2_000_000).flatMap(\.groups)
        #expect(later[0].integer("queued-job-count") ?? 3 == 3)
        #expect(later[0].integer("printer-up-time") ?? 2_000_000 == 2_000_000)
    }

    @Test func `a job list has no further parts if the list fits in the first part of the response`() async {
        let service = ScriptedService(jobs: [.sample(id: 1), .sample(id: 2)], pageSize: 2)
        let answer = await PrinterOperations(service, numbersJobsGlobally: true, isOpen: false) { 1_000_000 }
            .answer(to: request())
        #expect(ids(answer.message.groups(.job)) == [1, 2])
        #expect(answer.more == nil)
    }

    @Test
    func `Get-Jobs returns the queue position of a job, and the next request can start after that position`()
        async throws
    {
        let asked = Attribute("requested-attributes", .keyword("job-id"), .keyword("printq-place"))
        let first = await operations.respond(to: request([asked, Attribute("limit", .integer(3))]))
        #expect(ids(first.groups(.job)) == [1, 2, 3])
        let place = try #require(first.groups(.job).last?.string("printq-place"))
        let next = await operations.respond(to: request([Attribute("printq-after", .name(place))]))
        #expect(ids(next.groups(.job)) == [4, 5, 6, 7])
        #expect(next[.job]?["printq-place"] == nil)
    }

    @Test func `Get-Jobs with an invalid queue position is rejected`() async {
        let answer = await operations.respond(to: request([Attribute("printq-after", .name("here"))]))
        #expect(answer.status == .clientErrorBadRequest)
        #expect(answer.statusMessage?.contains("'here' is not a queue position") == true)
    }

    @Test func `printq-job-count counts all jobs regardless of the limit`() async {
        let asked = Attribute("requested-attributes", .keyword("job-id"), .keyword("printq-job-count"))
        let counted = await operations.respond(to: request([asked, Attribute("limit", .integer(1))]))
        #expect(counted[.operation]?.integer("printq-job-count") == 7)
        #expect(await operations.respond(to: request())[.operation]?["printq-job-count"] == nil)
    }
}
