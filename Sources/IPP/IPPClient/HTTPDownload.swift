// Downloads a file from printd over its Unix socket.

import FoundationEssentials
import Glibc
public import NIOCore
import NIOHTTP1
import NIOPosix

/// A download from a server: the body of the response to a GET request is written to an open file during the transfer.
///
///     try await HTTPDownload(fromSocket: "/run/printq/printd.sock").fetch("/api/v1/backup", into: descriptor)
public struct HTTPDownload: Sendable {
    private let socket: String
    private let patience: TimeAmount

    /// Creates a download from the server on a Unix socket.
    ///
    /// - Parameter patience: The maximum time to wait for the next data from the server.
    public init(fromSocket socket: String, patience: TimeAmount = .minutes(10)) {
        (self.socket, self.patience) = (socket, patience)
    }

    /// Sends the request, and writes the body of the response to an open file.
    ///
    /// - Throws: `HTTPDownloadError` if the server refuses the request or the body is incomplete. The bytes written
    ///   before the failure remain in the file.
    public func fetch(_ path: String, into descriptor: Int32) async throws(HTTPDownloadError) {
        do {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let result = loop.makePromise(of: Void.self)
            let channel: any Channel
            do {
                channel = try await ClientBootstrap(group: loop)
                    .channelInitializer { [patience] channel in
                        channel.eventLoop.makeCompletedFuture {
                            channel.closeOnExec()
                            try channel.pipeline.syncOperations.addHTTPClientHandlers()
                            try channel.pipeline.syncOperations.addHandlers(
                                IdleStateHandler(readTimeout: patience),
                                DownloadHandler(into: descriptor, result: result))
                        }
                    }
                    .connect(unixDomainSocketPath: socket).get()
            } catch {
                result.fail(error)
                throw HTTPDownloadError(.unreachable, "cannot connect to '\(socket)'")
            }
            var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path)
            head.headers = ["Host": "localhost", "User-Agent": "printq", "Connection": "close"]
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
            try await withTaskCancellationHandler {
                try await result.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
            channel.close(promise: nil)
        } catch let error as HTTPDownloadError {
            throw error
        } catch {
            throw HTTPDownloadError(.incomplete, "the connection to '\(socket)' was lost")
        }
    }
}

/// The reason why a file cannot be downloaded from printd.
public struct HTTPDownloadError: Error, Sendable, CustomStringConvertible {
    /// The kind of error, for programs.
    public enum Code: Sendable, Hashable {
        /// An error for a socket without a listening process.
        case unreachable
        /// An error for a request that the server refused.
        ///
        /// The value is the HTTP status.
        case refused(Int)
        /// An error for a connection that ended before the end of the file.
        case incomplete
        /// An error for a file that cannot be written.
        case unwritable
    }

    /// The kind of error, for programs.
    public var code: Code
    /// The explanation of the error, for people.
    public var message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) { (self.code, self.message) = (code, message) }

    /// The error message for people.
    public var description: String { message }
}

/// A channel handler that runs on the event loop, and writes the body of the response to the file.
private final class DownloadHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let descriptor: Int32
    private let result: EventLoopPromise<Void>
    private var status: HTTPResponseStatus?
    /// The body of a response that refuses the request.
    private var refusal: [UInt8] = []
    private var isOver = false

    /// The maximum number of bytes that the handler keeps from the body of an error response.
    private static let longestRefusal = 1 << 16

    init(into descriptor: Int32, result: EventLoopPromise<Void>) {
        (self.descriptor, self.result) = (descriptor, result)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): if head.status.code != 100 { status = head.status }
        case .body(let piece):
            if status?.code == 200 {
                write(piece, context)
            } else if refusal.count < Self.longestRefusal {
                refusal += piece.readableBytesView
            }
        case .end:
            guard let status else { return }
            guard status.code == 200 else {
                return end(HTTPDownloadError(.refused(Int(status.code)), explanation(of: status)), context)
            }
            end(nil, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent {
            end(HTTPDownloadError(.incomplete, "printd sent no data in time"), context)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(HTTPDownloadError(.incomplete, "printd closed the connection before the end of the file"), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(HTTPDownloadError(.incomplete, "the connection to printd was lost before the end of the file"), context)
    }

    /// Returns the explanation in the body of an error response (RFC 9457).
    private func explanation(of status: HTTPResponseStatus) -> String {
        struct Details: Decodable { var detail: String }
        let details = try? JSONDecoder().decode(Details.self, from: Data(refusal))
        return details?.detail ?? "printd refuses the request: \(status.code) \(status.reasonPhrase)"
    }

    /// Writes a piece of the body to the file.
    ///
    /// If writing is slow, the connection receives data more slowly.
    private func write(_ piece: ByteBuffer, _ context: ChannelHandlerContext) {
        piece.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0, errno == EINTR { continue }
                guard written > 0 else {
                    return end(HTTPDownloadError(.unwritable, String(cString: strerror(errno))), context)
                }
                rest = rest.dropFirst(written)
            }
        }
    }

    private func end(_ error: HTTPDownloadError?, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        if let error { result.fail(error) } else { result.succeed() }
        context.close(promise: nil)
    }
}
