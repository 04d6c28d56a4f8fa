// Receives documents over the session bus.

import AsyncPrimitives
import CGio
import FoundationEssentials
public import PrintKit
import Synchronization

/// The documents that other programs ask a running program to open, over the session bus (`org.freedesktop.Application`).
///
/// The program's desktop entry contains `DBusActivatable=true`, and the entry's name is the identifier:
/// `com.acme.Composer` for `com.acme.Composer.desktop`. The bus starts the program if it does not run, and further
/// documents arrive in the same process.
///
///     let requests = try await OpenRequests(application: "com.acme.Composer")
///     for await document in requests.documents { show(document.url) }
public final class OpenRequests: Sendable {
    /// The documents, in the order of their arrival.
    ///
    /// One task can read the documents. A request without a document (`Activate`) is not part of the sequence. The sequence
    /// ends when the bus ends.
    public let documents: AsyncStream<OpenedDocument>

    private let bus: SessionBus
    private let filter: UInt32
    private let receiver: AsyncStream<OpenedDocument>.Continuation
    private let events: BusEvents

    /// Begins to receive documents.
    ///
    /// - Parameters:
    ///   - id: The identifier of the application, which is its name on the bus.
    ///   - address: The address of the bus; `nil` for the session bus of the user.
    /// - Throws: `PrintError` with `jobFailed` if the bus cannot be reached, or if another program has the name.
    public convenience init(application id: String, bus address: String? = nil) async throws(PrintError) {
        self.init(
            try await BlockingThreads.shared.run { () throws(PrintError) in try Registration(id, address) })
    }

    private init(_ registration: Registration) {
        (bus, filter) = (registration.bus, registration.filter)
        (documents, receiver, events) = (registration.documents, registration.receiver, registration.events)
    }

    deinit {
        g_dbus_connection_remove_filter(bus.connection, filter)
        receiver.finish()
        events.stop()
    }

    /// The object of the message filter, which GIO owns.
    fileprivate final class Receiver: Sendable {
        let path: String
        let continuation: AsyncStream<OpenedDocument>.Continuation

        init(_ path: String, _ continuation: AsyncStream<OpenedDocument>.Continuation) {
            (self.path, self.continuation) = (path, continuation)
        }
    }

    private struct Registration: Sendable {
        let bus: SessionBus
        let filter: UInt32
        let documents: AsyncStream<OpenedDocument>
        let receiver: AsyncStream<OpenedDocument>.Continuation
        let events = BusEvents()

        init(_ id: String, _ address: String?) throws(PrintError) {
            bus = try events.connect(address)
            (documents, receiver) = AsyncStream.makeStream()
            let object = Receiver(SessionBus.objectPath(of: id), receiver)
            events.onEnd(of: bus) { [receiver] in receiver.finish() }
            // The filter is complete before the program takes its name, so no message is lost.
            filter = g_dbus_connection_add_filter(
                bus.connection,
                { connection, message, isIncoming, data in
                    guard let connection, let message, isIncoming != 0, let data else { return message }
                    let receiver = Unmanaged<Receiver>.fromOpaque(data).takeUnretainedValue()
                    return receiver.handle(message, on: connection) ? nil : message
                }, Unmanaged.passRetained(object).toOpaque(),
                { data in if let data { Unmanaged<Receiver>.fromOpaque(data).release() } })
            do throws(PrintError) { try bus.own(id) } catch {
                g_dbus_connection_remove_filter(bus.connection, filter)
                events.stop()
                throw error
            }
        }
    }
}

extension OpenRequests.Receiver {
    /// Handles a message, and releases the message if it is a call of the application's interface.
    ///
    /// GIO calls the method on its own thread.
    fileprivate func handle(_ message: OpaquePointer, on connection: OpaquePointer) -> Bool {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
            text(g_dbus_message_get_interface(message)) == SessionBus.applicationInterface,
            text(g_dbus_message_get_path(message)) == path,
            ["Open", "Activate"].contains(text(g_dbus_message_get_member(message)))
        else { return false }
        if let body = g_dbus_message_get_body(message), g_dbus_message_get_signature(message).map(text) == "asa{sv}" {
            for document in Self.documents(of: body) { continuation.yield(document) }
        }
        let reply = g_dbus_message_new_method_reply(message)
        g_dbus_connection_send_message(connection, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, nil, nil)
        for object in [reply, message] { g_object_unref(object.map(UnsafeMutableRawPointer.init)) }
        return true
    }

    /// - Parameter body: A value of the type `(asa{sv})`: the URLs and the platform data.
    private static func documents(of body: OpaquePointer) -> [OpenedDocument] {
        let (urls, data) = (g_variant_get_child_value(body, 0), g_variant_get_child_value(body, 1))
        defer { for value in [urls, data] { g_variant_unref(value) } }
        func string(_ key: String) -> String? {
            let type = g_variant_type_new("s")
            defer { g_variant_type_free(type) }
            guard let value = g_variant_lookup_value(data, key, type) else { return nil }
            defer { g_variant_unref(value) }
            return String(cString: g_variant_get_string(value, nil))
        }
        return (0..<g_variant_n_children(urls)).compactMap { index in
            let value = g_variant_get_child_value(urls, index)
            defer { g_variant_unref(value) }
            guard let url = URL(string: String(cString: g_variant_get_string(value, nil))) else { return nil }
            return OpenedDocument(
                url: url, sourceApplication: string(SessionBus.sourceKey),
                annotationData: string(SessionBus.annotationKey).map { Data($0.utf8) })
        }
    }
}

/// The events of a connection to the bus, which GIO reports on the thread of a main loop.
///
/// `@unchecked Sendable`: GLib locks the context.
private final class BusEvents: @unchecked Sendable {
    private let context = g_main_context_new()
    private let isStopped = Atomic(false)

    deinit { g_main_context_unref(context) }

    /// Connects to the bus, so that its events belong to this loop.
    func connect(_ address: String?) throws(PrintError) -> SessionBus {
        g_main_context_push_thread_default(context)
        defer { g_main_context_pop_thread_default(context) }
        return try SessionBus(address: address)
    }

    /// Calls a closure at the end of the connection.
    func onEnd(of bus: SessionBus, _ body: @escaping @Sendable () -> Void) {
        let handler: @convention(c) (OpaquePointer?, gboolean, UnsafeMutablePointer<GError>?, gpointer?) -> Void = {
            _, _, _, data in
            if let data { Unmanaged<Ending>.fromOpaque(data).takeUnretainedValue().body() }
        }
        g_signal_connect_data(
            UnsafeMutableRawPointer(bus.connection), "closed", unsafeBitCast(handler, to: GCallback.self),
            Unmanaged.passRetained(Ending(body)).toOpaque(),
            { data, _ in if let data { Unmanaged<Ending>.fromOpaque(data).release() } }, GConnectFlags(rawValue: 0))
        let code = DedicatedThread.start { [self] in
            while !isStopped.load(ordering: .acquiring) { g_main_context_iteration(context, 1) }
        }
        precondition(code == 0, "cannot create a thread")
    }

    func stop() {
        isStopped.store(true, ordering: .releasing)
        g_main_context_wakeup(context)
    }

    private final class Ending {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
