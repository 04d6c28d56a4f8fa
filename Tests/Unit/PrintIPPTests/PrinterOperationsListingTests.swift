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
        #expect(try await more().map(ids) == [5, 6])
        #expect(try await more().map(ids) == [7])
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
            #expect(page.count <= 8)
            names += page.compactMap { $0.string("printer-name") }
        }
        #expect(names == printers.map(\.name))
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
