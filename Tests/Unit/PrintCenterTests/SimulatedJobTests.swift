import Foundation
import HTTPTypes
import IPP
import IPPServer
import PrintModel
import Testing

@testable import PrintCenter

/// The jobs of a simulated printer `laser`: job 1 has one printed page, and job 2 waits.
private struct TwoJobs: SimulatedJobs {
    private func job(_ id: Int) -> SimulatedJobRecord {
        var job = SimulatedJobRecord(
            id: id, name: "salaries", state: id == 1 ? .completed : .pending, message: "salaries are printed",
            createdAt: 1_800_000_000, images: id == 1 ? 1 : 0, pages: id == 1 ? 1 : nil, media: .a4, duplex: .none,
            folder: "job-00000\(id)")
        if id == 1 {
            job.checks = [.init("fonts", pages: [], fonts: ["Salaries-Bold"], message: "salaries: a font is missing")]
            job.requests = 1
        }
        if id == 1 { (job.warnings, job.completedAt) = (["salaries are cropped"], 1_800_000_003) }
        return job
    }

    func jobs(of printer: String, containing text: String, before: Int?, limit: Int) async throws -> SimulatedJobList {
        guard printer == "laser" else { throw Problem.notFound("there is no printer '\(printer)'") }
        let ids = [2, 1].filter { $0 < before ?? .max && (text.isEmpty || "salaries".contains(text)) }
        return SimulatedJobList(ids.prefix(limit).map(job), next: ids.count > limit ? ids.prefix(limit).last : nil)
    }

    func pages(of job: Int, at printer: String) async throws -> SimulatedJobPages {
        guard printer == "laser", job <= 2 else { throw Problem.notFound("printer '\(printer)' has no job \(job)") }
        guard job == 1 else {
            return SimulatedJobPages(
                PageList(unavailable: "The printer has not read the document yet."), of: self.job(2), resolution: 100)
        }
        var page = PageItem(number: 1, width: 595.28, height: 841.89, label: "1")
        (page.sheet, page.isFront, page.state) = (1, true, .printed)
        page.margins = PageItem.Margins(top: 12, left: 12, bottom: 12, right: 12)
        return SimulatedJobPages(PageList([page]), of: self.job(1), resolution: 100)
    }

    func image(of job: Int, at printer: String, page: Int) async throws -> PageImageFile {
        guard printer == "laser", job == 1, page == 1 else { throw Problem.notFound("page \(page) is not printed") }
        return PageImageFile(png: Array("png".utf8), tag: "salaries", mayChange: true)
    }

    private func file(_ name: String, _ type: String) -> FileDownload {
        FileDownload(name: name, type: type, size: 8) { try await $0(Array("salaries".utf8)) }
    }

    func document(_ number: Int, of job: Int, at printer: String) async throws -> FileDownload {
        guard number == 1 else { throw Problem.notFound("job \(job) has no document \(number)") }
        return file("salaries.pdf", "application/pdf")
    }

    func report(of job: Int, at printer: String) async throws -> FileDownload { file("job.json", "application/json") }

    func request(_ number: Int, of job: Int, at printer: String) async throws -> [UInt8] {
        guard number == 1, job == 1 else { throw Problem.notFound("job \(job) has no request \(number)") }
        return try Message(
            operation: .printJob, requestID: 9,
            groups: [AttributeGroup(.operation, [Attribute("job-name", .name("salaries"))])]
        ).encoded()
    }

    func ended(_ wanted: AwaitedJobs, at printer: String, within time: Duration) async throws -> EndedJobs {
        switch wanted {
        case .job(let id): EndedJobs(id == 1 ? [job(1)] : [], isDone: id == 1)
        case .count(let count, let after): EndedJobs(after < 1 ? [job(1)] : [], isDone: after < 1 && count == 1)
        }
    }

    func delete(_ job: Int?, at printer: String) async throws -> Int {
        guard job != 2 else { throw Problem(.conflict, "job 2 is pending; cancel the job first") }
        return 1
    }
}

extension Ports {
    /// Ports with the jobs of a simulated printer, whose job is named `salaries`.
    static var withSimulatedJobs: Ports {
        var ports = Ports()
        ports.simulatedJobs = TwoJobs()
        return ports
    }
}

struct SimulatedJobTests {
    private func get(
        _ path: String, query: String = "", uid: UInt32 = CenterBench.administrator, ports: Ports = .withSimulatedJobs
    ) async throws -> WebAnswer {
        await (try CenterBench(ports: ports)).socket(.get, "/api/v1/printers/\(path)", query: query, uid: uid)
    }

    private func properties(_ schema: String) async throws -> Set<String> {
        let bench = try await CenterBench()
        let document = try await bench.socket(.get, "/api/v1/openapi.json").json()
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        return Set(try #require(schemas[schema]?["properties"] as? [String: Any]).keys)
    }

    @Test func `the jobs of a simulated printer are listed in batches, and the newest job is first`() async throws {
        let first = try await get("laser/jobs", query: "limit=1").json()
        let jobs = try #require(first["jobs"] as? [[String: Any]])
        #expect(jobs.map { $0["job-id"] as? Int } == [2] && first["next"] as? Int == 2)
        #expect(Set(try #require(jobs.first).keys) == (try await properties("SimulatedJob")))
        let second = try await get("laser/jobs", query: "limit=1&before=2").json()
        let job = try #require((second["jobs"] as? [[String: Any]])?.first)
        #expect(job["job-id"] as? Int == 1 && second["next"] is NSNull)
        #expect(job["job-name"] as? String == "salaries" && job["job-state"] as? String == "completed")
        #expect(job["time-at-completed"] as? String == "2027-01-15T08:00:03Z" && job["media-label"] as? String == "A4")
        #expect(try await get("laser/jobs", query: "limit=0").status == .unprocessableContent)
        #expect(try await get("other/jobs").status == .notFound)
    }

    @Test func `only administrators can see the job names and pages of a simulated printer`() async throws {
        let answer = try await get("laser/jobs", uid: CenterBench.ann)
        #expect(answer.status == .ok && !answer.text.contains("salaries"), "\(answer.text)")
        let jobs = try answer.jobs()
        #expect(jobs.count == 2 && jobs.allSatisfy { $0["media"] is NSNull && $0["sides"] is NSNull })
        for path in ["laser/jobs/1/pages", "laser/jobs/1/pages/1", "laser/jobs/1/documents/1", "laser/jobs/1/report"] {
            let refused = try await get(path, uid: CenterBench.ann)
            #expect(refused.status == .forbidden && refused.text.contains("administrators"), "\(refused.text)")
        }
    }

    @Test func `only administrators can search the names of jobs`() async throws {
        let found = try await get("laser/jobs", query: "q=lari").json()
        #expect((found["jobs"] as? [Any])?.count == 2)
        #expect(((try await get("laser/jobs", query: "q=other").json())["jobs"] as? [Any])?.isEmpty == true)
        #expect(try await get("laser/jobs", query: "q=lari", uid: CenterBench.ann).status == .forbidden)
    }

    @Test func `the original document is an attachment, and an unfinished job cannot be deleted`() async throws {
        let document = try await get("laser/jobs/1/documents/1")
        #expect(document.status == .ok && document.headers[.contentType] == "application/pdf")
        #expect(document.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"salaries.pdf\"") == true)
        let bench = try await CenterBench(ports: .withSimulatedJobs)
        func delete(_ path: String, _ uid: UInt32 = CenterBench.administrator) async throws -> WebAnswer {
            await bench.socket(.delete, "/api/v1/printers/laser/jobs\(path)", uid: uid)
        }
        #expect(try await delete("/1").json()["deleted"] as? Int == 1)
        #expect(try await delete("/2").status == .conflict)
        #expect(try await delete("").json()["deleted"] as? Int == 1)
        #expect(try await delete("/1", CenterBench.ann).status == .forbidden)
    }

    @Test func `the request of a job is shown with its attributes, and its bytes are an attachment`() async throws {
        let shown = try await get("laser/jobs/1/requests/1").json()
        #expect(shown["operation"] as? String == "Print-Job" && shown["request-id"] as? Int == 9)
        let group = try #require((shown["groups"] as? [[String: Any]])?.first)
        #expect((group["attributes"] as? [String: Any])?["job-name"] as? String == "salaries", "\(group)")
        let raw = try await get("laser/jobs/1/requests/1/ipp")
        #expect(raw.headers[.contentType] == "application/ipp" && raw.text.contains("salaries"))
        #expect(
            raw.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"laser-1-request-1.ipp\"") == true)
        #expect(try await get("laser/jobs/1/requests/2").status == .notFound)
    }

    @Test func `a client waits for the end of one job, or of several jobs`() async throws {
        func wait(_ query: String) async throws -> (done: Bool?, jobs: Int?) {
            let answer = try await get("laser/jobs/wait", query: query).json()
            return (answer["done"] as? Bool, (answer["jobs"] as? [Any])?.count)
        }
        #expect(try await wait("job=1") == (true, 1))
        #expect(try await wait("job=2&timeout=0") == (false, 0))
        #expect(try await wait("count=1") == (true, 1))
        #expect(try await wait("count=1&after=1&timeout=0") == (false, 0))
        #expect(try await get("laser/jobs/wait", query: "timeout=601").status == .unprocessableContent)
        #expect(try await get("laser/jobs/wait", uid: CenterBench.ann).status == .forbidden)
    }

    @Test func `a program uses the API with a bearer token instead of a session`() async throws {
        var ports = Ports.withSimulatedJobs
        ports.program = { $0 == "secret" ? SessionUser(uid: CenterBench.administrator, gid: 1, name: "adm") : nil }
        let bench = try await CenterBench(ports: ports)
        func status(_ headers: HTTPFields) async -> HTTPResponse.Status {
            await bench.center.answer(
                to: WebRequest(
                    .delete, "/api/v1/printers/laser/jobs", headers: headers, host: Browser.host,
                    peer: .tcp(address: "127.0.0.1", port: 9, uid: nil))
            ).status
        }
        #expect(await status([.authorization: "Bearer secret"]) == .ok)
        #expect(await status([.authorization: "Bearer other"]) == .unauthorized)
        #expect(await status([.authorization: "Basic secret"]) == .unauthorized)
        #expect(await status([.authorization: "Bearer secret", .origin: "http://evil.example"]) == .forbidden)
    }

    @Test
    func `the page list of a job contains the sheet and side of each page, or the reason why no page is available`()
        async throws
    {
        let list = try await get("laser/jobs/1/pages").json()
        let page = try #require((list["pages"] as? [[String: Any]])?.first)
        #expect(Set(page.keys) == (try await properties("Page")))
        #expect(
            page["sheet"] as? Int == 1 && page["face"] as? String == "front" && page["state"] as? String == "printed")
        #expect((page["margins"] as? [String: Any])?["top"] as? Int == 12 && list["resolution"] as? Int == 100)
        let waiting = try await get("laser/jobs/2/pages").json()
        #expect(waiting["available"] as? Bool == false && waiting["count"] as? Int == 0)
        #expect(waiting["reason"] as? String == "The printer has not read the document yet.")
        for path in ["laser/jobs/3/pages", "laser/jobs/0/pages", "laser/jobs/x/pages", "laser/jobs/1/pages/2"] {
            #expect(try await get(path).status == .notFound, "\(path)")
        }
    }

    @Test func `a request for an unchanged page image returns status 304 without the image`() async throws {
        let image = try await get("laser/jobs/1/pages/1")
        #expect(image.status == .ok && image.text == "png" && image.headers[.contentType] == "image/png")
        #expect(image.headers[.eTag] == "\"salaries\"" && image.headers[.cacheControl] == "private, no-cache")
        #expect(image.headers[.contentSecurityPolicy] == FileDownload.policy)
        let bench = try await CenterBench(ports: .withSimulatedJobs)
        let browser = try await bench.signIn(CenterBench.administrator)
        var request = browser.request(.get, "/api/v1/printers/laser/jobs/1/pages/1")
        request.headers[.ifNoneMatch] = "\"salaries\""
        let same = await bench.center.answer(to: request)
        #expect(same.status == .notModified && same.text.isEmpty)
    }

    @Test func `if a server does not show simulated jobs, the error contains the URL of the spooler's job list`()
        async throws
    {
        for path in ["quiet/jobs", "quiet/jobs/1/pages", "quiet/jobs/1/pages/1"] {
            let answer = try await get(path, ports: Ports())
            #expect(answer.status == .notFound && answer.text.contains("/api/v1/jobs?printer=quiet"), "\(answer.text)")
        }
    }
}
