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
  /// Records whose sizes were asked for and not told yet, oldest first. A recorder that is busy drops such a request.
  private var informing: [RecordIdentifier] = []
  /// Whether a size came of which nobody knows whose it is, so that one of those may have been told.
  private var isInformingMixed = false
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
  private var asked = AskedAnswers()

  /// A request was written to the control point; with a command nobody hears whether the recorder took it.
  mutating func request(_ request: ControlPointRequest, isAcknowledged: Bool) -> FileTransferHappening {
    if isAcknowledged { written = request }
    asked.add(request)
    switch request {
    case .listFiles:
      isAskedAgain = isListing
      guard !isListing else { break }
      isListing = true
      list = FilesListAssembler()
    case .fileInformation(let identifier):
      if informing.count == Self.sizeLimit { informing.removeFirst() }
      informing.append(identifier)
    case .fileData(let identifier):
      // A phone asks for a record of which it was told the size.
      if isInformingMixed, let place = informing.lastIndex(of: identifier) {
        informing.removeSubrange(...place)
        isInformingMixed = false
      }
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
    asked.remove(request)
    if case .fileData = request { isSending = false }
    if case .fileInformation(let identifier) = request, let place = informing.lastIndex(of: identifier) {
      informing.remove(at: place)
    }
    return .requestRefused(request, attributeError: attributeError)
  }

  /// Whether file data would come although nobody asked for any on this link, and that was not said yet.
  var isSendingUnasked: Bool { asked.records == 0 && !asked.mayBeAnything }

  /// What a notification is, where nothing was asked for that it answers. Of file data that is said once.
  mutating func unasked(_ characteristic: ProductCharacteristic, _ value: [UInt8]) -> String? {
    let unasked = asked.unasked(characteristic, value)
    if unasked != nil, characteristic == .fileData { asked.mayBeAnything = true }
    return unasked
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
        asked.remove(.listFiles)
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
      let identifier = informed()
      if let identifier {
        sizes.removeAll { $0.identifier == identifier }
        if sizes.count == Self.sizeLimit { sizes.removeFirst() }
        sizes.append(KnownSize(identifier: identifier, octets: information.size))
      }
      return .informed(identifier, size: information.size)
    case .fileSystemStatus:
      let status = try FileSystemStatus(decoding: value)
      isSending = false
      asked.remove(.fileSystemStatus)
      return .fileSystemStatus(status)
    case .generalStatus:
      let status = try GeneralStatus(decoding: value)
      isSending = false
      // A list that waits for its turn is not what is not found.
      if case .fileNotFound(let identifier) = status {
        if let place = informing.firstIndex(of: identifier) { informing.remove(at: place) }
        return .status(status)
      }
      isListing = false
      return .status(status)
    default: return nil
    }
  }

  /// A size was told. Returns whose it is; `nil` where several were asked for, of which the recorder may have dropped any.
  private mutating func informed() -> RecordIdentifier? {
    guard let first = informing.first else { return nil }
    asked.remove(.fileInformation(first))
    informing.removeFirst()
    guard informing.allSatisfy({ $0 == first }) else {
      isInformingMixed = true
      return nil
    }
    return first
  }
}

/// What was asked for on one link and may still be answered. A recorder that is busy drops requests, so there may be fewer
/// answers than requests, and never more.
private struct AskedAnswers {
  /// Whether nothing more can be said of what comes.
  var mayBeAnything = false
  /// Requests for records that were not refused, answered or not: how many answers they have is not counted.
  private(set) var records = 0
  private var lists = 0
  private var sizes = 0
  private var states = 0
  /// Names in requests, answered or not.
  private var names: [RecordIdentifier] = []

  /// A request was written.
  mutating func add(_ request: ControlPointRequest) {
    switch request {
    case .fileInformation(let identifier), .fileData(let identifier):
      guard names.count < FileTransferFollower.sizeLimit || names.contains(identifier) else {
        mayBeAnything = true
        break
      }
      if !names.contains(identifier) { names.append(identifier) }
    // Whatever that was, its answer may be anything.
    case .unaccepted: mayBeAnything = true
    case .listFiles, .fileSystemStatus, .receiveComplete: break
    }
    count(request, 1)
  }

  /// A request was answered or refused.
  mutating func remove(_ request: ControlPointRequest) { count(request, -1) }

  private mutating func count(_ request: ControlPointRequest, _ change: Int) {
    switch request {
    case .listFiles: lists = max(0, lists + change)
    case .fileInformation: sizes = max(0, sizes + change)
    case .fileData: records = max(0, records + change)
    case .fileSystemStatus: states = max(0, states + change)
    case .receiveComplete, .unaccepted: break
    }
  }

  /// What a value is, where nothing was asked for that it answers.
  func unasked(_ characteristic: ProductCharacteristic, _ value: [UInt8]) -> String? {
    guard !mayBeAnything else { return nil }
    switch characteristic {
    case .filesList, .filesListContinuation: return lists == 0 ? "a list of files" : nil
    case .fileInformation: return sizes == 0 ? "the size of a record" : nil
    case .fileSystemStatus: return states == 0 ? "the state of the file system" : nil
    case .fileData: return records == 0 ? "octets of a record" : nil
    case .generalStatus:
      guard case .fileNotFound(let identifier)? = try? GeneralStatus(decoding: value) else { return nil }
      return names.contains(identifier) ? nil : "a status of \(identifier)"
    default: return nil
    }
  }
}
