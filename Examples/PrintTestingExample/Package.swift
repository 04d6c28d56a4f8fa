// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "letters",
    dependencies: [
        .package(name: "printq", path: "../..")
    ],
    targets: [
        .testTarget(
            name: "LetterTests",
            dependencies: [
                .product(name: "PrintTesting", package: "printq"),
                // PrintTesting finds these programs in the folder of the tests.
                .product(name: "printsim", package: "printq"),
                .product(name: "print-worker", package: "printq"),
            ],
            exclude: ["letter.pdf", "Golden"])
    ]
)
