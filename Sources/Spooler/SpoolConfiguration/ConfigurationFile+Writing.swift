// Changes a setting in a configuration file.

import CRename
import FoundationEssentials
import Glibc
import SafeFiles

extension ConfigurationFile {
    /// The error of a failed change to the configuration file.
    package struct ChangeError: Error, CustomStringConvertible {
        /// Whether the user has no permission to read or write the file.
        package var isPermission = false
        /// Whether the folder of the file does not exist.
        package var isMissing = false
        /// Whether the file or the value is invalid.
        package var isInvalid = false
        /// Whether another process has changed the file since this process read the file.
        ///
        /// In that case a retry is possible.
        package var isOutdated = false
        /// The message, which contains the failed action, the reason and the next step.
        package var description: String

        /// Creates the error of a failed change.
        package init(
            isPermission: Bool = false, isMissing: Bool = false, isInvalid: Bool = false, isOutdated: Bool = false,
            description: String
        ) {
            (self.isPermission, self.isMissing, self.isInvalid) = (isPermission, isMissing, isInvalid)
            self.isOutdated = isOutdated
            self.description = description
        }
    }

    /// Returns the text of the file with a new value of a setting.
    ///
    /// If the file does not exist, the function returns the text of the sample file with the new value.
    ///
    /// - Throws: `ChangeError` if any line except the setting's line has a problem, because `printd` would refuse the
    ///   changed file. Also throws if the new value is invalid, or if the change would affect another setting.
    package func setting(_ setting: Setting, to value: SettingValue) throws(ChangeError) -> String {
        // The file can be changed to correct the value of this setting.
        let line = document?.node(at: setting.path).flatMap { node in document?.line(of: node) }
        if let problem = problems.first(where: { $0.line == nil || $0.line != line }) {
            throw ChangeError(
                isPermission: problem.isPermission, isInvalid: true, description: "\(problem); correct the file first")
        }
        let old: JSON5Document
        let alone: JSON5Document
        do throws(JSON5Error) {
            if let document { old = document } else { old = try JSON5Document(Setting.sampleFile) }
            alone = try JSON5Document("{}")
        } catch {
            throw ChangeError(isInvalid: true, description: error.description)
        }
        let text = old.setting(setting.path, to: value.literal)
        let new = ConfigurationFile(path: path, bytes: Array(text.utf8))
        // The value as the file states it, with absolute paths.
        let wanted = ConfigurationFile(path: path, bytes: Array(alone.setting(setting.path, to: value.literal).utf8))
        let isAsWanted = Setting.all.allSatisfy {
            new.values[$0]?.value == ($0 == setting ? wanted : self).values[$0]?.value
        }
        guard new.problems.isEmpty, isAsWanted else {
            throw ChangeError(
                isInvalid: true,
                description: "cannot change \(setting.key) in '\(path)' without losing the layout of the file; "
                    + "change the setting with an editor")
        }
        return text
    }

    /// Replaces the file with a new text atomically and durably.
    ///
    /// An existing file keeps its mode, its access control list and its other extended attributes. A new file has mode
    /// 0600 if only the owner can access the folder, otherwise mode 0644.
    ///
    /// If root writes the file, an existing file keeps its owner, and a new file belongs to the owner of the folder.
    package func write(_ text: String) throws(ChangeError) {
        var status = stat()
        let isOld = lstat(path, &status) == 0
        guard !isOld || status.st_mode & S_IFMT == S_IFREG else {
            throw ChangeError(
                description: "'\(path)' is not a regular file; if the path is a symbolic link, edit the file to which "
                    + "the link points")
        }
        var folderStatus = stat()
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        guard stat(folder, &folderStatus) == 0 else { throw failure("write", folder, SystemFailure(errno)) }
        let file = try AtomicFile(path: path) { failure("write", path, $0) }
        let mode = isOld ? status.st_mode & 0o777 : folderStatus.st_mode & 0o077 == 0 ? 0o600 : 0o644
        // A file that root writes belongs to the owner of the old file, or of the folder.
        let owner = isOld ? status : folderStatus
        do throws(SystemFailure) {
            if geteuid() == 0 { try SystemFailure.check(fchown(file.descriptor, owner.st_uid, owner.st_gid)) }
            try SystemFailure.check(fchmod(file.descriptor, mode))
            if isOld {
                let old = try RegularFile(path)
                let number = crename_copy_attributes(old.descriptor, file.descriptor)
                if number != 0 { throw SystemFailure(number) }
            }
        } catch {
            throw failure("write", path, error)
        }
        try file.append(text.utf8)
        guard fsync(file.descriptor) == 0 else { throw failure("write", path, SystemFailure(errno)) }
        // Another process may have changed the file since it was read.
        guard FileManager.default.contents(atPath: path).map(Array.init) == source else {
            throw ChangeError(isOutdated: true, description: "'\(path)' was changed by another process; try again")
        }
        try file.finish(sync: .contentAndName)
    }

    private func failure(_ action: String, _ path: String, _ error: SystemFailure) -> ChangeError {
        let code = error.number
        let isPermission = code == EACCES || code == EPERM || code == EROFS
        return ChangeError(
            isPermission: isPermission, isMissing: code == ENOENT,
            description: "cannot \(action) '\(path)': \(error)")
    }
}
