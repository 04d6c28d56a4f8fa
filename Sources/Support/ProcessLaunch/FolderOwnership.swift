// Decides whether a daemon can keep its files in a folder.

import Glibc

/// The rule for the folder in which a daemon keeps its files: only the daemon's user and root can change the folder.
///
/// Otherwise another user could replace a file by a link, and the daemon would write to the link's target or print it.
/// The rule is checked before the first file is opened. From then on, only the daemon's user and root can create entries
/// in the folder and in its folders, so no path of the daemon passes through a link of another user. The exceptions are
/// folders such as `jobs/<id>`, in which the sandboxed user of the workers can write; the sandbox refuses to create links.
public enum FolderOwnership {
    /// Returns the reason why a daemon of this user must not use a folder, with advice; nil if it can, or if the folder
    /// does not exist.
    ///
    /// - The folder belongs to this user, and neither its group nor other users can write to it.
    /// - Everything in the folder belongs to this user or to root, and other users cannot write to its files and folders.
    ///   The same applies to the target of a link.
    /// - The folders and links in the folders of the folder also belong to this user or to root.
    /// - The folders above it, and links in its path, belong to this user or to root. Other users can write to them only if the folders are
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
        return links(in: path, user: user) ?? above(String(cString: place), user: user)
            ?? inside(folder, path, user: user, isTop: true)
    }

    /// Continues as the owner of a folder if this process is root and the folder belongs to another user.
    ///
    /// Otherwise the owner could make links in the folder that lead root to other files.
    ///
    /// - Returns: False if the process cannot change its user.
    public static func becomeOwner(of path: String) -> Bool {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0, status.st_uid != 0 else { return true }
        var group = status.st_gid
        return setgroups(1, &group) == 0 && setgid(group) == 0 && setuid(status.st_uid) == 0
    }

    private static func other(_ path: String, _ owner: uid_t) -> String {
        let name = userName(owner)
        return "the folder '\(path)' belongs to \(name), and its owner could make this program change other files; "
            + "run the command as \(name), or choose another folder"
    }

    /// Examines the links in the path of the folder, as far as the path names them.
    private static func links(in path: String, user: uid_t) -> String? {
        for end in path.indices.dropFirst().filter({ path[$0] == "/" }) + [path.endIndex] {
            var status = stat()
            guard lstat(String(path[..<end]), &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { continue }
            if let owner = stranger(status, user) { return replaced(String(path[..<end]), owner) }
        }
        return nil
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
            guard status.st_mode & writers(user) == 0 || status.st_mode & S_ISVTX != 0 else {
                return "other users can change the folder '\(parent)', and could exchange '\(path)'; run "
                    + "'chmod go-w \(parent)', or choose another folder"
            }
        }
        return nil
    }

    /// The permissions that let other users change a file or a folder.
    ///
    /// The group of an ordinary user's file is often the user's own group.
    private static func writers(_ user: uid_t) -> mode_t { user == 0 ? 0o022 : 0o002 }

    /// Examines the entries of a folder, and closes its descriptor.
    ///
    /// - Parameter isTop: Whether this is the folder of the daemon. In its folders, files can belong to the user of the
    ///   workers, and folders can be writable for the workers' group.
    private static func inside(_ folder: Int32, _ path: String, user: uid_t, isTop: Bool) -> String? {
        guard let entries = fdopendir(folder) else {
            close(folder)
            return nil
        }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            if !isTop, Int32(entry.pointee.d_type) == Int32(DT_REG) { continue }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard name != ".", name != "..", fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            guard isTop || isFolder || status.st_mode & S_IFMT == S_IFLNK else { continue }
            if let owner = stranger(status, user) { return replaced("\(path)/\(name)", owner) }
            guard isTop else { continue }
            // A link of this user; the target can be missing.
            if status.st_mode & S_IFMT == S_IFLNK, fstatat(folder, name, &status, 0) != 0 { continue }
            guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { continue }
            if let owner = stranger(status, user) { return replaced("\(path)/\(name)", owner) }
            guard status.st_mode & writers(user) == 0 else {
                return "other users can change '\(path)/\(name)'; run 'chmod go-w \(path)/\(name)'"
            }
            guard isFolder else { continue }
            let inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard inner >= 0 else { continue }
            if let objection = inside(inner, "\(path)/\(name)", user: user, isTop: false) { return objection }
        }
        return nil
    }

    /// Returns the owner of a file if the owner is neither the user nor root.
    private static func stranger(_ status: stat, _ user: uid_t) -> uid_t? {
        status.st_uid == user || status.st_uid == 0 ? nil : status.st_uid
    }

    private static func replaced(_ path: String, _ owner: uid_t) -> String {
        "'\(path)' belongs to \(userName(owner)), who could have replaced it; remove it, or change its owner"
    }

    private static func userName(_ user: uid_t) -> String {
        getpwuid(user).map { "the user '\(String(cString: $0.pointee.pw_name))'" } ?? "the user with ID \(user)"
    }
}
