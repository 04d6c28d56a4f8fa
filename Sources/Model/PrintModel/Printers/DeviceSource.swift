// The port through which devices are found that could be printers of the queue.

/// A place where devices make themselves known: the queues of a cupsd, the network's announcements.
public protocol DeviceSource: Sendable {
    /// The devices that are there, within a time.
    ///
    /// - Parameter time: how long to look at most; those that came until then are given.
    /// - Throws: `BackendError` when nobody can be asked, with words on what is missing.
    func devices(within time: Duration) async throws(BackendError) -> [FoundDevice]
}

/// A device that could be a printer of the queue, as CUPS-Get-Devices tells of it.
public struct FoundDevice: Hashable, Sendable, Codable {
    /// Where it is: what `printq printers add` takes (`device-uri`).
    public var uri: String
    /// How it is reached (`device-class`): `network`, `direct`, `file`, `serial`.
    public var deviceClass: String
    /// What people call it (`device-info`).
    public var info: String
    /// Its make and model (`device-make-and-model`); empty when it does not say.
    public var makeAndModel: String
    /// Its IEEE 1284 device id (`device-id`); empty when it does not say.
    public var deviceID: String
    /// Where it stands (`device-location`); empty when it does not say.
    public var location: String

    /// A device.
    public init(
        uri: String, deviceClass: String = "network", info: String, makeAndModel: String = "", deviceID: String = "",
        location: String = ""
    ) {
        self.uri = uri
        self.deviceClass = deviceClass
        self.info = info
        self.makeAndModel = makeAndModel
        self.deviceID = deviceID
        self.location = location
    }

    /// The scheme of its URI: `ipp`, `cups`.
    public var scheme: String { String(uri.prefix { $0 != ":" }).lowercased() }
}

/// What was found, and where nobody could be asked.
public struct DeviceSearch: Hashable, Sendable {
    /// The devices, each URI once.
    public var devices: [FoundDevice]
    /// Why some sources had nothing to say: a sentence each.
    public var notes: [String]

    /// The outcome of a search.
    public init(devices: [FoundDevice] = [], notes: [String] = []) {
        self.devices = devices
        self.notes = notes
    }

    /// Asks all sources at once, in whose order the devices are given.
    public init(asking sources: [any DeviceSource], within time: Duration) async {
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
