// Caches the results of lookups that can block.

import Glibc
import Synchronization

/// A cache for lookups that can block, such as queries of the name service or of the file system.
///
/// A cached result is returned at once. Lookups run on dedicated threads, so that a lookup never blocks the caller's
/// thread. Concurrent questions that are equal share one lookup.
public final class LookUpCache<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    private struct State {
        var known: [Question: (answer: Answer, until: ContinuousClock.Instant)] = [:]
        var waiting: [Question: [CheckedContinuation<Answer, Never>]] = [:]
        /// The lookups that wait for a thread, the oldest lookup first.
        var queued: [Question] = []
        var threads = 0
    }

    private let lifetime: Duration
    private let mostKnown: Int
    private let mostThreads: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let keeps: @Sendable (Answer) -> Bool
    private let lookUp: @Sendable (Question) -> Answer
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a result is valid.
    ///   - mostKnown: The maximum number of cached results.
    ///   - mostThreads: The maximum number of concurrent lookups.
    ///   - now: A function that returns the current time.
    ///   - keeps: A function that returns whether an answer is cached.
    ///   - lookUp: The lookup, which can block.
    public init(
        lifetime: Duration, mostKnown: Int, mostThreads: Int,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        keeps: @escaping @Sendable (Answer) -> Bool = { _ in true },
        lookUp: @escaping @Sendable (Question) -> Answer
    ) {
        (self.lifetime, self.mostKnown, self.mostThreads) = (lifetime, mostKnown, mostThreads)
        (self.now, self.keeps, self.lookUp) = (now, keeps, lookUp)
    }

    /// Returns the answer to a question, which was looked up at most `lifetime` ago.
    public func answer(to question: Question) async -> Answer {
        if let known = state.withLock({ valid(question, in: $0) }) { return known }
        return await withCheckedContinuation { continuation in
            let (known, begins) = state.withLock { state -> (Answer?, Bool) in
                if let known = valid(question, in: state) { return (known, false) }
                let isFirst = state.waiting[question] == nil
                state.waiting[question, default: []].append(continuation)
                guard isFirst else { return (nil, false) }
                state.queued.append(question)
                guard state.threads < mostThreads else { return (nil, false) }
                state.threads += 1
                return (nil, true)
            }
            if let known { continuation.resume(returning: known) }
            if begins { beginThread() }
        }
    }

    private func valid(_ question: Question, in state: borrowing State) -> Answer? {
        guard let known = state.known[question], known.until > now() else { return nil }
        return known.answer
    }

    private func beginThread() {
        let isRunning = DetachedThread.start { [self] in
            while let question = next() { settle(question, lookUp(question)) }
        }
        // If no thread can be created, do the lookups on this thread.
        if !isRunning { while let question = next() { settle(question, lookUp(question)) } }
    }

    /// Returns the next waiting lookup, or `nil` if no lookup is waiting.
    ///
    /// If the result is `nil`, the calling thread must end.
    private func next() -> Question? {
        state.withLock { state in
            guard !state.queued.isEmpty else {
                state.threads -= 1
                return nil
            }
            return state.queued.removeFirst()
        }
    }

    private func settle(_ question: Question, _ answer: Answer) {
        let (now, isKept) = (now(), keeps(answer))
        let waiting = state.withLock { state in
            guard isKept else { return state.waiting.removeValue(forKey: question) ?? [] }
            if state.known.count >= mostKnown {
                state.known = state.known.filter { $0.value.until > now }
                if state.known.count >= mostKnown { state.known.removeAll() }
            }
            state.known[question] = (answer, now + lifetime)
            return state.waiting.removeValue(forKey: question) ?? []
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }
}

/// A namespace for the function that starts detached threads.
private enum DetachedThread {
    /// Runs `body` on a new thread.
    ///
    /// Returns `false` if the thread cannot be created.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        final class Work {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let work = Unmanaged.passRetained(Work(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 512 << 10)
        var thread = pthread_t()
        let error = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        if error != 0 { work.release() }
        return error == 0
    }
}
