// Adds the attributes that IPP Everywhere requires of a printer (PWG 5100.14 §5).

import IPP
import PrintIPP
import PrintModel
import PrintScheduler
import AsyncPrimitives

extension SpoolService {
    /// Adds the attributes that depend on the device: raster formats, device ID, supplies and identify actions.
    func describe(
        _ printer: inout ServedPrinter, _ row: ConfiguredPrinter, capabilities: PrinterCapabilities,
        device: PrinterStatus?
    ) {
        let pixels = Self.acceptedPixels(capabilities)
        printer.configurationChangedAt = configured.time(
            of: row.name, PrinterConfiguration(row, capabilities), now: clock())
        printer.extra += pixels.attributes
        printer.extra += [
            Attribute(
                "printer-device-id",
                .text(pixels.deviceID(makeAndModel: capabilities.makeAndModel, own: capabilities.deviceID)))
        ]
        printer.extra += PrinterStatus.Supply.attributes(device?.supplies ?? [])
        printer.extra += (device ?? PrinterStatus(state: .idle)).trayAttributes(of: capabilities)
        guard let usual = capabilities.identifyActions.first else { return }
        printer.extra += [
            Attribute("identify-actions-supported", capabilities.identifyActions.map { .keyword($0) }),
            Attribute("identify-actions-default", .keyword(usual)),
        ]
        // IPP Everywhere requires Identify-Printer.
        printer.isEverywhere = true
    }

    /// Returns the raster formats that the queue accepts for a printer.
    ///
    /// The worker converts all raster formats that clients send. The advertised values help clients to send suitable
    /// data: the printer's resolutions up to 1,200 dpi, and colors only for a color printer. Adobe RGB is accepted but
    /// not advertised, because printers print raster data as sRGB.
    private static func acceptedPixels(_ capabilities: PrinterCapabilities) -> RasterSupport {
        let dots = capabilities.resolutions.filter { (50...1_200).contains($0) }
        let shades = ["black_1", "black_8", "sgray_1", "sgray_8", "sgray_16"]
        let colors = ["srgb_8", "srgb_16", "rgb_8", "rgb_16", "cmyk_8", "cmyk_16"]
        return RasterSupport(
            formats: [.pdf, .pwgRaster, .urf, .jpeg], resolutions: dots.isEmpty ? [300] : dots,
            types: shades + (capabilities.colorModes.contains(.color) ? colors : []),
            // Pages arrive in reading orientation. The backend rotates the back sides if the printer requires it.
            sheetBack: capabilities.duplexModes.count > 1 ? .normal : nil, maxCopies: JobTicket.mostCopies,
            qualities: capabilities.qualities, largestJPEG: (kilobytes: 100 << 10, side: 65_500))
    }

    /// The timeout for Identify-Printer.
    private static let identifyTime = Duration.seconds(15)

    /// Makes the printer identify itself with a light, a sound or its display (Identify-Printer).
    ///
    /// The request is forwarded to the device. For a device without identify actions, such as a folder or a CUPS queue,
    /// the request fails with `client-error-not-possible`. (PAPPL returns `successful-ok` without any effect at the
    /// printer, and cupsd does not support the operation.)
    public func identify(printer name: String, actions: [String], message: String?) async throws {
        let row = try await row(of: name)
        let known = (await directory.knownCapabilities(of: row))?.identifyActions ?? []
        guard !known.isEmpty else {
            throw IPPFailure.notPossible(
                "\(name) cannot identify itself: the printer has no light, display or sound that clients can use")
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
            throw IPPFailure(
                .serverErrorServiceUnavailable, "\(name) does not respond; turn on the printer and try again")
        }
        guard let failure = result else { return }
        throw IPPFailure(
            failure.code == .refused ? .serverErrorDeviceError : .serverErrorServiceUnavailable, failure.message)
    }
}

/// The configuration of a printer: the administrator's settings, and the capabilities of the device.
struct PrinterConfiguration: Equatable {
    private var row: ConfiguredPrinter
    private var capabilities: PrinterCapabilities

    /// Creates the configuration from a printer's settings and capabilities.
    ///
    /// The configuration excludes the printer's state: paused, accepting jobs, default printer, and loaded paper.
    init(_ row: ConfiguredPrinter, _ capabilities: PrinterCapabilities) {
        self.row = row
        self.capabilities = capabilities
        (self.row.isPaused, self.row.pauseMessage, self.row.isAccepting) = (false, "", true)
        self.row.isDefault = false
        self.capabilities.readyPapers = []
    }
}
