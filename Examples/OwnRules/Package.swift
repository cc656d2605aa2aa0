// swift-tools-version: 6.2
import PackageDescription

/// A package outside the house, which adds a monitor and a verb of its own to runs of its own scenarios.
let package = Package(
  name: "OwnRules",
  dependencies: [.package(name: "DictoBench", path: "../..")],
  targets: [
    .target(name: "OwnRules", dependencies: [.product(name: "DictoBenchRunner", package: "DictoBench")]),
    .executableTarget(name: "own-rules", dependencies: ["OwnRules"]),
    .testTarget(name: "OwnRulesTests", dependencies: ["OwnRules"]),
  ],
  swiftLanguageModes: [.v6]
)
