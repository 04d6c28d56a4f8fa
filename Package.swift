// swift-tools-version: 6.2
import PackageDescription

// The layer table: every module, lowest layer first, with its wing and the modules that it may import.
// The wing is the folder of `Sources` that contains the module's folder.
// A module imports only the modules that are named here; `scripts/check` builds with
// `--explicit-target-dependency-import-check error` and checks outside libraries.
let modules: [Module] = [
    // 0: the values and rules of printing, the IPP codec, and the C libraries.
    // The commit of the build, for --version.
    .c("CRelease", define: ("PRINTQ_COMMIT", Context.environment["PRINTQ_COMMIT"])),
    // Points, sizes and rectangles: the part of the model that drawing needs.
    .module("Geometry", in: .model),
    .module("PrintModel", in: .model, imports: ["Geometry", "CRelease"]),
    .module("IPP", in: .ipp),
    .module("ProcessLaunch", in: .support),
    .module("AsyncPrimitives", in: .support),
    .module("SafeFiles", in: .support),
    .module("OpenMetrics", in: .support, outside: ["CoreMetrics"]),
    .c("CSandbox"),
    .c("CRename"),
    .c("CMemoryFile"),
    .c("CLinkedDefaults"),
    .c("CPeerUser"),
    .c("CJournal"),
    .c("COfficeKit"),
    .system("CCups", apt: ["libcups2-dev"]),
    .system("CZlib", apt: ["zlib1g-dev"]),
    .system("CGnuTLS", pkgConfig: "gnutls", apt: ["libgnutls28-dev"]),
    .system("CCrypt", pkgConfig: "libcrypt", apt: ["libcrypt-dev"]),
    .system("CPoppler", pkgConfig: "poppler-glib cairo", apt: ["libpoppler-glib-dev", "libcairo2-dev"]),
    .system("CPNG", pkgConfig: "libpng libdeflate", apt: ["libpng-dev", "libdeflate-dev"]),
    .system("CTurboJPEG", pkgConfig: "libturbojpeg", apt: ["libturbojpeg0-dev"]),
    .system("CQPDFReader", pkgConfig: "libqpdf", apt: ["libqpdf-dev"]),
    .cxx("CQPDF", imports: ["CQPDFReader"]),
    .system("CPopplerCpp", pkgConfig: "poppler-cpp", apt: ["libpoppler-cpp-dev"]),
    .cxx("CSplash", imports: ["CPopplerCpp"]),
    .c("CThinLines"),
    .c("CPagePixels"),
    // The files of the Print Center's web pages.
    .c("CCenterFiles"),
    .system(
        "CCairo", pkgConfig: "pangocairo pangoft2 cairo-pdf fontconfig harfbuzz",
        apt: ["libcairo2-dev", "libpango1.0-dev", "libfontconfig-dev", "libharfbuzz-dev"]),
    .system("CAvahi", pkgConfig: "avahi-client", apt: ["libavahi-client-dev"]),
    .system("CMagic", apt: ["libmagic-dev"]),
    .system("CUchardet", pkgConfig: "uchardet", apt: ["libuchardet-dev"]),
    .system("CGdkPixbuf", pkgConfig: "gdk-pixbuf-2.0", apt: ["libgdk-pixbuf-2.0-dev"]),
    // Types of files, and messages to the applications of the desktop.
    .system("CGio", pkgConfig: "gio-2.0", apt: ["libglib2.0-dev"]),
    .system("CTIFF", pkgConfig: "libtiff-4", apt: ["libtiff-dev"]),
    .system("CRsvg", pkgConfig: "librsvg-2.0", apt: ["librsvg2-dev"]),
    .system("CZip", pkgConfig: "libzip", apt: ["libzip-dev"]),
    // Hashes of passwords.
    // Passwords of the machine's accounts, in a separate program.
    .system("CPAM", apt: ["libpam0g-dev"]),
    .system("CLibpq", pkgConfig: "libpq", apt: ["libpq-dev"]),

    // 1: modules with one subject each.
    .module("PrintIPP", in: .ipp, imports: ["SafeFiles", "PrintModel", "IPP", "AsyncPrimitives"]),
    .module(
        "PrintGraphics", in: .printKit,
        imports: ["SafeFiles", "Geometry", "CCairo", "CGdkPixbuf", "CMemoryFile", "CQPDF"]),
    .module(
        "PrintRaster", in: .documents,
        imports: [
            "SafeFiles", "PrintModel", "PrintGraphics", "CPoppler", "CSplash", "CThinLines", "CPagePixels", "CPNG",
            "CZlib", "CTurboJPEG", "CQPDFReader",
        ]),
    // Connections to PostgreSQL, over libpq.
    .module("PostgresClient", in: .support, imports: ["AsyncPrimitives", "CLibpq"]),
    .module(
        "PrintSpool", in: .spooler,
        imports: ["SafeFiles", "PrintModel", "AsyncPrimitives", "PostgresClient", "CGnuTLS", "CCrypt"],
        outside: ["GRDB", "GRDBSQLite"]),
    // The settings of printd, for printd and printq.
    .module("SpoolConfiguration", in: .spooler, imports: ["SafeFiles", "PrintModel", "CRename"]),
    .module("PrinterSimulator", in: .simulator, imports: ["SafeFiles", "PrintModel", "CRename"]),
    .module("CommandLineErrors", in: .support, imports: ["PrintModel"], outside: ["ArgumentParser"]),
    .module("ServiceDiscovery", in: .support, imports: ["PrintModel", "AsyncPrimitives", "CAvahi"]),
    .module("PageComparison", in: .simulator, imports: ["CZlib"]),
    .module("WorkerProcess", in: .documents, imports: ["PrintModel", "CSandbox"]),
    .module("DocumentFiles", in: .documents, imports: ["SafeFiles", "PrintModel", "CZlib"]),
    // The pools of processes that serve requests, with their limits and private folders.
    .module("ProcessPools", in: .documents, imports: ["SafeFiles", "PrintModel", "AsyncPrimitives"]),
    // HTML becomes pages, for the spooler and for programs that print.
    .module(
        "HTMLLayout", in: .documents,
        imports: [
            "SafeFiles", "PrintModel", "DocumentFiles", "ProcessLaunch", "AsyncPrimitives", "CSandbox", "ProcessPools",
        ],
        embeds: [
            "html-sandbox.py", "html-messages.py", "html-fetching.py", "html-text.py", "html-mail.py",
            "html-books.py", "html-flow.py", "html-worker.py",
        ]),
    .module(
        "PrintWork", in: .documents,
        imports: [
            "SafeFiles", "PrintModel", "DocumentFiles", "ProcessLaunch", "AsyncPrimitives", "CSandbox", "WorkerProcess",
            "ProcessPools", "HTMLLayout",
        ]),

    // Socket activation, notifications and the journal of systemd.
    .module("Systemd", in: .support, imports: ["CJournal"], outside: ["Logging"]),

    // 2: layout of documents, IPP over HTTP, the scheduler, and the print API.
    .module(
        "PrintKit", in: .printKit,
        imports: [
            "SafeFiles", "PrintModel", "PrintGraphics", "DocumentFiles", "HTMLLayout", "AsyncPrimitives",
            "CLinkedDefaults",
        ]),
    // Types of documents, previews, and the applications that open documents; a separate module, because only programs
    // with a surface need it.
    .module(
        "DocumentInteraction", in: .printKit,
        imports: [
            "SafeFiles", "PrintModel", "PrintKit", "DocumentFiles", "ProcessLaunch", "AsyncPrimitives",
            "CLinkedDefaults",
            "CGio",
        ]),
    // UIKit's and Core Graphics' names, so that code from iOS compiles unchanged.
    .module("PrintKitUIKitNames", in: .printKit, imports: ["PrintKit", "DocumentInteraction"]),
    // The work of print-worker: text, tables, images and drawings become PDFs, and pages are laid out.
    .module(
        "PrintDocuments", in: .documents,
        imports: [
            "SafeFiles", "PrintModel", "DocumentFiles", "PrintGraphics", "PrintRaster", "CCairo", "CGdkPixbuf",
            "CMagic", "CQPDF", "CRsvg", "CTIFF", "CUchardet", "CZip", "CZlib",
        ]),
    // PDF pages as pixels for PrintGraphics, in a separate module because poppler is under the GPL.
    .module("PDFRendering", in: .printKit, imports: ["PrintGraphics", "PrintRaster"]),
    // The client of printq uses no SwiftNIO, so that printq starts within milliseconds.
    .module("IPPClient", in: .ipp, imports: ["SafeFiles", "IPP", "ProcessLaunch"]),
    .module(
        "IPPServer", in: .ipp, imports: ["IPP", "PrintIPP", "AsyncPrimitives", "CZlib", "CPeerUser"],
        outside: [
            "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOTLS", "Logging", "ServiceLifecycle",
        ]),
    .module(
        "PrintScheduler", in: .spooler, imports: ["PrintModel", "PrintSpool", "AsyncPrimitives"],
        outside: ["ServiceLifecycle", "Logging"]),

    // 3: the IPP client for TCP ports.
    .module(
        "IPPNetworkClient", in: .ipp, imports: ["SafeFiles", "IPP", "IPPClient"],
        outside: ["NIOCore", "NIOPosix", "NIOHTTP1"]),

    // 3: backups of spools, as tar archives.
    .module(
        "SpoolBackup", in: .spooler,
        imports: ["SafeFiles", "PrintModel", "AsyncPrimitives", "PrintSpool", "CRename"]),

    // 3: TLS for the IPP server, over GnuTLS.
    .module("IPPServerTLS", in: .ipp, imports: ["SafeFiles", "IPPServer", "CGnuTLS"], outside: ["NIOCore", "NIOTLS"]),

    // 3: simulated printers for the tests of any Swift program; starts printsim, and links no renderer and no server.
    .module(
        "PrintTesting", in: .simulator,
        imports: [
            "PrintModel", "IPP", "PrintIPP", "IPPClient", "IPPNetworkClient", "PageComparison", "ProcessLaunch",
        ]),

    // 3: connections to printers.
    .module(
        "PrintBackends", in: .spooler,
        imports: [
            "SafeFiles", "PrintModel", "IPP", "PrintIPP", "IPPClient", "AsyncPrimitives", "CCups", "CGnuTLS", "CRename",
        ]),

    // 3: the client of printd, for printq and other programs.
    .module(
        "SpoolerClient", in: .client,
        imports: ["SafeFiles", "PrintModel", "IPP", "PrintIPP", "IPPClient", "ProcessLaunch", "AsyncPrimitives"]),
    .module(
        "PrintSubmission", in: .printKit,
        imports: ["PrintModel", "PrintKit", "DocumentFiles", "IPP", "PrintIPP", "IPPClient", "SpoolerClient"]),

    // 3: tokens of OpenID Connect, in a separate module, so that only printd links JWTKit and its cryptography.
    .module(
        "OpenIDConnect", in: .spooler, imports: ["SafeFiles", "PrintModel", "IPPClient", "AsyncPrimitives"],
        outside: ["JWTKit", "Logging"]),

    // 4: the spool as IPP printers.
    .module(
        "PrintServer", in: .spooler,
        imports: [
            "PrintModel", "IPP", "PrintIPP", "PrintSpool", "PrintScheduler", "AsyncPrimitives", "OpenMetrics",
        ],
        outside: ["CoreMetrics", "ServiceLifecycle", "Logging"]),

    // 4: simulated printers as IPP printers.
    .module(
        "SimulatorServer", in: .simulator,
        imports: [
            "PrintModel", "IPP", "PrintIPP", "IPPServer", "PrinterSimulator", "PageComparison", "ServiceDiscovery",
            "OpenMetrics",
        ],
        outside: ["NIOCore", "NIOHTTP1", "ServiceLifecycle", "Logging"]),

    // 4: the output of the commands of printq.
    .module("PrintqOutput", in: .client, imports: ["PrintModel", "IPP", "PrintIPP", "IPPClient", "SpoolerClient"]),

    // 1: images on terminals; reads page images without a C library for images.
    .module("TerminalImages", in: .client, imports: ["SafeFiles", "PageComparison"]),

    // 2: the results of print-preview.
    .module("DocumentPreviews", in: .client, imports: ["PrintModel", "ProcessLaunch", "TerminalImages"]),

    // 3: printer options, menus and previews on a terminal.
    .module(
        "PrintKitTerminal", in: .printKit,
        imports: [
            "SafeFiles", "PrintModel", "PrintKit", "DocumentInteraction", "AsyncPrimitives", "ProcessLaunch",
            "TerminalImages", "DocumentPreviews",
        ]),

    // 5: the Print Center on a terminal.
    .module(
        "TerminalCenter", in: .client,
        imports: ["PrintModel", "IPP", "SpoolerClient", "PrintqOutput", "TerminalImages"]),

    // 5: the file of printq export and printq import.
    .module(
        "SpoolExport", in: .client,
        imports: ["PrintModel", "IPP", "PrintIPP", "SpoolConfiguration", "SpoolerClient"]),

    // 5: reports about the spool and its daemon: checks, status, logs, the support bundle.
    .module(
        "SpoolReports", in: .client,
        imports: [
            "SafeFiles", "PrintModel", "IPP", "PrintIPP", "IPPClient", "SpoolerClient", "PrintqOutput", "ProcessLaunch",
            "AsyncPrimitives",
        ]),

    // 3: the test page.
    .module("PrintTestPage", in: .printKit, imports: ["PrintModel", "PrintGraphics"]),

    // 5: the web pages and the JSON API, an IPP client within the server's process.
    .module(
        "PrintCenter", in: .center,
        imports: [
            "PrintModel", "IPP", "PrintIPP", "IPPClient", "IPPServer", "SpoolerClient", "AsyncPrimitives",
            "CCenterFiles", "CZlib", "OpenMetrics",
        ],
        outside: ["HTTPTypes", "Logging", "ServiceLifecycle"], files: ["Web", "openapi.json"]),

    // 6: the pages of the spool's jobs as images.
    .module(
        "PrintPages", in: .center,
        imports: [
            "SafeFiles", "PrintModel", "AsyncPrimitives", "IPPServer", "PrintSpool", "PrintScheduler", "PrintWork",
            "PrinterSimulator", "PrintCenter", "SpoolerClient",
        ]),

    // 7: the programs, which only connect modules.
    .executable(
        "printq", in: .client,
        imports: [
            "SafeFiles", "PrintModel", "IPP", "PrintIPP", "IPPClient", "SpoolerClient", "PrintqOutput", "ProcessLaunch",
            "AsyncPrimitives", "CommandLineErrors", "TerminalCenter", "TerminalImages", "DocumentPreviews",
            "SpoolConfiguration",
            "SpoolReports", "SpoolExport",
        ],
        outside: ["ArgumentParser"]),
    // Previews of documents before they are printed, in a separate program, so that printq does not link the worker pool.
    .executable("print-preview", in: .client, imports: ["SafeFiles", "PrintModel", "DocumentFiles", "PrintWork"]),
    // Web addresses, in a separate program, so that printq does not link the HTML engine.
    .executable("print-fetch", in: .client, imports: ["PrintModel", "HTMLLayout"]),
    // TLS connections to a printd on the network, in a separate program, so that printq does not link GnuTLS.
    .executable("print-tunnel", in: .client, imports: ["CGnuTLS"]),
    .executable("print-test-page", in: .printKit, imports: ["PrintModel", "PrintGraphics", "PrintTestPage"]),
    .executable(
        "print-worker", in: .documents,
        imports: ["PrintModel", "PrintDocuments", "WorkerProcess"]),
    .executable("print-launcher", in: .documents, imports: ["PrintModel", "WorkerProcess"]),
    .executable(
        "print-office", in: .documents,
        imports: ["PrintModel", "DocumentFiles", "WorkerProcess", "COfficeKit", "CSandbox"]),
    // One password of an account of the machine: the only program of the spooler that needs root.
    .executable("print-authenticator", in: .spooler, imports: ["CPAM"]),
    .executable(
        "printd", in: .spooler,
        imports: [
            "SafeFiles", "PrintModel", "IPP", "PrintIPP", "IPPClient", "IPPNetworkClient", "IPPServer", "IPPServerTLS",
            "PrintSpool", "PrintScheduler", "DocumentFiles", "PrintWork", "ProcessPools", "HTMLLayout", "PrintBackends",
            "PrintServer", "OpenIDConnect", "PrintCenter", "PrintPages", "ProcessLaunch",
            "ServiceDiscovery", "Systemd", "SpoolConfiguration", "SpoolBackup", "AsyncPrimitives",
        ],
        outside: ["ArgumentParser", "ServiceLifecycle", "UnixSignals", "Logging"]),

    .executable(
        "printsim", in: .simulator,
        imports: [
            "PrintModel", "IPP", "PrintIPP", "IPPClient", "IPPNetworkClient", "IPPServer", "IPPServerTLS", "PrintWork",
            "ProcessPools", "PrinterSimulator", "SimulatorServer", "PrintCenter", "PageComparison", "ProcessLaunch",
            "ServiceDiscovery", "AsyncPrimitives", "SpoolerClient", "CommandLineErrors", "SafeFiles",
        ],
        outside: ["ArgumentParser", "ServiceLifecycle", "UnixSignals", "Logging"]),

    // Shared by tests: generated documents, readable pixels, ipptool, cupsd.
    .testSupport("PrintTestSupport", imports: ["PrintModel", "ProcessLaunch"], outside: ["Subprocess"]),
    // Authenticated users for tests of IPP services.
    .testSupport("IPPTestSupport", imports: ["PrintModel", "IPP", "PrintIPP"]),
    // Tokens of a provider of OpenID Connect.
    .testSupport("OpenIDTestSupport", imports: ["PrintTestSupport"], outside: ["JWTKit"]),
    // The conformance suite of all print destinations.
    .testSupport("DestinationTrials", imports: ["PrintKit", "PrintTestSupport"]),
    // The conformance suite of all printer backends.
    .testSupport("BackendTrials", imports: ["PrintModel", "PrintTestSupport"]),
    // The conformance suite of all IPP transports, and a server with scripted answers.
    .testSupport("TransportTrials", imports: ["IPP", "IPPClient", "PrintTestSupport"]),
    // A disk that loses unsynced data at a power cut and fails on request; and a simulation of printers, clients and
    // faults on a virtual clock.
    .testSupport("SimulatedDisk", imports: ["PrintSpool"]),
    // The spool's database in memory, and a database server with faults that several hosts share.
    .testSupport("SimulatedDatabase", imports: ["PrintModel", "PrintSpool"], outside: ["GRDB"]),
    .tool(
        "spool-simulation",
        imports: ["PrintModel", "PrintSpool", "PrintScheduler", "SimulatedDisk", "SimulatedDatabase"],
        outside: ["Logging"]),
    // Malformed requests for the decoder and for simulated printers.
    .tool(
        "ipp-fuzz",
        imports: [
            "IPP", "PrintIPP", "PrintModel", "PrinterSimulator", "SimulatorServer", "PrintTestSupport",
            "IPPTestSupport",
        ]),
    .tool("test-worker", imports: ["PrintModel", "WorkerProcess"]),
    // Runs a program as on a kernel without Landlock, or with an older version.
    .tool("without-landlock", imports: []),
    .tool("pool-leaks", imports: ["PrintModel", "PrintWork"]),
    // Trials of the real programs: compare the answers that clients received with the state of the spool.
    .testSupport(
        "SpoolerTrials",
        imports: [
            "PrintModel", "IPP", "IPPClient", "IPPNetworkClient", "SpoolerClient", "ProcessLaunch", "PrintTestSupport",
        ]),
    .tool(
        "spooler-trial",
        imports: [
            "SpoolerTrials", "PrintModel", "PrintSpool", "IPP", "PrintIPP", "IPPClient", "IPPNetworkClient",
            "SpoolerClient", "PrintCenter", "ProcessLaunch", "PrintTestSupport", "IPPTestSupport",
        ]),
    .tool("submission-load", imports: ["IPP"]),
    // Damaged documents of all types, for measurements of the converters.
    .tool(
        "document-mutations",
        imports: ["PrintModel", "PrintWork", "ProcessPools", "ProcessLaunch", "PrintTestSupport"]),
    // Pages of any PDF as printed, for scripts/compare-pages.
    .tool("page-images", imports: ["PrintModel", "PrintWork"]),
    // Pages as raster data, for scripts/bench.
    .tool("raster-load", imports: ["PrintModel", "PrintWork"]),
    // The documents that tests compare with other renderers, as files.
    .tool("corpus-files", imports: ["PrintTestSupport"]),
    // Drawing: the code listings of the guide with PrintGraphics, and loads for measurements and attacks.
    .example("DrawingExamples", imports: ["PrintGraphics", "PDFRendering"]),
    .example("DrawingPictures", imports: ["PrintGraphics"]),
    // Printing: the code listings of the guide with PrintKit, the page of the README, and three complete programs.
    .exampleSupport("ExampleRun", imports: ["PrintKit", "PrintKitTerminal", "PrintSubmission"]),
    .example("PrintingExamples", imports: ["PrintKit", "ExampleRun"]),
    .example("PrintingPictures", imports: ["PrintKit"]),
    .example("PageWithHeader", imports: ["PrintKit", "PrintSubmission"]),
    .example("Invoice", imports: ["PrintKit", "ExampleRun"]),
    .example("PhotoSheet", imports: ["PrintKit", "ExampleRun"]),
    .example("LabelRoll", imports: ["PrintKit", "ExampleRun"]),
    .example("DocumentExamples", imports: ["DocumentInteraction"]),
    // The queue: a report about it, and each queue command of printq as a call.
    .example("QueueReport", imports: ["SpoolerClient"]),
    .example("QueueCommands", imports: ["SpoolerClient"]),
    // Twelve programs in iOS's spelling.
    .example("Ported", imports: ["PrintKitUIKitNames", "PrintKit", "ExampleRun"]),
    .example("Tutorial", imports: ["PrintKit", "PrintSubmission", "PDFRendering"]),
    .tool("drawing-load", imports: ["PrintGraphics"]),
    .tool("app-load", imports: ["PrintKit", "PrintSubmission"]),
    .tool("printing-load", imports: ["PrintKit"]),
    // The real programs, from command line to page image.
    .testSuite(
        "EndToEndTests",
        imports: [
            "printq", "print-preview", "print-fetch", "print-tunnel", "printd", "printsim", "print-worker",
            "print-office", "print-launcher", "print-test-page", "print-authenticator", "PrintModel", "IPP",
            "IPPClient", "IPPNetworkClient", "SpoolerClient", "PageComparison", "PrintqOutput",
            "PrintKit", "PrintSpool", "PrintSubmission", "PrintRaster", "PrintTesting", "ProcessLaunch",
            "AsyncPrimitives", "DestinationTrials", "PrintTestSupport", "IPPTestSupport", "OpenIDTestSupport",
            "SpoolerTrials",
            "spooler-trial", "page-images", "without-landlock", "app-load", "printing-load",
            "PrintingExamples", "PageWithHeader", "Invoice", "PhotoSheet", "LabelRoll", "Tutorial",
            "QueueReport", "QueueCommands",
        ]),
]

// Outside packages, each with the reason for the dependency.
let packages: [Package.Dependency] = [
    // Non-blocking sockets: the daemons wait for many connections at once.
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    // Methods, statuses and header fields of HTTP as values, for the Print Center.
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
    // Start and graceful shutdown of services.
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    // The queue's database, over SQLite.
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    // Starts the workers.
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    // Counters and histograms; libraries that record metrics share this interface.
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    // The command lines.
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // Signatures of the tokens of OpenID Connect (JWT, JWKS).
    .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
]

// The package of each outside product.
let outsideProducts: [String: String] = [
    "NIOCore": "swift-nio", "NIOPosix": "swift-nio", "NIOHTTP1": "swift-nio", "NIOTLS": "swift-nio",
    "HTTPTypes": "swift-http-types",
    "ServiceLifecycle": "swift-service-lifecycle", "UnixSignals": "swift-service-lifecycle", "Logging": "swift-log",
    "GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift", "Subprocess": "swift-subprocess",
    "ArgumentParser": "swift-argument-parser", "CoreMetrics": "swift-metrics", "JWTKit": "jwt-kit",
]

// The modules that each test target may import besides its own module.
let testImports: [String: [String]] = [
    "PrintTestSupport": [],
    "SpoolerTrials": ["PrintModel", "PrintTestSupport"],
    "SafeFiles": ["PrintTestSupport"],
    "OpenMetrics": ["PrintTestSupport", "CoreMetrics"],
    "Systemd": ["PrintTestSupport", "Logging"],
    "ProcessLaunch": ["PrintTestSupport"],
    "PostgresClient": ["PrintTestSupport"],
    "IPP": ["CCups", "PrintTestSupport"],
    "PrintIPP": ["PrintModel", "IPP", "IPPTestSupport", "AsyncPrimitives"],
    "PrintGraphics": [
        "PrintModel", "PrintRaster", "PDFRendering", "PrintTestSupport", "DrawingExamples", "drawing-load",
    ],
    "PDFRendering": ["PrintModel", "PrintGraphics", "PrintTestSupport"],
    "PrintKit": [
        "PrintModel", "PrintGraphics", "PrintRaster", "PDFRendering", "PrintTestSupport", "DestinationTrials",
        "ProcessLaunch", "AsyncPrimitives",
        "PrintingExamples", "PrintingPictures", "Invoice", "PhotoSheet", "LabelRoll", "Tutorial",
    ],
    "PrintKitUIKitNames": [
        "PrintKit", "PrintGraphics", "PrintRaster", "PageComparison", "PrintTestSupport", "Ported",
    ],
    "DocumentInteraction": ["PrintModel", "PrintKit", "PrintTestSupport", "ProcessLaunch", "DocumentExamples"],
    "DocumentPreviews": ["PrintModel", "TerminalImages", "PrintTestSupport", "print-preview", "print-worker"],
    "PrintKitTerminal": [
        "PrintModel", "PrintKit", "DocumentInteraction", "PrintTestSupport", "print-preview", "print-worker",
    ],
    "PrintTestPage": ["PrintModel", "PrintRaster", "PrintTestSupport"],
    "TerminalImages": ["PageComparison", "PrintTestSupport"],
    "PrintRaster": ["PrintModel", "PrintTestSupport", "CQPDFReader", "CCups"],
    "PrintSpool": [
        "PrintModel", "PrintTestSupport", "AsyncPrimitives", "PostgresClient", "SpoolerTrials", "SimulatedDisk",
        "SimulatedDatabase", "GRDB",
    ],
    "SpoolConfiguration": ["PrintModel", "PrintTestSupport"],
    "OpenIDConnect": ["PrintModel", "PrintTestSupport", "OpenIDTestSupport", "print-tunnel"],
    "SpoolBackup": ["PrintModel", "PrintSpool", "PrintTestSupport"],
    "PrintDocuments": ["PrintModel", "PrintGraphics", "PrintRaster", "PrintTestSupport", "CQPDF"],
    "DocumentFiles": ["PrintModel", "PrintTestSupport"],
    "PrinterSimulator": ["PrintModel", "PrintTestSupport"],
    "ServiceDiscovery": ["PrintModel", "PrintTestSupport"],
    "PageComparison": ["PrintTestSupport"],
    "WorkerProcess": ["PrintModel"],
    "PrintWork": [
        "PrintModel", "ProcessPools", "HTMLLayout", "ProcessLaunch", "test-worker", "without-landlock", "print-worker",
        "print-launcher", "print-office", "print-preview", "pool-leaks", "PrintTestSupport", "AsyncPrimitives",
        "Subprocess",
    ],
    "ProcessPools": ["PrintModel", "PrintTestSupport"],
    "HTMLLayout": [
        "PrintModel", "ProcessPools", "ProcessLaunch", "print-fetch", "PrintTestSupport", "AsyncPrimitives",
    ],
    "IPPClient": ["IPP", "TransportTrials", "PrintTestSupport"],
    "IPPNetworkClient": ["IPP", "IPPClient", "TransportTrials", "PrintTestSupport", "NIOCore"],
    "IPPServer": [
        "IPP", "IPPClient", "IPPNetworkClient", "PrintIPP", "AsyncPrimitives", "CZlib", "HTTPTypes", "Logging",
        "NIOCore", "ServiceLifecycle",
    ],
    "IPPServerTLS": [
        "IPP", "IPPServer", "IPPClient", "IPPNetworkClient", "PrintIPP", "PrintTestSupport", "Logging",
        "ServiceLifecycle",
    ],
    "PrintScheduler": [
        "PrintModel", "PrintSpool", "PrintTestSupport", "AsyncPrimitives", "Logging", "spool-simulation",
        "SimulatedDatabase",
    ],
    "PrintBackends": [
        "PrintModel", "IPP", "PrintIPP", "IPPClient", "IPPNetworkClient", "IPPServer", "IPPServerTLS",
        "PrintTestSupport", "PrintTesting", "BackendTrials", "TransportTrials", "ProcessLaunch", "AsyncPrimitives",
        "Logging", "ServiceLifecycle", "printsim", "print-worker",
    ],
    "SpoolerClient": ["PrintModel", "IPP", "PrintIPP", "IPPClient", "PrintTestSupport"],
    "PrintSubmission": ["PrintModel", "PrintKit", "IPP", "SpoolerClient", "PrintTestSupport"],
    "PrintqOutput": ["PrintModel", "IPP", "PrintIPP", "IPPClient", "IPPServer", "SpoolerClient", "PrintTestSupport"],
    "SpoolExport": ["PrintModel", "IPP", "SpoolConfiguration", "SpoolerClient"],
    "SpoolReports": ["PrintModel", "IPP", "SpoolerClient", "PrintTestSupport"],
    "PrintCenter": [
        "PrintModel", "IPP", "PrintIPP", "IPPServer", "SpoolerClient", "PrintSpool", "PrintScheduler", "PrintServer",
        "PrintTestSupport", "AsyncPrimitives", "OpenMetrics", "HTTPTypes", "Logging", "ServiceLifecycle",
    ],
    "PrintPages": [
        "PrintModel", "PrintSpool", "PrintScheduler", "PrintWork", "PrintCenter", "PrintIPP", "IPPServer",
        "PrintTestSupport", "ProcessLaunch", "HTTPTypes", "print-worker",
    ],
    "SimulatorServer": [
        "PrintModel", "IPP", "PrintIPP", "IPPServer", "IPPServerTLS", "IPPClient", "IPPNetworkClient",
        "PrinterSimulator", "PageComparison", "ProcessLaunch", "PrintTestSupport", "IPPTestSupport", "printsim",
        "print-worker", "ipp-fuzz", "Logging",
        "ServiceLifecycle",
    ],
    "PrintTesting": ["PrintTestSupport", "printsim", "print-worker", "IPP", "IPPClient", "PageComparison"],
    "PrintServer": [
        "PrintModel", "IPP", "PrintIPP", "PrintSpool", "PrintScheduler", "IPPTestSupport", "PrintTestSupport",
        "AsyncPrimitives", "OpenMetrics", "Logging",
    ],
]

// Files among the sources of a test target that tests read at run time.
let testFiles: [String: [String]] = [
    "PrintTesting": ["Golden"], "PrintKitUIKitNames": ["Golden", "uikit-names.json"],
    "EndToEndTests": ["ClientRequests", "Clock", "ForeignDocuments", "SlowDisk"],
]

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The settings of apps on iOS whose code this package compiles.
let portedSettings: [SwiftSetting] = [.swiftLanguageMode(.v5)]

// MARK: - From table to package

/// A folder of `Sources`: the modules that one part of the system consists of.
enum Wing: String {
    case model = "Model"
    case ipp = "IPP"
    case spooler = "Spooler"
    case documents = "Documents"
    case simulator = "Simulator"
    case printKit = "PrintKit"
    case client = "Client"
    case center = "Center"
    case support = "Support"
    case cLibraries = "CLibraries"

    var folder: String { "Sources/\(rawValue)" }
}

struct Module {
    enum Kind: Equatable {
        case module, executable, example, exampleSupport, testSupport, tool, testSuite, c, cxx, system(
            pkgConfig: String?, apt: [String])
    }

    var name: String
    var kind: Kind
    // The folder that contains the module's folder.
    var folder: String
    var imports: [String] = []
    var outside: [String] = []
    // Files whose bytes become part of the code.
    var embeds: [String] = []
    // Files and folders of the module that are not compiled as a part of the module.
    var files: [String] = []
    // A macro of the C compiler.
    var define: (name: String, value: String)?

    static func module(
        _ name: String, in wing: Wing, imports: [String] = [], outside: [String] = [], embeds: [String] = [],
        files: [String] = []
    ) -> Module {
        Module(
            name: name, kind: .module, folder: wing.folder, imports: imports, outside: outside, embeds: embeds,
            files: files)
    }

    static func executable(
        _ name: String, in wing: Wing, imports: [String] = [], outside: [String] = []
    ) -> Module {
        Module(name: name, kind: .executable, folder: wing.folder, imports: imports, outside: outside)
    }

    static func example(_ name: String, imports: [String]) -> Module {
        Module(name: name, kind: .example, folder: "Examples", imports: imports)
    }

    static func exampleSupport(_ name: String, imports: [String]) -> Module {
        Module(name: name, kind: .exampleSupport, folder: "Examples", imports: imports)
    }

    static func c(_ name: String, define: (name: String, value: String?)? = nil) -> Module {
        var module = Module(name: name, kind: .c, folder: Wing.cLibraries.folder)
        if let define, let value = define.value, !value.isEmpty { module.define = (define.name, "\"\(value)\"") }
        return module
    }

    static func cxx(_ name: String, imports: [String]) -> Module {
        Module(name: name, kind: .cxx, folder: Wing.cLibraries.folder, imports: imports)
    }

    static func system(_ name: String, pkgConfig: String? = nil, apt: [String]) -> Module {
        Module(name: name, kind: .system(pkgConfig: pkgConfig, apt: apt), folder: Wing.cLibraries.folder)
    }

    static func testSupport(_ name: String, imports: [String] = [], outside: [String] = []) -> Module {
        Module(name: name, kind: .testSupport, folder: "Tests/Support", imports: imports, outside: outside)
    }

    static func tool(_ name: String, imports: [String], outside: [String] = []) -> Module {
        Module(name: name, kind: .tool, folder: "Tools", imports: imports, outside: outside)
    }

    static func testSuite(_ name: String, imports: [String]) -> Module {
        Module(name: name, kind: .testSuite, folder: "Tests", imports: imports)
    }

    var dependencies: [Target.Dependency] { (imports + outside).map(Module.dependency) }

    static func dependency(on name: String) -> Target.Dependency {
        outsideProducts[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
    }

    var path: String { "\(folder)/\(name)" }

    // The program contains libstdc++ and libgcc, because the dynamic linker needs 0.5 ms for these libraries. Programs with
    // C++ libraries must share libstdc++ with them.
    static let quickStart: [LinkerSetting] = [
        .unsafeFlags(
            [
                "-L", "\(Context.packageDirectory)/.build/static", "-Xclang-linker", "-static-libgcc", "-Xlinker",
                "--no-export-dynamic",
            ], .when(configuration: .release))
    ]

    private func tests(importing imports: [String]) -> Target {
        .testTarget(
            name: "\(name)Tests", dependencies: ([name] + imports).map(Module.dependency),
            path: "Tests/Unit/\(name)Tests", exclude: testFiles[name] ?? [], swiftSettings: swiftSettings)
    }

    var targets: [Target] {
        switch kind {
        case .module:
            [
                .target(
                    name: name, dependencies: dependencies, path: path, exclude: files,
                    resources: embeds.map { .embedInCode($0) }, swiftSettings: swiftSettings),
                tests(importing: testImports[name] ?? []),
            ]
        case .executable, .example, .tool:
            [
                // An example uses only the public interface, as a program of another package does.
                .executableTarget(
                    name: name, dependencies: dependencies, path: path, packageAccess: kind != .example,
                    swiftSettings: name == "Ported" ? portedSettings : swiftSettings,
                    linkerSettings: name == "printq" && isProgramsOnly ? Self.quickStart : [])
            ]
        case .exampleSupport, .testSupport:
            [.target(name: name, dependencies: dependencies, path: path, swiftSettings: swiftSettings)]
                + (testImports[name].map { [tests(importing: $0)] } ?? [])
        case .testSuite:
            [
                .testTarget(
                    name: name, dependencies: dependencies, path: path, exclude: testFiles[name] ?? [],
                    swiftSettings: swiftSettings)
            ]
        case .c:
            [
                .target(
                    name: name, dependencies: dependencies, path: path,
                    cSettings: define.map { [.define($0.name, to: $0.value)] })
            ]
        case .cxx:
            [
                .target(
                    name: name, dependencies: dependencies, path: path,
                    cxxSettings: [.define("POINTERHOLDER_TRANSITION", to: "4")])
            ]
        case .system(let pkgConfig, let apt):
            [.systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt(apt)])]
        }
    }
}

// With PRINTQ_PROGRAMS_ONLY the package consists of the programs and the modules that they need: one command builds all
// programs, and no example, tool or test.
let isProgramsOnly = Context.environment["PRINTQ_PROGRAMS_ONLY"] != nil
// With PRINTQ_TESTS_ONLY the package has no example and no tool that no test needs.
let isTestsOnly = Context.environment["PRINTQ_TESTS_ONLY"] != nil

// With PRINTQ_MODULES="A,B" the package consists of these modules, their tests, and the modules that both need, so that
// work on a few modules does not wait for a build of all.
let chosenModules = Context.environment["PRINTQ_MODULES"].map { $0.split(separator: ",").map(String.init) }

/// Returns the modules with the given names, and the modules that they import, directly or not.
func modulesNeeded(by roots: [String]) -> [Module] {
    var names: Set<String> = []
    var pending = modules.filter { roots.contains($0.name) }
    while let module = pending.popLast() {
        guard names.insert(module.name).inserted else { continue }
        pending += modules.filter { module.imports.contains($0.name) }
    }
    return modules.filter { names.contains($0.name) }
}

/// Returns the targets of the package, or of the part of it that the environment chooses.
func packageTargets() -> [Target] {
    if isProgramsOnly {
        let programs = modules.filter { $0.kind == .executable }.map(\.name)
        return modulesNeeded(by: programs).flatMap(\.targets).filter { !$0.isTest }
    }
    if isTestsOnly {
        let kinds: [Module.Kind] = [.module, .executable, .testSuite]
        let tested = modules.filter { kinds.contains($0.kind) }.map(\.name)
        return modulesNeeded(by: tested + testImports.values.joined()).flatMap(\.targets)
    }
    guard let chosenModules else { return modules.flatMap(\.targets) }
    let tested = chosenModules + chosenModules.flatMap { testImports[$0] ?? [] }
    return modulesNeeded(by: tested).flatMap(\.targets).filter { target in
        !target.isTest || chosenModules.contains { target.name == "\($0)Tests" || target.name == $0 }
    }
}

// The programs: printing programs start printd, and tests of other packages start printsim and print-worker.
let programs: [Product] = modules.filter { $0.kind == .executable }
    .map { .executable(name: $0.name, targets: [$0.name]) }

let libraries: [Product] = [
    // Drawing for paper, for any Swift program.
    .library(name: "PrintGraphics", targets: ["PrintGraphics"]),
    // PDF pages drawn into bitmaps; links poppler, which is under the GPL.
    .library(name: "PDFRendering", targets: ["PDFRendering"]),
    // Simulated printers for tests, together with the programs that they need.
    .library(name: "PrintTesting", targets: ["PrintTesting"]),
    // The print API of iOS, for any Swift program.
    .library(name: "PrintKit", targets: ["PrintKit"]),
    // Previews of documents, and the applications that open them.
    .library(name: "DocumentInteraction", targets: ["DocumentInteraction"]),
    // Printer options, menus and previews on a terminal.
    .library(name: "PrintKitTerminal", targets: ["PrintKitTerminal"]),
    // UIKit's and Core Graphics' names for code from iOS.
    .library(name: "PrintKitUIKitNames", targets: ["PrintKitUIKitNames"]),
    // The connection between PrintKit and the spooler.
    .library(name: "PrintSubmission", targets: ["PrintSubmission"]),
    // The queue: jobs, events and printers.
    .library(name: "SpoolerClient", targets: ["SpoolerClient"]),
]

let package = Package(
    name: "printq",
    products: isProgramsOnly ? programs : chosenModules == nil ? libraries + programs : [],
    dependencies: packages,
    targets: packageTargets(),
    cxxLanguageStandard: .cxx17
)
