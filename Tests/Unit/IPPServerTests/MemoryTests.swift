import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import Synchronization
import Testing

/// Tests of the memory use of the whole process.
///
/// `scripts/test` runs no other test at the same time.
struct MemoryTests {
    @Test func `a large document is received in constant memory`() async throws {
        try await withTemporaryFolder { folder in
            let path = "\(folder)/document"
            let size = 256 << 20
            let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
            #expect(ftruncate(descriptor, off_t(size)) == 0)
            close(descriptor)
            let highest = Mutex(0)
            let responder = Responder { request in
                var length = 0
                do {
                    for try await piece in request.document {
                        length += piece.count
                        if length & 0xFFFFF < piece.count {
                            let resident = residentBytes()
                            highest.withLock { $0 = max($0, resident) }
                        }
                    }
                } catch {
                    return reply(to: request, .serverErrorInternalError)
                }
                return reply(to: request, [Attribute("length", .integer(Int32(length)))])
            }
            try await withServer(responder) { server in
                for address in [server.tcp, server.unix] {
                    let before = residentBytes()
                    let answer = try await IPPClient(address: address).send(request(), document: .file(path: path))
                    #expect(answer[.printer]?.integer("length") == Int32(size))
                    // A document kept in memory would need 256 MiB.
                    #expect(highest.withLock { $0 } - before < 64 << 20)
                }
            }
        }
    }
}

/// Returns the resident memory of this process in bytes.
private func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4096
}
