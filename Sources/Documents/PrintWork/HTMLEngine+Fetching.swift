// Fetches web addresses with the HTML engine.

import Glibc
public import PrintModel

/// The request to fetch a web address and its resources.
public struct WebRequest: Hashable, Sendable {
    /// An `http:`, `https:` or `data:` address.
    public var address: String
    /// Whether addresses of private networks and of this machine are allowed.
    ///
    /// Otherwise only addresses of the public Internet are connected to. The check applies to the IP address of each
    /// connection, so neither a redirect nor a changed DNS record can avoid it.
    public var allowsPrivate = false
    /// The layout of web pages that do not define their own pages.
    public var layout: ConversionLayout
    /// The maximum size of the document with its resources, in bytes.
    public var mostBytes = 64 << 20
    /// The maximum time for fetching, in seconds.
    public var mostSeconds = 60
    /// The maximum number of requests, including the requests for resources and redirects.
    public var mostRequests = 201

    /// Creates a request.
    public init(_ address: String, layout: ConversionLayout) {
        self.address = address
        self.layout = layout
    }
}

/// A fetched document.
public struct WebDocument: Hashable, Sendable {
    /// The media type: PDF for a web page, otherwise the type that the server declared.
    public var format: String
    /// The name of the document: the last part of the address, or the name that the server declared.
    public var name: String
    /// The title of the web page; empty if it has no title.
    public var title: String
    /// The resources that were left out, one sentence each.
    public var notices: [String]
}

/// The reason why a web address was not fetched.
public struct WebError: Error, Hashable, Sendable {
    /// The kind of failure.
    public enum Code: String, Hashable, Sendable {
        /// The scheme or the form of the address is not supported.
        case address
        /// The address belongs to a private network or to this machine.
        case privateAddress
        /// The host does not exist.
        case unknownHost
        /// The server cannot be reached, or closed the connection.
        case unreachable
        /// The server has no such document.
        case notFound
        /// The server refused the request or sent an invalid response, or its certificate is not trusted.
        case badAnswer
        /// A limit of size or count was exceeded.
        case tooLarge
        /// The time limit was exceeded.
        case timeExceeded
        /// The engine failed (`WorkError`).
        case engine
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for users: what failed, and what to do.
    public var message: String
}

extension HTMLEngine {
    /// Fetches an address into a file.
    ///
    /// A web page becomes a PDF with its style sheets, images and fonts, which are fetched by the same rules. Other
    /// documents are stored as they are. Cookies, credentials and proxies are not used.
    ///
    /// Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - request: The address and the limits.
    ///   - output: The path of the file, which is created atomically.
    public func fetch(_ request: WebRequest, to output: String) throws(WebError) -> WebDocument {
        do throws(WorkError) {
            return try fetched(request, to: output)
        } catch {
            throw WebError(error)
        }
    }

    private func fetched(_ request: WebRequest, to output: String) throws(WorkError) -> WebDocument {
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
        let user = try WorkerUser.find(workerUser)
        let access = HTMLAccess(network: !request.address.lowercased().hasPrefix("data:"), user: user)
        let answer = try PartialFile.write(to: output) { (output) throws(WorkError) -> HTMLAnswer in
            try self.answer(order, input, access, limits, output).0
        }
        return WebDocument(
            format: (answer.format ?? "application/octet-stream").tamed(to: 100),
            name: (answer.name ?? "page").tamed(to: 100), title: (answer.title ?? "").tamed(to: 200),
            notices: answer.notices)
    }

    /// The start of `WorkError.detail` of an address that was not fetched; the engine's message follows.
    static let webDetail = "web: "
}

extension WebError {
    /// Creates the error for a failure of the engine, whose message is the engine's code if the address was not fetched.
    fileprivate init(_ error: WorkError) {
        guard let detail = error.detail, detail.hasPrefix(HTMLEngine.webDetail) else {
            (code, message) = (.engine, error.message)
            return
        }
        let words = detail.dropFirst(HTMLEngine.webDetail.count)
        (code, message) =
            switch error.message {
            case "private":
                (
                    .privateAddress,
                    "\(words); use --allow-private to fetch from a private network or from this machine"
                )
            case "name": (.unknownHost, "\(words); check the address")
            case "scheme", "credentials":
                (.address, "\(words); use an http:, https: or data: address without credentials")
            case "status" where ["404", "410"].contains(words):
                (.notFound, "the server has no such document (HTTP status \(words))")
            case "status": (.badAnswer, "the server refused the request (HTTP status \(words))")
            case "tls": (.badAnswer, "the TLS connection is not trusted: \(words)")
            case "large", "count":
                (.tooLarge, "the document is too large; save the document as a file and print the file")
            case "time": (.timeExceeded, "\(words); try again later")
            case "connection": (.unreachable, "the connection failed: \(words)")
            default: (.badAnswer, "\(words)")
            }
    }
}
