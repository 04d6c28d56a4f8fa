// Reads the passwords of jobs and documents in requests, and releases jobs by their passwords.

import IPP
import PrintModel

extension PrinterOperations {
    /// The attributes that require a password or a person at the printer before the job is printed (PWG 5100.11).
    static let releaseAttributes = ["job-password", "job-password-encryption", "job-release-action"]

    /// Holds a job that must not be printed before its owner is at the printer.
    ///
    /// If the service does not store passwords, the owner must release the job.
    ///
    /// - Returns: The password that the service must store; `nil` for no password.
    func hold(
        forReleaseIn exchange: Exchange, _ reading: inout TicketReading
    ) throws(IPPFailure) -> JobPassword? {
        let groups = [exchange.attributes] + exchange.request.message.groups(.job)
        let given = Self.releaseAttributes.filter { name in
            groups.contains { $0[name].map { !$0.asksForNothing } ?? false }
        }
        guard given.contains(where: { $0 != "job-password-encryption" }) else { return nil }
        let password = try jobPassword(groups)
        reading.ticket.holdUntil = .indefinite
        for name in given where password == nil || !Self.passwordAttributes.contains(name) {
            reading.unsupported.append(Attribute(name, .outOfBand(.unsupported)))
            reading.problems.append(
                name == "job-password"
                    ? "the password of the job is not stored, and the printer does not ask for the password; "
                        + "the job is held until its owner releases the job"
                    : "\(name) is not supported; the job is held until its owner releases the job")
        }
        return password
    }

    /// Returns the password of a job; `nil` if the request has no password, or the service stores none.
    ///
    /// lp sends the attributes as operation attributes, and other clients as job attributes.
    ///
    /// - Throws: `IPPFailure` for an invalid password. The response does not contain the password.
    func jobPassword(_ groups: [AttributeGroup]) throws(IPPFailure) -> JobPassword? {
        func given(_ name: String) -> Value? {
            groups.lazy.compactMap { $0[name] }.first { !$0.asksForNothing }?.first
        }
        guard service.longestJobPassword > 0, let value = given("job-password") else { return nil }
        let keyword = given("job-password-encryption")?.stringValue ?? JobPassword.Encryption.none.rawValue
        guard let encryption = JobPassword.Encryption(rawValue: keyword) else {
            let names = JobPassword.Encryption.allCases.map(\.rawValue).alternatives
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "job-password-encryption '\(keyword.prefixOfUTF8(40))' is not supported; use \(names)",
                unsupported: [Attribute("job-password-encryption", .keyword(keyword))])
        }
        let bytes = value.bytesValue ?? value.stringValue.map { Array($0.utf8) } ?? []
        guard let password = JobPassword(bytes, encryption) else {
            let lengths = JobPassword.lengths
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                encryption == .none
                    ? "the PIN of a job must have \(lengths.lowerBound) to \(lengths.upperBound) digits"
                    : "job-password is not a digest of \(encryption.rawValue)",
                unsupported: [Attribute("job-password", .outOfBand(.unsupported))])
        }
        return password
    }

    /// Handles Release-Job with `job-password`: releases the job, or without `job-id` all jobs of the printer that wait
    /// for this password.
    ///
    /// The response contains no attributes of the jobs, because the requester need not own them.
    func releaseWithPassword(_ exchange: Exchange) async throws -> Message {
        try exchange.permit(.others, at: exchange.target.printer)
        guard service.longestJobPassword > 0 else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported, "this server does not support job-password",
                unsupported: [Attribute("job-password", .outOfBand(.unsupported))])
        }
        guard let password = try jobPassword([exchange.attributes]) else {
            throw IPPFailure.badRequest("job-password is empty; send the PIN")
        }
        if exchange.target.jobID != nil {
            let job = try await requestedJob(exchange)
            try await service.release(job, with: password)
            return exchange.reply()
        }
        return try await releaseAll(of: exchange.target.printer, with: password, exchange)
    }

    /// Releases the jobs of a printer that wait for a password; a separate function because Swift 6.3 crashes when it
    /// optimizes one function with all these steps.
    private func releaseAll(
        of printer: String?, with password: JobPassword, _ exchange: Exchange
    ) async throws -> Message {
        guard let printer else {
            throw IPPFailure.badRequest("the request has no job-id and no printer-uri")
        }
        let name = try await service.destination(named: printer, waits: false).name
        try exchange.checkLook(name)
        let count = try await service.releaseJobs(of: name, with: password)
        var reply = exchange.reply()
        reply[.operation]?.append(Attribute("printq-job-count", .integer(Int32(clamping: count))))
        return reply
    }

    static let passwordAttributes = ["job-password", "job-password-encryption"]

    /// Returns the password of the documents; nil if the request has no password, or the service supports none.
    ///
    /// - Throws: `IPPFailure` for an invalid password. The response does not contain the password.
    func documentPassword(_ exchange: Exchange) throws(IPPFailure) -> String? {
        guard service.longestDocumentPassword > 0, let attribute = exchange.attributes["document-password"],
            let bytes = attribute.first?.bytesValue, !bytes.isEmpty
        else { return nil }
        guard bytes.count <= service.longestDocumentPassword, !bytes.contains(0),
            let password = String(validating: bytes, as: UTF8.self)
        else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "document-password must have at most \(service.longestDocumentPassword) bytes of UTF-8, and no zero byte",
                unsupported: [Attribute("document-password", .outOfBand(.unsupported))])
        }
        return password
    }
}
