// A server on a free port and a Unix socket for the duration of a test.

import Glibc
import IPP
import IPPClient
import IPPServer
import Logging
import PrintIPP
import ServiceLifecycle
import Synchronization
import Testing

/// A server that is listening.
struct TestServer: Sendable {
    var port: Int
    var socket: String
    var group: ServiceGroup

    var tcp: IPPAddress { .tcp(host: "127.0.0.1", port: port) }
    var unix: IPPAddress { .unix(path: socket) }
}

/// A responder that calls a closure.
struct Responder: IPPResponder {
    var answer: @Sendable (IPPRequest) async -> Message

    func answer(to request: IPPRequest) async -> IPPAnswer { IPPAnswer(await answer(request)) }

    /// A responder that reads the whole document and returns the document's length.
    static let measuring = Responder { request in
        let (length, failure) = await measure(request.document)
        if failure != nil { return reply(to: request, .clientErrorDocumentFormatError) }
        return reply(to: request, [Attribute("length", .integer(Int32(length)))])
    }
}

/// Reads a document and returns the number of bytes that arrived, and the error if reading failed.
func measure(_ document: DocumentStream) async -> (length: Int, failure: DocumentStreamError.Code?) {
    var length = 0
    do {
        for try await piece in document { length += piece.count }
        return (length, nil)
    } catch {
        return (length, error.code)
    }
}

func reply(to request: IPPRequest, _ status: Status = .successfulOk, _ attributes: [Attribute] = []) -> Message {
    Message(
        version: request.message.version, status: status, requestID: request.message.requestID,
        groups: [
            .operation(), AttributeGroup(.printer, attributes),
        ])
}

func reply(to request: IPPRequest, _ attributes: [Attribute]) -> Message {
    reply(to: request, .successfulOk, attributes)
}

/// Returns a request as a printer receives it.
///
/// The operation attributes also contain `more`.
func request(_ operation: IPP.Operation = .printJob, _ more: Attribute...) -> Message {
    Message(
        operation: operation, requestID: 77,
        groups: [
            .operation([Attribute("printer-uri", .uri("ipp://localhost/printers/x"))] + more)
        ])
}

func withServer(
    _ responder: any IPPResponder = Responder.measuring,
    deadlines: (inout IPPServer.Deadlines) -> Void = { _ in },
    limits: (inout IPPServer.Limits) -> Void = { _ in },
    hostNames: [String] = [], listen: String = "127.0.0.1",
    content: @escaping @Sendable (WebRequest) async -> WebAnswer? = { _ in nil },
    _ body: (TestServer) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        var configuration = IPPServer.Configuration(
            listeners: [.tcp(host: listen, port: 0), .unix(path: "\(folder)/s", mode: 0o666)],
            hostNames: hostNames)
        deadlines(&configuration.deadlines)
        limits(&configuration.limits)
        let (listening, ready) = AsyncStream.makeStream(of: [ListenAddress].self)
        let server = IPPServer(
            configuration: configuration, responder: responder, logger: .quiet, content: content,
            onListening: { ready.yield($0) })
        let group = ServiceGroup(services: [server], logger: .quiet)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await group.run()
            }
            if let addresses = await listening.first(where: { _ in true }),
                case .tcp(_, let port) = addresses[0], case .unix(let path, _) = addresses[1]
            {
                try await body(TestServer(port: port, socket: path, group: group))
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/printq-http-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } }
    let folder = try #require(made)
    defer {
        for name in ["s", "document", "test"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
    try await body(folder)
}

extension Logger {
    static let quiet = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}

/// A value that a test waits for.
final class Happening<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init(_: Value.Type = Value.self) { (stream, continuation) = AsyncStream.makeStream() }

    func note(_ value: Value) { continuation.yield(value) }
    func next() async -> Value? { await stream.first { _ in true } }
}
