import Foundation
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests that child processes do not inherit the open files of printd and printsim.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct DescriptorTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    /// Returns the open files that child processes of a process would inherit, except the three standard files.
    private func inheritable(_ pid: Int32) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fdinfo").compactMap { name in
            guard let descriptor = Int32(name), descriptor > 2 else { return nil }
            let line = text(of: "/proc/\(pid)/fdinfo/\(name)").split(separator: "\n").first { $0.hasPrefix("flags:") }
            let flags = line.flatMap { Int($0.dropFirst(6).filter { $0.isNumber }, radix: 8) }
            // O_CLOEXEC (asm-generic/fcntl.h). A file that was closed in the meantime has no line.
            guard let flags, flags & 0o2_000_000 == 0 else { return nil }
            return "\(descriptor): \(link(pid, descriptor))"
        }
    }

    private func link(_ pid: Int32, _ descriptor: Int32) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(descriptor)")) ?? "gone"
    }

    /// Returns the open files of a process as listed in `/proc`; sockets and pipes are listed by inode.
    private func open(_ pid: Int32) -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd")) ?? []
        return Set(names.compactMap { Int32($0) }.map { link(pid, $0) })
    }

    private func children(of pid: Int32) -> [Int32] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return tasks.flatMap { task in
            text(of: "/proc/\(pid)/task/\(task)/children").split(separator: " ").compactMap { Int32($0) }
        }
    }

    @Test func `child processes of printd and printsim inherit no open files except the three standard streams`()
        async throws
    {
        let ready = try spooler.start(tcp: true)
        let port = try #require(ready.tcp?.split(separator: ":").last.flatMap { Int($0) })
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let printed = try await spooler.printq("submit", "--wait", path)
        #expect(printed.code == 0, "\(printed)")
        // Clients that stay connected, over the socket and over TCP.
        let clients = [spooler.client, IPPClient(address: .tcp(host: "127.0.0.1", port: port))]
        for client in clients {
            let request = Message(
                operation: .getPrinterAttributes, requestID: 1,
                groups: [.operation([Attribute("printer-uri", .uri("ipp://localhost/printers/color-laser"))])])
            #expect(try await client.send(request).status.rawValue < 0x100)
        }
        let programs = ["printd", "printsim"].map { ($0, spooler.processes(of: $0)) }
        for (name, processes) in programs {
            let pid = try #require(processes.first, "\(name) is running")
            #expect(try inheritable(pid) == [], "\(name)")
            // A child process shares no sockets, databases, locks or folders with the daemon. The only shared files are
            // the pipes of its standard input, output and error.
            let daemon = open(pid)
            for child in children(of: pid) {
                let name = text(of: "/proc/\(child)/cmdline")
                let shared = open(child).intersection(daemon).filter {
                    $0 != "/dev/null" && !$0.hasPrefix("anon_inode:")
                }
                #expect(shared.allSatisfy { $0.hasPrefix("pipe:") }, "\(name): \(shared)")
                #expect(shared.count <= 3, "\(name): \(shared)")
            }
        }
        #expect(
            programs.allSatisfy { !children(of: $0.1[0]).isEmpty },
            "each daemon has a worker that was started in advance")
        for client in clients { await client.close() }
    }
}
