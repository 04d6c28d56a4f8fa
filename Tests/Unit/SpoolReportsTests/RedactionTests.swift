import Foundation
import PrintTestSupport
import SpoolerClient
import Testing

@testable import SpoolReports

struct RedactionTests {
    private let redaction = Redaction(
        users: ["ann", "root", "x"], jobs: ["dismissal letter.pdf", "letter"], keepsNames: false)

    @Test(arguments: [
        ("ipp://ann:pa%40ss@printer.local:631/ipp", "ipp://printer.local:631/ipp"),
        ("GET http://a@b:c@host/ and ipp://clean/x", "GET http://host/ and ipp://clean/x"),
        ("password=hunter2 next", "password=[removed] next"),
        ("Authorization: Basic aGVsbG8=", "Authorization: [removed]"),
        (#"{"token": "abc"}"#, #"{"token": [removed]"#),
        ("open 0123456789abcdef0123456789abcdef now", "open [removed] now"),
        ("job dismissal letter.pdf of ann", "job [job] of [user]"),
        ("annual letters of root", "annual letters of root"),
        ("in /home/berta/.local", "in /home/[user]/.local"),
        ("letter, ann's", "[job], [user]'s"),
    ])
    func `redaction for a support bundle removes secrets and names from a text`(text: String, expected: String) {
        #expect(redaction.text(text) == expected)
    }

    @Test func `if redaction keeps the names in a support bundle, the secrets are still removed`() {
        let redaction = Redaction(users: ["ann"], jobs: ["letter"], keepsNames: true)
        #expect(redaction.text("letter of ann, ipp://ann:secret@host/") == "letter of ann, ipp://host/")
    }

    @Test func `redaction of JSON redacts all strings and replaces the values of secret members`() {
        let json = JSONText.object([
            ("message", .string("by ann")), ("adminPassword", .number(7)),
            ("list", .array([.object([("uri", .string("ipp://u:p@h/"))])])),
        ])
        #expect(
            redaction.json(json).compactText
                == #"{"message":"by [user]","adminPassword":"[removed]","list":[{"uri":"ipp://h/"}]}"#)
    }

    @Test func `a support bundle contains neither comments of the configuration file nor invalid settings`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("printd.json5")
        try Data("{// secret comment\n listen: 'localhost:8631', worker: {processes: 2, requireLandlock: false}}".utf8)
            .write(to: URL(filePath: path))
        #expect(
            SettingsText.read(path)?.compactText
                == #"{"listen":"localhost:8631","worker":{"processes":2,"requireLandlock":false}}"#)
        try Data("{password: secret".utf8).write(to: URL(filePath: path))
        #expect(SettingsText.read(path)?.compactText == #""the file is not valid JSON5""#)
        #expect(SettingsText.read(folder.path("none")) == nil)
    }
}
