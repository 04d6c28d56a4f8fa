// Tests the file of `printq export` and `printq import`.

import PrintModel
import SpoolConfiguration
import SpoolExport
import Testing

struct ExportedSpoolTests {
    private static let policy = {
        var policy = PrinterPolicy()
        policy[.submitters] = .allowed(["ann", "@staff"])
        policy[PolicyList(.manage, .users)] = .allowed(["@helpdesk"])
        policy[PolicyList(.look, .networks)] = .denied(["192.0.2.0/24"])
        return policy
    }()
    private let office = ConfiguredPrinter(
        name: "office", deviceURI: "ipp://printer.local/ipp/print", info: "Second floor", location: "Room 2",
        isDefault: true, isPaused: true, pauseMessage: "no \"toner\"", isAccepting: false, errorPolicy: .stopPrinter,
        afterInterruption: .abort, options: ["sides": "two-sided-long-edge", "media": "iso_a4_210x297mm"],
        policy: policy)
    private let plain = ConfiguredPrinter(name: "copy", deviceURI: "folder:/srv/printed")

    private var spool: ExportedSpool {
        ExportedSpool(
            programVersion: "1.2.3", printers: [office, plain],
            settings: [.keepJobs: .integer(50), .queueOrder: Setting.queueOrder.standard])
    }

    private func problems(_ text: String) -> [String] {
        do throws(ImportProblems) {
            _ = try ExportedSpool(reading: Array(text.utf8))
            return []
        } catch {
            return error.problems
        }
    }

    private func document(printers: String = "[]", more: String = "") -> String {
        "{format: 'printq-export', 'format-version': 1, printers: \(printers)\(more.isEmpty ? "" : ", \(more)")}"
    }

    @Test func `quotas are the same after an export and an import, and invalid quotas are reported`() throws {
        var exported = spool
        exported.quotas = [
            Quota(.everyone, per: .month, pages: 500), Quota(.user("ann"), per: .week, sheets: 0),
            Quota(.group("staff"), per: .job, pages: 20, copies: 5, color: ColorHours("08:00-17:00")),
        ]
        let again = try ExportedSpool(reading: Array(exported.text.utf8))
        #expect(again.quotas == exported.quotas)
        let plan = ImportPlan(again, into: spool, replaces: false)
        #expect(plan.quotas.map(\.action) == [.add, .add, .add])
        exported.quotas[0].pages = 400
        #expect(
            ImportPlan(again, into: exported, replaces: false).quotas.map(\.action) == [.keep, .none, .none])
        for quota in [
            "{per: 'day', pages: 1}", "{for: 'ann', pages: 1}", "{for: 'ann', per: 'year', pages: 1}",
            "{for: 'ann', per: 'day'}", "{for: 'ann', per: 'day', pages: 1.5}", "{for: 'ann', per: 'day', copies: 2}",
            "{for: '@', per: 'day', pages: 1}", "{for: 'ann', per: 'job', color: 'blue'}", "1",
        ] {
            let found = problems(document(more: "quotas: [\(quota)]"))
            #expect(found.count == 1 && found[0].contains("quotas[0]"), "\(quota): \(found)")
        }
    }

    @Test func `an exported spool is readable and sorted, and contains only settings that differ from the defaults`() {
        #expect(
            spool.text == """
                {
                  "format": "printq-export",
                  "format-version": 1,
                  "program-version": "1.2.3",
                  "default-printer": "office",
                  "printers": [
                    {
                      "name": "copy",
                      "device-uri": "folder:/srv/printed",
                      "info": "",
                      "location": "",
                      "error-policy": "retry-job",
                      "after-interruption": "ask",
                      "default-options": {},
                      "accepting-jobs": true,
                      "paused": false
                    },
                    {
                      "name": "office",
                      "device-uri": "ipp://printer.local/ipp/print",
                      "info": "Second floor",
                      "location": "Room 2",
                      "error-policy": "stop-printer",
                      "after-interruption": "abort",
                      "default-options": {
                        "media": "iso_a4_210x297mm",
                        "sides": "two-sided-long-edge"
                      },
                      "allowed-users": [
                        "ann",
                        "@staff"
                      ],
                      "denied-look-networks": [
                        "192.0.2.0/24"
                      ],
                      "allowed-manage-users": [
                        "@helpdesk"
                      ],
                      "accepting-jobs": false,
                      "paused": true,
                      "pause-message": "no \\"toner\\""
                    }
                  ],
                  "settings": {
                    "keepJobs": 50
                  },
                  "document-types": {}
                }

                """)
    }

    @Test func `if an export is read and written again, the text is the same`() throws {
        let again = try ExportedSpool(reading: Array(spool.text.utf8))
        #expect(again.printers == spool.printers && again.settings == spool.changedSettings)
        #expect(again.text == spool.text)
    }

    @Test func `an edited export can contain comments and requires only the names and URIs of printers`() throws {
        let text = document(printers: "[{name: 'a', 'device-uri': 'cups:laser'}] // one printer\n")
        let printers = try ExportedSpool(reading: Array(text.utf8)).printers
        #expect(printers == [ConfiguredPrinter(name: "a", deviceURI: "cups:laser")])
    }

    @Test(arguments: [
        ("{", "line 1: "), ("[]", "line 1: the file is not an export of printq"),
        ("{format: 'printq-export'}", "line 1: format-version must be a positive whole number"),
        (
            "{format: 'printq-export',\n'format-version': 7, 'program-version': '9.0.0', x: 1}",
            "line 2: the export file has format version 7, written by printq 9.0.0; this printq"
        ),
    ])
    func `an import fails with an explanation if the document has a different format or a newer version`(
        text: String, problem: String
    ) {
        let found = problems(text)
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }

    @Test func `each problem in an export is reported with its line and, for unknown names, the most similar name`() {
        let text = """
            {
              format: 'printq-export', 'format-version': 1, printrs: [],
              'default-printer': 'offise',
              printers: [
                {name: 'office', 'device-uri': 'ipp://x/y', 'error-polcy': 'retry-job', paused: 'no'},
                {name: 'a b', 'device-uri': 'lpd://x', 'error-policy': 'retry'},
                {'device-uri': 'cups:q'},
                {name: 'office', 'device-uri': 'ipp://u:secret@x/y', 'default-options': {sids: 'x', sides: 'both'}},
                {name: 'b', 'device-uri': 'cups:q', 'allowed-users': ['a'], 'denied-users': ['b']},
              ],
              settings: {keepJob: 1,
                keepDays: -1},
              'document-types': {'../x.json5': {}},
            }
            """
        let found = problems(text)
        for part in [
            "line 2: unknown key 'printrs'; did you mean 'printers'?",
            "line 3: default-printer: the export file has no printer 'offise'; did you mean 'office'?",
            "line 5: unknown key 'printers[0].error-polcy'; did you mean 'error-policy'?",
            "line 5: printers[0].paused must be true or false",
            "line 6: printers[1].name: invalid printer name 'a b'", "line 6: printers[1].device-uri: ",
            "line 6: printers[1].error-policy: invalid value 'retry'; expected retry-job, abort-job, stop-printer",
            "line 7: printers[2].name is missing",
            "line 8: printers[3].device-uri: a printer URI must not contain a user name or password",
            "line 8: printers[3].default-options: ",
            "line 8: printers[3].name: the export file contains printer 'office'",
            "line 9: printers[4]: a printer cannot have both allowed-users and denied-users",
            "line 11: settings: unknown setting 'keepJob'; did you mean 'keepJobs'?",
            "line 12: settings: invalid value -1 for keepDays",
            "line 13: document-types.../x.json5: a file name must end with .json5",
        ] {
            #expect(found.contains { $0.hasPrefix(part) }, "\(part) is not in \(found)")
        }
        #expect(!found.contains { $0.contains("secret") }, "no message contains a password")
    }

    // MARK: - Plan

    @Test func `the first import into an empty spool adds all entries, and a second import changes nothing`() {
        let first = ImportPlan(spool, into: ExportedSpool(printers: []), replaces: false)
        #expect(first.printers.map(\.action) == [.add, .add])
        #expect(first.defaultPrinter?.action == .add)
        // The order of the queue is the default already.
        #expect(first.settings.map(\.setting) == [.queueOrder, .keepJobs])
        #expect(first.settings.map(\.action) == [.none, .add])
        let second = ImportPlan(spool, into: spool, replaces: true)
        #expect(second.printers.map(\.action) == [.none, .none])
        #expect(second.defaultPrinter?.action == ImportPlan.Action.none)
        #expect(second.settings.map(\.action) == [.none, .none])
    }

    @Test func `an import changes existing printers and settings only if 'replaces' is true`() {
        var other = office
        (other.info, other.isPaused, other.isDefault) = ("", false, false)
        var first = plain
        first.isDefault = true
        let old = ExportedSpool(printers: [other, first], settings: [.keepJobs: .integer(7)])
        let kept = ImportPlan(spool, into: old, replaces: false)
        #expect(kept.printers.map(\.action) == [.none, .keep])
        #expect(kept.printers[1].differences == ["info", "paused"])
        #expect(kept.defaultPrinter?.action == .keep && kept.settings.map(\.action) == [.none, .keep])
        let replaced = ImportPlan(spool, into: old, replaces: true)
        #expect(replaced.printers.map(\.action) == [.none, .change])
        #expect(replaced.defaultPrinter?.action == .change && replaced.settings.map(\.action) == [.none, .change])
    }

    @Test
    func `an imported default value replaces a different value, and changes nothing if the spool has the default`() {
        let new = ExportedSpool(printers: [], settings: [.keepJobs: Setting.keepJobs.standard])
        let changed = ExportedSpool(printers: [], settings: [.keepJobs: .integer(7)])
        #expect(ImportPlan(new, into: changed, replaces: true).settings.map(\.action) == [.change])
        #expect(
            ImportPlan(new, into: ExportedSpool(printers: []), replaces: true).settings.map(\.action) == [.none])
    }

    @Test
    func `an import sends only printer attributes that differ, and resets options and users that the export omits`()
        throws
    {
        var old = office
        (old.options["print-quality"], old.info) = ("high", "First floor")
        var new = office
        new.policy = PrinterPolicy()
        let attributes = try new.attributes(replacing: old)
        #expect(
            Set(attributes.map(\.name)) == [
                "printer-info", "print-quality-default", "media-default", "sides-default",
                "requesting-user-name-allowed", "printq-look-networks-allowed", "printq-manage-users-allowed",
            ])
        #expect(attributes.first { $0.name == "print-quality-default" }?.stringValue == "")
        #expect(attributes.first { $0.name == "requesting-user-name-allowed" }?.stringValue == "all")
        #expect(attributes.first { $0.name == "printq-manage-users-allowed" }?.stringValue == "none")
    }
}
