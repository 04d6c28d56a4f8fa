import ServiceDiscovery
import Testing

/// Where clients can be that are told of a service.
struct AdvertisedInterfacesTests {
    @Test(arguments: [
        ("127.0.0.1", true), ("127.0.0.5", true), ("0.0.0.0", false), ("::", false),
    ])
    func `the loopback is for this machine alone`(address: String, isThisMachine: Bool) throws {
        #expect(try #require(AdvertisedInterfaces(listeningAt: address)).isThisMachine == isThisMachine)
    }

    @Test(arguments: ["", "localhost", "192.0.2.77", "2001:db8::77", "1.2.3", "127.0.0.1:80"])
    func `what is no address of this machine has no reach`(address: String) {
        #expect(AdvertisedInterfaces(listeningAt: address) == nil)
    }
}
