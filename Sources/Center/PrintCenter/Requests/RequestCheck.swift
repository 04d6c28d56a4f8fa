// Checks that a request comes from the server's own pages.

import HTTPTypes
import IPPServer

/// The checks that each request must pass before its handler runs.
///
/// A web page of another origin can cause a browser to send requests to this server. The headers `Host`, `Origin` and
/// `Sec-Fetch-Site` reveal these requests. Only browsers send `Origin` and `Sec-Fetch-Site`.
struct RequestCheck: Sendable {
    /// The host names that the `Host` header of a TCP request is allowed to contain.
    let hosts: HostRule

    /// Checks the path and the origin of a request.
    ///
    /// - Returns: Whether a person followed a link from a page of another site. The server must not act on this
    ///   request. It may respond with a page that has a link to the same path.
    /// - Throws: `Problem` if the server must refuse the request.
    func isForeignLink(_ request: WebRequest) throws(Problem) -> Bool {
        // No path of the server needs an encoded character. A decoded path could differ from the path that was checked.
        guard request.path.utf8.first == UInt8(ascii: "/"), !request.path.utf8.contains(UInt8(ascii: "%")) else {
            throw .notFound("invalid path: a path must begin with '/' and must not contain percent-encoded characters")
        }
        if !request.isOnUnixSocket {
            guard let host = request.host, hosts.allows(host) else {
                throw .crossSite("the Host header does not name this server; use localhost")
            }
        }
        guard
            !OriginRule.isForeign(
                origins: request.headers[values: .origin], host: request.host, isEncrypted: request.isEncrypted)
        else { throw .crossSite("requests from pages of another origin are refused") }
        return try isFromForeignPage(request)
    }

    private func isFromForeignPage(_ request: WebRequest) throws(Problem) -> Bool {
        let sites = request.headers[values: .fetchSite]
        guard let site = sites.first else { return false }
        let isNavigation = request.isSafe && request.headers[.fetchMode] == "navigate"
        if sites.count == 1, site == "same-origin" || site == "none" && isNavigation { return false }
        // A frame in a page of another site also navigates, but its destination is not a document.
        if sites.count == 1, isNavigation, request.headers[.fetchDestination] == "document" { return true }
        throw .crossSite("requests from pages of another site are refused")
    }
}
