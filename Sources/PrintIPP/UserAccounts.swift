// Users and groups, as this machine knows them.

import Glibc

/// The accounts of this machine, looked up so that several threads may do it at once.
package enum UserAccounts {
    /// The name of a user; `uid-1000` where no account has the number.
    package static func name(of uid: UInt32) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return "uid-\(uid)" }
        return String(cString: name)
    }

    /// Whether a user, who may be in its group's line or have it as the main group, is a member of a group.
    static func isMember(_ user: String, ofGroup name: String) -> Bool {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16384)
        let isKnown = getpwnam_r(user, &entry, &buffer, buffer.count, &found) == 0 && found != nil
        return isMember(user, mainGroup: isKnown ? entry.pw_gid : .max, ofGroup: name)
    }

    /// Whether a user whose main group is known by its number is a member of a group.
    static func isMember(_ user: String, mainGroup gid: UInt32, ofGroup name: String) -> Bool {
        var entry = group()
        var found: UnsafeMutablePointer<group>?
        var buffer = [CChar](repeating: 0, count: 65536)
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, found != nil else { return false }
        if entry.gr_gid == gid { return true }
        var member = entry.gr_mem
        while let current = member?.pointee {
            if String(cString: current) == user { return true }
            member = member?.advanced(by: 1)
        }
        return false
    }
}
