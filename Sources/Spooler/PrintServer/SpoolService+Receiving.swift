// Receives documents.

import AsyncPrimitives
import IPP
import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService {
    /// Receives the data of a document, and returns its format.
    ///
    /// If the data is incomplete, cannot be stored, is empty, or has an unsupported format, the document is deleted.
    func receive(_ document: DocumentRequest, into incoming: IncomingDocument) async throws -> DocumentFormat {
        var iterator = document.stream.makeAsyncIterator()
        guard let first = try await next(&iterator) else {
            incoming.discard()
            throw IPPFailure.badRequest("the document is empty; no job was created")
        }
        return try await receive(document, from: &iterator, first: first, into: incoming)
    }

    /// Receives the remaining data of a document after the first part, and returns the format of the document.
    func receive(
        _ document: DocumentRequest, from iterator: inout DocumentStream.AsyncIterator, first: ArraySlice<UInt8>,
        into incoming: IncomingDocument
    ) async throws -> DocumentFormat {
        do {
            var piece: ArraySlice<UInt8>? = first
            while let data = piece, incoming.fitsInMemory(adding: data.count) {
                try incoming.write(data)
                piece = try await next(&iterator)
            }
            if let data = piece {
                // The first bytes decide, so that an endless or very large upload is refused at its beginning.
                _ = try await format(of: document, head: incoming.head + data.prefix(1024 - incoming.head.count))
                try await receiveLarge(data, from: &iterator, into: incoming)
            }
            let format = try await format(of: document, head: incoming.head)
            try await checkContainer(document, incoming)
            return format
        } catch {
            if incoming.isLarge {
                await BlockingThreads.shared.run { incoming.discard() }
            } else {
                incoming.discard()
            }
            throw error
        }
    }

    /// Receives the remaining data of a large document, and writes the data to a file.
    ///
    /// Because the disk may be slow, the data is written on threads that may block.
    private func receiveLarge(
        _ first: ArraySlice<UInt8>, from iterator: inout DocumentStream.AsyncIterator, into incoming: IncomingDocument
    ) async throws {
        try await withTaskExecutorPreference(BlockingThreads.shared) {
            try incoming.write(first)
            while let data = try await next(&iterator) { try incoming.write(data) }
        }
    }

    /// Returns the next nonempty part of the data; nil at the end of the data.
    func next(_ iterator: inout DocumentStream.AsyncIterator) async throws -> ArraySlice<UInt8>? {
        while let piece = try await iterator.next(isolation: nil) {
            if !piece.isEmpty { return piece }
        }
        return nil
    }

    /// Checks that an archive or a compound file contains a document that can be printed on this machine.
    ///
    /// The first bytes of such a file only show the kind of container. If the type cannot be determined now, the document
    /// is accepted, and its preparation explains the problem.
    ///
    /// - Throws: `IPPFailure` for a file that cannot be printed.
    private func checkContainer(_ document: DocumentRequest, _ incoming: IncomingDocument) async throws {
        guard let identify, [.zip, .compoundFile].contains(DocumentContent(head: incoming.head)) else { return }
        let types = await types()
        let likely = types.registry.type(
            ofHead: incoming.head, name: document.name, declared: document.format)
        // Workers do not know registered types.
        if case .program = likely?.converter { return }
        let failure: WorkError? = try await incoming.withFile { path in
            do throws(WorkError) {
                let file = InputDocument(
                    path: path, format: document.format, name: document.name ?? "the document")
                guard let type = try await identify(file) else { return .unknownType(file) }
                return types.unavailability(for: type)
            } catch {
                return error.code == .unsupportedFormat ? error : nil
            }
        }
        try Task.checkCancellation()
        if let failure { throw IPPFailure(.clientErrorDocumentFormatNotSupported, failure.message) }
    }

    /// Returns the format of a document from its first bytes, its name and the declared format.
    ///
    /// - Throws: `IPPFailure` if the document cannot be printed on this machine.
    private func format(of document: DocumentRequest, head: [UInt8]) async throws -> DocumentFormat {
        let types = await types()
        // A worker explains what is wrong with a document that does not have its declared format.
        if document.format != .octetStream, types.registry.type(for: document.format)?.converter == .pages {
            return document.format
        }
        do throws(WorkError) {
            return try types.format(ofHead: head, name: document.name, declared: document.format)
        } catch {
            throw IPPFailure(.clientErrorDocumentFormatNotSupported, error.message)
        }
    }
}
