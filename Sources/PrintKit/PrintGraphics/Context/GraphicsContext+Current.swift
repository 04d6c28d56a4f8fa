// The stack of contexts on which values draw themselves.

import Glibc

extension GraphicsContext {
    /// The context on which values such as `BezierPath` and `Color` draw; `nil` when there is none.
    ///
    /// Each thread has a stack of its own, as under UIKit. Between two suspension points a task stays on its thread, so
    /// do not await between a push and its pop; `draw` cannot be held wrong, as its body is synchronous.
    public static var current: GraphicsContext? { ContextStack.ofThisThread.contexts.last }

    /// Makes a context the current one until it is popped (`UIGraphicsPushContext`).
    public static func push(_ context: GraphicsContext) {
        ContextStack.ofThisThread.contexts.append(context)
    }

    /// Makes the one before the current one (`UIGraphicsPopContext`); without any, nothing happens.
    public static func pop() {
        _ = ContextStack.ofThisThread.contexts.popLast()
    }

    /// Runs some drawing with this as the current context.
    public func draw<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let stack = ContextStack.ofThisThread
        let depth = stack.contexts.count
        stack.contexts.append(self)
        defer { stack.contexts.removeSubrange(min(depth, stack.contexts.count)...) }
        return try body()
    }
}

/// A thread's contexts, the current one last.
private final class ContextStack {
    var contexts: [GraphicsContext] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key) { stack in
            if let stack { Unmanaged<ContextStack>.fromOpaque(stack).release() }
        }
        precondition(code == 0, "the process has no room for one more thread-specific value")
        return key
    }()

    static var ofThisThread: ContextStack {
        if let stack = pthread_getspecific(key) {
            return Unmanaged<ContextStack>.fromOpaque(stack).takeUnretainedValue()
        }
        let stack = ContextStack()
        pthread_setspecific(key, Unmanaged.passRetained(stack).toOpaque())
        return stack
    }
}
