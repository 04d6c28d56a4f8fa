import Foundation
import IPP
import PrintTestSupport
import SimulatorServer
import Testing

/// Tests of damaged requests, which must get a response and must not damage the printer; see `Tools/ipp-fuzz`.
struct HostileRequestTests {
    private func fuzz(_ arguments: [String]) async throws -> ProgramRun {
        let environment = ["SWIFT_BACKTRACE": "enable=no"]
        return try await ProgramRun(
            BuiltPrograms.folder + "ipp-fuzz", arguments, environment: environment, in: NSTemporaryDirectory())
    }

    @Test func `a simulated printer still prints after it receives thousands of malformed requests`() async throws {
        let run = try await fuzz(["--worlds", TestRun.isLong ? "1-100" : "1-2"])
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
        #expect(run.output.hasPrefix(TestRun.isLong ? "500000 requests" : "10000 requests"), "\(run.output)")
    }

    @Test func `ipp-fuzz creates the same requests for equal seeds, and different requests for different seeds`()
        async throws
    {
        let runs = [
            try await fuzz(["--worlds", "7", "--requests", "300"]),
            try await fuzz(["--worlds", "7", "--requests", "300"]),
            try await fuzz(["--worlds", "8", "--requests", "300"]),
        ].map { $0.output.prefix { $0 != "," } }
        #expect(runs[0].contains("could not be read") && runs[0] == runs[1] && runs[0] != runs[2], "\(runs)")
    }

    @Test func `ipp-fuzz rejects an invalid command line with exit code 64`() async throws {
        for arguments in [["--worlds"], ["--worlds", "4-2"], ["--requests", "0"], ["5"]] {
            let run = try await fuzz(arguments)
            #expect(run.code == 64 && run.complaints.hasPrefix("usage: ipp-fuzz"), "\(arguments): \(run)")
        }
    }

    @Test func `a control command with an invalid charset or IPP version is refused, like a standard operation`()
        async throws
    {
        try await TestPrinters.serving { printers in
            var request = TestPrinters.request(.controlPrinter, [Attribute("printq-control", .text("status"))])
            request.groups[0].attributes[0] = Attribute("attributes-charset", .charset("utf-7"))
            var answer = try await printers.client.send(request)
            #expect(answer.status == .clientErrorCharsetNotSupported)
            request = TestPrinters.request(.controlPrinter, [Attribute("printq-control", .text("status"))])
            request.version = Version(major: 3, minor: 0)
            answer = try await printers.client.send(request)
            #expect(answer.status == .serverErrorVersionNotSupported)
        }
    }
}
