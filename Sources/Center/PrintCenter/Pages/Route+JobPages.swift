// The routes of pages, comparisons and downloads.

import HTTPTypes
import IPPServer
import PrintModel
import SpoolerClient

extension Route {
    static let jobPageRoutes: [Route] = [
        Route(.get, "/api/v1/jobs/:id/pages", .provenOwner, "Lists the document pages or the printed sides of a job.") {
            call in
            let (job, pages) = try await call.jobPages()
            let side = try call.side
            let from = try call.query.number("from", in: 1...PageRanges.mostPages, default: 1)
            let limit = try call.query.number("limit", in: 1...500, default: 500)
            let list = try await call.untilHangUp { try await pages.list(job, side, for: call.user) }
            return .json(list.json(side, from: from, limit: limit))
        },
        Route(
            .get, "/api/v1/jobs/:id/pages/:number/image", .provenOwner,
            "Returns a page, or a tile of a page, as a PNG image."
        ) {
            call in
            let (job, pages) = try await call.jobPages()
            let (side, number, area) = (try call.side, try call.number("number"), try call.area)
            let file = try await call.untilHangUp {
                try await pages.image(of: job, side, page: number, area, for: call.user)
            }
            return file.answer(to: call.request)
        },
        Route(
            .get, "/api/v1/jobs/:id/pages/:number/words", .provenOwner,
            "Returns the words on a page, with their places in points."
        ) {
            call in
            let (job, pages) = try await call.jobPages()
            let (side, number) = (try call.side, try call.number("number"))
            let words = try await call.untilHangUp {
                try await pages.words(on: number, of: job, side, for: call.user)
            }
            return .json(.object([("words", .array(words.map(\.json)))]))
        },
        Route(
            .get, "/api/v1/jobs/:id/compare/:number", .provenOwner,
            "Compares a page of the document with its printed side."
        ) {
            call in
            let (job, pages) = try await call.jobPages()
            let number = try call.number("number")
            let result = try await call.untilHangUp { try await pages.compare(job, page: number, for: call.user) }
            return .json(result.json)
        },
        Route(.get, "/api/v1/jobs/:id/documents/:number", .provenOwner, "Returns the original document of a job.") {
            call in
            let (job, pages) = try await call.jobPages()
            return try await pages.document(try call.number("number"), of: job).answer
        },
        Route(.get, "/api/v1/jobs/:id/sheets.pdf", .provenOwner, "Returns the printed sides of a job as a PDF.") {
            call in
            let (job, pages) = try await call.jobPages()
            return try await call.untilHangUp { try await pages.sheets(of: job, for: call.user) }.answer
        },
    ]
}

extension Call {
    /// Returns the ID of the job in the URL path, and the service for page images.
    ///
    /// The function also checks that the user is allowed to see the job's documents.
    ///
    /// - Throws: `Problem` with status 403 if the user is neither the owner nor an administrator.
    fileprivate func jobPages() async throws -> (job: Int, pages: any JobPages) {
        guard let pages = center.ports.pages else { throw Problem.notFound("this server does not support page images") }
        let id = try number("id")
        try await checkVisible(id)
        return (id, pages)
    }

    /// Checks that the user is allowed to see the documents of a job.
    ///
    /// - Throws: `Problem` with status 403 if the user is neither the owner nor an administrator.
    func checkVisible(_ id: Int) async throws {
        let job = try await spooler.job(id, ["job-id", "job-originating-user-name"])
        guard user.isAdministrator || job.string("job-originating-user-name") == user.name else {
            throw Problem(.forbidden, "only the owner of job \(id) and administrators may see the pages of the job")
        }
    }

    /// The value of the query parameter `side`; `document` if the parameter is missing.
    fileprivate var side: PageSide {
        get throws(Problem) {
            guard let text = query["side"] else { return .document }
            guard let side = PageSide(rawValue: text) else {
                throw .wrong("side", "'side' must be 'document' or 'printed'")
            }
            return side
        }
    }

    /// The area of a page that the query requests.
    ///
    /// The parameter `dpi` contains the resolution. The parameters `x` and `y` contain the column and the row of the
    /// tile.
    var area: PageArea {
        get throws(Problem) {
            let resolutions = [24, 48, 96, 192, 384, 768]
            let dpi = try query.number("dpi", in: 1...10_000, default: 96)
            guard resolutions.contains(dpi) else {
                throw .wrong("dpi", "'dpi' must be one of \(resolutions.map(String.init).joined(separator: ", "))")
            }
            guard query["x"] != nil || query["y"] != nil else {
                guard dpi <= 96 else {
                    throw .wrong(
                        "dpi",
                        "the maximum resolution of a whole page is 96 dpi; for a higher resolution, request tiles with "
                            + "'x' and 'y'")
                }
                return PageArea(resolution: dpi)
            }
            return PageArea(
                resolution: dpi, column: try query.number("x", in: 0...1_000_000, default: 0),
                row: try query.number("y", in: 0...1_000_000, default: 0))
        }
    }

    /// Runs an asynchronous function, and cancels the function if the client disconnects.
    func untilHangUp<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        guard let value = try await request.disconnection.stopping(work) else { throw CancellationError() }
        return value
    }
}

extension PageList {
    fileprivate func json(_ side: PageSide, from: Int, limit: Int) -> JSONText {
        .object(members(side, from: from, limit: limit))
    }

    /// Returns JSON members with at most `limit` pages of the list, beginning at position `from`, counted from 1.
    func members(_ side: PageSide, from: Int, limit: Int) -> [(name: String, value: JSONText)] {
        let sheets = pages.compactMap(\.sheet).max()
        return [
            ("side", .string(side.rawValue)), ("available", .bool(reason == nil)),
            ("reason", reason.map { .string($0) } ?? .null), ("count", .number(pages.count)),
            ("blank", .number(pages.count(where: \.isBlank))), ("sheets", sheets.map { .number($0) } ?? .null),
            ("pages", .array(pages.dropFirst(from - 1).prefix(limit).map(\.json))),
        ]
    }
}

extension PageItem {
    fileprivate var json: JSONText {
        .object([
            ("number", .number(number)), ("width", .decimal(width.hundredths)),
            ("height", .decimal(height.hundredths)),
            ("sheet", sheet.map { .number($0) } ?? .null),
            ("face", isFront.map { .string($0 ? "front" : "back") } ?? .null),
            ("state", state.map { .string($0.rawValue) } ?? .null), ("blank", .bool(isBlank)),
            ("label", .string(label)), ("margins", margins?.json ?? .null),
            ("pages", .array(pages.map { .number($0) })), ("turns", .number(turns)),
        ])
    }

    /// The printed side as JSON, for the list of sides in a preview.
    var previewJSON: JSONText {
        .object([
            ("number", .number(number)), ("sheet", sheet.map { .number($0) } ?? .null),
            ("face", isFront.map { .string($0 ? "front" : "back") } ?? .null),
            ("pages", .array(pages.map { .number($0) })), ("width", .decimal(width.hundredths)),
            ("height", .decimal(height.hundredths)), ("blank", .bool(isBlank)), ("turns", .number(turns)),
        ])
    }
}

extension PageWord {
    /// The word as JSON: its text, its place from the upper left corner of the page, and whether it ends a line.
    fileprivate var json: JSONText {
        .object([
            ("text", .string(text)), ("x", .decimal(area.origin.x.hundredths)),
            ("y", .decimal(area.origin.y.hundredths)),
            ("width", .decimal(area.size.width.hundredths)), ("height", .decimal(area.size.height.hundredths)),
            ("end", .bool(endsLine)),
        ])
    }
}

extension PageItem.Margins {
    var json: JSONText {
        .object([
            ("top", .decimal(top.hundredths)), ("left", .decimal(left.hundredths)),
            ("bottom", .decimal(bottom.hundredths)), ("right", .decimal(right.hundredths)),
        ])
    }
}

extension Double {
    /// The number, rounded to two decimal places.
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}

extension PageComparisonResult {
    fileprivate var json: JSONText {
        var items: [JSONText] = []
        for (index, difference) in differences.enumerated() {
            for area in difference.areas {
                let options = difference.options.map { (name: $0.name, value: JSONText.string($0.value)) }
                var reprint: [(name: String, value: JSONText)] = []
                if let printer = difference.printer { reprint.append(("printer", .string(printer))) }
                if !options.isEmpty { reprint.append(("options", .object(options))) }
                items.append(
                    .object([
                        ("number", .number(index + 1)), ("x", .decimal(area.x.hundredths)),
                        ("y", .decimal(area.y.hundredths)), ("width", .decimal(area.width.hundredths)),
                        ("height", .decimal(area.height.hundredths)), ("cause", .string(difference.cause)),
                        ("detail", .string(difference.detail)),
                        ("remedy", difference.remedy.map { .string($0) } ?? .null),
                        ("reprint", difference.remedy == nil ? .null : .object(reprint)),
                    ]))
            }
        }
        return .object([
            ("number", .number(page)), ("printed", printed.map { .number($0) } ?? .null),
            ("same", .bool(differences.isEmpty && printed != nil)), ("dpi", .number(resolution)),
            ("tolerance", .number(tolerance)), ("differences", .array(items)),
        ])
    }
}

extension PageImageFile {
    /// Returns a response with the page image.
    ///
    /// The response has status 304 if the client already has the current image.
    func answer(to request: WebRequest) -> WebAnswer {
        let headers: HTTPFields = [
            .eTag: "\"\(tag)\"", .cacheControl: mayChange ? "private, no-cache" : "private, max-age=3600",
            .contentSecurityPolicy: FileDownload.policy,
        ]
        let known = request.headers[.ifNoneMatch]?.split(separator: ",").contains {
            $0.drop { $0 == " " || $0 == "W" || $0 == "/" } == "\"\(tag)\""
        }
        if known == true { return WebAnswer(.notModified, headers: headers) }
        return .bytes(png, type: "image/png", headers: headers)
    }
}

extension FileDownload {
    /// The content security policy for content that users sent.
    ///
    /// The content can run no code and has no access to this server.
    static let policy = "default-src 'none'; sandbox; frame-ancestors 'none'"

    /// The file as the response to a download request.
    var answer: WebAnswer {
        WebAnswer(
            .ok,
            headers: [
                .contentType: type, .contentDisposition: "attachment; \(Self.fileName(name))",
                .cacheControl: "private, no-store", .contentSecurityPolicy: Self.policy,
            ], body: .stream(length: size, send))
    }

    /// Returns the parameters of the header `Content-Disposition` that contain a file name (RFC 6266).
    ///
    /// The function removes folders and control characters from the name.
    static func fileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? "document"
        let visible = String(
            String.UnicodeScalarView(
                last.unicodeScalars.filter { scalar in
                    ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                        scalar.properties.generalCategory)
                }.prefix(150)))
        let ascii = String(
            visible.map { character in
                guard let code = character.asciiValue, code >= 0x20, code < 0x7F, !"\"\\%;".contains(character) else {
                    return "_"
                }
                return character
            })
        var encoded = ""
        for byte in visible.utf8 {
            let isPlain =
                byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || "-._~".utf8.contains(byte)
            if isPlain {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return "filename=\"\(ascii)\"; filename*=UTF-8''\(encoded)"
    }
}
