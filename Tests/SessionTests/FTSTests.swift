import Bytes
import DictofunProtocol
import HostStack
import Phone
import Synchronization
import Testing
import Timeline

@testable import Session

/// The File Transfer Service as a recorder shows it, at handles of our own.
private enum Service {
  static let point = AttributeHandle(2)
  static let list = AttributeHandle(4)
  static let information = AttributeHandle(7)
  static let data = AttributeHandle(10)
  static let status = AttributeHandle(13)

  static let service = DiscoveredService(
    uuid: DictofunUUID.fileTransferService, handle: AttributeHandle(1), endHandle: AttributeHandle(20),
    characteristics: [
      DiscoveredCharacteristic(
        uuid: DictofunUUID.controlPoint, handle: AttributeHandle(1), valueHandle: point, properties: [.write],
        configurationHandle: nil),
      characteristic(DictofunUUID.filesList, list), characteristic(DictofunUUID.fileInformation, information),
      characteristic(DictofunUUID.fileData, data), characteristic(DictofunUUID.generalStatus, status),
    ])

  private static func characteristic(_ uuid: BluetoothUUID, _ handle: AttributeHandle) -> DiscoveredCharacteristic {
    DiscoveredCharacteristic(
      uuid: uuid, handle: AttributeHandle(handle.rawValue - 1), valueHandle: handle, properties: [.read, .notify],
      configurationHandle: AttributeHandle(handle.rawValue + 1))
  }
}

@Suite struct FTSDialogues {
  private static let quiet = Duration.seconds(2)
  private static let identifier = RecordIdentifier("0000240112101112")

  private func dialogue(_ request: ControlPointRequest) -> FTSDialogue {
    var dialogue = FTSDialogue(request, Service.service)
    dialogue.begin(at: .zero)
    return dialogue
  }

  @Test func nothingIsHeardBeforeTheRequest() {
    var dialogue = FTSDialogue(.listFiles, Service.service)
    #expect(dialogue.hear(Service.status, GeneralStatus.ok.encoded, at: .zero) == nil)
    dialogue.begin(at: .zero)
    #expect(dialogue.hear(AttributeHandle(99), [1], at: .zero) == nil)
    let later = Instant.zero.advanced(by: .seconds(1))
    let heard = dialogue.hear(Service.status, GeneralStatus.ok.encoded, at: later)
    #expect(heard?.meaning == .status(.ok))
    #expect(heard?.time == .seconds(1))
    #expect(!dialogue.isComplete)
  }

  @Test func informationEndsItsRequestAndNoOther() throws {
    let value = FileInformation(size: 640).encoded
    var information = dialogue(.fileInformation(try #require(Self.identifier)))
    #expect(information.hear(Service.information, value, at: .zero)?.meaning == .size(640))
    #expect(information.isComplete)
    #expect(information.end(hasDisconnected: false, after: Self.quiet) == (.complete, true))
    var status = dialogue(.fileSystemStatus)
    _ = status.hear(Service.information, value, at: .zero)
    #expect(!status.isComplete)
    #expect(status.end(hasDisconnected: false, after: Self.quiet) == (.silence(Self.quiet), false))
  }

  @Test func aStatusOtherThanOKEndsEveryRequest() throws {
    var dialogue = dialogue(.listFiles)
    _ = dialogue.hear(Service.status, GeneralStatus.genericFailure.encoded, at: .zero)
    #expect(dialogue.isComplete)
    #expect(dialogue.end(hasDisconnected: false, after: Self.quiet) == (.failed(.genericFailure), false))
  }

  @Test func dataHasNoEndMarker() throws {
    let request = ControlPointRequest.fileData(try #require(Self.identifier))
    #expect(dialogue(request).end(hasDisconnected: false, after: Self.quiet) == (.silence(Self.quiet), false))
    var some = dialogue(request)
    #expect(some.hear(Service.data, [1, 2, 3], at: .zero)?.meaning == .data(octets: 3, total: 3))
    #expect(some.hear(Service.data, [4], at: .zero)?.meaning == .data(octets: 1, total: 4))
    #expect(some.end(hasDisconnected: false, after: Self.quiet) == (.silence(Self.quiet), true))
  }

  @Test func whatDoesNotFollowTheProtocolIsNoAnswer() throws {
    var dialogue = dialogue(.fileInformation(try #require(Self.identifier)))
    let heard = dialogue.hear(Service.information, [0xFF], at: .zero)
    guard case .malformed? = heard?.meaning else {
      Issue.record("\(String(describing: heard)) was understood")
      return
    }
    #expect(!dialogue.isComplete)
    #expect(!dialogue.end(hasDisconnected: false, after: Self.quiet).isAnswered)
    // What follows may complete the answer, but not mend it.
    _ = dialogue.hear(Service.information, FileInformation(size: 640).encoded, at: .zero)
    #expect(dialogue.end(hasDisconnected: false, after: Self.quiet) == (.complete, false))
  }

  @Test func onlyReceiveCompleteMayEndInADisconnection() {
    #expect(dialogue(.receiveComplete).end(hasDisconnected: true, after: Self.quiet) == (.disconnected, true))
    #expect(dialogue(.listFiles).end(hasDisconnected: true, after: Self.quiet) == (.disconnected, false))
    let raw = ControlPointRequest(decoding: [0x55])
    #expect(dialogue(raw).end(hasDisconnected: false, after: Self.quiet) == (.silence(Self.quiet), true))
  }

  // MARK: With a phone

  /// A phone whose recorder offers the service and, after the request, notifies what is given.
  private func phone(_ events: [[PhoneEvent]]) -> ScriptedPhone {
    let phone = ScriptedPhone { operation, phone in
      guard case .attribute(let procedure) = operation else { return .success(.done) }
      switch procedure {
      case .discoverService(DictofunUUID.fileTransferService): return .success(.attribute(.services([Service.service])))
      case .discoverService: return .success(.attribute(.services([])))
      case .write:
        for wait in events { phone.prepare(wait) }
        return .success(.attribute(.written))
      default: return .success(.attribute(.written))
      }
    }
    return phone
  }

  @Test func aRequestIsWrittenAfterEverySubscription() async throws {
    let phone = phone([[.valueReceived(Service.status, GeneralStatus.genericFailure.encoded, isIndication: false)]])
    let told = Mutex(0)
    let result = try await RecorderConversation(phone, .paired).ask(.listFiles, quiet: Self.quiet, isSilent: true) {
      _ in told.withLock { $0 += 1 }
    }
    #expect(result.end == .failed(.genericFailure))
    #expect(result.count == 1)
    #expect(told.withLock { $0 } == 2)
    let places = phone.operations.compactMap { operation -> UInt16? in
      if case .attribute(.subscribe(let place, .notifications)) = operation { place.rawValue } else { nil }
    }
    #expect(places == [5, 8, 11, 14])
    #expect(phone.operations.last == .attribute(.write(Service.point, ControlPointRequest.listFiles.encoded)))
  }

  @Test func silenceIsCountedFromTheLastNotification() async throws {
    let request = ControlPointRequest.fileData(try #require(Self.identifier))
    let more = PhoneEvent.valueReceived(Service.data, [1, 2], isIndication: false)
    let phone = phone([[more], [more], []])
    let result = try await RecorderConversation(phone, .paired).ask(request, quiet: Self.quiet, isSilent: true) { _ in }
    #expect(result.end == .silence(Self.quiet))
    #expect(result.octets == 4)
    #expect(result.isAnswered)
    // Two waits with a notification each, and one without.
    #expect(result.elapsed == .milliseconds(6_020))
  }

  @Test func aRecorderWithoutTheServiceIsNamed() async throws {
    let phone = ScriptedPhone { operation, _ in
      if case .attribute = operation { return .success(.attribute(.services([]))) }
      return .success(.done)
    }
    await #expect(throws: PhoneFailure.serviceMissing(DictofunUUID.fileTransferService)) {
      _ = try await RecorderConversation(phone, .paired).ask(.listFiles, quiet: Self.quiet, isSilent: false) { _ in }
    }
  }
}
