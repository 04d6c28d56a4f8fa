// The attributes that IPP Everywhere requires of printers (PWG 5100.14 §5).

import IPP
public import PrintIPP
import PrintModel
import PrintScheduler
import AsyncPrimitives

extension SpoolService {
    /// Adds the attributes that depend on the device: the accepted raster formats, the device id, the supplies and the
    /// identify actions.
    func describe(
        _ printer: inout ServedPrinter, _ row: ConfiguredPrinter, capabilities: PrinterCapabilities,
        device: PrinterStatus?
    ) {
        let pixels = Self.acceptedPixels(capabilities)
        printer.configurationChangedAt = configured.time(
            of: row.name, Configuration(row, capabilities), now: clock())
        printer.extra += pixels.attributes
        printer.extra += [
            Attribute(
                "printer-device-id",
                .text(pixels.deviceID(makeAndModel: capabilities.makeAndModel, own: capabilities.deviceID)))
        ]
        printer.extra += PrinterStatus.Supply.attributes(device?.supplies ?? [])
        guard let usual = capabilities.identifyActions.first else { return }
        printer.extra += [
            Attribute("identify-actions-supported", capabilities.identifyActions.map { .keyword($0) }),
            Attribute("identify-actions-default", .keyword(usual)),
        ]
        // IPP Everywhere requires an identify action.
        printer.isEverywhere = true
    }

    /// Returns the raster formats that the queue accepts for a printer.
    ///
    /// The worker accepts any of them. The announced formats tell clients what suits the printer: its resolutions up to
    /// 1,200 dpi, and colors only for a color printer. Adobe RGB is accepted but not announced, because printers that
    /// receive pixels print it as sRGB.
    private static func acceptedPixels(_ capabilities: PrinterCapabilities) -> AcceptedPixels {
        let dots = capabilities.resolutions.filter { (50...1_200).contains($0) }
        let shades = ["black_1", "black_8", "sgray_1", "sgray_8", "sgray_16"]
        let colors = ["srgb_8", "srgb_16", "rgb_8", "rgb_16", "cmyk_8", "cmyk_16"]
        return AcceptedPixels(
            formats: formats, resolutions: dots.isEmpty ? [300] : dots,
            types: shades + (capabilities.colorModes.contains(.color) ? colors : []),
            // The queue expects upright back sides. The backend rotates them if the printer requires that.
            sheetBack: capabilities.duplexModes.count > 1 ? .normal : nil, maxCopies: JobTicket.mostCopies,
            qualities: capabilities.qualities, largestJPEG: (kilobytes: 100 << 10, side: 65_500))
    }

    /// The deadline for a printer's answer to an identify request.
    private static let identifyTime = Duration.seconds(15)

    /// Identifies the printer by a light, a sound or a message (Identify-Printer).
    ///
    /// The request is sent to the device. A device without identify actions, such as a folder or a CUPS queue, is
    /// answered with `client-error-not-possible`. PAPPL answers `successful-ok` and does nothing, so a person would
    /// wait at the printer in vain. CUPS has no such operation.
    public func identify(printer name: String, actions: [String], message: String?) async throws(IPPFailure) {
        let row = try await row(of: name)
        let known = (await directory.knownCapabilities(of: row))?.identifyActions ?? []
        guard !known.isEmpty else {
            throw .notPossible(
                "\(name) cannot make itself noticed: it has no light, display or sound that clients can use")
        }
        let others = actions.filter { !known.contains($0) }
        guard others.isEmpty else {
            throw IPPFailure(
                .clientErrorAttributesOrValuesNotSupported,
                "\(name) can only identify itself by \(known.joined(separator: ", ")), "
                    + "not by \(others.joined(separator: ", "))",
                unsupported: [Attribute("identify-actions", others.map { .keyword($0) })])
        }
        let answer = await outcome(within: Self.identifyTime) { [directory] () async -> BackendError? in
            do {
                try await directory.backend(for: row).identify(actions: actions, message: message)
                return nil
            } catch let error as BackendError {
                return error
            } catch {
                return BackendError(.unreachable, "\(error)")
            }
        }
        guard let result = answer else {
            throw IPPFailure(.serverErrorServiceUnavailable, "\(name) does not answer; try again when it is on")
        }
        guard let failure = result else { return }
        throw IPPFailure(
            failure.code == .refused ? .serverErrorDeviceError : .serverErrorServiceUnavailable, failure.message)
    }
}

/// The configuration of a printer: the settings of people, and the capabilities of its device.
struct Configuration: Equatable {
    private var row: ConfiguredPrinter
    private var capabilities: PrinterCapabilities

    /// Creates the configuration of a printer.
    ///
    /// Whether the printer is paused or accepts jobs, and which paper is loaded, belongs to its state.
    init(_ row: ConfiguredPrinter, _ capabilities: PrinterCapabilities) {
        self.row = row
        self.capabilities = capabilities
        (self.row.isPaused, self.row.pauseMessage, self.row.isAccepting) = (false, "", true)
        self.row.isDefault = false
        self.capabilities.readyPapers = []
    }
}
