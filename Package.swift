// swift-tools-version: 6.2
import PackageDescription

/// The rooms of the house, lowest first. `Tests/HouseTests` holds it and every import line against `ARCHITECTURE.md`.
let package = Package(
  name: "DictoBench",
  products: [
    .executable(name: "dictobench", targets: ["dictobench"]),
    // What the package of fuzz targets below Fuzz/ stands on.
    .library(
      name: "DictoBenchDecoders", targets: ["HCI", "Packets", "DictofunProtocol", "SecureDFU", "ScenarioLanguage"]),
  ],
  targets: [
    // Cellar: system libraries, each a module map and a shim header.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Cellar: values and time.
    .target(name: "Bytes", swiftSettings: lifetimes),
    .target(name: "Timeline", dependencies: ["CLinux"]),
    .target(name: "Processor"),

    // Ground floor.
    .target(name: "Crypto", dependencies: ["Bytes", "CCrypto"]),
    .target(name: "Trace", dependencies: ["Bytes", "Timeline", "Crypto"]),
    .target(name: "HCI", dependencies: ["Bytes"]),
    .target(name: "Packets", dependencies: ["Bytes"]),

    // First floor.
    .target(name: "HostStack", dependencies: ["Bytes", "HCI", "Packets", "Crypto"]),
    .target(name: "Controllers", dependencies: ["Bytes", "HCI", "Crypto", "Timeline"]),
    .target(name: "Transports", dependencies: ["Bytes", "HCI", "Timeline", "CBluetooth", "CUSB"]),

    // Second floor.
    .target(name: "DictofunProtocol", dependencies: ["Bytes"]),
    .target(name: "SecureDFU", dependencies: ["Bytes", "Crypto", "CZip", "CZlib"]),

    // Third floor.
    .target(
      name: "Recorder",
      dependencies: ["Bytes", "Timeline", "Crypto", "HCI", "HostStack", "DictofunProtocol", "SecureDFU"]),
    .target(
      name: "Phone",
      dependencies: ["Bytes", "Timeline", "Crypto", "HCI", "HostStack", "DictofunProtocol", "SecureDFU", "CSQLite"]),

    .target(name: "SoftDevice", dependencies: ["Bytes", "Crypto", "HCI", "HostStack", "Processor"]),

    // Fourth floor.
    .target(
      name: "Requirements",
      dependencies: ["Bytes", "Timeline", "Trace", "HCI", "Packets", "DictofunProtocol", "SecureDFU", "CYAML"]),
    .target(
      name: "World",
      dependencies: [
        "Bytes", "Timeline", "Crypto", "Trace", "HCI", "HostStack", "Controllers", "DictofunProtocol", "SecureDFU",
        "Recorder", "Phone", "Requirements",
      ], swiftSettings: rim),
    .target(name: "ScenarioLanguage", dependencies: ["Bytes", "CYAML"]),

    // Fifth floor.
    .target(
      name: "Bench",
      dependencies: [
        "Bytes", "Timeline", "Crypto", "Trace", "HCI", "HostStack", "DictofunProtocol", "Phone",
        "Recorder", "World", "Transports", "ScenarioLanguage",
      ], swiftSettings: rim),
    .target(
      name: "Runner",
      dependencies: [
        "Bytes", "Timeline", "Trace", "HostStack", "Controllers", "DictofunProtocol", "SecureDFU",
        "Recorder", "Phone", "Requirements", "World", "Bench", "ScenarioLanguage",
      ], swiftSettings: rim, plugins: ["VerbCatalogue"]),

    .executableTarget(name: "catalogue-verbs"),
    .plugin(name: "VerbCatalogue", capability: .buildTool(), dependencies: ["catalogue-verbs"]),

    // Sixth floor.
    .target(name: "Reports", dependencies: ["Bytes", "Timeline", "Trace", "HCI", "Requirements"]),

    // Roof.
    .executableTarget(
      name: "dictobench",
      dependencies: [
        "Bytes", "Timeline", "Crypto", "Trace", "HCI", "HostStack", "DictofunProtocol", "SecureDFU", "Recorder",
        "Phone",
        "Requirements", "World", "Transports", "Bench", "ScenarioLanguage", "Runner", "Reports",
      ], swiftSettings: rim),
    .executableTarget(
      name: "dictobench-benchmark",
      dependencies: [
        "Bytes", "Timeline", "SecureDFU", "Requirements", "ScenarioLanguage", "World", "Runner", "Reports",
      ],
      swiftSettings: rim),

    // One test target a module, and the house keeping.
    .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
    .testTarget(name: "TimelineTests", dependencies: ["Timeline"]),
    .testTarget(name: "CryptoTests", dependencies: ["Crypto", "Bytes"], resources: [.copy("Vectors")]),
    .testTarget(name: "TraceTests", dependencies: ["Trace", "Timeline", "Bytes", "Crypto"]),
    .testTarget(name: "HCITests", dependencies: ["HCI", "Bytes"]),
    .testTarget(name: "PacketsTests", dependencies: ["Packets", "Bytes"]),
    .testTarget(name: "HostStackTests", dependencies: ["HostStack", "HCI", "Packets", "Crypto", "Bytes"]),
    .testTarget(
      name: "ControllersTests",
      dependencies: ["Controllers", "HostStack", "HCI", "Packets", "Crypto", "Timeline", "Trace", "Bytes"]),
    .testTarget(
      name: "TransportsTests", dependencies: ["Transports", "HCI", "Timeline", "Bytes", "CBluetooth", "CUSB"]),
    .testTarget(name: "DictofunProtocolTests", dependencies: ["DictofunProtocol", "Bytes"]),
    .testTarget(
      name: "SecureDFUTests", dependencies: ["SecureDFU", "Crypto", "Bytes"], resources: [.copy("Vectors")]),
    .testTarget(
      name: "RecorderTests",
      dependencies: ["Recorder", "SecureDFU", "Crypto", "DictofunProtocol", "HostStack", "HCI", "Timeline", "Bytes"]),
    .testTarget(
      name: "SoftDeviceTests", dependencies: ["SoftDevice", "Bytes", "Crypto", "HCI", "HostStack", "Processor"]),
    .testTarget(
      name: "PhoneTests",
      dependencies: ["Phone", "SecureDFU", "Crypto", "DictofunProtocol", "HostStack", "HCI", "Timeline", "Bytes"],
      resources: [.copy("Library/Vectors")]),
    .testTarget(
      name: "RequirementsTests",
      dependencies: ["Requirements", "SecureDFU", "Trace", "HCI", "Packets", "DictofunProtocol", "Timeline", "Bytes"]),
    .testTarget(
      name: "WorldTests",
      dependencies: [
        "World", "Recorder", "Phone", "Controllers", "HostStack", "HCI", "Requirements", "Trace", "Timeline", "Bytes",
        "DictofunProtocol", "SecureDFU", "Crypto",
      ]),
    .testTarget(
      name: "ScenarioLanguageTests", dependencies: ["ScenarioLanguage", "Bytes"], resources: [.copy("Vectors")]),
    .testTarget(
      name: "BenchTests",
      dependencies: [
        "Bench", "ScenarioLanguage", "World", "Transports", "Recorder", "DictofunProtocol", "Timeline", "Bytes",
      ]),
    .testTarget(
      name: "RunnerTests",
      dependencies: [
        "Runner", "Recorder", "SecureDFU", "Crypto", "ScenarioLanguage", "World", "Requirements", "Bench", "Trace",
        "Timeline",
        "Bytes",
      ]),
    .testTarget(
      name: "ReportsTests", dependencies: ["Reports", "Trace", "HCI", "Requirements", "Timeline", "Bytes"],
      resources: [.copy("Vectors")]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: ["dictobench", "Bytes", "HCI", "HostStack", "DictofunProtocol", "SecureDFU", "Recorder"],
      resources: [.copy("Vectors")]),
    .testTarget(name: "ProcessorTests", dependencies: ["Processor"], resources: [.copy("Vectors")]),
    .testTarget(name: "HouseTests"),
  ],
  swiftLanguageModes: [.v6]
)

/// `ByteReader` borrows the bytes it reads, which needs lifetime annotations where it is declared.
var lifetimes: [SwiftSetting] { [.enableExperimentalFeature("Lifetimes")] }

/// The `async` rim: an asynchronous function runs where its caller runs, which is one event loop.
var rim: [SwiftSetting] { [.enableUpcomingFeature("NonisolatedNonsendingByDefault")] }
