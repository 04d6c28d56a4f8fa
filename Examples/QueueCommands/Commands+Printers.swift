// The commands about printers.

import SpoolerClient

let printerCommands: [String: Command] = [
    "printers list": { spooler, _ in
        for printer in try await spooler.printers() { print(printer.name, printer.phase, printer.queuedJobs) }
    },
    "printers show": { spooler, words in
        let printer = try await spooler.printer(words[0])
        print(printer.name, printer.phase, printer.location)
        print("sides \(printer.capabilities.duplexModes), colors \(printer.capabilities.colorModes)")
        print("resolutions \(printer.capabilities.resolutions)")
        print("policies \(printer.errorPolicy, default: "") \(printer.afterInterruption, default: "")")
        for alert in printer.conditions { print(alert.severity, alert.code) }
        for supply in printer.status.supplies { print(supply.name, supply.level ?? -1) }
    },
    "papers": { spooler, words in
        for paper in try await spooler.printer(words[0]).capabilities.papers { print(paper.media.name) }
    },
    "printers options": { spooler, words in
        if let value = words[1] {
            let option = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            try await spooler.changePrinter(words.text(0), PrinterChange(options: [option[0]: option[1]]))
        }
        for option in try await spooler.printer(words[0]).options { print("\(option.name)=\(option.defaultValue)") }
    },
    "printers discover": { spooler, _ in
        for device in try await spooler.devices(seconds: 1).devices { print(device.uri) }
    },
    "printers add": { spooler, words in
        try await spooler.addPrinter(words.text(0), uri: words.text(1), PrinterChange(location: words[2]))
    },
    "printers change": { spooler, words in
        try await spooler.changePrinter(words.text(0), PrinterChange(location: words.text(1)))
    },
    "printers remove": { spooler, words in
        let jobs: RemovedPrinterJobs = words[1].map { $0 == "cancel" ? .cancel : .move(to: $0) } ?? .keepPrinter
        try await spooler.removePrinter(words.text(0), jobs: jobs)
    },
    "printers default": { spooler, words in
        if let name = words[0] { try await spooler.setDefaultPrinter(name) }
        print(try await spooler.defaultPrinter() ?? "none")
    },
    "printers test-page": { spooler, words in print(try await spooler.printTestPage(at: words[0])) },
    "printers pause": { spooler, words in try await spooler.pausePrinter(words.text(0), message: words[1]) },
    "printers resume": { spooler, words in try await spooler.resumePrinter(words.text(0)) },
    "printers policy": { spooler, words in
        let policy = ConfiguredPrinter.ErrorPolicy(rawValue: try words.text(1))
        try await spooler.changePrinter(words.text(0), PrinterChange(errorPolicy: policy))
    },
    "printers after-interruption": { spooler, words in
        let setting = ConfiguredPrinter.AfterInterruption(rawValue: try words.text(1))
        try await spooler.changePrinter(words.text(0), PrinterChange(afterInterruption: setting))
    },
    "printers allow": { spooler, words in
        var change = PrinterChange()
        change.policyLists[PolicyList(.submit, .users)] = .allowed(words.rest(from: 1))
        try await spooler.changePrinter(words.text(0), change)
    },
    "printers deny": { spooler, words in
        var change = PrinterChange()
        change.policyLists[PolicyList(.submit, .users)] = .denied(words.rest(from: 1))
        try await spooler.changePrinter(words.text(0), change)
    },
    "printers share": { spooler, words in
        var change = PrinterChange()
        (change.isShared, change.serviceName) = (true, words[1])
        try await spooler.changePrinter(words.text(0), change)
    },
    "printers unshare": { spooler, words in
        var change = PrinterChange()
        (change.isShared, change.admitsAnonymous) = (false, false)
        try await spooler.changePrinter(words.text(0), change)
    },
    "printers login": { spooler, words in
        var change = PrinterChange()
        (change.deviceUser, change.devicePassword) = (try words.text(1), try words.text(2))
        try await spooler.changePrinter(words.text(0), change)
    },
    "printers logout": { spooler, words in
        var change = PrinterChange()
        change.deviceUser = ""
        try await spooler.changePrinter(words.text(0), change)
    },
    "printers trust": { spooler, words in
        var change = PrinterChange()
        change.trustsCertificate = true
        try await spooler.changePrinter(words.text(0), change)
    },
]
