import Testing

/// A trait of a suite: its tests print on one spooler, which starts before the first test of the suite.
///
/// A test that counts jobs or expects job numbers needs a spooler of its own.
struct SharedSpooler: SuiteTrait, TestScoping {
    @TaskLocal fileprivate static var current: TestSpooler?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        try await Self.$current.withValue(spooler, operation: function)
    }
}

extension Trait where Self == SharedSpooler {
    /// A spooler that all tests of the suite share; see `TestSpooler.shared()`.
    static var sharesSpooler: Self { SharedSpooler() }
}

extension TestSpooler {
    /// Returns the running spooler of a suite with the trait `.sharesSpooler`.
    static func shared() throws -> TestSpooler {
        try #require(SharedSpooler.current, "the suite does not have the trait .sharesSpooler")
    }
}
