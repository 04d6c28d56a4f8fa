// The routes of uploads and previews.

import HTTPTypes
import IPPServer
import PrintModel
import SpoolerClient

extension Route {
    /// The routes for documents that browsers upload.
    static let uploadRoutes: [Route] = [
        Route(.post, "/api/v1/uploads", .provenUser, "Uploads a document for a new job.") { call in
            let uploads = try call.uploads
            let type = call.request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
            let file = try await uploads.receive(
                call.request.body, name: call.query["name"], format: type, of: call.user)
            var answer = WebAnswer.json(file.json, status: .created)
            answer.headers[.location] = "/api/v1/uploads/\(file.id)"
            return answer
        },
        Route(.get, "/api/v1/uploads/:id", .provenOwner, "Returns the type and the number of pages of an upload.") {
            call in
            .json(try await call.uploads.upload(call.parameters["id"] ?? "", of: call.user).json)
        },
        Route(.delete, "/api/v1/uploads/:id", .provenOwner, "Removes an upload.") { call in
            try await call.uploads.delete(call.parameters["id"] ?? "", of: call.user)
            return .noContent
        },
    ]

    static let previewRoutes: [Route] = [
        Route(.post, "/api/v1/previews", .provenOwner, "Lays out uploads, or the documents of a job, for a preview.") {
            call in
            let previews = try call.previews
            let body = try await call.json()
            let source = try await call.previewSource(body)
            let options = try body.options
            let (printer, password) = (try body.text("printer"), try body.documentPassword)
            var session = call.session?.id ?? "user \(call.user.account)"
            // The preview of a job does not replace the preview of a new job in another tab.
            if case .job(let id) = source { session += " job \(id)" }
            let place = session
            let result = try await call.untilHangUp {
                try await previews.make(
                    of: source, printer: printer, options: options, password: password, for: call.user, session: place)
            }
            return .json(result.json)
        },
        Route(
            .get, "/api/v1/previews/:id/sides/:number/image", .provenOwner,
            "Returns a side of a preview as a PNG image."
        ) { call in
            let previews = try call.previews
            let (id, side, area) = (call.parameters["id"] ?? "", try call.number("number"), try call.area)
            let file = try await call.untilHangUp {
                try await previews.image(of: id, side: side, area, for: call.user)
            }
            return file.answer(to: call.request)
        },
    ]
}

extension Call {
    fileprivate var uploads: any Uploads {
        get throws(Problem) {
            guard let uploads = center.ports.uploads else { throw .notFound("this server does not accept uploads") }
            return uploads
        }
    }

    /// Returns the documents in the member `uploads` of a request, or the documents of the job in the member `job`.
    ///
    /// - Throws: `Problem` with status 403 if the user is not allowed to see the documents of the job.
    fileprivate func previewSource(_ body: JSONText) async throws -> PreviewSource {
        if let job = try body.number("job") {
            guard try body.elements("uploads") == nil else {
                throw Problem.wrong("job", "give either 'job' or 'uploads', not both")
            }
            guard job > 0 else { throw Problem.wrong("job", "'job' must be a job number") }
            try await checkVisible(job)
            return .job(job)
        }
        return .uploads(
            try (body.elements("uploads") ?? []).map { element throws(Problem) in
                guard case .string(let id) = element else {
                    throw .wrong("uploads", "'uploads' must be an array of strings")
                }
                return id
            })
    }

    fileprivate var previews: any Previews {
        get throws(Problem) {
            guard let previews = center.ports.previews else { throw .notFound("this server does not support previews") }
            return previews
        }
    }
}

extension JSONText {
    /// The password in the member `document-password`; nil for no password.
    ///
    /// - Throws: `Problem` with status 422, without the password, if the member is not a valid password.
    var documentPassword: String? {
        get throws(Problem) {
            guard let password = try text("document-password"), !password.isEmpty else { return nil }
            guard password.utf8.count <= InputDocument.longestPassword, !password.utf8.contains(0) else {
                throw .wrong(
                    "document-password", "the password must have at most \(InputDocument.longestPassword) bytes")
            }
            return password
        }
    }

    /// The print options in the member `options`, as strings.
    ///
    /// - Throws: `Problem` with status 422 if the member is not an object of strings, numbers and Booleans.
    fileprivate var options: [(name: String, value: String)] {
        get throws(Problem) {
            guard let member = self["options"] else { return [] }
            guard case .object(let members) = member else { throw .wrong("options", "'options' must be a JSON object") }
            var options: [(name: String, value: String)] = []
            for (name, value) in members {
                switch value {
                case .string(let text): options.append((name, text))
                case .number(let number): options.append((name, "\(number)"))
                case .bool(let truth): options.append((name, "\(truth)"))
                case .null: continue
                default: throw .wrong(name, "'\(name)' must be a string, a number or a boolean")
                }
            }
            return options
        }
    }
}

extension UploadedFile {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("name", .string(name)), ("size", .number(size)),
            (
                "type",
                type.map { .object([("name", .string($0.name)), ("media-type", .string($0.format))]) } ?? .null
            ),
            ("state", .string(problem == nil ? "ready" : "failed")),
            ("pages", pages.map { .number($0) } ?? .null), ("needs-password", .bool(needsPassword)),
            ("detail", problem.map { .string($0) } ?? .null),
            ("notices", .strings(notices)),
        ])
    }
}

extension PreviewResult {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("pages", .number(pages)), ("selected-pages", .number(selectedPages)),
            ("sides", .number(sideCount)), ("sheets", .number(sheets)), ("copies", .number(copies)),
            ("notices", .strings(notices)),
            (
                "paper",
                .object([
                    ("label", .string(paper.label)), ("width", .decimal(paper.width)),
                    ("height", .decimal(paper.height)), ("margins", margins.json),
                ])
            ),
            ("sides-list", .array(sides.map(\.previewJSON))),
        ])
    }
}
