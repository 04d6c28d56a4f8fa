/// A place where work waits until the test lets it go on.
struct Gate: Sendable {
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let opening = AsyncStream.makeStream(of: Void.self)

    /// Waits for the gate to be opened; throws when the task is cancelled meanwhile.
    func pass() async throws(CancellationError) {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
        if Task.isCancelled { throw CancellationError() }
    }

    /// Waits until somebody stands at the gate.
    func arrival() async { for await _ in arrivals.stream { return } }

    func open() { opening.continuation.finish() }
}
