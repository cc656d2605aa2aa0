import Bytes
import DictofunProtocol
import Phone
import Timeline

/// What a phone's library holds, as a value. The place of a record in the list is its number, less one.
struct LibraryContent: Hashable, Sendable {
  /// One record.
  struct Entry: Hashable, Sendable {
    let identifier: RecordIdentifier
    /// Octets as they were announced.
    let size: UInt32
    let isListed: Bool
    /// Its octets; `nil` while they are missing.
    let content: [UInt8]?
  }

  /// Every record, by number.
  var entries: [Entry] = []

  /// The content of this record, where it is there.
  func content(of identifier: RecordIdentifier) -> [UInt8]? {
    entries.first { $0.identifier == identifier && $0.isListed && $0.content != nil }?.content
  }
}

/// Libraries to experiment with: a library is a reference to a database, so a copy of a phone shares it, and what one
/// future does to it would be seen by all others.
///
/// It keeps one library for each content that was seen, and makes another by the library's own doors where that is
/// somewhere else.
package final class LibraryShelf {
  private let recorder: BluetoothAddress
  private var libraries: [LibraryContent: PhoneLibrary] = [:]

  /// An empty shelf, for libraries of records of this recorder.
  package init(recorder: BluetoothAddress = MeetingPlan.recorderAddress) { self.recorder = recorder }

  /// Takes a library with this content from the shelf.
  func take(_ content: LibraryContent) throws(LibraryFailure) -> PhoneLibrary {
    if let library = libraries.removeValue(forKey: content) { return library }
    let library = try PhoneLibrary(.memory)
    _ = try library.take(completeList: content.entries.map(\.identifier), from: recorder)
    for entry in content.entries {
      guard case .download(let number) = try library.take(size: entry.size, of: entry.identifier, from: recorder)
      else { continue }
      if let octets = entry.content {
        try library.store(octets, in: number, at: WallTime(nanosecondsSinceEpoch: 0))
      }
    }
    _ = try library.take(
      completeList: content.entries.filter(\.isListed).map(\.identifier), from: recorder)
    return library
  }

  /// Puts a library back, and says what it holds now.
  func put(_ library: PhoneLibrary) throws(LibraryFailure) -> LibraryContent {
    let content = try Self.content(of: library)
    libraries[content] = library
    return content
  }

  private static func content(of library: PhoneLibrary) throws(LibraryFailure) -> LibraryContent {
    var content = LibraryContent()
    for record in try library.records().sorted(by: { $0.number < $1.number }) {
      content.entries.append(
        LibraryContent.Entry(
          identifier: record.identifier, size: record.size, isListed: record.isListed,
          content: record.isComplete ? try library.content(of: record.number) : nil))
    }
    return content
  }
}
