// Tests the port that a real printd opens for the Print Center.

import Foundation
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.timeLimit(.minutes(3)))
struct CenterPortTests {
    /// Runs `printq center`, and returns the one-time address.
    private func link(_ spooler: TestSpooler) async throws -> String {
        let run = try await spooler.printq("center", "--print")
        expect(run)
        return run.output.trimmingCharacters(in: .newlines)
    }

    /// Waits until connections to the port of a client are refused.
    private func waitUntilClosed(_ client: CenterClient) async throws {
        let origin = try #require(client.origin)
        // 7: failed to connect.
        try await eventually("the port is closed") {
            try await client.spooler.run("curl", ["-s", "-o", "/dev/null", origin]).code == 7
        }
    }

    @Test func `'printq center' works with a new spool without settings`() async throws {
        let spooler = try TestSpooler()
        let url = try await link(spooler)
        #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/open\?token=\S+/) != nil, "\(url)")
        let client = try await CenterClient.signedIn(spooler)
        // All links have the same port.
        #expect(url.hasPrefix("\(try #require(client.origin))/open"))
        #expect(try await client.send("GET", "/api/v1/jobs").status == 200)
        #expect(try await spooler.printq("doctor").output.contains("\(try #require(client.origin)), which serves only"))
        let status = try await spooler.printq("status").output
        #expect(status.contains("except \(try #require(client.origin)) for the Print Center"), "\(status)")
    }

    @Test func `the port accepts no IPP requests`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(opensPort: true)
        let port = try #require(URL(string: try await link(spooler))?.port)
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        let request = Message(
            operation: .getPrinterAttributes, requestID: 1,
            groups: [
                AttributeGroup(
                    .operation,
                    [
                        Attribute("attributes-charset", .charset("utf-8")),
                        Attribute("attributes-natural-language", .naturalLanguage("en")),
                        Attribute("printer-uri", .uri("ipp://localhost/printers/color-laser")),
                    ])
            ])
        let answer = try await client.send(request)
        #expect(answer.status == .clientErrorNotAuthorized, "\(answer)")
        await client.close()
        let lp = try await spooler.run("lpstat", ["-h", "127.0.0.1:\(port)", "-e"])
        #expect(!lp.output.contains("color-laser"), "\(lp)")
    }

    @Test func `the port closes when the last user signs out, and then printd exits after the idle time`()
        async throws
    {
        let spooler = try TestSpooler()
        // Long enough for the first link on a busy machine.
        try spooler.start("--idle-exit", "4", opensPort: true)
        let first = try await CenterClient.signedIn(spooler)
        let second = try await CenterClient.signedIn(spooler)
        #expect(first.origin == second.origin)
        #expect(try await first.send("DELETE", "/api/v1/session").status == 204)
        // Without the second session, printd would exit.
        expect(try await spooler.run("sleep", ["6"]))
        #expect(try await second.send("GET", "/api/v1/session").status == 200)
        #expect(try await second.send("DELETE", "/api/v1/session").status == 204)
        try await waitUntilClosed(second)
        try await spooler.waitUntilGone()
    }

    @Test func `after the port has closed, the next link opens another port`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(opensPort: true)
        let first = try await CenterClient.signedIn(spooler)
        #expect(try await first.send("DELETE", "/api/v1/session").status == 204)
        try await waitUntilClosed(first)
        let second = try await CenterClient.signedIn(spooler)
        #expect(try await second.send("GET", "/api/v1/session").status == 200)
    }

    @Test func `sign-out ends the event stream of the session, and the port closes`() async throws {
        let spooler = try TestSpooler()
        try spooler.start(opensPort: true)
        let client = try await CenterClient.signedIn(spooler)
        let (stream, path) = try follow(client)
        try await eventually("the stream has started") { text(of: path).contains("event: hello") }
        #expect(try await client.send("DELETE", "/api/v1/session").status == 204)
        stream.waitForEnd()
        try await waitUntilClosed(client)
    }

    @Test func `printd stops within 8 seconds while a browser follows events, and the session survives a reload`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start(opensPort: true)
        let client = try await CenterClient.signedIn(spooler)
        let (stream, path) = try follow(client)
        try await eventually("the stream has started") { text(of: path).contains("event: hello") }
        expect(try await spooler.printq("config", "reload"))
        #expect(try await client.send("GET", "/api/v1/session").status == 200)
        let time = ContinuousClock().measure { spooler.stop(SIGTERM) }
        stream.waitForEnd()
        #expect(time < .seconds(8), "\(time)")
    }

    @Test func `with '--no-tcp', 'printq center' fails, suggests the terminal, and notifies the user of a desktop`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let run = try await spooler.printq("center", "--print")
        #expect(run.code != 0 && run.complaints.contains("printd was started with --no-tcp"), "\(run)")
        #expect(run.complaints.contains("printq center --terminal"), "\(run)")

        let programs = spooler.folder.path("programs")
        let notice = spooler.folder.path("notice.txt")
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" > '\(notice).new' && mv '\(notice).new' '\(notice)'\n"
        try script.write(toFile: "\(programs)/notify-send", atomically: true, encoding: .utf8)
        chmod("\(programs)/notify-send", 0o755)
        let desktop = try await spooler.run(
            spooler.program("printq"), ["center"], environment: ["DISPLAY": ":7", "PATH": "\(programs):/usr/bin:/bin"])
        #expect(desktop.code != 0)
        try await eventually("the notification is shown") { FileManager.default.fileExists(atPath: notice) }
        #expect(text(of: notice).contains("Print Center\nprintd was started with --no-tcp"), "\(text(of: notice))")
    }

    /// Starts curl on the event stream of a session.
    private func follow(_ client: CenterClient) throws -> (DetachedProcess, path: String) {
        let path = client.spooler.folder.path("events.txt")
        let process = try DetachedProcess(
            program: "/usr/bin/curl",
            arguments: ["-s", "-N", "-o", path] + client.arguments + ["\(try #require(client.origin))/api/v1/events"],
            log: client.spooler.folder.path("curl.err"))
        return (process, path)
    }
}
