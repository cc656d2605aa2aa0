import Foundation
import Testing

/// The surface of the library products: what other packages can use.
@Suite struct Surface {
  /// The rooms that a library product of the manifest names.
  private static func offeredRooms() throws -> Set<String> {
    let text = try SourceTree.text("Package.swift")
    let library = try NSRegularExpression(pattern: #"\.library\(\s*name: "[^"]+",\s*targets: \[([^\]]*)\]"#)
    let lists = library.matches(in: text, range: NSRange(text.startIndex..., in: text))
      .compactMap { Range($0.range(at: 1), in: text).map { text[$0] } }
    try #require(lists.count > 1)
    return Set(
      lists.flatMap { list in
        list.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
          .map { String($0.element) }
      })
  }

  @Test func roomsThatNoProductNamesDeclareNothingPublic() throws {
    let offered = try Self.offeredRooms()
    for file in SourceTree.sources where !offered.contains(file.module) {
      for (number, line) in file.code.enumerated() where line.declaresPublic {
        Issue.record("\(file.path):\(number + 1): \(file.module) belongs to no product; write `package`")
      }
    }
  }

  @Test func everyRoomOfAProductDeclaresSomethingPublic() throws {
    for room in try Self.offeredRooms().sorted() {
      let files = SourceTree.sources.filter { $0.module == room }
      #expect(files.contains { $0.code.contains(where: \.declaresPublic) }, "\(room) offers nothing")
    }
  }
}

extension String {
  /// Whether the line declares something that other packages see.
  fileprivate var declaresPublic: Bool {
    let words = split(separator: " ")
    return words.contains("public") && words.first != "public:"
  }
}
