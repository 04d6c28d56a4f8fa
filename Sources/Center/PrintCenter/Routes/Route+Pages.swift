// The routes of the web pages and their files.

import HTTPTypes
import IPPServer

extension Route {
    /// The routes of the web pages and their files.
    static let pageRoutes: [Route] =
        [
            .page("/", .everyone, "Returns the public home page, or redirects to the first view of the Print Center.") {
                visit in
                if !visit.isBrowser {
                    if await visit.center.ports.isSilent(nil) { return .disconnect }
                    if let page = await visit.center.ports.homePage() { return publicPage(page) }
                }
                return WebAnswer(.seeOther, headers: [.location: visit.center.configuration.homePath])
            },
            .page("/printers/:name", .everyone, "Returns the web page of a printer.") { visit in
                // CUPS clients ask for /printers/NAME.ppd on the Unix socket, which proves their user.
                if visit.isBrowser { return CenterPage.shell(visit.request) }
                let name = visit.parameters["name"] ?? ""
                if await visit.center.ports.isSilent(name) { return .disconnect }
                guard let page = await visit.center.ports.printerPage(name) else {
                    return WebAnswer(
                        .notFound, headers: [.contentType: "text/plain; charset=utf-8"],
                        body: .bytes(Array("page not found\n".utf8)))
                }
                return publicPage(page)
            },
            .open("/api/v1/openapi.json", "Returns the description of the API (OpenAPI 3.1).") { visit in
                try CenterFiles.shared.answer(to: visit.request, path: "openapi.json")
            },
            .open("/favicon.ico", "Returns the icon of the Print Center.") { visit in
                try CenterFiles.shared.answer(to: visit.request, path: "frame/icon.svg")
            },
            .open("/center/:build/:folder/:name", "Returns a static file of the Print Center.") { visit in
                let parts = visit.parameters
                return try CenterFiles.shared.answer(
                    to: visit.request, path: "\(parts["folder"] ?? "")/\(parts["name"] ?? "")",
                    build: parts["build"] ?? "")
            },
        ]
        + shellPaths.map { path in
            .page(path, .provenUser, "Returns the web page of the Print Center for this path.") { visit in
                visit.call == nil
                    ? CenterPage.signIn(visit, status: .unauthorized) : CenterPage.shell(visit.request)
            }
        }

    /// Returns the response with a page for clients without a session.
    ///
    /// The page includes its style sheet.
    private static func publicPage(_ page: [UInt8]) -> WebAnswer {
        .bytes(
            page, type: "text/html; charset=utf-8",
            headers: [
                .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
                .cacheControl: "no-cache",
            ])
    }

    /// The URL paths of the views.
    private static let shellPaths = [
        "/jobs", "/jobs/:id", "/jobs/:id/pages/:number", "/jobs/:id/compare/:number", "/new", "/usage", "/printers",
        "/printers/add", "/printers/:name/log", "/printers/:name/jobs/:id/pages/:number",
        "/release/:name",
    ]
}
