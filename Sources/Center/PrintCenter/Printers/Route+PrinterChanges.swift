// The routes that add, change, control and remove printers.

import IPP
import IPPServer
import PrintIPP
import PrintModel
import SpoolerClient

extension Route {
    static let changedPrinterRoutes: [Route] = [
        Route(.post, "/api/v1/printers", .administrator, "Adds a printer.") { call in try await call.addPrinter() },
        Route(.patch, "/api/v1/printers/:name", .administrator, "Changes a printer.") { call in
            try await call.changePrinter()
        },
        Route(.delete, "/api/v1/printers/:name", .administrator, "Removes a printer.") { call in
            try await call.removePrinter()
        },
        Route(.post, "/api/v1/printers/:name/pause", .administrator, "Pauses a printer.") { call in
            let message = try await call.optionalJSON().text("message") ?? ""
            return try await call.control(
                .pausePrinter, message.isEmpty ? [] : [Attribute("printer-state-message", .text(message))])
        },
        Route(.post, "/api/v1/printers/:name/resume", .administrator, "Resumes a paused printer.") { call in
            try await call.control(.resumePrinter)
        },
        Route(.post, "/api/v1/printers/:name/default", .administrator, "Makes a printer the default printer.") { call in
            try await call.control(.cupsSetDefault)
        },
        Route(.post, "/api/v1/printers/:name/accept", .administrator, "Makes a printer accept new jobs.") { call in
            try await call.control(.enablePrinter)
        },
        Route(.post, "/api/v1/printers/:name/reject", .administrator, "Makes a printer refuse new jobs.") { call in
            try await call.control(.disablePrinter)
        },
        Route(
            .post, "/api/v1/printers/:name/identify", .provenUser,
            "Makes a printer identify itself with a light or a sound."
        ) {
            call in
            let message = try await call.optionalJSON().text("message") ?? ""
            return try await call.control(
                .identifyPrinter, message.isEmpty ? [] : [Attribute("message", .text(message))])
        },
        Route(
            .post, "/api/v1/printers/:name/release", .passwordHolder,
            "Releases all jobs of a printer that wait for a PIN."
        ) { try await $0.releaseJobs() },
        Route(.post, "/api/v1/printers/:name/test-page", .provenUser, "Prints a test page.") { call in
            try await call.printTestPage()
        },
    ]
}

extension Call {
    /// Sends an IPP operation to the printer in the URL path, and returns the printer's new state.
    fileprivate func control(_ operation: Operation, _ attributes: [Attribute] = []) async throws -> WebAnswer {
        let name = try printerName()
        try await spooler.ask(operation, printer: name, attributes: attributes)
        return try await shown(name)
    }

    /// Releases the jobs of the printer in the URL path that wait for the PIN in the body, and returns their number.
    fileprivate func releaseJobs() async throws -> WebAnswer {
        let name = try printerName()
        guard let pin = try await json().text("pin"), JobPassword(pin: pin) != nil else {
            throw Problem.wrong("pin", "'pin' must be a text of 4 to 8 digits")
        }
        return .json(.object([("released", .number(try await spooler.release(jobsAt: name, pin: pin)))]))
    }

    private func shown(_ name: String, isNew: Bool = false) async throws -> WebAnswer {
        let record = try await printerRecord(name)
        return .json(.object([("printer", record.json)]), status: isNew ? .created : .ok)
    }

    // MARK: - Adding and changing

    fileprivate func addPrinter() async throws -> WebAnswer {
        let body = try await json()
        guard let name = try body.text("name"), ConfiguredPrinter.isValidName(name) else {
            throw Problem.wrong(
                "name",
                "a printer name has 1 to 127 letters, digits, '-', '_' and '.', and begins with a letter or digit")
        }
        guard let given = try body.text("device-uri") else {
            throw Problem.wrong("device-uri", "'device-uri' is missing; give a URI such as ipp://HOST/ipp/print")
        }
        let isChecked = try body.truth("check") ?? true
        let attributes = [
            Attribute("device-uri", .uri(try Self.device(given))),
            Attribute("printer-is-accepting-jobs", .boolean(true)),
            Attribute("printer-state", .enumeration(Int32(PrinterState.idle.rawValue))),
        ]
        try await change(
            name, attributes + (try description(body)),
            operation: [
                Attribute("printq-must-be-new", .boolean(true)), Attribute("printq-check", .boolean(isChecked)),
            ])
        if try body.truth("default") == true { try await spooler.ask(.cupsSetDefault, printer: name) }
        return try await shown(name, isNew: true)
    }

    fileprivate func changePrinter() async throws -> WebAnswer {
        let name = try printerName()
        let body = try await json()
        var attributes = try description(body)
        let device = try body.text("device-uri")
        if let device { attributes.append(Attribute("device-uri", .uri(try Self.device(device)))) }
        let isDefault = try body.truth("default") == true
        guard !attributes.isEmpty || isDefault else {
            throw Problem.malformed(
                "nothing to change; specify 'info', 'location', 'users', 'sharing', 'options', 'default' or "
                    + "'device-uri'")
        }
        _ = try await spooler.printer(name, ["printer-name"])
        if center.configuration.service == "printsim" {
            try await set(attributes, of: name)
        } else if !attributes.isEmpty {
            let isChecked = try device != nil && body.truth("check") ?? true
            try await change(
                name, attributes,
                operation: [
                    Attribute("printq-must-exist", .boolean(true)), Attribute("printq-check", .boolean(isChecked)),
                ])
        }
        if isDefault { try await spooler.ask(.cupsSetDefault, printer: name) }
        return try await shown(name)
    }

    /// Changes the attributes of a simulated printer with Set-Printer-Attributes.
    private func set(_ attributes: [Attribute], of name: String) async throws {
        var request = Message.request(.setPrinterAttributes, printer: name, user: user.name)
        request.groups.append(AttributeGroup(.printer, attributes))
        try await spooler.send(request, isRepeatable: true)
    }

    /// Changes a printer with CUPS-Add-Modify-Printer.
    ///
    /// - Throws: `Problem` with the field `device-uri` if printd queried the device and cannot use the device.
    private func change(_ name: String, _ attributes: [Attribute], operation: [Attribute]) async throws {
        do throws(SpoolerClientError) {
            try await spooler.change(printer: name, attributes, operation: operation)
        } catch {
            guard error.refusal?[.operation]?["printq-check-failure"] != nil else { throw error }
            throw Problem.wrong("device-uri", error.message)
        }
    }

    /// Returns the IPP attributes for the JSON members `info`, `location`, `users`, `sharing` and `options` of a request.
    private func description(_ body: JSONText) throws(Problem) -> [Attribute] {
        var attributes: [Attribute] = []
        if let info = try body.text("info") { attributes.append(Attribute("printer-info", .text(info))) }
        if let place = try body.text("location") { attributes.append(Attribute("printer-location", .text(place))) }
        if let users = body["users"] { attributes += try Self.users(users) }
        if let sharing = body["sharing"] { attributes += try self.sharing(sharing) }
        if let options = body["options"] { attributes += try defaults(options) }
        return attributes
    }

    private static func users(_ json: JSONText) throws(Problem) -> [Attribute] {
        func names(_ member: String) throws(Problem) -> [String]? {
            guard let elements = try json.elements(member) else { return nil }
            var names: [String] = []
            for element in elements {
                guard case .string(let name) = element else {
                    throw .wrong("users", "'\(member)' must be an array of names")
                }
                names.append(name)
            }
            return names
        }
        let (allowed, denied) = (try names("allowed"), try names("denied"))
        guard allowed == nil || denied == nil else {
            throw .wrong("users", "give either 'allowed' or 'denied' users, not both")
        }
        let users = allowed.map { AccessList.allowed($0) } ?? .denied(denied ?? [])
        return [PolicyList.submitters.attribute(users)]
    }

    /// Returns the attributes of `printq printers share`, or of `unshare` if `shared` is false.
    private func sharing(_ json: JSONText) throws(Problem) -> [Attribute] {
        guard user.networkUser == nil else {
            throw Problem(.forbidden, "the sharing of a printer can be changed only on the machine of the server")
        }
        guard let isShared = try json.truth("shared") else {
            throw .wrong("sharing", "'sharing' must have the member 'shared', which is true or false")
        }
        var attributes = [Attribute("printer-is-shared", .boolean(isShared))]
        if isShared, let name = try json.text("name") {
            attributes.append(Attribute("printer-dns-sd-name", .name(name)))
        }
        if let isAnonymous = isShared ? try json.truth("anonymous") : false {
            attributes.append(Attribute("printq-anonymous", .boolean(isAnonymous)))
        }
        return attributes
    }

    /// Converts the default print options in a JSON object to IPP attributes of a printer.
    ///
    /// An option with an empty value removes the default of the option.
    private func defaults(_ json: JSONText) throws(Problem) -> [Attribute] {
        guard case .object(let members) = json else { throw .wrong("options", "'options' must be a JSON object") }
        var attributes: [Attribute] = []
        for (name, value) in members {
            guard case .string(let text) = value else { throw .wrong(name, "'\(name)' must be a string") }
            do throws(SpoolerClientError) {
                attributes += try [OptionText(name: name, value: text)].printerDefaults(now: center.clock())
            } catch {
                throw .wrong(name, error.message)
            }
        }
        return attributes
    }

    /// Returns the normalized text of a device URI.
    ///
    /// - Throws: `Problem` with the field `device-uri` if the URI is invalid.
    private static func device(_ text: String) throws(Problem) -> String {
        do throws(DeviceURI.Problem) {
            return try DeviceURI(text).description
        } catch {
            throw .wrong("device-uri", error.description)
        }
    }

    fileprivate func removePrinter() async throws -> WebAnswer {
        let name = try printerName()
        let jobs: RemovedPrinterJobs
        switch (query["jobs"], query["move-to"]) {
        case (nil, nil), ("keep"?, nil): jobs = .keepPrinter
        case ("cancel"?, nil): jobs = .cancel
        case (nil, let other?): jobs = .move(to: other)
        default:
            throw Problem.wrong(
                "jobs", "'jobs' is invalid or conflicts with 'move-to'; use jobs=keep, jobs=cancel or move-to=PRINTER")
        }
        try await spooler.removePrinter(name, jobs: jobs)
        return .noContent
    }

    // MARK: - Test page

    fileprivate func printTestPage() async throws -> WebAnswer {
        let group = try await spooler.printer(try printerName(), TestPageOrder.attributeNames)
        let order = TestPageOrder(group, media: nil, user: user.name, date: LocalTime.long(center.clock()))
        let id = try await spooler.printTestPage(order)
        let job = try await spooler.job(id, JobSummary.attributeNames)
        return .json(.object([("job", JobSummary(job, for: user, printer: nil).json)]), status: .created)
    }
}
