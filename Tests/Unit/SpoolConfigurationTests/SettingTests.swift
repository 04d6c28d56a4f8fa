// Tests of the table of settings: values, ranges, defaults, messages.

import PrintModel
import Testing

@testable import SpoolConfiguration

struct SettingTests {
    private func value(_ key: String, _ json5: String) throws -> SettingValue {
        try #require(Setting.named(key)).value(of: JSON5Document(json5).root)
    }

    @Test func `each setting has a unique key, a description and a valid default`() throws {
        #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
        for setting in Setting.all {
            #expect(setting.meaning.hasSuffix("."), "\(setting.key)")
            #expect(try setting.value(of: JSON5Document("null").root) == setting.standard)
            guard setting.standard != .none else { continue }
            #expect(try setting.value(of: JSON5Document(setting.standard.literal).root) == setting.standard)
        }
    }

    @Test func `without a configuration file, the settings have the documented defaults`() {
        let settings = SpoolSettings()
        #expect(settings.listen == nil && settings.tls == .ownCertificate && settings.idleExitSeconds == 0)
        #expect(settings.keepJobs == 1000 && settings.keepDays == 7 && settings.keepAccountingDays == 400)
        #expect(settings.keepDocuments == .asLongAsJobs && settings.queueOrder == .perPrinter)
        #expect(settings.jobRetryInterval == 60)
        #expect(settings.jobPrivacy == JobPrivacy() && settings.tlsAuthorities == nil)
        #expect(settings.perUserJobs == 50_000 && settings.perUserIncomingJobs == 100)
        #expect(settings.perUserDocumentBytes == 16 << 30 && settings.workerMemoryBytes == 1 << 30)
        #expect(settings.workerProcessorSeconds == 120 && settings.workerPageSeconds == 10)
        #expect(settings.workerWallSeconds == 300 && settings.workerOutputBytes == 2 << 30)
        #expect(settings.workerProcesses == nil && settings.workerUser == nil && settings.requiresLandlock)
        #expect(settings.cupsServer == nil && settings.simulators == nil && settings.simulatorSpeed == nil)
    }

    @Test(arguments: [
        ("keepJobs", "0", SettingValue.integer(0)), ("keepDays", "36500", .integer(36_500)),
        ("keepDays", "0x10", .integer(16)), ("keepDays", "7.0", .integer(7)), ("idleExitSeconds", "0.5", .number(0.5)),
        ("keepDocuments", "false", .bool(false)), ("keepDocuments", "30", .integer(30)),
        ("queueOrder", "'strict'", .text("strict")), ("listen", "'[::1]:631'", .text("[::1]:631")),
        ("tls", "{certificate: 'c'}", .files(certificate: "c", key: "c")),
        ("worker.requireLandlock", "false", .bool(false)), ("simulatorSpeed", "'x10'", .text("x10")),
        ("cupsServer", "'/run/cups/cups.sock'", .text("/run/cups/cups.sock")),
        ("openID.issuer", "'https://h/realms/a'", .text("https://h/realms/a")),
        ("openID.keys", "'https://h:8443/k?a=b'", .text("https://h:8443/k?a=b")),
        ("openID.keys", "'keys.json'", .text("keys.json")), ("openID.realm", "''", .text("")),
        ("openID.algorithms", "['ES256']", .list(["ES256"])), ("openID.submitGroups", "['a b']", .list(["a b"])),
    ])
    func `a valid value of a setting is accepted`(key: String, json5: String, expected: SettingValue) throws {
        #expect(try value(key, json5) == expected)
    }

    @Test(arguments: [
        ("keepJobs", "'many'", "invalid value 'many' for keepJobs: must be 0 to 1000000000"),
        ("keepJobs", "-1", "invalid value -1 for keepJobs: must be 0 to 1000000000"),
        ("keepJobs", "1.5", "invalid value 1.5 for keepJobs: must be 0 to 1000000000"),
        ("keepJobs", "1e300", "invalid value"), ("keepJobs", "NaN", "invalid value"),
        ("keepJobs", "true", "invalid value true"),
        ("queueOrder", "'random'", "invalid value 'random' for queueOrder: must be per-printer or fair or strict"),
        ("keepDocuments", "[]", "invalid value for keepDocuments: must be true, false, or 0 to 36500 days"),
        ("listen", "'localhost'", "invalid value 'localhost' for listen: must be HOST:PORT"),
        ("listen", "'0.0.0.0:8631'", "this setting is for clients of this machine"),
        ("listen", "8631", "invalid value 8631 for listen"),
        ("network.listen", "'0.0.0.0:631'", "invalid value '0.0.0.0:631' for network.listen: must be"),
        ("network.listen", "['localhost:631']", "invalid value 'localhost:631'"),
        ("network.listen", "['[::]']", "invalid value '[::]'"), ("network.allow", "['10.0.0.1/8']", "10.0.0.1/8"),
        ("network.names", "['a b']", "invalid value 'a b'"), ("network.names", "[7]", "invalid value 7"),
        ("openID.issuer", "'http://h'", "must be \"https://HOST"), ("openID.issuer", "'https://h?a'", "invalid"),
        ("openID.issuer", "'https://a@h'", "invalid"), ("openID.issuer", "'https://h#'", "invalid"),
        ("openID.keys", "'http://h/keys'", "invalid value 'http://h/keys' for openID.keys"),
        ("openID.algorithms", "['none']", "invalid value 'none'"), ("openID.algorithms", "['HS256']", "invalid"),
        ("openID.algorithms", "[]", "invalid value for openID.algorithms"),
        ("openID.realm", "'192.0.2.7'", "must be \"\" or a name of a domain"),
        ("openID.realm", "'a@b'", "invalid value 'a@b'"),
        ("openID.audience", "''", "invalid value ''"), ("openID.submitGroups", "['']", "invalid value ''"),
        ("tls", "'yes'", "invalid value 'yes' for tls: must be true"),
        ("tls", "{key: 'k'}", "tls has no certificate"),
        ("tls", "{certificate: 'c', keys: 'k'}", "unknown setting 'keys'; did you mean 'key'?"),
        ("tls", "{certificate: 7}", "tls.certificate has a value of the wrong type"),
        ("idleExitSeconds", "NaN", "invalid value"), ("idleExitSeconds", "Infinity", "invalid value"),
        ("simulatorSpeed", "'fast'", "must be instant, x1 or xN"), ("worker.user", "''", "must be a name or a number"),
        ("worker.memoryMiB", "16", "invalid value 16 for worker.memoryMiB: must be 256 to 1048576"),
        ("tlsAuthorities", "'a\\u0000b'", "invalid value"),
    ])
    func `the error for an invalid value of a setting contains the valid values`(
        key: String, json5: String, words: String
    ) throws {
        let problem = try #require(throws: SettingProblem.self) { try value(key, json5) }
        #expect(problem.description.contains(words), "\(problem)")
    }

    @Test(arguments: [
        ("listen", "localhost:8631", SettingValue.text("localhost:8631")), ("keepJobs", "50", .integer(50)),
        ("network.allow", "['10.0.0.0/8', 'fd00::/8']", .list(["10.0.0.0/8", "fd00::/8"])),
        ("network.names", "['print.example.com', '192.0.2.1']", .list(["print.example.com", "192.0.2.1"])),
        ("tls", "false", .bool(false)), ("tls", "{certificate: '/c', key: '/k'}", .files(certificate: "/c", key: "/k")),
        ("queueOrder", "strict", .text("strict")), ("queueOrder", "'strict'", .text("strict")),
        ("worker.user", "1000", .text("1000")), ("listen", "null", .none), ("keepJobs", "null", .none),
    ])
    func `the text value of a setting needs no quotes on the command line`(
        key: String, argument: String, expected: SettingValue
    )
        throws
    {
        #expect(try #require(Setting.named(key)).value(ofArgument: argument) == expected)
    }

    @Test func `the error for an unknown setting suggests the most similar key`() {
        #expect(Setting.unknown("keepJob") == "unknown setting 'keepJob'; did you mean 'keepJobs'?")
        #expect(
            Setting.unknown("worker.memoryMib")
                == "unknown setting 'worker.memoryMib'; did you mean 'worker.memoryMiB'?")
        #expect(Setting.unknown("qwertz").hasPrefix("unknown setting 'qwertz'; use listen, tls, "))
    }

    @Test func `the JSON5 literal of a text value is parsed to the same text`() throws {
        for text in ["", "a\"b\\c", "line\nline\ttab\u{1}\u{7F}\u{2028}", "größe 'x'"] {
            let literal = SettingValue.text(text).literal
            guard case .string(let read) = try JSON5Document(literal).root.content else {
                Issue.record("\(literal) is not a string")
                continue
            }
            #expect(read == text)
        }
    }
}
