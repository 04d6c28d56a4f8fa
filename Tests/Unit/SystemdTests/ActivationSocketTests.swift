import Glibc
import PrintTestSupport
import Testing

@testable import Systemd

struct ActivationSocketTests {
    // MARK: - The variables

    @Test func `if systemd passes descriptors to this process, the descriptors are received with their names`() {
        let passed = PassedDescriptors(count: "2", pid: "17", names: "printd:web", process: 17)
        #expect(passed?.names == ["printd", "web"])
    }

    @Test func `if systemd passes descriptors without names, the descriptors have empty names`() {
        #expect(PassedDescriptors(count: "2", pid: "17", names: nil, process: 17)?.names == ["", ""])
        #expect(PassedDescriptors(count: "2", pid: "17", names: "unknown", process: 17)?.names == ["", ""])
    }

    @Test(
        arguments: [
            (nil, "17"), ("1", nil), ("1", "18"), ("0", "17"), ("-1", "17"), ("x", "17"), ("1", "x"), ("", ""),
            ("1000000000", "17"),
        ] as [(String?, String?)])
    func `systemd's activation variables are ignored if they are invalid or belong to another process`(
        count: String?, pid: String?
    ) {
        #expect(PassedDescriptors(count: count, pid: pid, names: nil, process: 17) == nil)
    }

    // MARK: - The descriptors

    @Test func `the address of a listening Unix socket is its path`() throws {
        let folder = try TemporaryFolder()
        let listener = try #require(TestSocket(path: folder.path("s")))
        let socket = try ActivationSocket(descriptor: listener.descriptor, name: "printd")
        #expect(socket.address == .unix(path: folder.path("s")))
        #expect(socket.name == "printd")
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `the address of a listening TCP socket is its numeric host and port`(host: String) throws {
        guard let listener = TestSocket(host: host) else { return }  // a machine without IPv6
        let socket = try ActivationSocket(descriptor: listener.descriptor, name: "")
        guard case .tcp(host, let port) = socket.address else {
            Issue.record("\(socket.address)")
            return
        }
        #expect(port > 0)
    }

    @Test func `a socket from systemd is refused if it does not listen`() throws {
        let folder = try TemporaryFolder()
        let socket = try #require(TestSocket(path: folder.path("s"), listens: false))
        expectRefusal(of: socket.descriptor, because: "not a listening socket")
    }

    @Test func `a datagram socket from systemd is refused`() throws {
        let folder = try TemporaryFolder()
        let socket = try #require(TestSocket(path: folder.path("s"), isStream: false, listens: false))
        expectRefusal(of: socket.descriptor, because: "the socket is not a stream socket")
    }

    @Test func `a systemd socket in the abstract namespace is refused because printq cannot find the socket`() throws {
        let socket = try #require(TestSocket(path: "\0printq-\(getpid())-\(#line)"))
        expectRefusal(of: socket.descriptor, because: "neither a path nor an IP address")
    }

    @Test func `a descriptor from systemd is refused if the descriptor is closed or belongs to a file`() throws {
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        expectRefusal(of: file, because: "the descriptor is not a socket")
        close(file)
        expectRefusal(of: 1_000_000, because: "Bad file descriptor")
    }

    private func expectRefusal(
        of descriptor: Int32, because reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: SystemdError.self, sourceLocation: sourceLocation) {
            try ActivationSocket(descriptor: descriptor, name: "printd")
        }
        #expect(error?.code == .unusableSocket, sourceLocation: sourceLocation)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
    }
}
