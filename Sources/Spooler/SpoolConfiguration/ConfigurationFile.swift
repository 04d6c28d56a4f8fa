// Reads a configuration file, and finds all its problems.

import FoundationEssentials
import Glibc
import PrintModel

package struct ConfigurationProblem: Error, Hashable, CustomStringConvertible {
    package var file: String
    /// The line number, from 1; nil if the problem concerns the whole file.
    package var line: Int?
    /// The description of the problem, with instructions for correcting the file.
    package var message: String
    /// Whether this process has no permission to read the file.
    var isPermission = false

    package init(file: String, line: Int?, message: String) {
        (self.file, self.line, self.message) = (file, line, message)
    }

    /// The file, the line number and the problem, such as `/etc/printq/printd.json5:3: unknown setting 'keepJob'; did
    /// you mean 'keepJobs'?`.
    package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(message)" }
}

/// The parsed content of a configuration file.
package struct ConfigurationFile: Sendable {
    package let path: String
    /// Whether the file exists.
    ///
    /// Without the file, all settings have their defaults.
    package let exists: Bool
    /// The bytes of the file; nil if the file does not exist or cannot be read.
    let source: [UInt8]?
    /// The parsed JSON5 document; nil if the file does not exist, cannot be read, is empty or is not JSON5.
    package private(set) var document: JSON5Document?
    /// The valid setting values in the file, with their line numbers.
    package private(set) var values: [Setting: (value: SettingValue, line: Int)] = [:]
    /// The problems of the file, ordered by line number.
    package private(set) var problems: [ConfigurationProblem] = []

    /// The maximum size of a file in bytes.
    private static let largest = 1 << 20

    /// Reads a configuration file.
    ///
    /// If the file cannot be read, `problems` contains the reason.
    ///
    /// - Parameter checksFiles: Whether to check that this process can read the files to which settings refer.
    package init(path: String, checksFiles: Bool = true) {
        var status = stat()
        guard stat(path, &status) == 0 || errno != ENOENT else {
            self.init(missing: path)
            return
        }
        guard status.st_mode & S_IFMT == S_IFREG || status.st_mode == 0 else {
            self.init(path: path, problem: "not a regular file")
            return
        }
        let data = status.st_size > Self.largest ? Data() : FileManager.default.contents(atPath: path)
        guard let data, status.st_size <= Self.largest, data.count <= Self.largest else {
            self.init(
                path: path, problem: data == nil ? "permission denied" : "larger than \(Self.largest >> 20) MiB")
            problems[0].isPermission = data == nil
            return
        }
        self.init(path: path, bytes: Array(data), checksFiles: checksFiles)
    }

    /// Creates a configuration without values, for a file that does not exist.
    private init(missing path: String) {
        self.path = path
        exists = false
        source = nil
    }

    /// Creates a configuration without values and with one problem, for a file that cannot be read.
    private init(path: String, problem: String) {
        self.path = path
        exists = true
        source = nil
        problems = [ConfigurationProblem(file: path, line: nil, message: "cannot read the configuration: \(problem)")]
    }

    /// Parses the content of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, for messages about problems. Relative paths in settings are relative to the
    ///     folder of the file.
    ///   - checksFiles: Whether to check that this process can read the files to which settings refer.
    package init(path: String, bytes: [UInt8], checksFiles: Bool = false) {
        self.path = path
        exists = true
        source = bytes
        // An empty file sets nothing.
        guard bytes.contains(where: { $0 > 0x20 }) else { return }
        do throws(JSON5Error) {
            let document = try JSON5Document(bytes: bytes)
            self.document = document
            read(document, checksFiles: checksFiles)
        } catch {
            problems = [ConfigurationProblem(file: path, line: error.line, message: error.description)]
        }
    }

    /// The folder of the file.
    ///
    /// Relative paths in the file are relative to this folder.
    private var folder: String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    // MARK: - Reading

    private mutating func read(_ document: JSON5Document, checksFiles: Bool) {
        guard document.root.isObject else {
            return note("the file must contain one object: { keepJobs: 1000, … }", at: 0, in: document)
        }
        let groups = Dictionary(grouping: Setting.all.filter { $0.path.count > 1 }) { $0.path[0] }
        let known = Setting.all.map { $0.path[0] }.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        noteDuplicates(in: document.root.members, of: document)
        for member in document.root.members {
            if let group = groups[member.key] {
                readGroup(member, group, document, checksFiles: checksFiles)
            } else if let setting = Setting.named(member.key) {
                readValue(member, setting, document, checksFiles: checksFiles)
            } else {
                note(
                    UnknownSetting.message(member.key, in: known, or: Setting.all), at: member.keyRange.lowerBound,
                    in: document)
            }
        }
        problems.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private mutating func readGroup(
        _ member: JSON5Node.Member, _ settings: [Setting], _ document: JSON5Document, checksFiles: Bool
    ) {
        guard member.value.isObject else {
            if case .null = member.value.content { return }
            let keys = settings.map { $0.path[1] }.joined(separator: ", ")
            return note(
                "invalid value for \(member.key): must be an object with \(keys)", at: member.value.range.lowerBound,
                in: document)
        }
        noteDuplicates(in: member.value.members, of: document)
        for inner in member.value.members {
            if let setting = settings.first(where: { $0.path[1] == inner.key }) {
                readValue(inner, setting, document, checksFiles: checksFiles)
            } else {
                note(
                    UnknownSetting.message(inner.key, in: settings.map { $0.path[1] }, or: Setting.all),
                    at: inner.keyRange.lowerBound, in: document)
            }
        }
    }

    private mutating func readValue(
        _ member: JSON5Node.Member, _ setting: Setting, _ document: JSON5Document, checksFiles: Bool
    ) {
        // null is the same as a missing key.
        if case .null = member.value.content { return }
        do throws(SettingProblem) {
            let value = absolute(try setting.value(of: member.value))
            values[setting] = (value, document.line(at: member.keyRange.lowerBound))
            if checksFiles { noteUnreadableFiles(of: setting, value, at: member.value.range.lowerBound, document) }
        } catch {
            note(error.description, at: error.offset ?? member.value.range.lowerBound, in: document)
        }

        func absolute(_ value: SettingValue) -> SettingValue {
            switch (setting.kind, value) {
            case (.file, .text(let path)), (.folder, .text(let path)): .text(self.absolute(path))
            case (_, .files(let certificate, let key)):
                .files(certificate: self.absolute(certificate), key: self.absolute(key))
            case (.fileOrAddress, .text(let text)) where !text.contains("://"): .text(self.absolute(text))
            default: value
            }
        }
    }

    private func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(folder)/\(path)" }

    private mutating func noteUnreadableFiles(
        of setting: Setting, _ value: SettingValue, at offset: Int, _ document: JSON5Document
    ) {
        var files: [(name: String, path: String)] = []
        switch (setting.kind, value) {
        case (.file, .text(let path)), (.folder, .text(let path)): files = [(setting.key, path)]
        case (_, .files(let certificate, let key)):
            files = [("\(setting.key).certificate", certificate), ("\(setting.key).key", key)]
        default: break
        }
        for file in files where access(file.path, R_OK) != 0 {
            let reason = String(cString: strerror(errno))
            note("cannot read the file '\(file.path)' in \(file.name): \(reason)", at: offset, in: document)
        }
    }

    private mutating func noteDuplicates(in members: [JSON5Node.Member], of document: JSON5Document) {
        var lines: [String: Int] = [:]
        for member in members {
            let line = document.line(at: member.keyRange.lowerBound)
            if let first = lines[member.key] {
                note(
                    "the setting '\(member.key.prefix(100))' is also on line \(first); remove one of the two settings",
                    at: member.keyRange.lowerBound, in: document)
            } else {
                lines[member.key] = line
            }
        }
    }

    private mutating func note(_ message: String, at offset: Int, in document: JSON5Document) {
        problems.append(ConfigurationProblem(file: path, line: document.line(at: offset), message: message))
    }
}

extension UnknownSetting {
    /// Returns the message for an unknown key of an object in the configuration file.
    ///
    /// If the object has a similar key, the message suggests this key. Otherwise, if another object has a setting with
    /// this key, the message suggests that setting.
    static func message(_ key: String, in known: [String], or settings: [Setting]) -> String {
        // A key in the wrong object: memoryMiB instead of worker.memoryMiB.
        if NearestName.of(key, in: known) == nil, let setting = settings.first(where: { $0.path.last == key }) {
            return "unknown setting '\(key)'; did you mean '\(setting.key)'?"
        }
        return message(key, in: known)
    }
}
