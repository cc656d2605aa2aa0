import Bytes

/// The notifications that answer a list request.
///
/// The first part, on the files list characteristic, holds the number of files in four octets, four zero octets
/// and up to seven identifiers. The rest follows unasked on the continuation characteristic, up to eight
/// identifiers a notification and without a header.
public enum FilesList {
  /// Identifiers in a full first part.
  public static let identifiersInFirstPart = 7
  /// Identifiers in a full continuation.
  public static let identifiersInContinuation = 8
  /// Octets before the first identifier.
  public static let headerLength = 8
  /// What stands before the first identifier.
  static let header = WireLayout(
    "files list", [.number("number of files", octets: 4), .number("reserved", octets: 4, maximum: 0)])
  /// A first part.
  public static let layout = WireLayout(
    header.name, header.fields + [WireField("identifiers", .repeated([RecordIdentifier.field]))])
  /// A continuation.
  public static let continuationLayout = WireLayout(
    "files list continuation", [WireField("identifiers", .repeated([RecordIdentifier.field]))])
  /// Octets of a first part that holds as many identifiers as it can; a continuation begins after them.
  public static let fullFirstPartLength = headerLength + identifiersInFirstPart * RecordIdentifier.octetCount
  /// Octets that the firmware reserves for a part.
  public static let maximumLength = identifiersInContinuation * RecordIdentifier.octetCount
  /// The most files a list may announce before a phone refuses it. The firmware's table has 256 entries; the
  /// limit leaves room and still bounds what a hostile peer can make us hold.
  public static let maximumCount = 4096

  /// The first part for a list of `count` files, of which at most the first seven of `identifiers` are taken.
  public static func firstPart(count: Int, identifiers: some Collection<RecordIdentifier>) -> [UInt8] {
    var writer = ByteWriter(capacity: headerLength + identifiersInFirstPart * RecordIdentifier.octetCount)
    writer.write(header.octets(of: [UInt32(clamping: count), 0]))
    for identifier in identifiers.prefix(identifiersInFirstPart) { writer.write(identifier.octets) }
    return writer.bytes
  }

  /// One continuation, of which at most the first eight of `identifiers` are taken.
  public static func continuation(_ identifiers: some Collection<RecordIdentifier>) -> [UInt8] {
    identifiers.prefix(identifiersInContinuation).flatMap(\.octets)
  }

  /// The whole answer: the first part, then the continuations.
  public static func parts(_ identifiers: [RecordIdentifier]) -> [[UInt8]] {
    var result = [firstPart(count: identifiers.count, identifiers: identifiers)]
    var rest = identifiers.dropFirst(identifiersInFirstPart)
    while !rest.isEmpty {
      result.append(continuation(rest))
      rest = rest.dropFirst(identifiersInContinuation)
    }
    return result
  }
}

/// Puts the notifications of one list answer together.
///
/// Notifications are taken as one stream of octets, because with a small ATT MTU a part arrives in pieces, and
/// the published firmware sends the pieces of a continuation on the characteristic of the first part.
public struct FilesListAssembler: Hashable, Sendable {
  /// What is known after a notification.
  public enum Progress: Hashable, Sendable {
    /// More identifiers must follow.
    case incomplete
    /// The announced number of identifiers is there.
    case complete([RecordIdentifier])
  }

  private var octets: [UInt8] = []
  private var expectedLength: Int?

  /// Starts before the first notification.
  public init() {}

  /// Octets that have arrived.
  public var octetCount: Int { octets.count }

  /// The number of files that the list announced, once the first part arrived.
  public var announcedCount: Int? { expectedLength.map { ($0 - FilesList.headerLength) / RecordIdentifier.octetCount } }

  /// Takes the value of the next notification of either list characteristic.
  ///
  /// Throws when the list announces more than `FilesList.maximumCount` files, when the four octets after the
  /// count are not zero, when more octets arrive than were announced, or when a notification is empty, which
  /// would otherwise go on for ever.
  public mutating func append(_ value: [UInt8]) throws(DecodingFailure) -> Progress {
    guard !value.isEmpty else {
      throw DecodingFailure(.truncated(needed: 1, available: 0), field: "files list", offset: octets.count)
    }
    octets += value
    if expectedLength == nil, octets.count >= FilesList.headerLength {
      var reader = ByteReader(octets.span)
      let count = try reader.readNumbers(FilesList.header)[0]
      guard count <= FilesList.maximumCount else {
        throw DecodingFailure(
          .tooLong(length: Int(count), limit: FilesList.maximumCount), field: "number of files", offset: 0)
      }
      expectedLength = FilesList.headerLength + Int(count) * RecordIdentifier.octetCount
    }
    guard let expectedLength, octets.count >= expectedLength else { return .incomplete }
    guard octets.count == expectedLength else {
      throw DecodingFailure(
        .trailing(count: octets.count - expectedLength), field: "files list", offset: expectedLength)
    }
    let starts = stride(from: FilesList.headerLength, to: expectedLength, by: RecordIdentifier.octetCount)
    return .complete(starts.compactMap { RecordIdentifier(octets[$0..<($0 + RecordIdentifier.octetCount)]) })
  }
}
