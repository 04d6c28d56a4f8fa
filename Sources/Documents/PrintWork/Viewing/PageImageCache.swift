// Keeps drawn parts of pages in memory.

package import PrintModel
import FoundationEssentials
import Synchronization

/// The image of an area of a page.
package struct PagePicture: Hashable, Sendable {
    /// The bytes of the PNG file.
    package let png: [UInt8]
    /// A notice that the page was drawn by the second renderer or replaced by a notice page; nil if the first renderer
    /// drew the page.
    package let notice: String?
    /// A hash of the bytes, for the HTTP header `ETag`.
    package let tag: String

    /// Creates a picture from the bytes of a PNG file.
    package init(png: [UInt8], notice: String? = nil) {
        self.png = png
        self.notice = notice
        // FNV-1a.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        png.withUnsafeBufferPointer { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
        tag = String(hash, radix: 16) + "-" + String(png.count, radix: 16)
    }
}

/// A cache of page images with a limit for the total size.
///
/// The least recently used images are removed first.
///
/// If several clients request the same image at the same time, the image is drawn only once. The drawing is canceled
/// after all of these clients have disconnected.
package final class PageImageCache: Sendable {
    /// The cache key of an area of a page.
    package struct Key: Hashable, Sendable {
        /// The documents that contain the page.
        package var documents: ViewedDocuments
        /// The area of the page.
        package var tile: PageTile

        package init(documents: ViewedDocuments, tile: PageTile) {
            self.documents = documents
            self.tile = tile
        }
    }

    private struct Drawing {
        var task: Task<PagePicture, any Error>
        var clients: Int
        var number: Int
    }

    private struct State {
        var pictures: RecentlyUsed<Key, PagePicture>
        var drawings: [Key: Drawing] = [:]
        var lastNumber = 0
    }

    private let state: Mutex<State>

    /// Creates an empty cache with a maximum size in bytes.
    package init(bytes: Int = 64 << 20) { state = Mutex(State(pictures: RecentlyUsed(capacity: bytes))) }

    /// The total size of the stored pictures in bytes.
    package var byteCount: Int { state.withLock { $0.pictures.cost } }

    /// The number of stored pictures.
    package var count: Int { state.withLock { $0.pictures.count } }

    /// Removes all pictures of the given documents.
    package func remove(_ documents: ViewedDocuments) {
        state.withLock { $0.pictures.removeAll { $0.documents == documents } }
    }

    /// Returns the stored picture, or draws and stores the picture.
    ///
    /// - Throws: The error of `draw`; `CancellationError`.
    package func picture(
        _ key: Key, draw: @escaping @Sendable () async throws -> PagePicture
    ) async throws -> PagePicture {
        try Task.checkCancellation()
        let (stored, drawing) = state.withLock { state -> (PagePicture?, Drawing?) in
            if let picture = state.pictures.value(for: key) { return (picture, nil) }
            if var drawing = state.drawings[key] {
                drawing.clients += 1
                state.drawings[key] = drawing
                return (nil, drawing)
            }
            state.lastNumber += 1
            let number = state.lastNumber
            let drawing = Drawing(
                task: Task {
                    let result = await Result(catchingAsync: draw)
                    self.end(key, number, result)
                    return try result.get()
                }, clients: 1, number: number)
            state.drawings[key] = drawing
            return (nil, drawing)
        }
        if let stored { return stored }
        guard let drawing else { throw CancellationError() }
        return try await withTaskCancellationHandler {
            let result = await drawing.task.result
            try Task.checkCancellation()
            return try result.get()
        } onCancel: {
            leave(key, drawing.number)
        }
    }

    private func end(_ key: Key, _ number: Int, _ result: Result<PagePicture, any Error>) {
        state.withLock { state in
            guard state.drawings[key]?.number == number else { return }
            state.drawings[key] = nil
            if case .success(let picture) = result { state.pictures.store(picture, for: key, cost: picture.png.count) }
        }
    }

    private func leave(_ key: Key, _ number: Int) {
        let task = state.withLock { state -> Task<PagePicture, any Error>? in
            guard var drawing = state.drawings[key], drawing.number == number else { return nil }
            drawing.clients -= 1
            guard drawing.clients <= 0 else {
                state.drawings[key] = drawing
                return nil
            }
            // A new client starts a new drawing.
            state.drawings[key] = nil
            return drawing.task
        }
        task?.cancel()
    }
}

extension Result where Failure == any Error {
    fileprivate init(catchingAsync body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// A cache of values by key, with a limit for the total cost.
///
/// The least recently used values are removed first.
struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        var cost: Int
        var stamp: Int
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    // The uses in order; a use is stale if the entry has a later stamp.
    private var uses: [(key: Key, stamp: Int)] = []
    private var firstUse = 0
    private var lastStamp = 0
    /// The total cost of the stored values.
    private(set) var cost = 0

    init(capacity: Int) { self.capacity = capacity }

    /// The number of stored values.
    var count: Int { entries.count }

    /// Returns the value for a key, and marks the value as used.
    mutating func value(for key: Key) -> Value? {
        guard entries[key] != nil else { return nil }
        use(key)
        return entries[key]?.value
    }

    /// Stores a value.
    ///
    /// If the cost of the value exceeds the capacity of the cache, the value is not stored.
    mutating func store(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= capacity else { return }
        entries[key] = Entry(value: value, cost: cost, stamp: 0)
        self.cost += cost
        use(key)
        while self.cost > capacity, firstUse < uses.count {
            let oldest = uses[firstUse]
            firstUse += 1
            if entries[oldest.key]?.stamp == oldest.stamp { remove(oldest.key) }
        }
    }

    /// Removes the values whose keys meet a condition.
    mutating func removeAll(where isMeant: (Key) -> Bool) {
        for key in entries.keys.filter(isMeant) { remove(key) }
    }

    private mutating func remove(_ key: Key) {
        if let entry = entries.removeValue(forKey: key) { cost -= entry.cost }
    }

    private mutating func use(_ key: Key) {
        lastStamp += 1
        entries[key]?.stamp = lastStamp
        uses.append((key, lastStamp))
        guard uses.count > 2 * entries.count + 1000 else { return }
        uses = uses[firstUse...].filter { entries[$0.key]?.stamp == $0.stamp }
        firstUse = 0
    }
}
