import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPServer
import PrintIPP
import ServiceLifecycle
import Testing

struct ListenerTests {
    @Test(arguments: [0o600, 0o666] as [UInt32])
    func `a socket has its mode and goes away with its server`(mode: UInt32) async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/s"
            try await serving(path, mode: mode) {
                var status = stat()
                #expect(stat(path, &status) == 0)
                #expect(status.st_mode & 0o777 == mode)
                let answer = try await reply(at: .unix(path: path))
                #expect(answer == .successfulOk)
            }
            #expect(access(path, F_OK) != 0)
        }
    }

    @Test func `a served socket leaves nothing beside it, though a server died as it opened it`() async throws {
        try await withTemporaryFolder { folder in
            // The hidden folder of a server that was killed.
            mkdir("\(folder)/.printd", 0o700)
            _ = try await DocumentStream(bytes: [1]).save(toPath: "\(folder)/.printd/s")
            try await serving("\(folder)/printd.sock", mode: 0o600) {
                #expect(names(in: folder) == ["printd.sock"])
            }
            #expect(names(in: folder) == [])
        }
    }

    private func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func `a hidden folder that others may enter is refused`() async throws {
        try await withTemporaryFolder { folder in
            mkdir("\(folder)/.printd", 0o700)
            chmod("\(folder)/.printd", 0o770)
            let error = await #expect(throws: IPPServerError.self) {
                try await serving("\(folder)/printd.sock", mode: 0o600) {}
            }
            #expect(error?.code == .badPath)
        }
    }

    @Test func `a second server on the same socket is refused, and the first goes on`() async throws {
        try await withServer { server in
            let second = IPPServer(
                configuration: .init(listeners: [.unix(path: server.socket)]), responder: Responder.measuring,
                logger: .quiet)
            let error = await #expect(throws: IPPServerError.self) { try await second.run() }
            #expect(error?.code == .addressInUse)
            let answer = try await reply(at: server.unix)
            #expect(answer == .successfulOk)
        }
    }

    @Test func `a second server on the same port is refused`() async throws {
        try await withServer { server in
            let second = IPPServer(
                configuration: .init(listeners: [.tcp(host: "127.0.0.1", port: server.port)]),
                responder: Responder.measuring, logger: .quiet)
            let error = await #expect(throws: IPPServerError.self) { try await second.run() }
            #expect(error?.code == .addressInUse)
        }
    }

    @Test func `the socket a killed server left behind is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/s"
            let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(dead, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(bound == 0)
            close(dead)
            try await serving(path, mode: 0o600) {
                let answer = try await reply(at: .unix(path: path))
                #expect(answer == .successfulOk)
            }
        }
    }

    @Test func `a file in the socket's place is left alone`() async throws {
        try await withTemporaryFolder { folder in
            _ = try await DocumentStream(bytes: [1]).save(toPath: "\(folder)/s")
            let error = await #expect(throws: IPPServerError.self) { try await serving("\(folder)/s", mode: 0o600) {} }
            #expect(error?.code == .badPath)
            #expect(access("\(folder)/s", F_OK) == 0)
        }
    }

    @Test func `a path too long for a socket is refused in words`() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        let error = await #expect(throws: IPPServerError.self) { try await serving(path, mode: 0o600) {} }
        #expect(error?.code == .badPath)
    }

    @Test func `a request in progress ends before a graceful shutdown does`() async throws {
        let began = Happening(Void.self)
        let gate = Happening(Void.self)
        let responder = Responder { request in
            began.note(())
            await gate.next()
            return reply(to: request, [])
        }
        try await withServer(responder) { server in
            async let answer = reply(at: server.unix)
            await began.next()
            await server.group.triggerGracefulShutdown()
            gate.note(())
            let ended = try await answer
            #expect(ended == .successfulOk)
        }
    }

    @Test func `a request that does not end cannot hold up a shutdown`() async throws {
        let began = Happening(DocumentStreamError.Code?.self)
        let responder = Responder { request in
            began.note(nil)
            began.note(await measure(request.document).failure)
            return reply(to: request, [])
        }
        try await withServer(responder, deadlines: { $0.shutdown = .milliseconds(100) }) { server in
            let connection = RawConnection(port: server.port)
            connection.send(head("Content-Length: 100000"))
            connection.send(try request().encoded() + [1])
            #expect(await began.next() == .some(nil))
            await server.group.triggerGracefulShutdown()
            #expect(await began.next() == .interrupted)
        }
    }
}

/// The status that the server at an address gives a request.
private func reply(at address: IPPAddress) async throws -> Status {
    try await IPPClient(address: address).send(request(.getJobs)).status
}

/// Runs a server on one socket while `body` runs.
private func serving(_ path: String, mode: UInt32, _ body: () async throws -> Void) async throws {
    let (listening, ready) = AsyncStream.makeStream(of: [ListenAddress].self)
    let server = IPPServer(
        configuration: .init(listeners: [.unix(path: path, mode: mode)]), responder: Responder.measuring,
        logger: .quiet, onListening: { ready.yield($0) })
    let group = ServiceGroup(services: [server], logger: .quiet)
    try await withThrowingTaskGroup { tasks in
        tasks.addTask {
            defer { ready.finish() }
            try await group.run()
        }
        if await listening.first(where: { _ in true }) != nil { try await body() }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}
