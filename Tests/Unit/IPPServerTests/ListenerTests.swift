import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintIPP
import ServiceLifecycle
import Testing

struct ListenerTests {
    @Test(arguments: [0o600, 0o666] as [UInt32])
    func `a socket has the configured mode and is removed when its server stops`(mode: UInt32) async throws {
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

    @Test
    func `a server leaves no files in the folder of its socket, even if an earlier server died during startup`()
        async throws
    {
        try await withTemporaryFolder { folder in
            // The hidden directory that a killed server left.
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

    @Test func `a hidden socket directory is rejected if other users can enter the directory`() async throws {
        try await withTemporaryFolder { folder in
            mkdir("\(folder)/.printd", 0o700)
            chmod("\(folder)/.printd", 0o770)
            let error = await #expect(throws: IPPServerError.self) {
                try await serving("\(folder)/printd.sock", mode: 0o600) {}
            }
            #expect(error?.code == .badPath)
        }
    }

    @Test func `a second server on the same socket fails, and the first server continues`() async throws {
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

    @Test func `a second server on the same port fails`() async throws {
        try await withServer { server in
            let second = IPPServer(
                configuration: .init(listeners: [.tcp(host: "127.0.0.1", port: server.port)]),
                responder: Responder.measuring, logger: .quiet)
            let error = await #expect(throws: IPPServerError.self) { try await second.run() }
            #expect(error?.code == .addressInUse)
        }
    }

    @Test func `the socket of a killed server is replaced`() async throws {
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

    @Test func `if a file exists at the path of the socket, the server fails and keeps the file`() async throws {
        try await withTemporaryFolder { folder in
            _ = try await DocumentStream(bytes: [1]).save(toPath: "\(folder)/s")
            let error = await #expect(throws: IPPServerError.self) { try await serving("\(folder)/s", mode: 0o600) {} }
            #expect(error?.code == .badPath)
            #expect(access("\(folder)/s", F_OK) == 0)
        }
    }

    @Test func `a server fails with an explanation if the path of its socket is too long`() async throws {
        let path = "/tmp/" + String(repeating: "x", count: 120)
        let error = await #expect(throws: IPPServerError.self) { try await serving(path, mode: 0o600) {} }
        #expect(error?.code == .badPath)
    }

    @Test func `a graceful shutdown waits for a request in progress`() async throws {
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

    @Test func `a shutdown does not wait indefinitely for a request`() async throws {
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

/// Sends a request to the server at an address and returns the status of the response.
private func reply(at address: IPPAddress) async throws -> Status {
    try await IPPClient(address: address).send(request(.getJobs)).status
}

/// Runs a server on a socket while `body` runs.
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
