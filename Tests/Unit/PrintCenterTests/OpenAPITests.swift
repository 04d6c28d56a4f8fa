// Compares the description of the API with the table of routes.

import Foundation
import PrintModel
import Testing

@testable import PrintCenter

struct OpenAPITests {
    private func description() async throws -> [String: Any] {
        let bench = try await CenterBench()
        let answer = await bench.socket(.get, "/api/v1/openapi.json")
        #expect(answer.headers[.contentType] == "application/json")
        return try answer.json()
    }

    private func paths() async throws -> [String: [String: [String: Any]]] {
        try #require(try await description()["paths"] as? [String: [String: [String: Any]]])
    }

    /// The routes of the API, as in the description: `get /api/v1/jobs/{id}`.
    private static let routes = Set(
        Route.all.filter { $0.path.hasPrefix("/api/") }.map { route in
            let segments = route.segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0 }
            return "\(route.method.rawValue.lowercased()) /\(segments.joined(separator: "/"))"
        })

    @Test func `the OpenAPI description contains every route of the API and no other route`() async throws {
        let described = try await paths().filter { $0.key.hasPrefix("/api/") }.flatMap { path, methods in
            methods.keys.map { "\($0) \(path)" }
        }
        #expect(Set(described).subtracting(Self.routes) == [])
        #expect(Self.routes.subtracting(described) == [])
    }

    @Test func `each operation in the OpenAPI description has an identifier, a summary, parameters and an example`()
        async throws
    {
        var identifiers: Set<String> = []
        for (path, methods) in try await paths() {
            for (method, operation) in methods {
                let name = "\(method) \(path)"
                let identifier = try #require(operation["operationId"] as? String, "\(name)")
                #expect(identifiers.insert(identifier).inserted, "\(name)")
                #expect((operation["summary"] as? String)?.hasSuffix(".") == true, "\(name)")
                let responses = try #require(operation["responses"] as? [String: [String: Any]], "\(name)")
                #expect(responses.keys.contains { $0.hasPrefix("2") || $0.hasPrefix("3") }, "\(name)")
                #expect(responses["403"] != nil, "\(name)")
                for (status, response) in responses where status.hasPrefix("2") && status != "204" {
                    let content = try #require(response["content"] as? [String: [String: Any]], "\(name)")
                    let isDescribed = content.allSatisfy { $0.key != "application/json" || $0.value["schema"] != nil }
                    #expect(isDescribed, "\(name) \(status)")
                }
            }
        }
    }

    @Test func `each reference in the OpenAPI description refers to an existing definition`() async throws {
        let document = try await description()
        var missing: [String] = []
        func look(at value: Any) {
            if let object = value as? [String: Any] {
                if let reference = object["$ref"] as? String {
                    var target: Any? = document
                    for part in reference.dropFirst(2).split(separator: "/") {
                        target = (target as? [String: Any])?[String(part)]
                    }
                    if target == nil { missing.append(reference) }
                }
                object.values.forEach(look)
            } else if let array = value as? [Any] {
                array.forEach(look)
            }
        }
        look(at: document)
        #expect(missing == [])
    }

    @Test func `a job in the job list has exactly the members of the OpenAPI schema 'Job'`() async throws {
        let bench = try await CenterBench()
        let id = try await bench.addJob()
        let document = try await description()
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        let job = try #require(try await bench.socket(.get, "/api/v1/jobs").jobs().first)
        let members = try #require(schemas["Job"]?["properties"] as? [String: Any])
        #expect(Set(job.keys) == Set(members.keys))
        let detail = try await bench.socket(.get, "/api/v1/jobs/\(id)").json()
        let parts = try #require(schemas["JobDetail"]?["allOf"] as? [[String: Any]])
        let more = try #require(parts[1]["properties"] as? [String: Any])
        #expect(Set(detail.keys) == Set(members.keys).union(more.keys))
        let counts = try await bench.socket(.get, "/api/v1/jobs/counts").json()
        #expect(Set(counts.keys) == Set(try #require(schemas["JobCounts"]?["required"] as? [String])))
        let kinds = try #require(
            ((schemas["TimelineEvent"]?["properties"] as? [String: Any])?["kind"] as? [String: Any])?["enum"]
                as? [String])
        #expect(Set(kinds) == Set(TimelineKind.allCases.map(\.rawValue)))
        let phases = try #require((members["phase"] as? [String: Any])?["enum"] as? [String])
        #expect(Set(phases) == Set(JobPhase.allCases.map(\.rawValue)))
    }
}
