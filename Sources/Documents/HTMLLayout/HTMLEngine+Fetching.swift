// Fetches web addresses with the HTML engine.

public import PrintModel
import ProcessPools

/// A request to fetch a web address and its resources.
public struct FetchRequest: Hashable, Sendable {
    /// The address to fetch, with the scheme `http:`, `https:` or `data:`.
    public var address: String
    /// Whether the engine can connect to private networks and to this machine.
    ///
    /// Otherwise the engine connects only to addresses of the public internet. The engine checks the IP address of each
    /// connection, so redirects and changed DNS records cannot bypass the check.
    public var allowsPrivate = false
    /// The layout of web pages that do not define a page layout.
    public var layout: ConversionLayout
    /// The maximum size of the document with its resources, in bytes.
    public var mostBytes = 64 << 20
    /// The maximum time for fetching, in seconds.
    public var mostSeconds = 60
    /// The maximum number of requests, including the requests for resources and redirects.
    public var mostRequests = 201

    /// Creates a fetch request.
    public init(_ address: String, layout: ConversionLayout) {
        self.address = address
        self.layout = layout
    }
}

/// A document that was fetched from a web address.
public struct WebDocument: Hashable, Sendable {
    /// The media type: PDF for a web page, otherwise the type that the server declared.
    public var format: String
    /// The name of the document: the last part of the address, or the name that the server declared.
    public var name: String
    /// The title of the web page; empty if the page has no title.
    public var title: String
    /// Notices about omitted resources, one sentence each.
    public var notices: [String]
}

/// The reason why a web address was not fetched.
public struct WebError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// An error for an address that has an unsupported scheme or contains credentials.
        case address
        /// An error for an address that belongs to a private network or to this machine.
        case privateAddress
        /// An error for a host that does not exist.
        case unknownHost
        /// An error for a server that cannot be reached or has closed the connection.
        case unreachable
        /// An error for a server that has no document at this address.
        case notFound
        /// An error for a server that has refused the request, sent an invalid response, or has an untrusted
        /// certificate.
        case badAnswer
        /// An error for a document that exceeds the limit on its size or on the number of requests.
        case tooLarge
        /// An error for a fetch that exceeded the time limit.
        case timeExceeded
        /// An error for an engine that failed with a `WorkError`.
        case engine
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for users that explains what failed and what the user can do.
    public var message: String
}

extension HTMLEngine {
    /// Fetches an address into a file.
    ///
    /// A web page becomes a PDF. The access rules also apply to the style sheets, images and fonts of the web page. A
    /// document of any other type is stored unchanged. The engine uses no cookies, credentials or proxies.
    ///
    /// The function blocks the calling thread.
    ///
    /// - Parameters:
    ///   - request: The address and the limits.
    ///   - output: The path of the file, which is created atomically.
    public func fetch(_ request: FetchRequest, to output: String) throws(WebError) -> WebDocument {
        do throws(WorkError) {
            return try Self.wait { () async throws(WorkError) in try await self.fetched(request, to: output) }
        } catch {
            throw WebError(error)
        }
    }

    private func fetched(_ request: FetchRequest, to output: String) async throws(WorkError) -> WebDocument {
        try Self.check(request.layout.pageSize)
        var limits = HTMLLimits()
        limits.wallSeconds = Double(request.mostSeconds) + 60
        let input = HTMLInput.bytes(Array(request.address.utf8))
        guard input.size <= request.mostBytes * 2 else { throw WorkError(.damaged, "large", detail: Self.webDetail) }
        var order = HTMLRequest(.web, size: input.size, limits: limits)
        order.layout = HTMLRequest.Layout(request.layout)
        order.web = HTMLRequest.Web(
            private: request.allowsPrivate, requests: request.mostRequests, bytes: request.mostBytes,
            seconds: request.mostSeconds)
        let user = try WorkerUser.find(processes.command.user)
        let access = HTMLAccess(network: !request.address.lowercased().hasPrefix("data:"), user: user)
        let ordered = order
        let answer = try await serve(isSmall: false, limits) { (limits, cancellation) throws(HTMLWorker.Failure) in
            let file = try Self.newFile(output)
            let answer = try self.answer(ordered, input, access, limits, file, cancellation).0
            try file.finish()
            return answer
        }
        return WebDocument(
            format: (answer.format ?? "application/octet-stream").sanitized(to: 100),
            name: (answer.name ?? "page").sanitized(to: 100), title: (answer.title ?? "").sanitized(to: 200),
            notices: answer.notices)
    }

    /// The prefix of `WorkError.detail` for a fetch that failed.
    ///
    /// The message of the engine follows the prefix.
    static let webDetail = "web: "
}

extension WebError {
    /// Creates the fetch error for a failure of the engine.
    ///
    /// If the engine could not fetch the address, the error message of the engine is a code, which this initializer
    /// converts to a sentence.
    fileprivate init(_ error: WorkError) {
        guard let detail = error.detail, detail.hasPrefix(HTMLEngine.webDetail) else {
            (code, message) = (.engine, error.message)
            return
        }
        let reason = detail.dropFirst(HTMLEngine.webDetail.count)
        (code, message) =
            switch error.message {
            case "private":
                (
                    .privateAddress,
                    "\(reason); use --allow-private to fetch from a private network or from this machine"
                )
            case "name": (.unknownHost, "\(reason); check the address")
            case "scheme", "credentials":
                (.address, "\(reason); use an http:, https: or data: address without credentials")
            case "status" where ["404", "410"].contains(reason):
                (.notFound, "the server has no such document (HTTP status \(reason))")
            case "status": (.badAnswer, "the server refused the request (HTTP status \(reason))")
            case "tls": (.badAnswer, "the TLS connection is not trusted: \(reason)")
            case "large", "count":
                (.tooLarge, "the document is too large; save the document as a file and print the file")
            case "time": (.timeExceeded, "\(reason); try again later")
            case "connection": (.unreachable, "the connection failed: \(reason)")
            default: (.badAnswer, "\(reason)")
            }
    }
}
