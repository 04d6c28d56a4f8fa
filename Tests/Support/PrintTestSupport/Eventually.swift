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

/// The notifications of changes in a folder (inotify(7)).
private final class FolderWatch {
    /// A stream with an element at the start, and with one element for all changes since the last element was read.
    let changes: AsyncStream<Void>
    /// The continuation that finishes the stream.
    let end: AsyncStream<Void>.Continuation
    private let source: any DispatchSourceRead

    /// Starts watching; returns nil and sets errno when the folder cannot be watched.
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
