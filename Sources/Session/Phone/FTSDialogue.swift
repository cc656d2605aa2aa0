import Bytes
import DictofunProtocol
import HostStack
import Timeline

/// One request to the File Transfer Service and the notifications that follow it. It has neither radio nor clock.
package struct FTSDialogue: Sendable {
  /// What a notification says.
  package enum Meaning: Equatable, Sendable {
    /// A part of the list of records; more follows.
    case listPart
    /// The complete list.
    case list([RecordIdentifier])
    /// The size of a record in octets.
    case size(UInt32)
    /// Content of a record: octets of this notification, and of all so far.
    case data(octets: Int, total: Int)
    /// The state of the file system.
    case fileSystem(FileSystemStatus)
    /// How the recorder ended the request.
    case status(GeneralStatus)
    /// A characteristic of the service from which nothing is expected here.
    case unexpected
    /// It does not follow the protocol.
    case malformed(DecodingFailure)
  }

  /// One notification.
  package struct Notification: Equatable, Sendable {
    /// Time since the request was written.
    package var time: Duration
    /// The characteristic that it came from.
    package var characteristic: BluetoothUUID
    /// Its octets.
    package var value: [UInt8]
    /// What they say.
    package var meaning: Meaning
  }

  /// How a dialogue ended.
  package enum End: Equatable, Sendable {
    /// The recorder ended the request with a status other than OK.
    case failed(GeneralStatus)
    /// The answer is complete.
    case complete
    /// The recorder disconnected.
    case disconnected
    /// No notification came for this long.
    case silence(Duration)
  }

  /// The request.
  package let request: ControlPointRequest
  /// Notifications since the request was written.
  package private(set) var count = 0
  /// Their octets.
  package private(set) var octets = 0
  /// Whether nothing more is expected.
  package private(set) var isComplete = false
  private let service: DiscoveredService
  private var began: Instant?
  private var list = FilesListAssembler()
  private var status: GeneralStatus?
  private var isMalformed = false

  package init(_ request: ControlPointRequest, _ service: DiscoveredService) {
    self.request = request
    self.service = service
  }

  /// Takes that the request is written now.
  package mutating func begin(at instant: Instant) { began = instant }

  /// Time since the request was written.
  package func elapsed(at instant: Instant) -> Duration { began?.duration(to: instant) ?? .zero }

  /// Takes the value of an attribute. Returns `nil` before the request, and for what is not of the service.
  package mutating func hear(
    _ attribute: AttributeHandle, _ value: [UInt8], at instant: Instant
  ) -> Notification? {
    guard let began, let characteristic = service.characteristics.first(where: { $0.valueHandle == attribute }) else {
      return nil
    }
    count += 1
    octets += value.count
    let meaning: Meaning
    do throws(DecodingFailure) { meaning = try take(value, of: characteristic.uuid) } catch {
      isMalformed = true
      meaning = .malformed(error)
    }
    return Notification(
      time: began.duration(to: instant), characteristic: characteristic.uuid, value: value, meaning: meaning)
  }

  private mutating func take(_ value: [UInt8], of uuid: BluetoothUUID) throws(DecodingFailure) -> Meaning {
    switch uuid {
    case DictofunUUID.filesList, DictofunUUID.filesListContinuation:
      guard case .complete(let identifiers) = try list.append(value) else { return .listPart }
      if case .listFiles = request { isComplete = true }
      return .list(identifiers)
    case DictofunUUID.fileInformation:
      let size = try FileInformation(decoding: value).size
      if case .fileInformation = request { isComplete = true }
      return .size(size)
    case DictofunUUID.fileData: return .data(octets: value.count, total: octets)
    case DictofunUUID.fileSystemStatus:
      let status = try FileSystemStatus(decoding: value)
      if case .fileSystemStatus = request { isComplete = true }
      return .fileSystem(status)
    case DictofunUUID.generalStatus:
      let status = try GeneralStatus(decoding: value)
      self.status = status
      if status != .ok { isComplete = true }
      return .status(status)
    default: return .unexpected
    }
  }

  /// How the dialogue ended after nothing came for `quiet` or the recorder disconnected, and whether the request was
  /// answered as it should be.
  package func end(hasDisconnected: Bool, after quiet: Duration) -> (end: End, isAnswered: Bool) {
    if let status, status != .ok { return (.failed(status), false) }
    if isComplete { return (.complete, !isMalformed) }
    if hasDisconnected { return (.disconnected, request == .receiveComplete) }
    if case .fileData = request {
      // There is no end marker; only file info tells how many octets there should be.
      return (.silence(quiet), count > 0 && !isMalformed)
    }
    return (.silence(quiet), !request.isAccepted)
  }
}
