// A disk in memory that forgets, at a power cut, what was not forced onto it.

import Glibc
import PrintSpool
import Synchronization

/// A disk in memory that forgets, at a power cut, what was not forced onto it.
///
/// It keeps two trees: what processes see, and what is on the platter. `fsync` of a file carries its bytes over, `fsync`
/// of a folder what happened to its entries. At a power cut each of the other changes is kept or lost by itself, as no
/// disk promises an order; a rename is kept or lost whole.
package final class SimulatedDisk: Sendable {
    /// What a name in a folder stands for.
    enum Entry: Hashable {
        case folder
        /// A file, by its inode.
        case file(Int)
    }

    /// A file's bytes, as processes see them and as they are on the platter (nil: none ever got there).
    struct Inode {
        var bytes: [UInt8] = []
        var synced: [UInt8]?
    }

    /// A change of names that is not on the platter yet.
    struct Change {
        /// What goes; nil when something only comes.
        var removed: String?
        /// What comes.
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

    /// An empty disk.
    package init() {}

    /// All files that processes see, sorted by path.
    package var files: [String] {
        state.withLock { state in state.seen.filter { $0.value != .folder }.keys.sorted() }
    }

    /// All folders that processes see, sorted by path.
    package var folders: [String] {
        state.withLock { state in state.seen.filter { $0.value == .folder }.keys.sorted() }
    }

    /// The bytes of a file; nil when there is none.
    package func read(_ path: String) -> [UInt8]? {
        state.withLock { state in
            guard case .file(let inode) = state.seen[path] else { return nil }
            return state.inodes[inode]?.bytes
        }
    }

    /// How many files are open.
    package var openCount: Int { state.withLock { $0.open.count } }

    /// Lets go what a process that died had open and locked.
    package func release(_ descriptors: Set<Int32>) {
        state.withLock { state in
            for descriptor in descriptors { state.open[descriptor] = nil }
            state.locks = state.locks.filter { !descriptors.contains($0.value) }
        }
    }

    /// Cuts the power: of the changes that were not forced onto the disk, those stay for which `isKept` says so.
    package func cutPower(isKept: () -> Bool) {
        state.withLock { state in
            var lost: Set<String> = []
            for change in state.pending {
                // What builds on a lost change is lost with it.
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

    /// The folder of a path.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}

extension SimulatedDisk.State {
    /// Carries a change over to the platter.
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

    /// Carries over what happened to a folder's entries, and what that builds on.
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

    /// Removes from the platter what lies in a folder that never got there.
    mutating func dropWithoutFolder() {
        for path in platter.keys.sorted() where path != "/" && platter[SimulatedDisk.folder(of: path)] != .folder {
            platter[path] = nil
        }
    }

    /// Forgets the bytes of files that have no name any more.
    mutating func dropUnnamed() {
        var named: Set<Int> = Set(open.values.map(\.inode))
        for tree in [seen, platter] {
            for case .file(let inode) in tree.values { named.insert(inode) }
        }
        for change in pending { if case .file(let inode) = change.added?.entry { named.insert(inode) } }
        inodes = inodes.filter { named.contains($0.key) }
    }
}
