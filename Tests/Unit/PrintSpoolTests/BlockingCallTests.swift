import AsyncPrimitives
import PrintTestSupport
import Testing

@testable import PrintSpool

/// Tests of the precondition of functions that wait for the disk.
struct BlockingCallTests {
    @Test func `in debug builds, a file operation on the thread of an event loop stops the program`() async {
        await #expect(processExitsWith: .failure) {
            BlockingCall.forbidOnThisThread()
            _ = POSIXFileSystem().names(in: "/")
        }
    }

    @Test func `in debug builds, a query on the thread of an event loop stops the program`() async throws {
        await #expect(processExitsWith: .failure) {
            let folder = try? TemporaryFolder()
            guard let folder, let database = try? SpoolMedium.disk.openDatabase(folder.path("spool.sqlite"), { _ in })
            else { return }
            BlockingCall.forbidOnThisThread()
            _ = try? database.readNow { try $0.identity() }
        }
    }
}
