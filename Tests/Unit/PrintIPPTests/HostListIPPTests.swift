import IPP
import PrintModel
import Testing

@testable import PrintIPP

/// Tests of the hosts of a shared queue as IPP attributes.
struct HostListIPPTests {
    private static let list = HostList(
        hosts: [
            SpoolHost(name: "a", version: "1.2", startedAt: 100, lastSeenAt: 200, isAlive: true, isDraining: false),
            SpoolHost(name: "b", version: "1.2", startedAt: 100, lastSeenAt: 200, isAlive: true, isDraining: true),
            SpoolHost(name: "c", version: "1.1", startedAt: 100, lastSeenAt: 150, isAlive: false, isDraining: true),
            SpoolHost(name: "d", version: "1.1", startedAt: 100, lastSeenAt: nil, isAlive: false, isDraining: false),
        ],
        placements: [
            PrinterPlacement(
                printer: "x", hosts: ["a", "b"], preferredHost: "b", driver: "a", drivenSince: 120),
            PrinterPlacement(printer: "y"),
        ])

    @Test func `hosts and printer placements round-trip through an encoded IPP message`() throws {
        let message = Message(
            version: .v2_0, status: .successfulOk, requestID: 1,
            groups: [AttributeGroup(.printer, Self.list.attributes)])
        let read = try Message.decode(try message.encoded()).message
        #expect(HostList(attributes: try #require(read[.printer])) == Self.list)
    }

    @Test func `an attribute group without hosts is not read as a host list`() {
        #expect(HostList(attributes: AttributeGroup(.printer, [])) == nil)
    }

    @Test(arguments: [
        HostChange.drain(host: "a"), .resume(host: "a"), .remove(host: "a"), .move(printer: "x", host: "a"),
        .move(printer: "x", host: nil), .restrict(printer: "x", hosts: ["a", "b"]), .restrict(printer: "x", hosts: []),
    ])
    func `a host change round-trips through IPP attributes`(change: HostChange) throws {
        let read = try HostChange(
            attributes: AttributeGroup(.operation, change.attributes), printer: change.printer)
        #expect(read == change)
    }

    @Test(arguments: [
        [], [Attribute("printq-host-change", .keyword("explode"))],
        [Attribute("printq-host-change", .keyword("drain"))],
        [Attribute("printq-host-change", .keyword("move")), Attribute("printq-host-name", .name("a"))],
    ])
    func `a host change with a missing or unknown attribute is refused`(attributes: [Attribute]) {
        let error = #expect(throws: IPPFailure.self) {
            _ = try HostChange(attributes: AttributeGroup(.operation, attributes), printer: nil)
        }
        #expect(error?.status == .clientErrorBadRequest)
    }
}
