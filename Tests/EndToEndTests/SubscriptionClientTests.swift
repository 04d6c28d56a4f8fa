// Tests subscriptions and Get-Notifications with ipptool.

import PrintTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct SubscriptionClientTests {
    private let spooler: TestSpooler
    private let uri: String
    private let document: String

    init() throws {
        spooler = try TestSpooler()
        uri = "ipp://\(try spooler.start(tcp: true).host)/printers/color-laser"
        document = try spooler.file("document.pdf", .numbered(pages: 2))
    }

    @Test(arguments: ["create-printer-subscription.test", "get-subscriptions.test"])
    func `printd passes ipptool's subscription tests`(name: String) async throws {
        let suite = try await IPPTool(folder: spooler.folder.path("suite"))
        let run = try await suite.run(name, against: uri, document: document)
        #expect(run.failures.isEmpty, "\(run.failures)")
        #expect(run.results.contains { $0.outcome == .pass })
        #expect(run.errors.isEmpty)
    }

    @Test func `a CUPS client can create, poll, renew and cancel a subscription`() async throws {
        let file = try spooler.file("subscription.test", Array(Self.life.joined().utf8))
        let run = try await spooler.run("ipptool", ["-tI", "-f", document, uri, file])
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
        #expect(run.output.components(separatedBy: "[PASS]").count - 1 == Self.life.count, "\(run.output)")
    }

    /// The requests that create, use and cancel a subscription, with the expected responses.
    private static let life = [
        request(
            "Subscription capabilities of a printer", "Get-Printer-Attributes",
            expects: [
                "ippget-event-life OF-TYPE integer WITH-VALUE >14",
                #"notify-pull-method-supported OF-TYPE keyword WITH-VALUE "ippget""#,
                #"notify-events-supported OF-TYPE keyword WITH-VALUE "job-completed""#,
                "notify-lease-duration-supported OF-TYPE rangeOfInteger",
                "notify-max-events-supported OF-TYPE integer WITH-VALUE >1",
            ]),
        request(
            "Create a subscription", "Create-Printer-Subscription",
            [
                "GROUP subscription-attributes-tag", "ATTR keyword notify-pull-method ippget",
                "ATTR keyword notify-events job-created,job-completed,printer-state-changed",
                "ATTR integer notify-lease-duration 600",
            ],
            expects: [
                "notify-subscription-id OF-TYPE integer WITH-VALUE >0", "notify-lease-duration WITH-VALUE 600",
            ]),
        request("Print", "Print-Job", ["FILE $filename"]),
        request(
            "Wait for a notification", "Get-Notifications",
            ["ATTR integer notify-subscription-ids $notify-subscription-id", "ATTR boolean notify-wait true"],
            expects: [
                "notify-get-interval OF-TYPE integer IN-GROUP operation-attributes-tag",
                "printer-up-time OF-TYPE integer",
                "notify-subscribed-event OF-TYPE keyword IN-GROUP event-notification-attributes-tag "
                    + #"WITH-VALUE "job-created""#,
                "notify-sequence-number OF-TYPE integer WITH-VALUE >0", "notify-job-id OF-TYPE integer WITH-VALUE >0",
                "job-state OF-TYPE enum", "job-state-reasons OF-TYPE keyword", "job-name OF-TYPE name",
                "notify-text OF-TYPE text", "notify-printer-uri OF-TYPE uri",
            ]),
        request(
            "Read the subscription", "Get-Subscription-Attributes", [subscription],
            expects: [
                "notify-subscriber-user-name OF-TYPE name",
                "notify-lease-expiration-time OF-TYPE integer WITH-VALUE >0",
            ]),
        request(
            "Renew the subscription", "Renew-Subscription",
            [subscription, "GROUP subscription-attributes-tag", "ATTR integer notify-lease-duration 60"],
            expects: ["notify-lease-duration WITH-VALUE 60"]),
        request("Cancel the subscription", "Cancel-Subscription", [subscription]),
        request(
            "The subscription has ended", "Get-Notifications",
            ["ATTR integer notify-subscription-ids $notify-subscription-id"],
            status: "client-error-not-found"),
    ]

    private static let subscription = "ATTR integer notify-subscription-id $notify-subscription-id"

    /// Returns one request of a test file with a requesting user name.
    private static func request(
        _ name: String, _ operation: String, _ lines: [String] = [], status: String = "successful-ok",
        expects: [String] = []
    ) -> String {
        let head = [
            "NAME \"\(name)\"", "OPERATION \(operation)", "GROUP operation-attributes-tag",
            "ATTR charset attributes-charset utf-8", "ATTR language attributes-natural-language en",
            "ATTR uri printer-uri $uri", "ATTR name requesting-user-name $user",
        ]
        let tail = ["STATUS \(status)"] + expects.map { "EXPECT \($0)" }
        return "{\n\((head + lines + tail).joined(separator: "\n"))\n}\n"
    }
}
