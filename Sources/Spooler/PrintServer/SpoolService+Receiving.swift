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
            return try await format(of: document, head: incoming.head)
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
