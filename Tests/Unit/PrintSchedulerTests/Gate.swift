/// A gate at which work waits until the test opens the gate.
struct Gate: Sendable {
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let opening = AsyncStream.makeStream(of: Void.self)

    /// Waits until the gate is open.
    func pass() async throws(CancellationError) {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
        if Task.isCancelled { throw CancellationError() }
    }

    /// Waits until a task waits at the gate.
    func arrival() async { for await _ in arrivals.stream { return } }

    func open() { opening.continuation.finish() }
}
