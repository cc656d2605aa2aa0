import DictofunProtocol

/// The progress of sending a files list.
struct FilesListTransfer: Hashable, Sendable {
  private let parts: [[UInt8]]
  private let continuationHandle: UInt16
  private var part = 0
  private var offset = 0

  /// Takes a picture of the table.
  init(_ storage: RecordStorage, _ faults: ListFaults) {
    let entries = faults.includesUnfinished ? storage.entries : storage.finished
    var identifiers = entries.map(\.identifier)
    if faults.omitsNewest { identifiers = identifiers.dropLast() }
    if faults.isReversed { identifiers.reverse() }
    var parts = FilesList.parts(identifiers)
    parts[0] = FilesList.firstPart(count: identifiers.count + faults.countOffset, identifiers: identifiers)
    self.parts = parts
    continuationHandle = faults.continuesOnFilesList ? DictofunHandle.filesList : DictofunHandle.filesListContinuation
  }

  /// Whether everything was handed over.
  var isComplete: Bool { part >= parts.count }
  /// Where the next notification goes: what the ATT MTU cut off follows where its beginning went.
  var handle: UInt16 { part == 0 ? DictofunHandle.filesList : continuationHandle }
  /// What is left of the current part.
  var value: [UInt8] { Array(parts[part][offset...]) }

  /// How much was handed over: the part, and the octets of it.
  var progress: String { "\(part)/\(parts.count) from \(offset)" }

  /// Notes that `octets` were handed over.
  mutating func advance(by octets: Int) {
    offset += octets
    guard offset >= parts[part].count else { return }
    part += 1
    offset = 0
  }
}
