// Decides whether a daemon can keep its files in a folder.

import Glibc

/// The rule for the folder in which a daemon keeps its files: only the daemon's user and root can change the folder.
///
/// Otherwise another user could replace a file by a link, and the daemon would write to the link's target or print it.
/// The rule is checked before the first file is opened. From then on, only the daemon's user and root can make links.
public enum FolderOwnership {
    /// Returns the reason why a daemon of this user must not use a folder, with advice; nil if it can, or if the folder
    /// does not exist.
    ///
    /// - The folder belongs to this user, and neither its group nor other users can write to it.
    /// - Everything in the folder belongs to this user or to root. Folders in the folder are not examined, because only
    ///   their owner can create something in them.
    /// - The folders above it belong to this user or to root. Other users can write to them only if the folders are
    ///   sticky, like `/tmp`.
    public static func objection(to path: String) -> String? {
        let user = geteuid()
        guard let place = realpath(path, nil) else { return nil }
        defer { free(place) }
        let folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        var status = stat()
        guard folder >= 0, fstat(folder, &status) == 0 else {
            close(folder)
            return lstat(place, &status) == 0 && status.st_uid != user ? other(path, status.st_uid) : nil
        }
        guard status.st_uid == user else {
            close(folder)
            return other(path, status.st_uid)
        }
        guard status.st_mode & 0o022 == 0 else {
            close(folder)
            return "other users can change the folder '\(path)'; run 'chmod go-w \(path)'"
        }
        return above(String(cString: place), user: user) ?? inside(folder, path, user: user)
    }

    private static func other(_ path: String, _ owner: uid_t) -> String {
        let name = userName(owner)
        return "the folder '\(path)' belongs to \(name), and its owner could make this program change other files; "
            + "run the command as \(name), or choose another folder"
    }

    /// Examines the folders that contain the folder.
    private static func above(_ path: String, user: uid_t) -> String? {
        var parent = path[...]
        while let end = parent.lastIndex(of: "/"), parent != "/" {
            parent = end == parent.startIndex ? "/" : parent[..<end]
            var status = stat()
            guard stat(String(parent), &status) == 0 else { return nil }
            guard status.st_uid == user || status.st_uid == 0 else {
                return "the folder '\(parent)' belongs to \(userName(status.st_uid)), who could exchange '\(path)'; "
                    + "choose another folder"
            }
            // The group of an ordinary user's folder is often the user's own group.
            let writers = user == 0 ? 0o022 : mode_t(0o002)
            guard status.st_mode & writers == 0 || status.st_mode & S_ISVTX != 0 else {
                return "other users can change the folder '\(parent)', and could exchange '\(path)'; run "
                    + "'chmod go-w \(parent)', or choose another folder"
            }
        }
        return nil
    }

    /// Examines the entries of the folder, and closes its descriptor.
    private static func inside(_ folder: Int32, _ path: String, user: uid_t) -> String? {
        guard let entries = fdopendir(folder) else {
            close(folder)
            return nil
        }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard name != ".", name != "..", fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            guard status.st_uid == user || status.st_uid == 0 else {
                return "'\(path)/\(name)' belongs to \(userName(status.st_uid)), who could have replaced it; "
                    + "remove it, or change its owner"
            }
        }
        return nil
    }

    private static func userName(_ user: uid_t) -> String {
        getpwuid(user).map { "the user '\(String(cString: $0.pointee.pw_name))'" } ?? "the user with ID \(user)"
    }
}
