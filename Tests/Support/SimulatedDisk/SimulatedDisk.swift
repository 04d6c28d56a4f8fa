// Simulates a disk that loses unsynced changes at a power cut.

import Glibc
import PrintSpool
import Synchronization

/// A disk in memory that loses unsynced changes at a power cut.
///
/// The disk has two trees: the state that processes see, and the state on the platter. `fsync` of a file transfers its
/// bytes to the platter, and `fsync` of a folder transfers the changes of its entries. At a power cut each other change
/// is kept or lost independently, because disks do not guarantee an order. A rename is kept or lost as a whole.
package final class SimulatedDisk: Sendable {
    /// The target of a name in a folder.
    enum Entry: Hashable {
        case folder
        /// A file, identified by its inode.
        case file(Int)
    }

    /// A file's bytes: as processes see them, and as they are on the platter (nil if the file was never synced).
    struct Inode {
        var bytes: [UInt8] = []
        var synced: [UInt8]?
    }

    /// A change of names that is not on the platter yet.
    struct Change {
        /// The removed name; nil if a name is only added.
        var removed: String?
        /// The added name.
        var added: (path: String, entry: Entry)?

        var paths: [String] { [removed, added?.path].compactMap { $0 } }
        var folders: [String] { paths.map(SimulatedDisk.folder) }
    }

    struct State {
        var seen: [String: Entry] = ["/": .folder]
        var platter: [String: Entry] = ["/": .folder]
        var pending: [Change] = []
        var inodes: [Int: Inode] = [:]
        var lastInode = 0
        var open: [Int32: (inode: Int, path: String)] = [:]
        var lastDescriptor: Int32 = 1000
        var locks: [String: Int32] = [:]
    }

    let state = Mutex(State())

    /// Creates an empty disk.
    package init() {}

    /// The paths of all files that processes see, sorted.
    package var files: [String] {
        state.withLock { state in state.seen.filter { $0.value != .folder }.keys.sorted() }
    }

    /// The paths of all folders that processes see, sorted.
    package var folders: [String] {
        state.withLock { state in state.seen.filter { $0.value == .folder }.keys.sorted() }
    }

    /// Returns the bytes of a file; nil if the file does not exist.
    package func read(_ path: String) -> [UInt8]? {
        state.withLock { state in
            guard case .file(let inode) = state.seen[path] else { return nil }
            return state.inodes[inode]?.bytes
        }
    }

    /// The number of open files.
    package var openCount: Int { state.withLock { $0.open.count } }

    /// Releases the open files and locks of a process that has died.
    package func release(_ descriptors: Set<Int32>) {
        state.withLock { state in
            for descriptor in descriptors { state.open[descriptor] = nil }
            state.locks = state.locks.filter { !descriptors.contains($0.value) }
        }
    }

    /// Cuts the power.
    ///
    /// `isKept` is called for each unsynced change and returns whether the change is kept.
    package func cutPower(isKept: () -> Bool) {
        state.withLock { state in
            var lost: Set<String> = []
            for change in state.pending {
                // Changes that depend on a lost change are also lost.
                if !lost.isDisjoint(with: change.paths) || !isKept() {
                    lost.formUnion(change.paths)
                } else {
                    state.apply(change)
                }
            }
            state.pending = []
            state.dropWithoutFolder()
            state.seen = state.platter
            state.open = [:]
            state.locks = [:]
            for id in state.inodes.keys.sorted() {
                guard var inode = state.inodes[id], inode.synced != inode.bytes else { continue }
                inode.bytes = isKept() ? Array(inode.bytes.prefix(inode.bytes.count / 2)) : inode.synced ?? []
                inode.synced = inode.bytes
                state.inodes[id] = inode
            }
            state.dropUnnamed()
        }
    }

    /// Returns the parent folder of a path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension SimulatedDisk.State {
    /// Transfers a change to the platter.
    mutating func apply(_ change: SimulatedDisk.Change) {
        if let removed = change.removed { platter[removed] = nil }
        if let added = change.added { platter[added.path] = added.entry }
    }

    /// Makes a change that processes see at once.
    mutating func make(_ change: SimulatedDisk.Change) {
        if let removed = change.removed { seen[removed] = nil }
        if let added = change.added { seen[added.path] = added.entry }
        pending.append(change)
    }

    /// Transfers the changes of a folder's entries, and the changes on which they depend.
    mutating func syncEntries(of folder: String) {
        while let last = pending.lastIndex(where: { $0.folders.contains(folder) }) {
            var paths = Set(pending[last].paths)
            var wanted: Set<Int> = [last]
            for index in (0..<last).reversed() where !paths.isDisjoint(with: pending[index].paths) {
                paths.formUnion(pending[index].paths)
                wanted.insert(index)
            }
            for index in wanted.sorted() { apply(pending[index]) }
            pending = pending.indices.filter { !wanted.contains($0) }.map { pending[$0] }
        }
    }

    /// Removes the entries on the platter whose folder is not on the platter.
    mutating func dropWithoutFolder() {
        for path in platter.keys.sorted() where path != "/" && platter[SimulatedDisk.folder(of: path)] != .folder {
            platter[path] = nil
        }
    }

    /// Removes the bytes of files that have no name anymore.
    mutating func dropUnnamed() {
        var named: Set<Int> = Set(open.values.map(\.inode))
        for tree in [seen, platter] {
            for case .file(let inode) in tree.values { named.insert(inode) }
        }
        for change in pending { if case .file(let inode) = change.added?.entry { named.insert(inode) } }
        inodes = inodes.filter { named.contains($0.key) }
    }
}
