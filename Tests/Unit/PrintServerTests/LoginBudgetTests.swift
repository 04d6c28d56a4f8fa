import PrintServer
import Testing

/// Tests of the rule that limits the guesses of passwords.
struct LoginBudgetTests {
    private typealias Login = LoginBudget.Login
    private let start = ContinuousClock.now

    private func login(_ address: String, _ user: String = "ann") -> Login { Login(address: address, user: user) }

    @Test func `an address has ten wrong passwords per minute, and other addresses are not affected`() {
        var budget = LoginBudget()
        for second in 0..<10 {
            #expect(budget.delay(of: login("192.0.2.7"), at: start + .seconds(second)) == .zero)
            budget.fail(login("192.0.2.7", "user\(second)"), at: start + .seconds(second))
        }
        #expect(budget.delay(of: login("192.0.2.7"), at: start + .seconds(9)) == .seconds(51))
        #expect(budget.delay(of: login("192.0.2.8"), at: start + .seconds(9)) == .zero)
        // The oldest wrong password is a minute old: one more guess.
        #expect(budget.delay(of: login("192.0.2.7"), at: start + .seconds(60)) == .zero)
        budget.fail(login("192.0.2.7", "x"), at: start + .seconds(60))
        #expect(budget.delay(of: login("192.0.2.7"), at: start + .seconds(60)) == .seconds(1))
    }

    @Test func `an IPv6 client cannot evade the limit with other addresses of its network`() {
        var budget = LoginBudget()
        for host in 1...10 { budget.fail(login("2001:db8::\(host)", "user\(host)"), at: start) }
        #expect(budget.delay(of: login("2001:db8::ffff:1", "x"), at: start) == .seconds(60))
        #expect(budget.delay(of: login("2001:db8:0:1::1", "x"), at: start) == .zero)
        for _ in 1...10 { budget.fail(login("::ffff:192.0.2.1", "x"), at: start) }
        #expect(budget.delay(of: login("192.0.2.1", "y"), at: start) == .seconds(60))
        #expect(budget.delay(of: login("192.0.2.2", "y"), at: start) == .zero)
    }

    @Test func `after 20 wrong passwords from many addresses, growing pauses slow down the guesses for a user`() {
        var budget = LoginBudget()
        var pauses: [Duration] = []
        for guess in 1...28 {
            budget.fail(login("192.0.2.\(guess)"), at: start)
            pauses.append(budget.delay(of: login("198.51.100.1"), at: start))
        }
        #expect(pauses[..<20].allSatisfy { $0 == .zero })
        #expect(Array(pauses[20...]) == [1, 2, 4, 8, 16, 32, 60, 60].map { Duration.seconds($0) })
        #expect(budget.delay(of: login("198.51.100.1", "ben"), at: start) == .zero)
        #expect(budget.delay(of: login("198.51.100.1", "Ann"), at: start) == .zero)
        #expect(budget.delay(of: login("198.51.100.1"), at: start + .seconds(60)) == .zero)
        // An hour without a wrong password ends the pauses.
        budget.fail(login("198.51.100.2"), at: start + .seconds(3600))
        #expect(budget.delay(of: login("198.51.100.1"), at: start + .seconds(3600)) == .zero)
    }

    @Test func `guesses of others do not slow down a user at an address of an earlier login`() {
        var budget = LoginBudget()
        budget.succeed(login("192.0.2.200"), at: start)
        for guess in 1...30 { budget.fail(login("192.0.2.\(guess)"), at: start + .seconds(60)) }
        #expect(budget.delay(of: login("192.0.2.200"), at: start + .seconds(60)) == .zero)
        #expect(budget.delay(of: login("192.0.2.201"), at: start + .seconds(60)) == .seconds(60))
        budget.fail(login("192.0.2.1"), at: start + .seconds(86_400))
        #expect(budget.delay(of: login("192.0.2.200"), at: start + .seconds(86_400)) == .zero)
    }

    @Test func `the tables have an upper limit, and keep the newest entries`() {
        var budget = LoginBudget()
        for number in 0..<25_000 {
            let login = login("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)", "user\(number)")
            budget.fail(login, at: start + .milliseconds(number))
            budget.succeed(login, at: start + .milliseconds(number))
        }
        #expect(budget.entries <= LoginBudget.mostEntries)
        let last = login("10.0.97.167", "user24999")
        for _ in 0..<9 { budget.fail(last, at: start + .seconds(25)) }
        #expect(budget.delay(of: last, at: start + .seconds(25)) > .zero)
    }
}
