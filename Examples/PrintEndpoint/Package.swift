// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "print-endpoint",
    dependencies: [
        .package(name: "printq", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "PrintEndpoint",
            dependencies: [
                .product(name: "PrintKit", package: "printq"),
                .product(name: "PrintSubmission", package: "printq"),
                .product(name: "Hummingbird", package: "hummingbird"),
                // PrintSubmission starts these programs if no spooler runs.
                .product(name: "printd", package: "printq"),
                .product(name: "printsim", package: "printq"),
                .product(name: "print-worker", package: "printq"),
            ])
    ]
)
