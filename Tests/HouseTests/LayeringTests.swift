import Foundation
import Testing

/// Modules that come with the toolchain. Foundation, whose `Data` and clocks have no place near packets, is kept out of
/// the rooms below.
private let systemModules: Set<String> = ["Glibc", "Foundation", "Synchronization", "Dispatch"]
private let dryRooms: Set<String> = [
  "Bytes", "Timeline", "Processor", "HCI", "Packets", "HostStack", "Controllers", "Crypto",
]

@Suite struct Layering {
  @Test func theTableOfArchitectureIsTheManifest() throws {
    let table = try RoomTable.ofArchitecture()
    let manifest = try RoomTable.ofManifest()
    #expect(table.rooms.map(\.name).sorted() == manifest.rooms.map(\.name).sorted())
    for room in manifest.rooms {
      #expect(
        table.imports(of: room.name) == room.imports,
        "\(room.name): ARCHITECTURE.md and Package.swift say different things")
    }
  }

  @Test func roomsImportWhatTheTableNamesAndNothingElse() throws {
    let table = try RoomTable.ofArchitecture()
    var seen: [String: Set<String>] = [:]
    for file in SourceTree.sources {
      guard let allowed = table.imports(of: file.module) else {
        Issue.record("\(file.path): no such room in the table")
        continue
      }
      for (number, line) in file.code.enumerated() {
        guard let module = importedModule(line) else { continue }
        seen[file.module, default: []].insert(module)
        #expect(
          allowed.contains(module) || systemModules.contains(module),
          "\(file.path):\(number + 1): \(file.module) may not import \(module)")
        #expect(
          !(module.hasPrefix("Foundation") && dryRooms.contains(file.module)),
          "\(file.path):\(number + 1): \(file.module) stays free of Foundation")
      }
    }
    for room in table.rooms where !room.isSystemLibrary {
      let unused = room.imports.filter { !(seen[room.name] ?? []).contains($0) }
      #expect(unused.isEmpty, "\(room.name) no longer imports \(unused)")
    }
  }

  @Test func lowerRoomsNeverImportHigherOnes() throws {
    var below: Set<String> = []
    for room in try RoomTable.ofArchitecture().rooms {
      #expect(below.isSuperset(of: room.imports), "\(room.name) stands below something that it imports")
      below.insert(room.name)
    }
  }

  @Test func noRoomSharesItsNameWithOneOfItsTypes() throws {
    let rooms = Set(try RoomTable.ofArchitecture().rooms.map(\.name))
    for file in SourceTree.sources {
      // A type inside another one hides a module only there.
      for (number, line) in file.code.enumerated() where !line.hasPrefix(" ") {
        let words = line.split { !$0.isLetter && !$0.isNumber }
        for (keyword, name) in zip(words, words.dropFirst())
        where ["struct", "class", "enum", "actor", "protocol"].contains(keyword) {
          #expect(!rooms.contains(String(name)), "\(file.path):\(number + 1): type and module named \(name)")
        }
      }
    }
  }
}

private func importedModule(_ line: String) -> String? {
  let words = line.split(separator: " ")
  guard let position = words.firstIndex(of: "import"), position + 1 < words.count,
    words[..<position].allSatisfy({ $0.hasPrefix("@") || ["public", "package", "internal"].contains($0) })
  else { return nil }
  let last = words[words.count - 1]
  return String(last.split(separator: ".")[0])
}
