import Glibc
import IPP
import IPPClient
import PrintBackends
import PrintTestSupport
import Testing
import TransportTrials

/// Tests of printers that send more than any printer needs.
///
/// `scripts/test` runs no other test at the same time, so that the memory of the process can be measured.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct HostilePrinterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func transport(_ script: @escaping @Sendable (ScriptedServer.Peer) -> Void) throws -> LibcupsTransport {
        let address = IPPAddress.tcp(host: "127.0.0.1", port: try ScriptedServer(script).port)
        return LibcupsTransport(
            to: .init(address, security: .whenAsked),
            access: PrinterAccess(folder: folder.path, printer: "laser", address: address))
    }

    /// Sends a request to a printer whose response continues with pieces until the client disconnects.
    ///
    /// - Returns: The error, and the number of bytes that the printer has sent.
    private func ask(
        _ operation: IPP.Operation, piece: [UInt8], at most: Int = 100 << 20
    ) async throws -> (error: IPPClientError?, bytes: Int) {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let printer = try transport { peer in
            peer.readRequest()
            peer.beginEndlessAnswer()
            var bytes = 0
            while bytes < most, peer.write(piece) { bytes += piece.count }
            end.yield(bytes)
        }
        var failure: IPPClientError?
        do throws(IPPClientError) {
            _ = try await printer.send(Message(operation: operation, requestID: 0, groups: [.operation([])]))
        } catch {
            failure = error
        }
        return (failure, await ends.first { _ in true } ?? 0)
    }

    /// The memory that the sockets of a connection hold, at most.
    private static let buffers = 12 << 20

    @Test(arguments: [
        (IPP.Operation.getPrinterAttributes, 2 << 20), (.getJobAttributes, 2 << 20), (.getNotifications, 2 << 20),
        (.getJobs, 16 << 20), (.cupsGetPrinters, 16 << 20),
    ])
    func `an endless answer is refused after 2 MiB, and an endless list after 16 MiB`(
        operation: IPP.Operation, limit: Int
    ) async throws {
        let (error, bytes) = try await ask(operation, piece: ScriptedServer.Peer.moreValues)
        #expect(error?.code == .tooLarge, "\(error as Any)")
        #expect(bytes < limit + Self.buffers, "\(bytes)")
    }

    @Test func `an endless answer that is not an IPP message is refused at its first invalid byte`() async throws {
        let (error, bytes) = try await ask(.getPrinterAttributes, piece: [UInt8](repeating: 0, count: 64 << 10))
        #expect(error?.code == .badResponse, "\(error as Any)")
        #expect(bytes < Self.buffers, "\(bytes)")
    }

    @Test func `an endless body of an HTTP error is refused after 2 MiB`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let printer = try transport { peer in
            peer.readRequest()
            peer.write("HTTP/1.1 500 Error\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
            var bytes = 0
            let piece = Array("10000\r\n".utf8) + [UInt8](repeating: 0x61, count: 0x10000) + Array("\r\n".utf8)
            while bytes < 100 << 20, peer.write(piece) { bytes += piece.count }
            end.yield(bytes)
        }
        let error = await #expect(throws: IPPClientError.self) { try await printer.send(.getPrinterAttributes) }
        #expect(error?.code == .tooLarge, "\(error as Any)")
        #expect(await ends.first { _ in true } ?? 0 < Self.buffers)
    }

    @Test(arguments: ["WWW-Authenticate", "Accept-Language", "X-Unknown"], [100, 30_000, 1 << 20])
    func `an endless header of a response is refused, and takes little memory`(field: String, length: Int)
        async throws
    {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let most = 1 << 30
        let printer = try transport { peer in
            peer.readRequest()
            peer.write("HTTP/1.1 401 Unauthorized\r\n")
            var bytes = 0
            let line = Array("\(field): \(String(repeating: "a", count: length))\r\n".utf8)
            let piece = Array(repeatElement(line, count: max(1, (64 << 10) / line.count)).joined())
            while bytes < most, peer.write(piece) { bytes += piece.count }
            end.yield(bytes)
        }
        let before = privateBytes()
        let error = await #expect(throws: IPPClientError.self) { try await printer.send(.getPrinterAttributes) }
        #expect(error?.code == (length < 32_768 ? .tooLarge : .connectionLost), "\(error as Any)")
        #expect(await ends.first { _ in true } ?? 0 < most)
        #expect(privateBytes() - before < 24 << 20, "\((privateBytes() - before) >> 20) MiB")
    }

    @Test(arguments: [
        // As many attributes as fit: the shortest attribute has six bytes.
        (IPP.Operation.getPrinterAttributes, [0x44, 0, 1, 0x61, 0, 0] as [UInt8]),
        (.getPrinterAttributes, [0x44, 0, 0, 0, 0]), (.getJobs, [0x44, 0, 1, 0x61, 0, 0]), (.getJobs, [2]),
    ])
    func `after answers with as many values as possible, the process has given the memory back`(
        operation: IPP.Operation, item: [UInt8]
    ) async throws {
        let piece = (0..<16_384).flatMap { _ in item }
        _ = try await ask(operation, piece: piece, at: 64 << 10)
        let before = privateBytes()
        for _ in 0..<4 {
            let (error, _) = try await ask(operation, piece: piece)
            #expect(error?.code == .badResponse || error?.code == .tooLarge, "\(error as Any)")
        }
        // On a busy machine, the memory of several threads is not given back yet.
        #expect(privateBytes() - before < 128 << 20, "\((privateBytes() - before) >> 20) MiB")
    }
}

/// Returns the private resident memory of this process in bytes.
private func privateBytes() -> Int {
    let line = text(of: "/proc/self/status").split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
}
