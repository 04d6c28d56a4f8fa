import Foundation
import HTTPTypes
import IPPServer
import PrintIPP
import PrintModel
import PrintSpool
import Testing

@testable import PrintCenter

struct JobRouteTests {
    @Test func `the job list contains the jobs in queue order, with the number of jobs and the allowed commands`()
        async throws
    {
        let bench = try await CenterBench()
        for name in ["a", "b", "c"] { try await bench.addJob(name) }
        let answer = await bench.socket(.get, "/api/v1/jobs", query: "limit=2")
        let jobs = try answer.jobs()
        #expect(jobs.map { $0["job-name"] as? String } == ["a", "b"])
        #expect(jobs.map { $0["jobs-before"] as? Int } == [0, 1])
        #expect(jobs[0]["phase"] as? String == "waiting")
        #expect(jobs[0]["commands"] as? [String] == ["hold", "move", "change", "cancel"])
        let json = try answer.json()
        #expect(json["count"] as? Int == 3 && json["queue"] as? Int == 3)
        let next = try #require(json["next"] as? String)
        let rest = await bench.socket(.get, "/api/v1/jobs", query: "after=\(next)")
        #expect(try rest.jobs().map { $0["job-name"] as? String } == ["c"])
        let jump = await bench.socket(.get, "/api/v1/jobs", query: "offset=1&limit=1")
        #expect(try jump.jobs().map { $0["job-name"] as? String } == ["b"])
    }

    @Test func `the job list withholds the names and owners of other users' jobs`() async throws {
        let bench = try await CenterBench()
        try await bench.addJob("salaries")
        let job = try #require(
            try await bench.socket(.get, "/api/v1/jobs", uid: CenterBench.bob).jobs().first)
        #expect(job["withheld"] as? Bool == true && job["job-name"] is NSNull && job["owner"] is NSNull)
        #expect(job["commands"] as? [String] == [])
        let seen = try #require(
            try await bench.socket(.get, "/api/v1/jobs", uid: CenterBench.administrator).jobs().first)
        #expect(seen["job-name"] as? String == "salaries" && seen["commands"] as? [String] != [])
    }

    @Test func `a search finds other users' jobs only by the printer name`() async throws {
        let bench = try await CenterBench()
        try await bench.addJob("salaries")
        func found(_ text: String, _ uid: UInt32) async throws -> Int {
            try await bench.socket(.get, "/api/v1/jobs", query: "q=\(text)", uid: uid).jobs().count
        }
        #expect(try await found("SALAR", CenterBench.ann) == 1)
        #expect(try await found("salar", CenterBench.bob) == 0)
        #expect(try await found("ann", CenterBench.bob) == 0)
        #expect(try await found("qui", CenterBench.bob) == 1)
        #expect(try await found("%25", CenterBench.ann) == 0)
        for path in ["/api/v1/jobs", "/api/v1/jobs/counts"] {
            let owned = await bench.socket(.get, path, query: "owner=ann", uid: CenterBench.bob)
            #expect(owned.status == .forbidden, "\(owned)")
        }
    }

    @Test func `a job can be held, released and canceled, and a move to an unknown printer is refused`() async throws {
        let bench = try await CenterBench()
        let id = try await bench.addJob()
        let browser = try await bench.signIn()
        func phase(_ answer: WebAnswer) throws -> String? {
            ((try answer.json()["job"]) as? [String: Any])?["phase"] as? String
        }
        #expect(try phase(await browser.send(.post, "/api/v1/jobs/\(id)/hold")) == "held")
        let held = await bench.socket(.get, "/api/v1/jobs", query: "show=held")
        #expect(try held.jobs().count == 1)
        #expect(try await bench.socket(.get, "/api/v1/jobs", query: "show=active").jobs().isEmpty)
        let counts = try await bench.socket(.get, "/api/v1/jobs/counts").json()
        #expect(counts["held"] as? Int == 1 && counts["active"] as? Int == 0 && counts["queue"] as? Int == 1)
        #expect(counts["printers"] as? [String: Int] == ["quiet": 1])
        #expect(try phase(await browser.send(.post, "/api/v1/jobs/\(id)/release")) == "waiting")
        let moved = await browser.send(.post, "/api/v1/jobs/\(id)/move", json: #"{"printer":"nobody"}"#)
        #expect(moved.status == .notFound, "\(moved.text)")
        #expect(try phase(await browser.send(.post, "/api/v1/jobs/\(id)/cancel")) == "canceled")
        let again = await browser.send(.post, "/api/v1/jobs/\(id)/cancel")
        #expect(again.status == .conflict, "\(again.text)")
        #expect(try again.json()["code"] as? String == "client-error-not-possible")
        #expect(await browser.send(.post, "/api/v1/jobs/99/cancel").status == .notFound)
    }

    @Test(arguments: [
        (#"{"until":"tomorrow"}"#, 422), (#"{"until":"2020-01-01T00:00:00Z"}"#, 422), (#"{"until":1}"#, 422),
        (#"{"until":"2099-02-31T10:00Z"}"#, 422), (#"{"until":"2099-01-01T24:00Z"}"#, 422),
        (#"{"until":"2099-01-01T10:99Z"}"#, 422), (#"{"until":"2096-02-29T23:59Z"}"#, 200),
        (#"{"#, 400), ("[]", 400), (#"{"until":"indefinite"}"#, 200), (#"{"until":"2099-01-01T00:00:00Z"}"#, 200),
    ])
    func `a hold request is accepted if the hold time is valid, and refused if the hold time is invalid`(
        body: String, status: Int
    ) async throws {
        let bench = try await CenterBench()
        let id = try await bench.addJob()
        let answer = await bench.socket(.post, "/api/v1/jobs/\(id)/hold", json: body)
        #expect(answer.status.code == status, "\(answer.text)")
    }

    @Test func `a job moves up by the lowest sufficient priority, and the response counts the passed jobs`()
        async throws
    {
        let bench = try await CenterBench()
        var urgent = JobTicket()
        urgent.priority = 60
        let first = try await bench.addJob(ticket: urgent)
        let others = [try await bench.addJob(), try await bench.addJob()]
        let last = try await bench.addJob()
        func advance(_ id: Int) async throws -> (status: HTTPResponse.Status, passed: Int?, before: Int?) {
            let answer = await bench.socket(.post, "/api/v1/jobs/\(id)/advance")
            let body = try answer.json()
            return (answer.status, body["passed"] as? Int, body["priority-before"] as? Int)
        }
        func order() async throws -> [Int] {
            try await bench.spool.jobs(JobFilter(.notCompleted)).map(\.id)
        }
        // The job ahead has the same priority, as has the job before it.
        #expect(try await advance(last) == (.ok, 2, 50))
        #expect(try await order() == [first, last] + others)
        #expect(try await advance(last) == (.ok, 1, 51))
        #expect(try await order() == [last, first] + others)
        #expect(try await advance(last).status == .conflict)
        // An older job also passes a newer job that has got the same priority.
        #expect(try await advance(others[0]) == (.ok, 2, 50))
        #expect(try await order() == [others[0], last, first, others[1]])
        let refused = await bench.socket(.post, "/api/v1/jobs/\(last)/advance", uid: CenterBench.bob)
        #expect(refused.status == .forbidden)
    }

    @Test func `users see their own usage by day, and administrators that of all users`() async throws {
        let bench = try await CenterBench()
        for owner in ["ann", "ann", "bob"] {
            let id = try await bench.addJob(owner: owner)
            try await bench.spool.change(id, .cancelRequested(byOperator: false))
        }
        func rows(_ uid: UInt32, _ query: String = "") async throws -> [String] {
            let answer = try await bench.socket(.get, "/api/v1/usage", query: query, uid: uid).json()
            return try #require(answer["rows"] as? [[String: Any]]).map {
                "\($0["user"] ?? "") \($0["jobs"] ?? "") \($0["pages"] ?? "")"
            }
        }
        #expect(try await rows(CenterBench.ann) == ["ann 2 0"])
        #expect(try await rows(CenterBench.administrator) == ["ann 2 0", "bob 1 0"])
        try await bench.spool.changeQuotas(.set(Quota(.user("ann"), per: .week, pages: 7)))
        try await bench.spool.changeQuotas(.topUp(user: "ann", pages: 3, sheets: 0))
        for (uid, left) in [(CenterBench.ann, ["week pages 10 10"]), (CenterBench.bob, [])] {
            let answer = try await bench.socket(.get, "/api/v1/usage", uid: uid).json()
            let quotas = try #require(answer["quotas"] as? [[String: Any]])
            #expect(
                quotas.map { quota in
                    ["period", "unit", "limit", "remaining"].map { "\(quota[$0] ?? "")" }.joined(separator: " ")
                } == left)
        }
        #expect(await bench.socket(.get, "/api/v1/usage", query: "days=0").status == .unprocessableContent)
        #expect(Usage.day(of: 86_399, offset: 0) == 0 && Usage.day(of: 86_399, offset: 1) == 1)
        #expect(Usage.name(ofDay: Usage.day(of: 1_800_000_000, offset: -600)) == "2027-01-14")
    }

    @Test func `a reprint creates a job and has the status 201, except for a suspended job, which keeps its number`()
        async throws
    {
        let bench = try await CenterBench()
        let (suspended, ended) = (try await bench.addJob(), try await bench.addJob())
        try await bench.spool.change(suspended, .claimed)
        try await bench.spool.change(suspended, .doubted(message: "The printer lost the job"))
        try await bench.spool.change(ended, .cancelRequested(byOperator: false))
        func reprint(_ id: Int) async throws -> (status: HTTPResponse.Status, id: Int?) {
            let answer = await bench.socket(.post, "/api/v1/jobs/\(id)/reprint", json: "{}")
            let job = try answer.json()["job"] as? [String: Any]
            return (answer.status, job?["job-id"] as? Int)
        }
        #expect(try await reprint(suspended) == (.ok, suspended))
        #expect(try await reprint(ended) == (.created, ended + 1))
    }

    @Test func `a change of job options is refused with an error for each option that has an invalid value`()
        async throws
    {
        let bench = try await CenterBench()
        let id = try await bench.addJob()
        let answer = await bench.socket(
            .patch, "/api/v1/jobs/\(id)", json: #"{"options":{"copies":"many","sides":"three","job-priority":"10"}}"#)
        #expect(answer.status == .unprocessableContent)
        let errors = try #require(try answer.json()["errors"] as? [[String: String]])
        #expect(errors.compactMap { $0["field"] }.sorted() == ["copies", "sides"], "\(answer.text)")
        #expect(answer.headers[.contentType] == "application/problem+json")
        let changed = await bench.socket(
            .patch, "/api/v1/jobs/\(id)", json: #"{"name":"new","options":{"copies":"3"}}"#)
        #expect(changed.status == .ok, "\(changed.text)")
        let detail = try await bench.socket(.get, "/api/v1/jobs/\(id)").json()
        #expect(detail["job-name"] as? String == "new")
        let options = try #require(detail["options"] as? [[String: String]])
        #expect(options.contains(["name": "copies", "label": "Copies", "value": "3"]), "\(options)")
    }

    @Test func `the details of a job contain the documents, the paper, the timeline and the reason for waiting`()
        async throws
    {
        let bench = try await CenterBench()
        let id = try await bench.addJob("letter")
        let detail = try await bench.socket(.get, "/api/v1/jobs/\(id)").json()
        let documents = try #require(detail["documents"] as? [[String: Any]])
        #expect(documents.first?["name"] as? String == "letter.pdf" && documents.first?["size"] as? Int == 8)
        #expect((detail["paper"] as? [String: Any])?["label"] as? String == "A4")
        let timeline = try #require(detail["timeline"] as? [[String: Any]])
        #expect(timeline.map { $0["kind"] as? String } == ["accepted"])
        #expect((detail["why"] as? String)?.contains("next on quiet") == true, "\(detail)")
        let condition = try #require(detail["condition"] as? [String: Any], "\(detail)")
        #expect(condition["code"] as? String == "queued" && condition["before"] as? Int == 0)
        #expect(condition["printer"] as? String == "quiet")
    }

    @Test(arguments: [(DocumentStreamError.Code.timedOut, 408), (.interrupted, 400)])
    func `a request whose body does not arrive completely changes nothing`(
        code: DocumentStreamError.Code, status: Int
    ) async throws {
        let bench = try await CenterBench()
        let id = try await bench.addJob("old")
        let answer = await bench.center.answer(
            to: WebRequest(
                .patch, "/api/v1/jobs/\(id)", headers: [.contentType: "application/json"],
                body: WebBody(length: 14) { use in
                    try await use(Array("{\"name\"".utf8)[...])
                    throw DocumentStreamError(code, "the rest did not arrive")
                }, peer: .unix(uid: CenterBench.ann, gid: CenterBench.ann, pid: 1)))
        #expect(answer.status.code == status)
        #expect(try answer.member("detail") == "the rest did not arrive")
        #expect(try await bench.socket(.get, "/api/v1/jobs/\(id)").member("job-name") == "old")
    }

    @Test func `the filter 'attention' finds the jobs of a printer without paper and reports the cause`() async throws {
        let bench = try await CenterBench(
            status: PrinterStatus(
                state: .stopped, reasons: ["media-empty-error"], message: "Tray 'tray-1' is empty; load paper"))
        try await bench.addJob()
        let jobs = try await bench.socket(.get, "/api/v1/jobs", query: "show=attention").jobs()
        let cause = try #require(jobs.first?["cause"] as? [String: Any])
        #expect(cause["code"] as? String == "media-empty" && cause["media"] as? String == "A4")
        #expect(cause["message"] as? String == "Tray 'tray-1' is empty; load paper")
        #expect(cause["printer"] as? String == "quiet")
        #expect(try await bench.socket(.get, "/api/v1/jobs/counts").json()["attention"] as? Int == 1)
    }

    @Test func `a bulk command reports the result of each job`() async throws {
        let bench = try await CenterBench()
        let ids = [try await bench.addJob("a"), try await bench.addJob("b")]
        let answer = await bench.socket(
            .post, "/api/v1/jobs/actions", json: #"{"action":"cancel","jobs":[\#(ids[0]),99,\#(ids[1])]}"#)
        let results = try #require(try answer.json()["results"] as? [[String: Any]])
        #expect(results.map { $0["done"] as? Bool } == [true, false, true], "\(answer.text)")
        for body in [
            #"{"action":"print","jobs":[1]}"#, #"{"action":"cancel","jobs":[]}"#, #"{"action":"move","jobs":[1]}"#,
        ] {
            #expect(await bench.socket(.post, "/api/v1/jobs/actions", json: body).status == .unprocessableContent)
        }
    }
}
