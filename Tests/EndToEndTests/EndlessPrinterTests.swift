import Glibc
import PrintTestSupport
import SpoolerTrials
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct EndlessPrinterTests {
    @Test func `printd needs little memory for a printer whose answers never end`() async throws {
        // Each value has five bytes, so that the decoded answer needs as much memory as possible.
        let head =
            Array("HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 1000000000\r\n\r\n".utf8)
            + [2, 0, 0, 0, 0, 0, 0, 1, 4, 0x44, 0, 1, 0x61, 0, 0]
        let values = (1...10_000).flatMap { _ in [0x44, 0, 0, 0, 0] as [UInt8] }
        let (answers, answered) = AsyncStream.makeStream(of: Int.self)
        let place = try LoopbackPort()
        try place.serve(isConcurrent: true) { connection in
            var piece = [UInt8](repeating: 0, count: 4096)
            guard recv(connection, &piece, piece.count, 0) > 0 else { return }
            var bytes = 0
            var next = head
            while case let count = send(connection, next, next.count, Int32(MSG_NOSIGNAL)), count == next.count {
                bytes += count
                next = values
            }
            answered.yield(bytes)
        }
        let spooler = try TestSpooler(retryInterval: 0.1)
        try spooler.start()
        let pid = try #require(spooler.processes(of: "printd").first)
        let before = try #require(ProcessSample(of: pid)).memory
        expect(
            try await spooler.printq(
                "printers", "add", "endless", "ipp://127.0.0.1:\(place.number)/ipp/print", "--no-check"))
        expect(try await spooler.printq("submit", "-d", "endless", try spooler.file("a.pdf", .numbered(pages: 1))))
        var count = 0
        for await bytes in answers {
            #expect(bytes < 16 << 20)
            count += 1
            if count == 60 { break }
        }
        let after = try #require(ProcessSample(of: pid)).memory
        // Some answers arrive at the same time. The memory does not depend on the number of earlier answers.
        #expect(after - before < 128 << 10, "\(before) KiB before, \(after) KiB after")
        shutdown(place.socket, Int32(SHUT_RDWR))
        close(place.socket)
    }
}
