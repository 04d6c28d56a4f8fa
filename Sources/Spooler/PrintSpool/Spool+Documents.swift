// Provides the documents of jobs as files, and creates jobs from the documents of ended jobs.

public import PrintModel

extension Spool {
    /// Returns the documents of a job as files, in order.
    ///
    /// The function first creates the folder of the job, and writes documents from the database to files. The documents
    /// of a job that has not ended have their passwords.
    ///
    /// - Throws: `noSuchJob`, `documentMissing` when a document's file is missing or was not kept, `noSpace`,
    ///   `unwritable`.
    public func documents(of jobID: Int) async throws(SpoolError) -> [InputDocument] {
        // Otherwise the removal could delete the new files of an ended job.
        await store.removals.finish(of: jobID)
        let (stored, passwords) = try await read { snapshot in
            let job = try snapshot.existingJob(jobID)
            let hasPassword = job.ticket.hasDocumentPassword == true
            return (
                try snapshot.documents(of: jobID), hasPassword ? try snapshot.documentPasswords(of: jobID) : [:]
            )
        }
        if stored.isEmpty {
            try await store.onDisk { [store] () throws(SpoolError) in
                try store.files.makeFolder(store.folder(of: jobID))
            }
        }
        var documents: [InputDocument] = []
        for document in stored {
            let path =
                if let id = document.contentID {
                    try await materialize(document, contentID: id, of: jobID)
                } else {
                    try await store.onDisk { [store] () throws(SpoolError) in try document.path(jobID, store) }
                }
            documents.append(
                InputDocument(
                    path: path, format: document.format, password: passwords[document.number], name: document.name))
        }
        return documents
    }

    /// Writes a large document from the database to a file, and returns its path.
    private func materialize(
        _ document: StoredDocument, contentID: Int, of jobID: Int
    ) async throws(SpoolError) -> String {
        guard let contents = database.largeDocuments else { throw .documentNotKept(document.number, job: jobID) }
        let path: String?
        do {
            let name = store.fileName(document.number, document.format)
            path = try await store.materialize(contentID, of: contents, as: name, jobID: jobID)
        } catch {
            throw database.error(error)
        }
        guard let path else { throw .documentNotKept(document.number, job: jobID) }
        return path
    }

    /// Returns the path for a job's prepared PDF, in the folder of the files that `documents(of:)` returns.
    public func preparedPath(of jobID: Int) -> String {
        store.folder(of: jobID) + "/prepared.pdf"
    }
}

extension StoredDocument {
    /// Returns the path of the document's file, and writes a small document to a file first.
    ///
    /// - Throws: `documentMissing`, `noSpace`, `unwritable`.
    fileprivate func path(_ jobID: Int, _ store: DocumentStore) throws(SpoolError) -> String {
        if let content {
            return try store.materialize(content, as: store.fileName(number, format), jobID: jobID)
        }
        guard let file else { throw .documentNotKept(number, job: jobID) }
        let path = store.folder(of: jobID) + "/" + file
        guard store.files.isReadable(path) else { throw .documentMissing(number, job: jobID, path: path) }
        return path
    }
}

// MARK: - Submitting a job again

extension Spool {
    /// Creates a new job from the documents of an ended job (IPP `Resubmit-Job`, PWG 5100.7-2023 §5.3).
    ///
    /// The ended job does not change.
    ///
    /// Small documents are copied. Both jobs share the bytes of each large document: with a hard link to the file, or
    /// with a reference to the same content in the database. The password of a document is not copied: the ended job no
    /// longer has the password.
    ///
    /// - Parameter groups: Returns the groups of the owner. The function is called only if groups have quotas.
    /// - Throws: `noSuchJob`, `documentMissing` when a document was not kept, `notPossible` for a job that has not
    ///   ended, and the errors of `submit`.
    public func resubmit(
        _ id: Int, as submission: Submission, groups: @escaping GroupLookUp = { _ in [] }
    ) async throws(SpoolError) -> Job {
        try await withGroups(groups) { known throws(SpoolError) in
            try await self.resubmit(id, as: submission, known)
        }
    }

    private func resubmit(
        _ id: Int, as submission: Submission, _ groups: KnownGroups
    ) async throws(SpoolError) -> Job {
        let (known, files) = try await write(.forced, adds: true) { [self] transaction in
            if let known = try knownJob(submission, in: transaction) { return (known as Job?, [String]()) }
            let files = try keptFiles(of: id, in: transaction)
            return (files.isEmpty ? try insertCopy(of: id, as: submission, groups, in: transaction) : nil, files)
        }
        if let known { return known }
        // Other writes do not wait until the disk has stored the names of the files.
        let newID = try await reserveJobID()
        defer { store.arriving.remove("\(newID)") }
        do {
            try await store.onDisk { [store] () throws(SpoolError) in
                for file in files { try store.share(file, of: id, with: newID) }
            }
            let job = try await write(.forced, adds: true) { [self] transaction in
                if let known = try knownJob(submission, in: transaction) { return known }
                // The documents can have been deleted in the meantime; they never change.
                _ = try keptFiles(of: id, in: transaction)
                return try insertCopy(of: id, as: submission, groups, newID: newID, in: transaction)
            }
            if job.id != newID { await store.removeFolders(of: [newID]) }
            return job
        } catch {
            if !error.isOutcomeUnknown { await store.removeFolders(of: [newID]) }
            throw error
        }
    }

    private func insertCopy(
        of id: Int, as submission: Submission, _ groups: KnownGroups, newID: Int? = nil,
        in transaction: any SpoolTransaction
    ) throws -> Job {
        let old = try transaction.existingJob(id)
        try budgets.admitJob(of: submission.owner, bytes: old.documents.map(\.bytes).reduce(0, +), in: transaction)
        var submission = submission
        submission.parentID = id
        let job = try insert(submission, id: newID, incoming: false, groups: groups, in: transaction)
        try transaction.copyDocuments(from: id, to: job.id)
        if let password = submission.documentPassword {
            for document in old.documents {
                try transaction.insert(password: password, ofDocument: document.number, of: job.id)
            }
        }
        return try transaction.existingJob(job.id)
    }

    /// Returns the file names of an ended job's documents that are stored as files.
    ///
    /// - Throws: `notPossible` for a job that has not ended; `documentMissing` when a document was not kept, or its
    ///   file is missing.
    private func keptFiles(of jobID: Int, in transaction: any SpoolTransaction) throws -> [String] {
        let old = try transaction.existingJob(jobID)
        guard old.state.isTerminal else { throw SpoolError.notEnded(old) }
        return try transaction.documents(of: jobID).compactMap { document in
            if document.isDeleted { throw SpoolError.documentNotKept(document.number, job: jobID) }
            guard let file = document.file else { return nil }
            let path = store.folder(of: jobID) + "/" + file
            guard store.files.isReadable(path) else {
                throw SpoolError.documentMissing(document.number, job: jobID, path: path)
            }
            return file
        }
    }
}
