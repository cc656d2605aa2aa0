import Foundation
import Testing

/// Which rooms a room may import; the same table as in `ARCHITECTURE.md`. System modules are free.
private let allowedImports: [String: Set<String>] = [
  "Bytes": [],
  "Timeline": ["CLinux"],
  "Crypto": ["Bytes", "CCrypto"],
  "Trace": ["Bytes", "Timeline", "Crypto"],
  "HCI": ["Bytes"],
  "Packets": ["Bytes"],
  "HostStack": ["Bytes", "HCI", "Packets", "Crypto"],
  "Controllers": ["Bytes", "HCI", "Packets", "Crypto", "Timeline", "Trace"],
  "Transports": ["Bytes", "HCI", "Timeline", "CLinux"],
  "DictofunProtocol": ["Bytes"],
  "Recorder": ["Bytes", "Timeline", "HCI", "HostStack", "DictofunProtocol"],
  "Phone": ["Bytes", "Timeline", "HCI", "HostStack", "DictofunProtocol", "CSQLite"],
  "Requirements": ["Bytes", "Timeline", "Trace", "HCI", "Packets", "DictofunProtocol", "CYAML"],
  "World": [
    "Bytes", "Timeline", "Crypto", "Trace", "HCI", "Packets", "HostStack", "Controllers", "DictofunProtocol",
    "Recorder", "Phone", "Requirements",
  ],
  "ScenarioLanguage": ["Bytes", "CYAML"],
  "Bench": [
    "Bytes", "Timeline", "Crypto", "Trace", "HCI", "HostStack", "DictofunProtocol", "Phone", "Recorder", "World",
    "Transports",
  ],
  "Runner": [
    "Bytes", "Timeline", "Trace", "HCI", "HostStack", "Controllers", "DictofunProtocol", "Recorder", "Phone",
    "Requirements", "World", "Bench", "ScenarioLanguage",
  ],
  "catalogue-verbs": [],
  "Reports": ["Bytes", "Timeline", "Trace", "HCI", "Requirements"],
  "dictobench": [
    "Bytes", "Timeline", "Trace", "HCI", "DictofunProtocol", "Recorder", "Phone", "Requirements", "World", "Transports",
    "Bench", "ScenarioLanguage", "Runner", "Reports",
  ],
  "dictobench-benchmark": ["Bytes", "Trace", "ScenarioLanguage", "World", "Runner", "Reports"],
]

private let systemModules: Set<String> = ["Glibc", "Foundation", "Synchronization", "Dispatch", "FoundationEssentials"]

/// Rooms that stay free of Foundation, whose `Data` and clocks have no place near packets.
private let dryRooms: Set<String> = ["Bytes", "Timeline", "HCI", "Packets", "HostStack", "Controllers", "Crypto"]

@Suite struct Layering {
  @Test func lowerRoomsNeverImportHigherOnes() {
    for file in SourceTree.swiftFiles(below: "Sources") {
      guard let allowed = allowedImports[file.module] else {
        Issue.record("\(file.path): no such room in the table")
        continue
      }
      for (number, line) in file.code.enumerated() {
        guard let module = importedModule(line) else { continue }
        #expect(
          allowed.contains(module) || systemModules.contains(module),
          "\(file.path):\(number + 1): \(file.module) may not import \(module)")
        #expect(
          !(module.hasPrefix("Foundation") && dryRooms.contains(file.module)),
          "\(file.path):\(number + 1): \(file.module) stays free of Foundation")
      }
    }
  }

  @Test func noRoomSharesItsNameWithOneOfItsTypes() {
    for file in SourceTree.swiftFiles(below: "Sources") {
      for (number, line) in file.code.enumerated() {
        let words = line.split { !$0.isLetter && !$0.isNumber }
        for (keyword, name) in zip(words, words.dropFirst())
        where ["struct", "class", "enum", "actor", "protocol"].contains(keyword) {
          #expect(allowedImports[String(name)] == nil, "\(file.path):\(number + 1): type and module named \(name)")
        }
      }
    }
  }

  @Test func theManifestDeclaresTheSameTable() throws {
    let manifest = try String(contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
    for room in allowedImports.keys.sorted() {
      #expect(manifest.contains("name: \"\(room)\""), "\(room) is missing in Package.swift")
    }
  }
}

private func importedModule(_ line: String) -> String? {
  let words = line.split(separator: " ")
  guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
    words[..<position].allSatisfy({ $0.hasPrefix("@") || $0 == "public" || $0 == "internal" })
  else { return nil }
  let last = words[words.count - 1]
  return String(last.split(separator: ".")[0])
}
