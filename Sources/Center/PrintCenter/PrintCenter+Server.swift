// Connects the Print Center to the HTTP server.

package import IPPServer

extension PrintCenter {
    /// Returns the response to a request if its path belongs to the Print Center; otherwise nil.
    ///
    /// All paths below `/api`, `/center` and `/jobs` belong to the Print Center, so that the response for an unknown path
    /// of the API is JSON. A browser that asks for the page of an unknown path gets a page.
    package func content(for request: WebRequest) async -> WebAnswer? {
        let isOwn =
            ["api", "center", "jobs"].contains(request.path.split(separator: "/").first)
            || table.contains(request.method, request.path)
        if isOwn { return await answer(to: request) }
        guard request.isSafe, request.headers[.accept]?.contains("text/html") == true else { return nil }
        var answer = CenterPage.notFound(request)
        answer.addCommonHeaders()
        return answer
    }
}
