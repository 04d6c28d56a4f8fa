// Defines the protocol for discovering devices that can be added as printers.

/// A source of devices, such as the queues of a cupsd or the printers that are announced on the network.
public protocol DeviceSource: Sendable {
    /// Returns the devices that are found before a timeout.
    ///
    /// - Parameter time: The timeout of the search.
    /// - Throws: `BackendError` when the source cannot be queried. The message contains the reason.
    func devices(within time: Duration) async throws(BackendError) -> [FoundDevice]
}

/// A device that can be added as a printer, with the attributes of CUPS-Get-Devices.
public struct FoundDevice: Hashable, Sendable, Codable {
    /// The URI for `printq printers add` (`device-uri`).
    public var uri: String
    /// The type of connection (`device-class`): `network`, `direct`, `file`, `serial`.
    public var deviceClass: String
    /// The description of the device for users (`device-info`).
    public var info: String
    /// The make and model (`device-make-and-model`); empty if unknown.
    public var makeAndModel: String
    /// The IEEE 1284 device ID (`device-id`); empty if unknown.
    public var deviceID: String
    /// The location (`device-location`); empty if unknown.
    public var location: String

    package init(
        uri: String, deviceClass: String = "network", info: String, makeAndModel: String = "", deviceID: String = "",
        location: String = ""
    ) {
        (self.uri, self.deviceClass, self.info) = (uri, deviceClass, info)
        (self.makeAndModel, self.deviceID, self.location) = (makeAndModel, deviceID, location)
    }

    /// The scheme of the URI: `ipp`, `cups`.
    package var scheme: String { String(uri.prefix { $0 != ":" }).lowercased() }
}

/// The result of a search for devices.
public struct DeviceSearch: Hashable, Sendable {
    /// The devices, without duplicate URIs.
    public var devices: [FoundDevice]
    /// The error messages of the sources that failed, one sentence each.
    public var notes: [String]

    package init(devices: [FoundDevice] = [], notes: [String] = []) {
        self.devices = devices
        self.notes = notes
    }

    /// Searches all sources concurrently.
    ///
    /// The devices are in the order of the sources.
    package init(asking sources: [any DeviceSource], within time: Duration) async {
        let answers = await withTaskGroup(of: (Int, Result<[FoundDevice], BackendError>).self) { group in
            for (index, source) in sources.enumerated() {
                group.addTask {
                    do throws(BackendError) {
                        return (index, .success(try await source.devices(within: time)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var answers: [(Int, Result<[FoundDevice], BackendError>)] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.0 < $1.0 }.map(\.1)
        }
        self.init()
        var seen: Set<String> = []
        for answer in answers {
            switch answer {
            case .success(let found): devices += found.filter { seen.insert($0.uri).inserted }
            case .failure(let error): notes.append(error.message)
            }
        }
    }
}
