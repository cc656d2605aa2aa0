// swift-tools-version: 6.2
import PackageDescription

/// The rooms of the house, lowest first. `Tests/HouseTests` holds it and every import line against `ARCHITECTURE.md`.
let package = Package(
  name: "DictoBench",
  products: [
    .executable(name: "dictobench", targets: ["dictobench"]),
    // For other packages. Each names the rooms whose public declarations are its surface; all other rooms have none.
    .library(
      name: "DictoBenchCodecs",
      targets: ["YAML", "Bytes", "Crypto", "HCI", "Packets", "DictofunProtocol", "SecureDFU", "ScenarioLanguage"]),
    .library(
      name: "DictoBenchWorld",
      targets: [
        "Bytes", "Timeline", "Crypto", "Trace", "HCI", "Packets", "HostStack", "Controllers", "DictofunProtocol",
        "SecureDFU", "Recorder", "Phone", "Verdicts", "Requirements", "World",
      ]),
    .library(
      name: "DictoBenchRunner",
      targets: [
        "YAML", "Timeline", "Trace", "Phone", "Verdicts", "Requirements", "World", "ScenarioLanguage", "Runner",
      ]),
  ],
  targets: [
    // Cellar: system libraries, each a module map and a shim header.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CBluetooth", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CUSB", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
    .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Text"),
    .target(name: "Charts"),

    // Cellar: values and time.
    .target(name: "Bytes", swiftSettings: lifetimes),
    .target(name: "YAML", dependencies: ["CYAML", "Text", "Bytes"]),
    .target(name: "System", dependencies: ["CLinux"]),
    .target(name: "Timeline", dependencies: ["CLinux", "System"]),
    .target(name: "Processor"),

    .target(name: "Board", dependencies: ["Processor"]),

    // Ground floor.
    .target(name: "Crypto", dependencies: ["CCrypto", "Bytes"]),
    .target(name: "FirmwareImages", dependencies: ["Bytes", "Crypto"]),
    .target(name: "Trace", dependencies: ["Bytes", "Timeline", "Crypto"]),
    .target(name: "HCI", dependencies: ["Bytes"]),
    .target(name: "Packets", dependencies: ["Bytes"]),

    // First floor.
    .target(name: "HostStack", dependencies: ["Bytes", "Crypto", "HCI", "Packets"]),
    .target(name: "Controllers", dependencies: ["Bytes", "Timeline", "Crypto", "HCI"]),
    .target(name: "Sniffer", dependencies: ["Bytes", "Crypto", "HCI", "Packets"]),
    .target(
      name: "Transports",
      dependencies: ["CBluetooth", "CUSB", "Text", "Bytes", "System", "Timeline", "Crypto", "HCI"]),

    // Second floor.
    .target(name: "DictofunProtocol", dependencies: ["Bytes", "Packets"]),
    .target(name: "SecureDFU", dependencies: ["CZip", "CZlib", "Charts", "Bytes", "Crypto", "DictofunProtocol"]),

    // Third floor.
    .target(
      name: "Recorder",
      dependencies: ["Charts", "Bytes", "Timeline", "Crypto", "HCI", "HostStack", "DictofunProtocol", "SecureDFU"]),
    .target(name: "SoftDevice", dependencies: ["Bytes", "Processor", "Crypto", "HCI", "HostStack"]),
    .target(
      name: "ImageRecorder",
      dependencies: [
        "Bytes", "Timeline", "Processor", "Board", "Crypto", "FirmwareImages", "HostStack", "DictofunProtocol",
        "SecureDFU", "Recorder", "SoftDevice",
      ]),
    .target(
      name: "Phone",
      dependencies: [
        "CSQLite", "Charts", "Bytes", "System", "Timeline", "Crypto", "HCI", "HostStack", "DictofunProtocol",
        "SecureDFU",
      ]),

    // Fourth floor.
    .target(name: "Verdicts", dependencies: ["Charts", "Bytes", "YAML", "Timeline", "Trace"]),
    .target(name: "Ledger", dependencies: ["CPostgreSQL", "CSQLite", "Text", "System", "Verdicts"]),
    .target(
      name: "Requirements",
      dependencies: [
        "Text", "Bytes", "Timeline", "Trace", "HCI", "Packets", "Sniffer", "DictofunProtocol", "SecureDFU", "Verdicts",
      ],
      plugins: ["FolderCatalogue"]),
    .target(
      name: "World",
      dependencies: [
        "Text", "Charts", "Bytes", "Timeline", "Crypto", "Trace", "HCI", "HostStack", "Controllers", "DictofunProtocol",
        "SecureDFU", "Recorder", "Phone", "Verdicts", "Requirements",
      ], swiftSettings: rim),
    .target(name: "ScenarioLanguage", dependencies: ["Text", "Bytes", "YAML"]),

    // Fifth floor.
    .target(
      name: "Bench",
      dependencies: [
        "Text", "Bytes", "YAML", "System", "Timeline", "Crypto", "Trace", "HCI", "HostStack", "Transports",
        "DictofunProtocol", "Recorder", "Phone", "World", "ScenarioLanguage",
      ], swiftSettings: rim),
    .target(
      name: "Runner",
      dependencies: [
        "Text", "Bytes", "YAML", "Timeline", "Trace", "HostStack", "Controllers", "DictofunProtocol", "SecureDFU",
        "Recorder", "Phone", "Verdicts", "Requirements", "World", "ScenarioLanguage", "Bench",
      ], swiftSettings: rim, plugins: ["FolderCatalogue"]),

    .executableTarget(name: "catalogue-folder"),
    .plugin(name: "FolderCatalogue", capability: .buildTool(), dependencies: ["catalogue-folder"]),

    // Sixth floor.
    .target(
      name: "Probe",
      dependencies: ["Text", "Bytes", "YAML", "Timeline", "Trace", "HCI", "HostStack", "DictofunProtocol", "Recorder"]),
    .target(
      name: "Reports",
      dependencies: ["Text", "Bytes", "System", "Timeline", "Crypto", "Trace", "HCI", "DictofunProtocol", "Verdicts"],
      plugins: ["FolderCatalogue"]),
    .target(
      name: "Session",
      dependencies: [
        "Text", "Bytes", "YAML", "System", "Timeline", "Crypto", "Trace", "HCI", "Sniffer", "HostStack", "Transports",
        "DictofunProtocol",
        "SecureDFU", "Recorder", "Phone", "Verdicts", "Ledger", "Requirements", "World", "ScenarioLanguage", "Bench",
        "Runner", "Probe",
      ], swiftSettings: rim),

    .target(
      name: "Search",
      dependencies: [
        "Text", "YAML", "Timeline", "Processor", "FirmwareImages", "ImageRecorder", "Verdicts", "Requirements",
        "ScenarioLanguage", "Runner",
      ]),

    .target(
      name: "Proof",
      dependencies: [
        "Text", "Bytes", "Timeline", "Crypto", "HCI", "HostStack", "DictofunProtocol", "Recorder", "Phone",
      ]),

    .target(name: "Evidence", dependencies: ["Text", "Bytes", "System", "Crypto", "SecureDFU", "Reports"]),

    // Roof.
    .executableTarget(
      name: "dictobench",
      dependencies: [
        "Text", "Charts", "Bytes", "YAML", "System", "Timeline", "Board", "Crypto", "FirmwareImages", "Trace", "HCI",
        "HostStack", "Transports", "DictofunProtocol", "SecureDFU", "Recorder", "ImageRecorder", "Phone", "Verdicts",
        "Ledger",
        "Requirements", "World", "ScenarioLanguage", "Bench", "Runner", "Reports", "Probe", "Session", "Search",
        "Proof", "Evidence",
      ], swiftSettings: rim),
    .executableTarget(
      name: "dictobench-benchmark",
      dependencies: [
        "Bytes", "YAML", "System", "Timeline", "Processor", "FirmwareImages", "DictofunProtocol", "SecureDFU",
        "Phone", "Recorder", "ImageRecorder", "Verdicts", "Requirements", "World", "ScenarioLanguage", "Runner",
        "Reports",
      ],
      swiftSettings: rim),

    // One test target a module, the house keeping, and what they share.
    .target(name: "TestThreads", path: "Tests/TestThreads"),
    .target(name: "SchemaChecking", dependencies: ["YAML"], path: "Tests/SchemaChecking"),
    .testTarget(name: "TextTests", dependencies: ["Text"]),
    .testTarget(name: "ChartsTests", dependencies: ["Charts"]),
    .testTarget(name: "BytesTests", dependencies: ["Bytes"]),
    .testTarget(name: "YAMLTests", dependencies: ["YAML"]),
    .testTarget(name: "SystemTests", dependencies: ["System"]),
    .testTarget(name: "TimelineTests", dependencies: ["Timeline", "System"]),
    .testTarget(name: "EvidenceTests", dependencies: ["Evidence", "Crypto", "SecureDFU"]),
    .testTarget(name: "CryptoTests", dependencies: ["Crypto", "Bytes"], resources: [.copy("Vectors")]),
    .testTarget(name: "TraceTests", dependencies: ["Trace", "Timeline", "Bytes", "Crypto"]),
    .testTarget(name: "HCITests", dependencies: ["HCI", "Bytes"]),
    .testTarget(name: "PacketsTests", dependencies: ["Packets", "Bytes"]),
    .testTarget(name: "HostStackTests", dependencies: ["HostStack", "HCI", "Packets", "Crypto", "Bytes"]),
    .testTarget(
      name: "ControllersTests",
      dependencies: ["Controllers", "HostStack", "HCI", "Packets", "Crypto", "Timeline", "Trace", "Bytes"]),
    .testTarget(name: "SnifferTests", dependencies: ["Sniffer", "HCI", "Bytes", "Crypto"]),
    .testTarget(
      name: "TransportsTests", dependencies: ["Transports", "System", "HCI", "Timeline", "Bytes", "CBluetooth", "CUSB"]),
    .testTarget(name: "DictofunProtocolTests", dependencies: ["DictofunProtocol", "Bytes"]),
    .testTarget(
      name: "SecureDFUTests", dependencies: ["SecureDFU", "Charts", "Crypto", "Bytes"], resources: [.copy("Vectors")]),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "Recorder", "Charts", "SecureDFU", "Crypto", "DictofunProtocol", "HostStack", "HCI", "Timeline", "Bytes",
      ]),
    .testTarget(
      name: "SoftDeviceTests", dependencies: ["SoftDevice", "Bytes", "Crypto", "HCI", "HostStack", "Processor"]),
    .testTarget(
      name: "PhoneTests",
      dependencies: ["Phone", "SecureDFU", "Crypto", "DictofunProtocol", "HostStack", "HCI", "Timeline", "Bytes"],
      resources: [.copy("Library/Vectors")]),
    .testTarget(name: "VerdictsTests", dependencies: ["Verdicts", "Charts", "Trace", "Timeline", "Bytes"]),
    .testTarget(name: "LedgerTests", dependencies: ["Ledger", "Verdicts"]),
    .testTarget(
      name: "RequirementsTests",
      dependencies: [
        "Requirements", "Verdicts", "SecureDFU", "Trace", "HCI", "Packets", "DictofunProtocol", "Timeline", "Bytes",
      ]),
    .testTarget(
      name: "WorldTests",
      dependencies: [
        "World", "Charts", "Recorder", "Phone", "Controllers", "HostStack", "HCI", "Verdicts", "Requirements", "Trace",
        "Timeline", "Bytes",
        "DictofunProtocol", "SecureDFU", "Crypto",
      ]),
    .testTarget(
      name: "ScenarioLanguageTests", dependencies: ["ScenarioLanguage", "YAML", "Text", "Bytes", "SchemaChecking"],
      resources: [.copy("Vectors")]),
    .testTarget(
      name: "BenchTests",
      dependencies: [
        "Bench", "System", "ScenarioLanguage", "YAML", "World", "Transports", "Recorder", "DictofunProtocol",
        "Timeline", "HCI", "HostStack", "Bytes", "TestThreads",
      ]),
    .testTarget(
      name: "RunnerTests",
      dependencies: [
        "Runner", "Recorder", "SecureDFU", "Crypto", "ScenarioLanguage", "YAML", "World", "Verdicts", "Requirements",
        "Bench", "Trace", "Timeline", "Bytes", "DictofunProtocol", "HostStack", "Charts",
        "TestThreads", "SchemaChecking",
      ]),
    .testTarget(
      name: "ReportsTests",
      dependencies: ["Reports", "Charts", "Text", "Trace", "HCI", "DictofunProtocol", "Verdicts", "Timeline", "Bytes"],
      exclude: ["Vectors"]),
    .testTarget(
      name: "SessionTests",
      dependencies: [
        "Session", "Text", "YAML", "Bytes", "Timeline", "Trace", "HCI", "HostStack", "DictofunProtocol", "SecureDFU",
        "Recorder",
        "Phone",
        "Verdicts", "Ledger", "Requirements", "World", "Transports", "Bench", "ScenarioLanguage", "Runner", "Probe",
        "Reports",
      ]),
    .testTarget(
      name: "ProbeTests",
      dependencies: ["Probe", "Recorder", "YAML", "Timeline", "HostStack", "DictofunProtocol", "Bytes"]),
    .testTarget(
      name: "SearchTests",
      dependencies: [
        "Search", "Runner", "ScenarioLanguage", "YAML", "Timeline", "Verdicts", "World", "SecureDFU", "FirmwareImages",
        "ImageRecorder", "Board", "Recorder",
      ]),
    .testTarget(
      name: "ProofTests",
      dependencies: [
        "Proof", "Recorder", "Phone", "Runner", "ScenarioLanguage", "Verdicts", "World", "YAML", "SecureDFU",
      ]),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "dictobench", "Session", "Bytes", "Crypto", "HCI", "HostStack", "DictofunProtocol", "SecureDFU", "Recorder",
        "YAML", "Bench", "Board", "Reports", "Verdicts", "Evidence", "TestThreads",
      ],
      resources: [.copy("Vectors")]),
    .testTarget(name: "FirmwareImagesTests", dependencies: ["FirmwareImages"]),
    .testTarget(name: "BoardTests", dependencies: ["Board", "Processor"]),
    .testTarget(name: "ProcessorTests", dependencies: ["Processor"], resources: [.copy("Vectors")]),
    .testTarget(
      name: "ImageRecorderTests",
      dependencies: [
        "ImageRecorder", "Board", "FirmwareImages", "Processor", "Recorder", "HostStack", "SoftDevice", "Timeline",
        "Bytes", "Crypto", "DictofunProtocol", "HCI", "SecureDFU",
      ]),
    .testTarget(name: "HouseTests"),
  ],
  swiftLanguageModes: [.v6]
)

/// `ByteReader` borrows the bytes it reads, which needs lifetime annotations where it is declared.
var lifetimes: [SwiftSetting] { [.enableExperimentalFeature("Lifetimes")] }

/// The `async` rim: an asynchronous function runs where its caller runs, which is one event loop.
var rim: [SwiftSetting] { [.enableUpcomingFeature("NonisolatedNonsendingByDefault")] }

// Tests, and everything else that is built for debugging, check at run time that no two accesses to one variable overlap.
// A released program does without: of the cost of a packet it was a fifth.
for target in package.targets where target.type == .regular || target.type == .executable {
  let unchecked = SwiftSetting.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
  target.swiftSettings = (target.swiftSettings ?? []) + [unchecked]
}

// What every simulated run goes through is optimised in debug builds too, and keeps their checks. It makes the build a quarter
// longer, and takes more than half of the time that the tests take; what executes firmware would take minutes for a scenario.
let executed = ["Processor", "Board", "SoftDevice", "ImageRecorder"]
let simulated = [
  "Bytes", "Timeline", "Crypto", "Trace", "HCI", "Packets", "Controllers", "HostStack", "DictofunProtocol", "SecureDFU",
  "Recorder", "Phone", "Verdicts", "Requirements", "World",
]
for target in package.targets where (executed + simulated).contains(target.name) {
  let optimised = SwiftSetting.unsafeFlags(["-O"], .when(configuration: .debug))
  target.swiftSettings = (target.swiftSettings ?? []) + [optimised]
}

// The fuzz targets, which only `ci/fuzz` builds: they need the edges of what they try counted, and libFuzzer's runtime. They
// stand in this package because most decoders are `package`, which no other package sees.
if let libFuzzer = Context.environment["DICTOBENCH_FUZZING"] {
  let tried = [
    "Text", "YAML", "Bytes", "Timeline", "Processor", "Crypto", "FirmwareImages", "Trace", "HCI", "Packets",
    "HostStack", "Sniffer", "DictofunProtocol", "SecureDFU", "SoftDevice", "Requirements", "ScenarioLanguage", "Bench",
  ]
  let counted = SwiftSetting.unsafeFlags(["-sanitize=fuzzer"])
  // Optimised, or a fixed run takes minutes; what a debug build checks is checked all the same. The readers of files are quick
  // enough without, and would take five times as long to compile.
  let optimised = SwiftSetting.unsafeFlags(["-O"])
  let readers = ["ScenarioLanguage", "Bench"]
  // A target's files can belong to no other target, and the rig of the host stack's tests is wanted here.
  package.targets.removeAll { $0.type == .test }
  for target in package.targets where tried.contains(target.name) {
    let settings = readers.contains(target.name) ? [counted] : [counted, optimised]
    target.swiftSettings = (target.swiftSettings ?? []) + settings
  }
  package.targets += [
    Target.target(
      name: "HostRig", dependencies: ["Bytes", "HCI", "HostStack", "Packets"], path: "Tests/HostStackTests/Rig"),
    Target.target(
      name: "FuzzTargets", dependencies: tried.map { .init(stringLiteral: $0) } + ["HostRig"],
      path: "Fuzz/Sources/FuzzTargets", swiftSettings: [counted, optimised]),
    Target.target(name: "EdgeCounters", path: "Fuzz/Sources/EdgeCounters"),
    Target.executableTarget(
      name: "FixedRuns", dependencies: ["FuzzTargets", "EdgeCounters"], path: "Fuzz/Sources/FixedRuns"),
    Target.executableTarget(
      name: "GuidedRuns", dependencies: ["FuzzTargets"], path: "Fuzz/Sources/GuidedRuns",
      linkerSettings: [.unsafeFlags([libFuzzer]), .linkedLibrary("stdc++"), .linkedLibrary("m")]),
  ]
}
