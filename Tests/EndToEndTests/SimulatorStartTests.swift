import Foundation
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests that a printsim accepts requests as soon as it has reported that it is ready.
@Suite(.timeLimit(.minutes(30)))
struct SimulatorStartTests {
    private static let starts = TestRun.isLong ? 1000 : 20
    private static let load = 8

    private struct Ready: Decodable {
        struct Printer: Decodable { var uri: String }
        var printers: [Printer]
    }

    @Test func `a new printsim on a busy machine refuses no connection after its first line`() async throws {
        // The loops end with the test, even if the test is killed.
        let busy = try (0..<Self.load).map { _ in
            try ChildProgram("sh", ["-c", "while [ -d /proc/\(getpid()) ]; do :; done"])
        }
        defer { withExtendedLifetime(busy) {} }
        var seconds: [Double] = []
        var failures: [String] = []
        for number in 1...Self.starts {
            let start = ContinuousClock.now
            let printer = try ChildProgram(
                Programs.beside("printsim"), ["color-laser", "--temporary", "--no-dns-sd", "--until-eof"])
            let line = try #require(printer.readLine(), "start \(number)")
            seconds.append((ContinuousClock.now - start) / .seconds(1))
            let uri = try #require(JSONDecoder().decode(Ready.self, from: Data(line.utf8)).printers.first?.uri)
            do {
                let client = try IPPClient(address: .tcp(host: "127.0.0.1", port: #require(URL(string: uri)?.port)))
                let request = Message(
                    operation: .getPrinterAttributes, requestID: 1,
                    groups: [.operation([Attribute("printer-uri", .uri(uri))])])
                let status = try await client.send(request).status
                await client.close()
                if status != .successfulOk { failures.append("start \(number): \(status)") }
            } catch {
                failures.append("start \(number): \(error)")
            }
            #expect(try printer.finish().code == 0)
        }
        #expect(failures.isEmpty, "\(failures)")
        seconds.sort()
        let figures = [0.5, 0.99, 1].map { part in
            "\(Int(seconds[min(seconds.count - 1, Int(Double(seconds.count) * part))] * 1000)) ms"
        }
        print("printsim, \(Self.starts) starts beside \(Self.load) busy loops: median, p99, most:", figures)
    }
}
