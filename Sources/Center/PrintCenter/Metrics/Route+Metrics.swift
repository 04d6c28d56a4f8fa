// The routes for monitors: metrics and health.

import HTTPTypes
import OpenMetrics
import PrintModel

extension Route {
    /// The routes for monitoring programs.
    ///
    /// The responses contain no names of users, jobs or documents. Programs on this machine can read the responses
    /// without a session. Programs on other machines require a session.
    static let monitorRoutes: [Route] = [
        .open("/metrics", "Returns the metrics in the text format of OpenMetrics.") { visit in
            try visit.requireMonitor()
            guard let metrics = visit.center.ports.metrics else {
                throw Problem.notFound("\(visit.center.configuration.service) does not provide metrics")
            }
            let text = MetricsText.text(of: await metrics() + visit.center.families)
            return .bytes(Array(text.utf8), type: MetricsText.mediaType, headers: [.cacheControl: "no-store"])
        },
        .open("/health", "Returns whether the server can print: status 200, or 503 with the reasons.") { visit in
            try visit.requireMonitor()
            let report = await visit.center.ports.health()
            return .json(
                report.json(service: visit.center.configuration.service, version: Release.version),
                status: report.reasons.isEmpty ? .ok : .serviceUnavailable)
        },
    ]
}

extension PrintCenter {
    /// The metrics of event streams and uploads in the Print Center.
    fileprivate var families: [MetricFamily] {
        get async {
            var open = MetricFamily(
                "printq_event_streams", .gauge, help: "Event streams (server-sent events) that are open.")
            open.add(Double(streams.count))
            guard let usage = await ports.uploads?.usage else { return [open] }
            var uploads = MetricFamily("printq_uploads", .gauge, help: "Uploaded documents that belong to no job yet.")
            uploads.add(Double(usage.uploads))
            var bytes = MetricFamily(
                "printq_upload_bytes", .gauge, unit: "bytes", help: "Size of the uploaded documents.")
            bytes.add(Double(usage.bytes))
            return [open, uploads, bytes]
        }
    }
}

extension Visit {
    /// Checks that the client is on this machine or has a session.
    fileprivate func requireMonitor() throws(Problem) {
        guard request.peer.isOnThisMachine || call != nil else { throw center.noSession }
    }
}
