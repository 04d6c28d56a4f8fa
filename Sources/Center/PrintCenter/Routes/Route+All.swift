// The table of all routes.

extension Route {
    /// All routes of the Print Center.
    ///
    /// The server registers only the routes of this table. Tests compare the table with `openapi.json`, and send
    /// malicious requests to each route.
    package static let all: [Route] =
        sessionRoutes + loginRoutes + pageRoutes + jobRoutes + eventRoutes + printerRoutes + simulatorRoutes
        + monitorRoutes + usageRoutes
        + (jobPageRoutes + uploadRoutes + previewRoutes + simulatedJobRoutes + backupRoutes).map(\.onBlockingThreads)
}
