// swift-tools-version: 6.2
import PackageDescription

/// Fuzz targets, one a decoder. A package of their own, because an entry point of libFuzzer has no `main` and would
/// break a plain build of the house.
let decoders = [
  "AdvertisingData", "ATT", "Bootloader", "BTSnoop", "FileTransfer", "H4", "HCI", "InitPacket", "L2CAP",
  "Scenario", "SMP", "UpdatePackage", "Updater", "USB", "Wave",
]

/// `swift build --sanitize=fuzzer` needs the entry points; a plain build must not see them.
let isLongRun = Context.environment["DICTOBENCH_LONG_FUZZING"] != nil

let package = Package(
  name: "DictoBenchFuzz",
  dependencies: [.package(name: "DictoBench", path: "..")],
  targets: [
    .target(name: "FuzzTargets", dependencies: [.product(name: "DictoBenchCodecs", package: "DictoBench")]),
    .executableTarget(name: "FixedRuns", dependencies: ["FuzzTargets"]),
  ]
    + (isLongRun ? decoders : []).map { name in
      .executableTarget(
        name: "Fuzz\(name)", dependencies: ["FuzzTargets"], path: "Sources/LongRuns/\(name)",
        swiftSettings: [.unsafeFlags(["-parse-as-library"])])
    },
  swiftLanguageModes: [.v6]
)
