import PrintModel
import Testing

struct IPNetworkTests {
    @Test(arguments: [
        ("192.168.0.0/16", "192.168.3.4", true), ("192.168.0.0/16", "192.169.0.1", false),
        ("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/23", "10.1.4.0", false), ("0.0.0.0/0", "203.0.113.1", true),
        ("0.0.0.0/0", "2001:db8::1", false), ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
        ("192.168.0.0/16", "::ffff:192.168.3.4", true), ("fd00::/8", "fd12::1", true), ("fd00::/8", "fe80::1", false),
        ("fe80::/10", "fe80::1%eth0", true), ("fe80::/10", "febf::1", true), ("fe80::/10", "fec0::1", false),
        ("192.168.0.0/16", "localhost", false), ("::/0", "10.0.0.1", false),
    ])
    func `a network contains the addresses with its prefix`(network: String, address: String, isInside: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(address) == isInside)
    }

    @Test(arguments: [
        "", "192.168.0.0/33", "192.168.0.1/16", "192.168.0.0/", "192.168.0.0/-1", "192.168.0.0/+8", "192.168/16", "a/8",
        "fd00::/129", "fd00::1/8", "192.168.0.0/16/8", "::ffff:10.0.0.0/104",
    ])
    func `a text that is no network is refused`(text: String) { #expect(IPNetwork(text) == nil) }

    @Test func `the local networks are valid`() { #expect(IPNetwork.local.allSatisfy { IPNetwork($0) != nil }) }
}
