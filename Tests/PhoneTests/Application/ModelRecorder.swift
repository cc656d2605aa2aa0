import Bytes
import DictofunProtocol
import HostStack

/// A recorder as the phone's host stack would show it: enough to answer, no radio.
struct ModelRecorder {
  var address = BluetoothAddress(0xC0DE_0000_0001, .random)
  /// The identity that it distributes when it is paired; the address where there is none.
  var identity: BluetoothAddress?
  var records: [(identifier: RecordIdentifier, content: [UInt8])] = []
  var battery: UInt8 = 84
  var isBonded = false
  var isInSight = true
  var maximumTransmissionUnit = 247
  /// What the recorder still does wrong.
  var isDeafToRequests = false
  /// A service that discovery does not find.
  var missingService: BluetoothUUID?
  /// A record that is listed and described, but cannot be opened.
  var unopenable: RecordIdentifier?
  /// How many packets of a record it sends; `nil` for all.
  var packetsSent: Int?
  /// Every request that arrived, in order.
  var requests: [ControlPointRequest] = []
  /// The value handles whose notifications are enabled in this connection.
  var subscribed: [UInt16] = []

  /// Adds records of these sizes, one a minute from noon.
  mutating func record(sizes: [Int]) {
    for size in sizes {
      let time = CivilTime(secondsSinceEpoch: 1_704_110_400 + Int64(records.count) * 60)
      let first = records.count
      records.append((RecordIdentifier(time), (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ first) }))
    }
  }

  static let services = AttributeTable.application.database.discovered.filter {
    [DictofunUUID.fileTransferService, DictofunUUID.batteryService].contains($0.uuid)
  }

  /// What the GATT client finds out or does.
  mutating func perform(_ procedure: ClientProcedure, isEncrypted: Bool) -> Result<ClientResult, ClientFailure> {
    switch procedure {
    case .exchangeMaximumTransmissionUnit: return .success(.maximumTransmissionUnit(UInt16(maximumTransmissionUnit)))
    case .discoverAll: return .success(.services(Self.services))
    case .discoverService(let uuid):
      return .success(.services(Self.services.filter { $0.uuid == uuid && $0.uuid != missingService }))
    case .read(let handle) where handle.rawValue == DictofunHandle.batteryLevel: return .success(.value([battery]))
    case .subscribe(let handle, let subscription):
      subscribed.removeAll { $0 == handle.rawValue - 1 }
      if !subscription.isEmpty { subscribed.append(handle.rawValue - 1) }
      return .success(.written)
    case .write(let handle, let value):
      guard isEncrypted else { return .failure(.refused(.insufficientAuthentication, handle)) }
      if handle.rawValue == DictofunHandle.pairing, value == [PairingControl.unpair] { isBonded = false }
      if handle.rawValue == DictofunHandle.controlPoint { requests.append(ControlPointRequest(decoding: value)) }
      return .success(.written)
    default: return .failure(.refused(.readNotPermitted, AttributeHandle(1)))
    }
  }

  /// The notifications that answer a write to the control point; `nil` when the recorder disconnects instead.
  func answers(to request: ControlPointRequest) -> [(handle: UInt16, value: [UInt8])]? {
    if isDeafToRequests { return [] }
    let answers: [(UInt16, [UInt8])]
    switch request {
    case .listFiles:
      answers = FilesList.parts(records.map(\.identifier)).enumerated().map { index, part in
        (index == 0 ? DictofunHandle.filesList : DictofunHandle.filesListContinuation, part)
      }
    case .fileInformation(let identifier):
      answers = [
        records.first { $0.identifier == identifier }.map {
          (DictofunHandle.fileInformation, FileInformation(size: UInt32($0.content.count)).encoded)
        } ?? (DictofunHandle.generalStatus, GeneralStatus.fileNotFound(identifier).encoded)
      ]
    case .fileData(let identifier):
      guard let record = records.first(where: { $0.identifier == identifier }), identifier != unopenable else {
        return [(DictofunHandle.generalStatus, GeneralStatus.fileNotFound(identifier).encoded)]
      }
      var rest = record.content[...]
      let lengths = FileDataLayout.packetLengths(
        fileSize: rest.count, maximumTransmissionUnit: maximumTransmissionUnit)
      answers = lengths.prefix(packetsSent ?? lengths.count).map { length in
        defer { rest = rest.dropFirst(length) }
        return (DictofunHandle.fileData, Array(rest.prefix(length)))
      }
    case .fileSystemStatus:
      answers = [
        (DictofunHandle.fileSystemStatus, FileSystemStatus(fileSizes: records.map(\.content.count)).encoded)
      ]
    case .receiveComplete: return nil
    case .unaccepted: answers = []
    }
    return answers.filter { subscribed.contains($0.0) }.map { (handle: $0.0, value: $0.1) }
  }
}
