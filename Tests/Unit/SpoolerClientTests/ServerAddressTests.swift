import SpoolerClient
import Testing

struct ServerAddressTests {
    @Test(arguments: [
        ("ipps://print.example.com", "print.example.com:631"),
        ("IPPS://print.example.com:8632/printers/x", "print.example.com:8632"),
        ("print.example.com:8632", "print.example.com:8632"), ("https://[2001:db8::1]:8632", "[2001:db8::1]:8632"),
        ("192.0.2.1", "192.0.2.1:631"),
    ])
    func `an address has a host and a port`(text: String, address: String) throws {
        #expect(try ServerAddress(text).description == address)
    }

    @Test(arguments: [
        "", "ipp://print.example.com", "ipps://", "ipps://a:b", "ipps://a:0", "ipps://a:65536", "ipps://[::1",
        "ipps://u:p@a",
        "a b", "ipps://:631",
    ])
    func `an invalid address, or an address without TLS, is refused`(text: String) {
        let error = #expect(throws: SpoolerClientError.self) { try ServerAddress(text) }
        #expect(error?.code == .usage)
    }
}
