import Glibc
import Logging
import PrintTestSupport
import Testing

@testable import Systemd

struct JournalTests {
    @Test func `a log message is sent to the journal with its level and its metadata as fields`() throws {
        let (journal, logger, _folder) = try journalAndLogger()
        logger.warning("job aborted", metadata: ["job": "7", "printer": "laser", "user": "ann"])
        #expect(
            text(journal.receive()) == """
                MESSAGE=job aborted: job 7, printer laser, user ann
                PRIORITY=4
                SYSLOG_IDENTIFIER=printd
                PRINTQ_SPOOL=/var/spool/printq
                PRINTQ_JOB=7
                PRINTQ_PRINTER=laser
                PRINTQ_USER=ann

                """)
        _ = _folder
    }

    @Test func `a value with newlines is sent with a length prefix, so that the value cannot add journal fields`()
        throws
    {
        let (journal, logger, _folder) = try journalAndLogger()
        let user = "a\nPRIORITY=0\n"
        logger.info("job accepted", metadata: ["user": "\(user)"])
        let entry = try #require(journal.receive())
        let field = Array("PRINTQ_USER\n".utf8) + [13, 0, 0, 0, 0, 0, 0, 0] + Array(user.utf8) + [10]
        #expect(entry.suffix(field.count).elementsEqual(field))
        #expect(user.utf8.count == 13)
        let message = "job accepted: user \(user)"
        let start = Array("MESSAGE\n".utf8) + [UInt8(message.utf8.count), 0, 0, 0, 0, 0, 0, 0] + Array(message.utf8)
        #expect(entry.starts(with: start))
        _ = _folder
    }

    @Test func `if a message is too large for a datagram, it is sent to the journal as a sealed memory file`() throws {
        let (journal, logger, _folder) = try journalAndLogger()
        let words = String(repeating: "word ", count: 2 << 20)
        logger.info("\(words)")
        let entry = try #require(journal.receive())
        #expect(entry.starts(with: Array("MESSAGE=\(words)".utf8)))
        let seals = try #require(journal.seals)
        #expect(seals & 0xF == 0xF, "F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE")
        _ = _folder
    }

    @Test(
        arguments: [
            (Logger.Level.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ] as [(Logger.Level, Int32)])
    func `each log level is converted to a syslog priority`(level: Logger.Level, priority: Int32) {
        #expect(JournalLogHandler.priority(of: level) == priority)
    }

    @Test(arguments: [
        ("job", "PRINTQ_JOB"), ("hb.request-id", "PRINTQ_HB_REQUEST_ID"), ("ä=\n", "PRINTQ_____"),
        (String(repeating: "x", count: 100), "PRINTQ_" + String(repeating: "X", count: 57)),
    ])
    func `metadata keys are converted to valid journal field names`(key: String, name: String) {
        #expect(JournalEntry.fieldName(key) == name)
    }

    @Test func `if the journal is too slow, messages are dropped, and the next message reports how many`() throws {
        let (journal, logger, _folder) = try journalAndLogger()
        // The queue of the journal fills. The first lost message waits one second, the others do not wait.
        let size = String(repeating: "x", count: 100_000)
        let began = ContinuousClock.now
        for _ in 0..<600 { logger.info("\(size)") }
        #expect(ContinuousClock.now - began < .seconds(20))
        while journal.receive(within: 0) != nil {}
        logger.info("again")
        let entry = try #require(text(journal.receive()))
        let lost = try #require(entry.firstMatch(of: /PRINTQ_LOST_MESSAGES=(\d+)\n/).flatMap { Int($0.1) })
        #expect((1..<600).contains(lost))
        logger.info("and again")
        #expect(text(journal.receive())?.contains("PRINTQ_LOST_MESSAGES") == false)
        _ = _folder
    }

    @Test func `after the journal restarts with a new socket, messages are sent to the new socket`() throws {
        var (journal, logger, folder): (TestSocket?, Logger, TemporaryFolder) = try journalAndLogger()
        logger.info("before")
        #expect(journal?.receive() != nil)
        journal = nil
        unlink(folder.path("journal"))
        let next = try #require(TestSocket(path: folder.path("journal"), isStream: false, listens: false))
        logger.info("after")
        #expect(text(next.receive())?.hasPrefix("MESSAGE=after\n") == true)
    }

    @Test func `standard error is recognized as the journal by its device and inode`() {
        var status = stat()
        #expect(fstat(2, &status) == 0)
        #expect(Journal.isStandardError("\(status.st_dev):\(status.st_ino)"))
        #expect(!Journal.isStandardError("\(status.st_dev):\(status.st_ino + 1)"))
        #expect(!Journal.isStandardError(""))
    }

    private func journalAndLogger() throws -> (TestSocket, Logger, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let socket = try #require(TestSocket(path: folder.path("journal"), isStream: false, listens: false))
        let journal = try #require(Journal(path: folder.path("journal")))
        let logger = Logger(label: "test") { _ in
            JournalLogHandler(
                journal: journal, identifier: "printd", fields: [("PRINTQ_SPOOL", "/var/spool/printq")])
        }
        return (socket, logger, folder)
    }
}
