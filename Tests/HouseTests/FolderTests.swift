import Foundation
import Testing

/// The folders of a room, and which of them name the types of which.
private struct FolderGraph {
  private(set) var folders: [String] = []
  private var needs: [String: Set<String>] = [:]

  init(of room: String) throws {
    let files = SourceTree.sources.filter { $0.module == room }
    let declaration = try NSRegularExpression(
      pattern: #"^(?:@\w+ )*(?:public |package |final |indirect )*(?:struct|class|enum|protocol|actor) (\w+)"#)
    var owners: [String: String] = [:]
    for file in files {
      for line in file.code {
        guard let match = declaration.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)),
          let name = Range(match.range(at: 1), in: line)
        else { continue }
        owners[String(line[name])] = file.folder
      }
    }
    for file in files {
      let words = file.code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
      let needed = words.compactMap { owners[String($0)] }.filter { $0 != file.folder }
      needs[file.folder, default: []].formUnion(needed)
    }
    folders = needs.keys.sorted()
  }

  /// Folders that come back to themselves, in order.
  var circular: [String] { folders.filter { reachable(from: $0).contains($0) } }

  private func reachable(from folder: String) -> Set<String> {
    var found: Set<String> = []
    var open = Array(needs[folder] ?? [])
    while let next = open.popLast() {
      if found.insert(next).inserted { open += needs[next] ?? [] }
    }
    return found
  }
}

extension SourceFile {
  /// The folder below the room, empty for the room itself.
  fileprivate var folder: String { path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/") }
}

@Suite struct Folders {
  private static let rooms = Array(Set(SourceTree.sources.map(\.module))).sorted()

  @Test(arguments: rooms) func ofARoomNeedNoneThatNeedsThem(_ room: String) throws {
    let circular = try FolderGraph(of: room).circular
    #expect(circular.isEmpty, "\(room): a circle through \(circular.joined(separator: ", "))")
  }
}
