// Connects the Print Center to the HTTP server.

package import IPPServer

extension PrintCenter {
    /// Returns the response to a request if its path belongs to the Print Center; otherwise nil.
    ///
    /// All paths below `/api`, `/center` and `/jobs` belong to the Print Center, so that the response for an unknown path
    /// of the API is JSON.
    package func content(for request: WebRequest) async -> WebAnswer? {
        let isOwn =
            ["api", "center", "jobs"].contains(request.path.split(separator: "/").first)
            || table.contains(request.method, request.path)
        return isOwn ? await answer(to: request) : nil
    }
}
