import Glibc
import IPP
import IPPClient
import PrintBackends
import PrintTestSupport
import Testing
import TransportTrials

struct LibcupsTransportTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: TransportTrial.all)
    func `the libcups transport passes the tests for all transports`(trial: TransportTrial) async throws {
        try await trial.run { [folder] address, limits in
            var bounds = LibcupsTransport.Bounds()
            bounds.answer = limits.answer
            bounds.sending = limits.sending
            (bounds.answerBytes, bounds.listBytes) = (limits.answerBytes, limits.answerBytes)
            bounds.goAhead = 0.05
            return LibcupsTransport(
                to: .init(address, security: .whenAsked),
                access: PrinterAccess(folder: folder.path, printer: "laser", address: address), bounds: bounds)
        }
    }

    @Test func `the client closes an idle connection after the idle time or when the server closes the connection`()
        async throws
    {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let server = try ScriptedServer { peer in
            peer.answer(peer.readRequest())
            // `read` returns when the client has closed the connection. The client closes the connection after the
            // server has shut down the server side, or after the idle time.
            shutdown(peer.descriptor, Int32(SHUT_WR))
            peer.read(until: Array("never".utf8))
            end.yield()
        }
        let address = IPPAddress.tcp(host: "127.0.0.1", port: server.port)
        let access = PrinterAccess(folder: folder.path, printer: "laser", address: address)
        let transport = LibcupsTransport(to: .init(address, security: .whenAsked), access: access)
        _ = try await transport.send(.getPrinterAttributes)
        _ = await ends.first { true }

        let (overs, over) = AsyncStream.makeStream(of: Void.self)
        let patient = try ScriptedServer { peer in
            peer.answer(peer.readRequest())
            peer.read(until: Array("never".utf8))
            over.yield()
        }
        var bounds = LibcupsTransport.Bounds()
        bounds.idle = 0.05
        let other = LibcupsTransport(
            to: .init(.tcp(host: "127.0.0.1", port: patient.port), security: .whenAsked), access: access, bounds: bounds
        )
        _ = try await other.send(.getPrinterAttributes)
        _ = await overs.first { true }
    }

    @Test func `if a response is not HTTP, the error is '.badResponse' and not a connection error`()
        async throws
    {
        let server = try ScriptedServer { peer in
            peer.write("SSH-2.0-OpenSSH_9\r\n")
            shutdown(peer.descriptor, Int32(SHUT_WR))
            peer.read(until: Array("never".utf8))
        }
        let address = IPPAddress.tcp(host: "127.0.0.1", port: server.port)
        let access = PrinterAccess(folder: folder.path, printer: "laser", address: address)
        let transport = LibcupsTransport(to: .init(address, security: .whenAsked), access: access)
        // With a document, the client waits for a response before it sends the document. On a slow machine, the response
        // arrives only after the document.
        for document in [nil, DocumentSource.bytes([UInt8](repeating: 0, count: 16))] {
            let error = await #expect(throws: IPPClientError.self) {
                try await transport.send(.getPrinterAttributes, document: document)
            }
            #expect(
                error?.code == .badResponse && error?.message.contains("the response is not HTTP") == true,
                "\(error as Any)")
        }
    }

    @Test func `requests wait for a free connection, and excess requests are refused`() async throws {
        let server = try ScriptedServer { peer in
            while case let id = peer.readRequest(), id > 0 { peer.answer(id) }
        }
        let address = IPPAddress.tcp(host: "127.0.0.1", port: server.port)
        let access = PrinterAccess(folder: folder.path, printer: "laser", address: address)
        var bounds = LibcupsTransport.Bounds()
        (bounds.connections, bounds.waiting) = (1, 3)
        let transport = LibcupsTransport(to: .init(address, security: .whenAsked), access: access, bounds: bounds)
        let codes = await withTaskGroup(of: IPPClientError.Code?.self) { tasks in
            for _ in 0..<12 {
                tasks.addTask {
                    do throws(IPPClientError) {
                        _ = try await transport.send(.getPrinterAttributes)
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        // The number of concurrent requests depends on the machine. At least one is answered, and refused requests get
        // the error timedOut.
        #expect(codes.contains(nil) && codes.allSatisfy { $0 == nil || $0 == .timedOut }, "\(codes)")
    }
}
