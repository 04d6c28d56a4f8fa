// `printd.json5`: how a spool is kept.

import FoundationEssentials
import PrintModel
import PrintSpool
import PrintWork

/// How long the documents of a job that has ended are kept.
enum DocumentKeeping: Equatable, Decodable {
    /// As long as the job itself: `true`.
    case asLongAsJobs
    /// Not at all: `false`.
    case never
    /// For a number of days, though no longer than the job.
    case days(Int)

    /// For how many seconds after its job's end a document is kept; nil for as long as the job.
    var seconds: Double? {
        switch self {
        case .asLongAsJobs: nil
        case .never: 0
        case .days(let days): Double(days) * 86400
        }
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let isKept = try? value.decode(Bool.self) {
            self = isKept ? .asLongAsJobs : .never
        } else if let days = try? value.decode(Int.self), (0...36_500).contains(days) {
            self = .days(days)
        } else {
            throw SpoolSettings.SettingsError(description: "keepDocuments takes true, false, or 0 to 36500 days")
        }
    }
}

/// Who sees the names, owners and options of jobs (CUPS JobPrivateAccess).
enum JobPrivateAccess: String, CaseIterable {
    /// Their owners and administrators.
    case owner
    /// Everyone.
    case all
}

/// How clients of TCP may speak TLS.
enum TLSSetting: Equatable {
    /// With a certificate that printd makes itself: `true`.
    case ownCertificate
    /// With one from files in PEM form, which may be the same file: `{certificate, key}`.
    case files(certificate: String, key: String)
    /// Not at all: `false`.
    case off

    /// The setting with paths from a folder made absolute.
    func resolved(in folder: String) -> TLSSetting {
        guard case .files(let certificate, let key) = self else { return self }
        func path(_ file: String) -> String { file.hasPrefix("/") ? file : "\(folder)/\(file)" }
        return .files(certificate: path(certificate), key: path(key))
    }
}

/// The settings of a spool, from the file `printd.json5` in its folder; every key may be left out.
///
/// `Spool/README.md` lists the keys. A key that is not known, or a value that makes no sense, is refused by name: a setting
/// that is silently ignored is worse than none.
struct SpoolSettings: Equatable {
    /// The TCP address to listen on: `HOST:PORT`.
    var listen: String?
    /// How clients of that address may speak TLS.
    var tls = TLSSetting.ownCertificate
    /// The cupsd whose queues `cups:NAME` names: `HOST[:PORT]`, or the path of its socket.
    var cupsServer: String?
    /// The ended jobs to keep.
    var keepJobs = 1000
    /// The days to keep an ended job.
    var keepDays = 7.0
    /// How long the documents of ended jobs are kept, so that these can be reprinted.
    var keepDocuments = DocumentKeeping.asLongAsJobs
    /// The days for which it is known what jobs have cost.
    var keepAccountingDays = 400.0
    /// In what order jobs are taken up.
    var queueOrder = QueueOrder.perPrinter
    /// Who sees the private values of jobs.
    var jobPrivateAccess = JobPrivateAccess.owner
    /// How much of the spool one user may take.
    var budget = UserBudget()
    /// A file with certificates (PEM) of which one must have signed a printer's own; nil trusts what was seen first.
    var tlsAuthorities: String?
    /// What a worker may use for one document.
    var limits = WorkerLimits()
    /// How many documents are worked on at a time; nil for the number of processors, but at least 2.
    var workerProcesses: Int?
    /// The user that workers become when printd is root's; nil for `printq` if there is such a user, else `nobody`.
    var workerUser: String?
    /// Whether documents wait where the kernel has no Landlock.
    var requiresLandlock = true

    /// Why the file cannot be used.
    struct SettingsError: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads the settings of the spool in `folder`; without a file they are the defaults.
    init(folder: String) throws(SettingsError) {
        let path = "\(folder)/printd.json5"
        guard FileManager.default.fileExists(atPath: path) else {
            self.init()
            return
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError(description: "'\(path)' cannot be read; make it readable for printd")
        }
        try self.init(json5: data, file: path)
        tls = tls.resolved(in: folder)
        if case .files(let certificate, let key) = tls {
            for (name, file) in [("certificate", certificate), ("key", key)]
            where !FileManager.default.isReadableFile(atPath: file) {
                throw SettingsError(description: "'\(path)': tls.\(name) names '\(file)', which cannot be read")
            }
        }
        guard let file = tlsAuthorities else { return }
        tlsAuthorities = file.hasPrefix("/") ? file : "\(folder)/\(file)"
        guard let file = tlsAuthorities, FileManager.default.isReadableFile(atPath: file) else {
            throw SettingsError(description: "'\(path)': tlsAuthorities names '\(file)', which cannot be read")
        }
    }

    /// Reads settings; `file` is their name for errors.
    init(json5 data: Data, file: String) throws(SettingsError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        do {
            self = try decoder.decode(File.self, from: data).settings
        } catch let error as SettingsError {
            throw SettingsError(description: "'\(file)': \(error.description)")
        } catch let error as DecodingError {
            throw SettingsError(description: "'\(file)': \(Self.words(error))")
        } catch {
            throw SettingsError(description: "'\(file)' is not JSON5: \(error)")
        }
    }

    private init() {}

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has a value of the wrong type"
        default: "it is not JSON5; look for a missing comma, quote or bracket"
        }
    }

    /// The file as it is written.
    private struct File: Decodable {
        var settings = SpoolSettings()

        private enum Keys: String, CodingKey, CaseIterable {
            case listen, cupsServer, keepJobs, keepDays, keepDocuments, keepAccountingDays, queueOrder, tlsAuthorities
            case worker, jobPrivateAccess, perUser, tls
        }
        private enum TLSKeys: String, CodingKey, CaseIterable { case certificate, key }
        private enum WorkerKeys: String, CodingKey, CaseIterable {
            case memoryMiB, processorSeconds, pageSeconds, wallSeconds, outputMiB, processes, user, requireLandlock
        }

        private enum UserKeys: String, CodingKey, CaseIterable { case jobs, incomingJobs, documentsMiB }

        init(from decoder: any Decoder) throws {
            try Self.refuseUnknown(Keys.self, in: decoder)
            let values = try decoder.container(keyedBy: Keys.self)
            settings.listen = try values.decodeIfPresent(String.self, forKey: .listen)
            settings.cupsServer = try values.decodeIfPresent(String.self, forKey: .cupsServer)
            settings.keepJobs = try Self.number(values, .keepJobs, 0...1_000_000_000) ?? settings.keepJobs
            settings.keepDays = Double(try Self.number(values, .keepDays, 0...36_500) ?? Int(settings.keepDays))
            settings.keepDocuments =
                try values.decodeIfPresent(DocumentKeeping.self, forKey: .keepDocuments) ?? settings.keepDocuments
            settings.keepAccountingDays = Double(
                try Self.number(values, .keepAccountingDays, 0...36_500) ?? Int(settings.keepAccountingDays))
            if let name = try values.decodeIfPresent(String.self, forKey: .queueOrder) {
                guard let order = QueueOrder(rawValue: name) else {
                    let names = QueueOrder.allCases.map(\.rawValue).joined(separator: " or ")
                    throw SettingsError(description: "queueOrder is '\(name)'; it takes \(names)")
                }
                settings.queueOrder = order
            }
            settings.tlsAuthorities = try values.decodeIfPresent(String.self, forKey: .tlsAuthorities)
            if let name = try values.decodeIfPresent(String.self, forKey: .jobPrivateAccess) {
                guard let access = JobPrivateAccess(rawValue: name) else {
                    let names = JobPrivateAccess.allCases.map(\.rawValue).joined(separator: " or ")
                    throw SettingsError(description: "jobPrivateAccess is '\(name)'; it takes \(names)")
                }
                settings.jobPrivateAccess = access
            }
            if values.contains(.tls) { settings.tls = try Self.tls(values) }
            if values.contains(.perUser) { try readBudget(values.superDecoder(forKey: .perUser)) }
            guard values.contains(.worker) else { return }
            let worker = try values.superDecoder(forKey: .worker)
            try Self.refuseUnknown(WorkerKeys.self, in: worker)
            let limits = try worker.container(keyedBy: WorkerKeys.self)
            if let value = try Self.number(limits, .memoryMiB, 256...1_048_576) {
                settings.limits.memoryBytes = value << 20
            }
            if let value = try Self.number(limits, .processorSeconds, 1...86_400) {
                settings.limits.processorSeconds = value
            }
            if let value = try Self.number(limits, .pageSeconds, 1...86_400) { settings.limits.pageSeconds = value }
            if let value = try Self.number(limits, .wallSeconds, 1...86_400) { settings.limits.wallSeconds = value }
            if let value = try Self.number(limits, .outputMiB, 1...1_048_576) {
                settings.limits.outputBytes = value << 20
            }
            settings.workerProcesses = try Self.number(limits, .processes, 1...1024)
            settings.workerUser = try limits.decodeIfPresent(String.self, forKey: .user)
            settings.requiresLandlock =
                try limits.decodeIfPresent(Bool.self, forKey: .requireLandlock) ?? settings.requiresLandlock
        }

        private static func tls(_ values: KeyedDecodingContainer<Keys>) throws -> TLSSetting {
            if let isOn = try? values.decode(Bool.self, forKey: .tls) { return isOn ? .ownCertificate : .off }
            guard let files = try? values.nestedContainer(keyedBy: TLSKeys.self, forKey: .tls) else {
                throw SettingsError(description: "tls takes true, false, or {certificate: FILE, key: FILE}")
            }
            try refuseUnknown(TLSKeys.self, in: values.superDecoder(forKey: .tls))
            guard let certificate = try files.decodeIfPresent(String.self, forKey: .certificate) else {
                throw SettingsError(description: "tls names no certificate; it takes {certificate: FILE, key: FILE}")
            }
            let key = try files.decodeIfPresent(String.self, forKey: .key)
            return .files(certificate: certificate, key: key ?? certificate)
        }

        private mutating func readBudget(_ decoder: any Decoder) throws {
            try Self.refuseUnknown(UserKeys.self, in: decoder)
            let values = try decoder.container(keyedBy: UserKeys.self)
            if let value = try Self.number(values, .jobs, 1...1_000_000_000) { settings.budget.jobs = value }
            if let value = try Self.number(values, .incomingJobs, 1...1_000_000) {
                settings.budget.incomingJobs = value
            }
            if let value = try Self.number(values, .documentsMiB, 1...1_000_000_000) {
                settings.budget.documentBytes = value << 20
            }
        }

        private static func number<Key: CodingKey>(
            _ values: KeyedDecodingContainer<Key>, _ key: Key, _ range: ClosedRange<Int>
        ) throws -> Int? {
            guard let value = try values.decodeIfPresent(Int.self, forKey: key) else { return nil }
            guard range.contains(value) else {
                throw SettingsError(
                    description: "\(key.stringValue) is \(value); it takes \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }

        private static func refuseUnknown<Key: CodingKey & CaseIterable>(
            _ keys: Key.Type, in decoder: any Decoder
        ) throws {
            let known = keys.allCases.map(\.stringValue)
            for key in try decoder.container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
                throw SettingsError(
                    description: "there is no setting '\(key.stringValue)'; there are \(known.joined(separator: ", "))")
            }
        }

        private struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }
}
