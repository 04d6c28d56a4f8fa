import ServiceDiscovery
import Testing

/// Tests of the interfaces on which services are published.
struct AdvertisedInterfacesTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.5", true), ("0.0.0.0", false), ("::", false),
    ])
    func `loopback addresses are reachable only from this machine`(address: String, isThisMachine: Bool) throws {
        #expect(try #require(AdvertisedInterfaces(listeningAt: address)).isThisMachine == isThisMachine)
    }

    @Test(arguments: ["", "localhost", "192.0.2.77", "2001:db8::77", "1.2.3", "127.0.0.1:80"])
    func `an address has no interfaces if it does not belong to this machine`(address: String) {
        #expect(AdvertisedInterfaces(listeningAt: address) == nil)
    }
}
