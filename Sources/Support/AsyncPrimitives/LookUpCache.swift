// Caches the results of lookups that can block.

import Synchronization

/// A cache for lookups that can block, such as queries of the name service or of the file system.
///
/// A cached result is returned at once. Lookups run on dedicated threads, so that a lookup never blocks the caller's
/// thread. Concurrent questions that are equal share one lookup.
public final class LookUpCache<Question: Hashable & Sendable, Answer: Sendable>: Sendable {
    private struct State {
        var known: [Question: (answer: Answer, until: ContinuousClock.Instant)] = [:]
        var waiting: [Question: [CheckedContinuation<Answer, Never>]] = [:]
    }

    private let lifetime: Duration
    private let mostKnown: Int
    private let now: @Sendable () -> ContinuousClock.Instant
    private let keeps: @Sendable (Answer) -> Bool
    private let lookUp: @Sendable (Question) -> Answer
    private let threads: BlockingThreads
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
        (self.lifetime, self.mostKnown, threads) = (lifetime, mostKnown, BlockingThreads(most: mostThreads))
        (self.now, self.keeps, self.lookUp) = (now, keeps, lookUp)
    }

    /// Returns the answer to a question, which was looked up at most `lifetime` ago.
    public func answer(to question: Question) async -> Answer {
        if let known = state.withLock({ valid(question, in: $0) }) { return known }
        return await withCheckedContinuation { continuation in
            let (known, isFirst) = state.withLock { state -> (Answer?, Bool) in
                if let known = valid(question, in: state) { return (known, false) }
                state.waiting[question, default: []].append(continuation)
                return (nil, state.waiting[question]?.count == 1)
            }
            if let known { continuation.resume(returning: known) }
            if isFirst {
                let isBegun = threads.async { [self] in settle(question, lookUp(question)) }
                // If no thread can be created, do the lookup on this thread.
                if !isBegun { settle(question, lookUp(question)) }
            }
        }
    }

    private func valid(_ question: Question, in state: borrowing State) -> Answer? {
        guard let known = state.known[question], known.until > now() else { return nil }
        return known.answer
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
