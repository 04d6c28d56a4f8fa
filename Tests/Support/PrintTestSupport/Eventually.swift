// Waiting for what other programs do.

import Dispatch
import Glibc

/// What was waited for and did not come about.
public struct NeverSo: Error, CustomStringConvertible {
    /// One sentence, with the place in the test.
    public let description: String

    /// Something that was not so within a time.
    public init(_ what: String, within limit: Duration, at place: String) {
        description = "after \(limit) still not: \(what) (\(place))"
    }
}

/// Looks again and again until something is so, where nothing tells that it is.
///
/// Where something tells, wait for that: `eventually(_:in:)` for files, `Queue.eventually` of SpoolerTrials for what becomes of
/// jobs.
///
/// - Parameter pause: how long between two looks.
/// - Throws: `NeverSo` when it never is.
public func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(20),
    file: StaticString = #fileID, line: Int = #line, _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw NeverSo(what(), within: limit, at: "\(file):\(line)") }
        try await Task.sleep(for: pause)
    }
}

/// Looks until something is so, each time the kernel tells that something has changed in a folder.
///
/// - Parameter folder: a folder that is there, or a file; what happens in the folders of a folder is not told.
/// - Throws: `NeverSo` when it never is.
public func eventually(
    _ what: @autoclosure () -> String, in folder: String, within limit: Duration = .seconds(60),
    file: StaticString = #fileID, line: Int = #line, _ isSo: () throws -> Bool
) async throws {
    let place = "\(file):\(line)"
    guard let watch = FolderWatch(folder) else {
        throw NeverSo("'\(folder)' can be watched: \(String(cString: strerror(errno)))", within: .zero, at: place)
    }
    let timer = Task { [end = watch.end] in
        try await Task.sleep(for: limit)
        end.finish()
    }
    defer { timer.cancel() }
    for await _ in watch.changes where try isSo() { return }
    if Task.isCancelled { throw CancellationError() }
    throw NeverSo(what(), within: limit, at: place)
}

/// What the kernel tells of a folder (inotify(7)).
private final class FolderWatch {
    /// Wakes its reader at first, and then after changes: once for all since it last looked.
    let changes: AsyncStream<Void>
    /// Finishes the changes.
    let end: AsyncStream<Void>.Continuation
    private let source: any DispatchSourceRead

    /// nil with errno when it cannot be watched.
    init?(_ folder: String) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        let events = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM
        guard inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else {
            close(descriptor)
            return nil
        }
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        (self.changes, end) = (changes, continuation)
        source.setEventHandler {
            var told = [UInt8](repeating: 0, count: 64 << 10)
            while read(descriptor, &told, told.count) > 0 {}
            continuation.yield()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
        continuation.yield()
    }

    deinit { source.cancel() }
}
