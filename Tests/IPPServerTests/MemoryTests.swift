import Glibc
import IPP
import IPPClient
import IPPServer
import PrintIPP
import Synchronization
import Testing

/// The whole process is measured, and is one of its own: tests that run beside it have gone up to 86 MiB by themselves.
struct MemoryTests {
    @Test func `a large document passes in constant memory`() async {
        await #expect(processExitsWith: .success) {
            try await withTemporaryFolder { folder in
                let path = "\(folder)/document"
                let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
                try #require(ftruncate(descriptor, off_t(Self.size)) == 0)
                close(descriptor)
                let meter = Meter()
                try await withServer(meter) { server in
                    for address in [server.tcp, server.unix] {
                        meter.begin()
                        let answer = try await IPPClient(address: address).send(request(), document: .file(path: path))
                        #expect(answer[.printer]?.integer("length") == Int32(Self.size))
                        // A document that were kept would be 256 MiB; buffers and threads are less than 5.
                        #expect(meter.growth < 16 << 20, "\(address): \(meter.growth >> 10) KiB")
                    }
                }
            }
        }
    }

    private static let size = 256 << 20
}

/// Reads documents, and looks at the memory after each MiB.
private final class Meter: IPPResponder {
    private let seen = Mutex((before: 0, highest: 0))

    /// By how much memory has grown since the last beginning.
    var growth: Int { seen.withLock { $0.highest - $0.before } }

    func begin() {
        let resident = residentBytes()
        seen.withLock { $0 = (resident, resident) }
    }

    func respond(to request: IPPRequest) async -> Message {
        var length = 0
        do {
            for try await piece in request.document {
                length += piece.count
                guard length & 0xFFFFF < piece.count else { continue }
                let resident = residentBytes()
                seen.withLock { $0.highest = max($0.highest, resident) }
            }
        } catch {
            return reply(to: request, .serverErrorInternalError)
        }
        return reply(to: request, [Attribute("length", .integer(Int32(length)))])
    }
}

/// Memory of this process that is in use now.
private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
}
