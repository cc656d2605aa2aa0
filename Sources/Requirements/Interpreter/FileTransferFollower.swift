import Bytes
import DictofunProtocol

/// Follows the File Transfer Service on one link from its requests and notifications.
struct FileTransferFollower {
  /// How many sizes of files are remembered; a table of the firmware has 256 entries.
  static let sizeLimit = 512

  private struct KnownSize {
    var identifier: RecordIdentifier
    var octets: UInt32
  }

  private var written: ControlPointRequest?
  /// What the phone enabled on this link.
  private var enabled: [ProductCharacteristic] = []
  private var informing: RecordIdentifier?
  private var downloading: RecordIdentifier?
  /// Whether a record was asked for and neither its last octet nor another answer came since.
  private var isSending = false
  private var isListing = false
  /// Whether another list was asked for while one was under way. A recorder that is busy drops that request; one that
  /// had only not answered yet serves both.
  private var isAskedAgain = false
  private var list = FilesListAssembler()
  private var sizes: [KnownSize] = []
  private var received: UInt32 = 0
  private var size: UInt32?

  /// A request was written to the control point.
  mutating func request(_ request: ControlPointRequest) -> FileTransferHappening {
    written = request
    switch request {
    case .listFiles:
      isAskedAgain = isListing
      guard !isListing else { break }
      isListing = true
      list = FilesListAssembler()
    case .fileInformation(let identifier): informing = identifier
    case .fileData(let identifier):
      downloading = identifier
      received = 0
      // What comes may be the rest of the record before, and nobody knows where that one ends.
      size = isSending ? nil : sizes.last { $0.identifier == identifier }?.octets
      isSending = true
    case .fileSystemStatus, .receiveComplete, .unaccepted: break
    }
    return .requested(request)
  }

  /// The phone enabled the notifications of a characteristic, or disabled them.
  mutating func subscribed(_ characteristic: ProductCharacteristic, _ isEnabled: Bool) {
    enabled.removeAll { $0 == characteristic }
    if isEnabled { enabled.append(characteristic) }
  }

  /// Whether the phone enabled everything that may answer a request. Without that a recorder may be silent.
  func canBeAnswered(_ request: ControlPointRequest) -> Bool {
    let needed: [ProductCharacteristic]
    switch request {
    case .listFiles: needed = [.filesList, .filesListContinuation]
    case .fileInformation: needed = [.fileInformation, .generalStatus]
    case .fileData: needed = [.fileData, .generalStatus]
    case .fileSystemStatus: needed = [.fileSystemStatus]
    case .receiveComplete, .unaccepted: needed = []
    }
    return needed.allSatisfy(enabled.contains)
  }

  /// The write was answered, with an error or without.
  mutating func answered(attributeError: UInt8?) -> FileTransferHappening? {
    guard let request = written else { return nil }
    written = nil
    guard let attributeError else { return .requestTaken(request) }
    if case .fileData = request { isSending = false }
    return .requestRefused(request, attributeError: attributeError)
  }

  /// Takes a notification of file data with this number of octets.
  mutating func data(octets: Int) -> FileTransferHappening {
    received &+= UInt32(truncatingIfNeeded: octets)
    return .data(downloading, octets: UInt32(truncatingIfNeeded: octets), received: received, size: size)
  }

  /// Whether the last octet of a file of known size has just arrived.
  mutating func completion(afterOctets octets: Int) -> FileTransferHappening? {
    guard let size, received == size, octets > 0 || size == 0 else { return nil }
    isSending = false
    return .completed(downloading, octets: size)
  }

  /// A notification of another characteristic came. Throws when it cannot be understood.
  mutating func value(
    _ characteristic: ProductCharacteristic, _ value: [UInt8]
  ) throws(DecodingFailure) -> FileTransferHappening? {
    switch characteristic {
    case .filesList, .filesListContinuation:
      guard isListing else { return nil }
      do throws(DecodingFailure) {
        let isContinuation = list.octetCount >= FilesList.fullFirstPartLength
        guard isContinuation == (characteristic == .filesListContinuation) else {
          throw DecodingFailure(
            .invalid(value: UInt64(value.count)), field: "characteristic of the files list", offset: list.octetCount)
        }
        guard case .complete(let identifiers) = try list.append(value) else {
          let octets = max(0, list.octetCount - FilesList.headerLength)
          return .listing(announced: list.announcedCount ?? 0, present: octets / RecordIdentifier.octetCount)
        }
        isListing = isAskedAgain
        isAskedAgain = false
        list = FilesListAssembler()
        isSending = false
        return .listed(identifiers)
      } catch {
        isListing = false
        throw error
      }
    case .fileInformation:
      let information = try FileInformation(decoding: value)
      isSending = false
      if let informing {
        sizes.removeAll { $0.identifier == informing }
        if sizes.count == Self.sizeLimit { sizes.removeFirst() }
        sizes.append(KnownSize(identifier: informing, octets: information.size))
      }
      return .informed(informing, size: information.size)
    case .fileSystemStatus:
      let status = try FileSystemStatus(decoding: value)
      isSending = false
      return .fileSystemStatus(status)
    case .generalStatus:
      let status = try GeneralStatus(decoding: value)
      isSending = false
      // A list that waits for its turn is not what is not found.
      if case .fileNotFound = status { return .status(status) }
      isListing = false
      return .status(status)
    default: return nil
    }
  }
}
