// The per-thread stack of current contexts.

import Glibc

extension GraphicsContext {
    /// The context into which values such as `BezierPath` and `Color` draw, or `nil` if there is no current context.
    ///
    /// Each thread has a separate stack of contexts, as in UIKit. A task can continue on another thread after a
    /// suspension point. Therefore do not await between a push and its pop. Prefer `draw`, because the body of `draw`
    /// is synchronous.
    public static var current: GraphicsContext? { ContextStack.ofThisThread.contexts.last }

    /// Sets a context as the current context until `pop` removes the context (`UIGraphicsPushContext`).
    public static func push(_ context: GraphicsContext) {
        ContextStack.ofThisThread.contexts.append(context)
    }

    /// Restores the previous context as the current context (`UIGraphicsPopContext`).
    ///
    /// Does nothing if the stack is empty.
    public static func pop() {
        _ = ContextStack.ofThisThread.contexts.popLast()
    }

    /// Runs the body with this context as the current context.
    public func draw<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let stack = ContextStack.ofThisThread
        let depth = stack.contexts.count
        stack.contexts.append(self)
        defer { stack.contexts.removeSubrange(min(depth, stack.contexts.count)...) }
        return try body()
    }
}

/// The contexts of one thread.
///
/// The last context is the current context.
private final class ContextStack {
    var contexts: [GraphicsContext] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key) { stack in
            if let stack { Unmanaged<ContextStack>.fromOpaque(stack).release() }
        }
        precondition(code == 0, "cannot create a thread-specific data key")
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
