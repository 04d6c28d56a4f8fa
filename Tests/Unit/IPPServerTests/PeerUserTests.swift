// The identity of TCP clients.

import CPeerUser
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import Synchronization
import Testing

struct PeerUserTests {
    @Test(arguments: ["127.0.0.1", "::"]) func `the kernel reports the user of a loopback connection`(
        address: String
    ) async throws {
        let peers = Mutex<[Peer]>([])
        let responder = Responder { request in
            peers.withLock { $0.append(request.peer) }
            return reply(to: request, [])
        }
        try await withServer(responder, listen: address) { server in
            _ = try await IPPClient(address: server.tcp).send(request())
        }
        #expect(peers.withLock { $0 }.map(\.uid) == [geteuid()])
    }

    @Test func `if a client disconnects immediately, the client is not identified as root`() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        func address<Result>(_ place: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>) -> Result) -> Result {
            withUnsafeMutablePointer(to: &place) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
            }
        }
        try #require(address(&place) { bind(listener, $0, length) } == 0)
        try #require(listen(listener, 1) == 0)
        try #require(address(&place) { getsockname(listener, $0, &length) } == 0)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        try #require(address(&place) { connect(client, $0, length) } == 0)
        var (peer, own) = (sockaddr_in(), sockaddr_in())
        let server = address(&peer) { accept(listener, $0, &length) }
        defer { close(server) }
        try #require(address(&own) { getsockname(server, $0, &length) } == 0)
        var user: UInt32 = 12345
        func ask() -> Int32 { address(&peer) { peer in address(&own) { peer_user(peer, $0, &user) } } }
        #expect(ask() == 0 && user == geteuid())
        user = 12345
        close(client)
        #expect(ask() == ENOENT && user == 12345)
    }
}
