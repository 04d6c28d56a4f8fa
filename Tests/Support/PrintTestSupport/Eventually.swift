// Waits until a condition holds.

import Dispatch
import Glibc

/// The error for a condition that did not hold in time.
public struct NeverSo: Error, CustomStringConvertible {
    /// The error message, with the position in the test.
    public let description: String

    /// Creates an error for a condition that did not hold within `limit`.
    public init(_ what: String, within limit: Duration, at place: String) {
        description = "timed out after \(limit) waiting until \(what) (\(place))"
    }
}

/// Polls until a condition holds.
///
/// Use this function only where no notification exists. For files use `eventually(_:in:)`, and for jobs
/// `Spooler.eventually` of SpoolerTrials.
///
/// - Parameter pause: The interval between two checks.
/// - Throws: `NeverSo` after `limit`.
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

/// Checks a condition after each change in a folder, until the condition holds.
///
/// - Parameter folder: An existing folder or file. Changes in subfolders are not noticed.
/// - Throws: `NeverSo` after `limit`.
public func eventually(
    _ what: @autoclosure () -> String, in folder: String, within limit: Duration = .seconds(60),
    file: StaticString = #fileID, line: Int = #line, _ isSo: () throws -> Bool
) async throws {
    let place = "\(file):\(line)"
    let watch = FolderWatch(try FolderChanges(folder, file: file, line: line))
    let timer = Task { [end = watch.end] in
        try await Task.sleep(for: limit)
        end.finish()
    }
    defer { timer.cancel() }
    for await _ in watch.changes where try isSo() { return }
    if Task.isCancelled { throw CancellationError() }
    throw NeverSo(what(), within: limit, at: place)
}

/// The changes in a folder since this value was created (inotify(7)), for code that blocks its thread.
public struct FolderChanges: ~Copyable, Sendable {
    fileprivate let descriptor: Int32

    /// Starts watching an existing folder.
    ///
    /// - Throws: `NeverSo` if the folder cannot be watched.
    public init(_ folder: String, file: StaticString = #fileID, line: Int = #line) throws {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let events = IN_CREATE | IN_DELETE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, UInt32(events)) >= 0 else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw NeverSo("'\(folder)' can be watched: \(reason)", within: .zero, at: "\(file):\(line)")
        }
    }

    deinit { close(descriptor) }

    /// Blocks the calling thread until the folder changes, or until it has changed since the last call.
    ///
    /// - Parameter seconds: The maximum time to wait.
    public func wait(within seconds: Double) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, Int32(clamping: Int(seconds * 1000)))
        discard()
    }

    /// Reads all notifications, so that the next wait ends with a later change.
    fileprivate func discard() {
        var told = [UInt8](repeating: 0, count: 64 << 10)
        while read(descriptor, &told, told.count) > 0 {}
    }
}

/// The changes in a folder as a stream.
private final class FolderWatch {
    /// A stream with an element at the start, and with one element for all changes since the last element was read.
    let changes: AsyncStream<Void>
    /// The continuation that finishes the stream.
    let end: AsyncStream<Void>.Continuation
    private let source: any DispatchSourceRead

    /// Starts watching.
    init(_ found: consuming FolderChanges) {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let watched = Watched(changes: found)
        source = DispatchSource.makeReadSource(fileDescriptor: watched.changes.descriptor)
        (self.changes, end) = (changes, continuation)
        source.setEventHandler {
            watched.changes.discard()
            continuation.yield()
        }
        // The descriptor must stay open until the source is canceled.
        source.setCancelHandler { withExtendedLifetime(watched) {} }
        source.resume()
        continuation.yield()
    }

    deinit { source.cancel() }

    /// A reference that closures can share.
    private final class Watched: Sendable {
        let changes: FolderChanges

        init(changes: consuming FolderChanges) { self.changes = changes }
    }
}
