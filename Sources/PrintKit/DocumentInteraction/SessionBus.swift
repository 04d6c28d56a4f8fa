// Calls the applications of the session bus.

import CGio
import FoundationEssentials
import PrintKit

/// A private connection to the session bus (D-Bus Specification), with calls that block the calling thread.
///
/// `@unchecked Sendable`: GIO locks the connection.
final class SessionBus: @unchecked Sendable {
    /// The interface of applications that D-Bus activates (Desktop Entry Specification, D-Bus Activation).
    static let applicationInterface = "org.freedesktop.Application"
    /// The keys of the platform data that contain the source and the annotation of `OpenedDocument`.
    static let (sourceKey, annotationKey) = ("printkit-source", "printkit-annotation")

    let connection: OpaquePointer

    /// Connects to the bus.
    ///
    /// - Parameter address: The address of the bus; `nil` for the address that GIO finds.
    /// - Throws: `PrintError` with `jobFailed` if no bus can be reached.
    init(address: String? = nil) throws(PrintError) {
        var failure: UnsafeMutablePointer<GError>?
        let found: String
        if let address {
            found = address
        } else {
            guard let text = g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, nil, &failure) else {
                throw Self.error("cannot find the session bus", &failure)
            }
            defer { g_free(text) }
            found = String(cString: text)
        }
        let flags = GDBusConnectionFlags(
            rawValue: G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
        guard let connection = g_dbus_connection_new_for_address_sync(found, flags, nil, nil, &failure) else {
            throw Self.error("cannot connect to the session bus", &failure)
        }
        self.connection = connection
    }

    deinit {
        g_dbus_connection_close_sync(connection, nil, nil)
        g_object_unref(UnsafeMutableRawPointer(connection))
    }

    /// Opens a document in an application, which the bus starts if the application does not run.
    ///
    /// - Parameters:
    ///   - name: The bus name of the application, such as `org.gnome.Evince`.
    ///   - token: The token with which the application activates its window; `nil` for no token.
    /// - Throws: `PrintError` with `jobFailed` if the application does not accept the document.
    func open(_ message: OpenMessage, in name: String, token: String?) throws(PrintError) {
        var data = [(Self.sourceKey, message.source), (Self.annotationKey, message.annotation)]
        // Applications read one of both keys (XDG Activation, Startup Notification).
        data += [("activation-token", token), ("desktop-startup-id", token)]
        let entries = data.compactMap { key, value in
            value.map {
                g_variant_new_dict_entry(g_variant_new_string(key), g_variant_new_variant(g_variant_new_string($0)))
            }
        }
        let entryType = g_variant_type_new("{sv}")
        let stringType = g_variant_type_new("s")
        defer { for type in [entryType, stringType] { g_variant_type_free(type) } }
        let parameters = [
            g_variant_new_array(stringType, [g_variant_new_string(message.url)], 1),
            g_variant_new_array(entryType, entries, gsize(entries.count)),
        ]
        let reply = try call(
            name, Self.objectPath(of: name), Self.applicationInterface, "Open", g_variant_new_tuple(parameters, 2))
        g_variant_unref(reply)
    }

    /// Takes a name on the bus.
    ///
    /// - Throws: `PrintError` with `jobFailed` if another program has the name, or if the name is not valid.
    func own(_ name: String) throws(PrintError) {
        // 4: the program does not wait for the name (DBUS_NAME_FLAG_DO_NOT_QUEUE).
        let parameters = [g_variant_new_string(name), g_variant_new_uint32(4)]
        let bus = "org.freedesktop.DBus"
        let reply = try call(bus, "/org/freedesktop/DBus", bus, "RequestName", g_variant_new_tuple(parameters, 2))
        defer { g_variant_unref(reply) }
        let result = g_variant_get_child_value(reply, 0)
        defer { g_variant_unref(result) }
        // 1: the program is the owner of the name (DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER).
        guard g_variant_get_uint32(result) == 1 else {
            throw PrintError(.jobFailed, "another program already has the name '\(name)' on the session bus; end it")
        }
    }

    /// Calls a method, and returns its reply, which the caller releases.
    private func call(
        _ name: String, _ path: String, _ interface: String, _ method: String, _ parameters: OpaquePointer?
    ) throws(PrintError) -> OpaquePointer {
        var failure: UnsafeMutablePointer<GError>?
        let reply = g_dbus_connection_call_sync(
            connection, name, path, interface, method, parameters, nil, G_DBUS_CALL_FLAGS_NONE, 25_000, nil, &failure)
        guard let reply else { throw Self.error("'\(name)' does not accept the call '\(method)'", &failure) }
        return reply
    }

    private static func error(
        _ message: String, _ failure: inout UnsafeMutablePointer<GError>?
    ) -> PrintError {
        defer { g_clear_error(&failure) }
        let reason = failure.map { String(cString: $0.pointee.message) } ?? "unknown error"
        return PrintError(.jobFailed, "\(message): \(reason)")
    }

    /// Returns whether a text is a name of applications on the bus: at least two parts with dots between them.
    static func isName(_ text: String) -> Bool { g_dbus_is_name(text) != 0 && !text.hasPrefix(":") }

    /// Returns the path of an application's object: `/org/gnome/Evince` for `org.gnome.Evince`.
    static func objectPath(of name: String) -> String {
        "/" + String(name.map { $0 == "." ? "/" : $0 == "-" ? "_" : $0 })
    }
}
