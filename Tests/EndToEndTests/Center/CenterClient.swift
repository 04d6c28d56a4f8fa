// Sends HTTP requests to the Print Center of a real printd with curl.

import Foundation
import PrintTestSupport
import Testing

/// A client of the Print Center that runs curl.
struct CenterClient: Sendable {
    let spooler: TestSpooler
    /// The address `http://127.0.0.1:PORT`; nil for the Unix socket.
    var origin: String?
    /// The arguments of each request, such as the cookie.
    var arguments: [String] = []

    /// A response.
    struct Answer {
        var status: Int
        var headers: String
        var body: String

        func json() throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any], "\(body)")
        }
    }

    init(_ spooler: TestSpooler, origin: String? = nil, arguments: [String] = []) {
        (self.spooler, self.origin, self.arguments) = (spooler, origin, arguments)
    }

    /// Returns a client with the session of the current user.
    static func signedIn(_ spooler: TestSpooler) async throws -> CenterClient {
        let created = try await CenterClient(spooler).send("POST", "/api/v1/sessions")
        let url = try #require(try created.json()["url"] as? String)
        let origin = try #require(url.range(of: "/open").map { String(url[..<$0.lowerBound]) })
        var client = CenterClient(spooler, origin: origin)
        let opened = try await client.send("GET", String(url.dropFirst(origin.count)))
        #expect(opened.status == 303, "\(opened)")
        let line = try #require(
            opened.headers.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie:") })
        let cookie = line.dropFirst("set-cookie:".count).split(separator: ";")[0].trimmingCharacters(in: .whitespaces)
        client.arguments = ["-H", "Cookie: \(cookie)"]
        let token = try #require(try await client.send("GET", "/api/v1/session").json()["token"] as? String)
        client.arguments += ["-H", "Printq-Token: \(token)"]
        return client
    }

    /// Sends a request.
    func send(_ method: String, _ path: String, json: String? = nil, _ more: String...) async throws -> Answer {
        var all = ["-s", "-i", "--path-as-is", "-X", method] + arguments + more
        if origin == nil { all += ["--unix-socket", spooler.socket] }
        if let json { all += ["-H", "Content-Type: application/json", "--data-binary", json] }
        let run = try await spooler.run("curl", all + [(origin ?? "http://localhost") + path])
        try #require(run.code == 0, "\(run)")
        let parts = run.output.components(separatedBy: "\r\n\r\n")
        let status = try #require(parts[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return Answer(status: status, headers: parts[0], body: parts.dropFirst().joined(separator: "\r\n\r\n"))
    }
}
