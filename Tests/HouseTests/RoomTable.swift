import Foundation
import Testing

/// Which room may import which, as a document of the repository says it.
struct RoomTable {
  struct Room {
    let name: String
    /// In the order of the document.
    let imports: [String]
    /// A module map and a header, without a Swift file.
    let isSystemLibrary: Bool
  }

  /// In the order of the document, lowest first.
  let rooms: [Room]

  func imports(of room: String) -> [String]? { rooms.first { $0.name == room }?.imports }

  /// The table of `ARCHITECTURE.md`: `| floor | rooms | what lives there | imports |`.
  static func ofArchitecture() throws -> RoomTable {
    let lines = try SourceTree.text("ARCHITECTURE.md").split(separator: "\n")
    let rooms = lines.flatMap { line -> [Room] in
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      guard columns.count == 6 else { return [] }
      let names = quoted(columns[2], by: "`")
      return names.map { Room(name: $0, imports: quoted(columns[4], by: "`"), isSystemLibrary: names.count > 1) }
    }
    try #require(rooms.count > 10)
    return RoomTable(rooms: rooms)
  }

  /// The targets of `Package.swift` that are no tests. What tests share, and what is added only for fuzzing, is no room.
  static func ofManifest() throws -> RoomTable {
    let text = try SourceTree.text("Package.swift").components(separatedBy: "DICTOBENCH_FUZZING")[0]
    let room = #"\.(target|executableTarget|systemLibrary)\(\s*name: "([^"]+)""#
    let shared = #"(?!,\s*(?:dependencies: \[[^\]]*\],\s*)?path: "Tests/)"#
    let target = try NSRegularExpression(pattern: room + shared + #"(?:,\s*dependencies: \[([^\]]*)\])?"#)
    let matches = target.matches(in: text, range: NSRange(text.startIndex..., in: text))
    let rooms = matches.map { match in
      let groups = (1...3).map { Range(match.range(at: $0), in: text).map { text[$0] } ?? "" }
      return Room(
        name: String(groups[1]), imports: quoted(groups[2], by: "\""), isSystemLibrary: groups[0] == "systemLibrary")
    }
    try #require(rooms.count > 10)
    return RoomTable(rooms: rooms)
  }

  private static func quoted(_ text: Substring, by mark: Character) -> [String] {
    text.split(separator: mark, omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }
}
