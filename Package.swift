// swift-tools-version: 6.2
import PackageDescription

// The layer table: every module, lowest layer first, with what it may import.
// A module imports nothing that is not named here; `scripts/check` builds with
// `--explicit-target-dependency-import-check error` and looks for outside libraries.
let modules: [Module] = [
    // 0: what printing is, what IPP is, and the doors to C.
    .library("PrintModel"),
    .library("IPP"),
    .system("CLibQPDF", pkgConfig: "libqpdf", apt: ["libqpdf-dev"]),
    .c("CQPDF", cxx: true, imports: ["CLibQPDF"]),

    // 2: documents become sheets.
    .library("PrintDocuments", imports: ["PrintModel", "CQPDF"]),

    // What tests share: made documents and pixels one can read.
    .testSupport("PrintTestSupport"),
]

// Outside packages, each with the reason it is here.
let packages: [Package.Dependency] = []

let outsideProducts: [String: String] = [:]

// What each test target may import beside its own module.
let testImports: [String: [String]] = [
    "PrintDocuments": ["PrintModel", "PrintTestSupport", "CQPDF"]
]

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// MARK: - From table to package

struct Module {
    enum Kind { case library, executable, testSupport, c, cxx, system(pkgConfig: String?, apt: [String]) }

    var name: String
    var kind: Kind
    var imports: [String]
    var outside: [String]
    var tested: Bool

    static func library(_ name: String, imports: [String] = [], outside: [String] = []) -> Module {
        Module(name: name, kind: .library, imports: imports, outside: outside, tested: true)
    }

    static func executable(_ name: String, imports: [String] = [], outside: [String] = []) -> Module {
        Module(name: name, kind: .executable, imports: imports, outside: outside, tested: false)
    }

    static func testSupport(_ name: String) -> Module {
        Module(name: name, kind: .testSupport, imports: [], outside: [], tested: false)
    }

    static func c(_ name: String, cxx: Bool = false, imports: [String] = []) -> Module {
        Module(name: name, kind: cxx ? .cxx : .c, imports: imports, outside: [], tested: false)
    }

    static func system(_ name: String, pkgConfig: String? = nil, apt: [String]) -> Module {
        Module(name: name, kind: .system(pkgConfig: pkgConfig, apt: apt), imports: [], outside: [], tested: false)
    }

    var dependencies: [Target.Dependency] {
        imports.map { .byName(name: $0) }
            + outside.map { .product(name: $0, package: outsideProducts[$0]!) }
    }

    var targets: [Target] {
        switch kind {
        case .library:
            return [
                .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings),
                .testTarget(
                    name: "\(name)Tests",
                    dependencies: [.byName(name: name)] + (testImports[name] ?? []).map { .byName(name: $0) },
                    swiftSettings: swiftSettings),
            ]
        case .executable:
            return [.executableTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)]
        case .testSupport:
            return [.target(name: name, path: "Tests/\(name)", swiftSettings: swiftSettings)]
        case .c:
            return [.target(name: name, dependencies: dependencies)]
        case .cxx:
            return [
                .target(
                    name: name, dependencies: dependencies,
                    cxxSettings: [.define("POINTERHOLDER_TRANSITION", to: "4")])
            ]
        case .system(let pkgConfig, let apt):
            return [.systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(apt)])]
        }
    }
}

let package = Package(
    name: "printq",
    dependencies: packages,
    targets: modules.flatMap(\.targets),
    cxxLanguageStandard: .cxx17
)
