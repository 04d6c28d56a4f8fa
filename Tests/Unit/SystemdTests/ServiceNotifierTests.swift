import Glibc
import PrintTestSupport
import Testing

@testable import Systemd

struct ServiceNotifierTests {
    @Test func `several notifications to systemd are sent as one message`() throws {
        let folder = try TemporaryFolder()
        let manager = try #require(TestSocket(path: folder.path("notify"), isStream: false, listens: false))
        let notifier = ServiceNotifier(address: folder.path("notify"))
        #expect(notifier.send(.ready, .status("2 jobs")))
        #expect(text(manager.receive()) == "READY=1\nSTATUS=2 jobs")
        notifier.send(.stopping)
        #expect(text(manager.receive()) == "STOPPING=1")
        notifier.send(.watchdog)
        #expect(text(manager.receive()) == "WATCHDOG=1")
    }

    @Test func `a notification address that starts with '@' is an abstract Unix socket`() throws {
        let name = "printq-\(getpid())-\(#line)"
        let manager = try #require(TestSocket(path: "\0\(name)", isStream: false, listens: false))
        #expect(ServiceNotifier(address: "@\(name)").send(.ready))
        #expect(text(manager.receive()) == "READY=1")
    }

    @Test func `a reload notification to systemd contains the monotonic time`() throws {
        let folder = try TemporaryFolder()
        let manager = try #require(TestSocket(path: folder.path("notify"), isStream: false, listens: false))
        let before = ServiceNotifier.monotonicMicroseconds
        ServiceNotifier(address: folder.path("notify")).sendReloading()
        let lines = text(manager.receive())?.split(separator: "\n") ?? []
        #expect(lines.first == "RELOADING=1")
        let time = try #require(lines.last?.split(separator: "=").last.flatMap { UInt64($0) })
        #expect((before...ServiceNotifier.monotonicMicroseconds).contains(time))
    }

    @Test func `a line break in a status notification to systemd is replaced with a space`() {
        #expect(ServiceNotifier.Line.status("a\nREADY=1").text == "STATUS=a READY=1")
    }

    @Test func `without a service manager, notifications are discarded`() throws {
        #expect(!ServiceNotifier(address: nil).send(.ready))
        let folder = try TemporaryFolder()
        #expect(!ServiceNotifier(address: folder.path("missing")).send(.ready))
        #expect(!ServiceNotifier(address: "relative").send(.ready))
        #expect(!ServiceNotifier(address: "/" + String(repeating: "x", count: 200)).send(.ready))
    }

    @Test func `an invalid systemd watchdog time and a watchdog time for another process are ignored`() {
        func watchdog(_ microseconds: String?, pid: String?) -> Duration? {
            ServiceNotifier(socket: "/run/notify", microseconds: microseconds, pid: pid, process: 17).watchdog
        }
        #expect(watchdog("60000000", pid: "17") == .seconds(60))
        #expect(watchdog("60000000", pid: nil) == .seconds(60))
        #expect(watchdog("60000000", pid: "18") == nil)
        #expect(watchdog("0", pid: nil) == nil)
        #expect(watchdog("-5", pid: nil) == nil)
        #expect(watchdog("x", pid: nil) == nil)
        #expect(watchdog(nil, pid: nil) == nil)
    }

    @Test func `an empty notification address means that there is no service manager`() {
        let notifier = ServiceNotifier(socket: "", microseconds: "1", pid: nil, process: 17)
        #expect(!notifier.isConnected && notifier.watchdog == nil)
    }
}

/// Returns the bytes as text.
func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
