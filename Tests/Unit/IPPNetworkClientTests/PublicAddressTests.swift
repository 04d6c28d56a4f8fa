import Glibc
import NIOCore
import Synchronization
import Testing
import TransportTrials

@testable import IPPNetworkClient

/// Tests of the servers that a document URI can make this machine contact.
struct PublicAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.9",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.168.0.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::a00:1",
        "64:ff9b:1::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "2001:db8::1", "2001::1",
        "2001:10::1", "2002:7f00:1::", "2002:a00:1::1", "100::1", "3fff::1", "5f00::1",
    ])
    func `'isPublic' is false for an address that is not globally routable`(text: String) throws {
        #expect(try !PublicAddress.isPublic(SocketAddress(ipAddress: text, port: 80)), "\(text)")
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.1", "93.184.215.14", "100.63.255.255", "100.128.0.1", "126.255.255.255",
        "128.0.0.1", "172.15.0.1", "172.32.0.1", "192.167.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.1",
        "223.255.255.1", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1", "2606:4700::1111", "2a00:1450::1",
        "2001:4860::8888",
    ])
    func `'isPublic' is true for a globally routable address`(text: String) throws {
        #expect(try PublicAddress.isPublic(SocketAddress(ipAddress: text, port: 80)), "\(text)")
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1", "017700000001"])
    func `by default, a document cannot be fetched from a server on this machine`(host: String) async throws {
        let server = try ScriptedServer { peer in
            Issue.record("unexpected request: \(peer.readHeader())")
        }
        let error = await #expect(throws: HTTPDocumentError.self) {
            try await HTTPDocument("http://\(host):\(server.port)/a").fetch(into: -1)
        }
        #expect(
            error?.code == .privateAddress || error?.message.contains("cannot resolve host") == true, "\(error as Any)")
    }

    @Test func `a redirect is refused if its target address is not allowed`() async throws {
        let secret = try ScriptedServer { peer in
            Issue.record("unexpected request: \(peer.readHeader())")
        }
        let server = try ScriptedServer { peer in
            peer.readHeader()
            peer.write(
                "HTTP/1.1 302 Found\r\nLocation: http://localhost:\(secret.port)/a\r\nContent-Length: 0\r\n\r\n")
        }
        // One of the two local servers represents a public server.
        let isAsked = Mutex(false)
        let document = HTTPDocument("http://127.0.0.1:\(server.port)/a") { address in
            isAsked.withLock { $0 = true }
            return address.port == server.port
        }
        let error = await #expect(throws: HTTPDocumentError.self) { try await document.fetch(into: -1) }
        #expect(isAsked.withLock { $0 } && error?.code == .privateAddress, "\(error as Any)")
        #expect(error?.message.contains("'localhost' (") == true)
    }

    @Test func `if a host name has several addresses, the client contacts only the allowed addresses`() async throws {
        let server = try ScriptedServer { peer in
            peer.readHeader()
            peer.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        }
        let document = HTTPDocument("http://localhost:\(server.port)/a") { $0.ipAddress == "127.0.0.1" }
        let error = await #expect(throws: HTTPDocumentError.self) { try await document.fetch(into: -1) }
        #expect(error?.message == "404 Not Found")
    }
}
