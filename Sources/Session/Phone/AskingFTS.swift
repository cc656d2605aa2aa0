import DictofunProtocol
import HostStack
import Phone
import Synchronization
import Timeline

/// What a dialogue with the File Transfer Service tells while it goes on.
package enum FTSEvent: Sendable {
  /// The battery is at this low level, in percent.
  case batteryLow(UInt8)
  /// The request is about to be written.
  case asking(ControlPointRequest)
  /// The recorder notified something.
  case notified(FTSDialogue.Notification)
}

/// What a dialogue came to.
package struct FTSResult: Sendable {
  /// How it ended.
  package var end: FTSDialogue.End
  /// Whether the request was answered as it should be.
  package var isAnswered: Bool
  /// Time since the request was written.
  package var elapsed: Duration
  /// Notifications that came.
  package var count: Int
  /// Their octets.
  package var octets: Int
}

extension RecorderConversation {
  /// Connects, subscribes to the service, writes one request, and waits until the answer is complete, the link ends, or
  /// nothing comes for `quiet`. `isSilent` sends nothing but the request: the battery is not asked for.
  package func ask(
    _ request: ControlPointRequest, quiet: Duration, isSilent: Bool, tell: @escaping @Sendable (FTSEvent) -> Void
  ) async throws -> FTSResult {
    var battery = try await BatteryRhythm.connect(self, isSilent: isSilent) { tell(.batteryLow($0)) }
    let (service, point) = try await fileTransferService()
    let heard = HeardDialogue(FTSDialogue(request, service), phone, tell)
    await phone.onEvent { heard.take($0) }
    for characteristic in service.characteristics where characteristic.valueHandle != point.valueHandle {
      guard characteristic.properties.contains(.read), let place = characteristic.configurationHandle else { continue }
      _ = try await attribute(.subscribe(place, .notifications))
    }
    heard.begin()
    tell(.asking(request))
    _ = try await attribute(.write(point.valueHandle, request.encoded))
    var last = -1
    while !isInterrupted(), !heard.isOver, heard.count != last {
      last = heard.count
      try await battery.wait(quiet) { heard.isOver }
    }
    return heard.result(after: quiet)
  }

  /// The service and its control point.
  private func fileTransferService() async throws -> (DiscoveredService, DiscoveredCharacteristic) {
    let found = try await attribute(.discoverService(DictofunUUID.fileTransferService))
    guard case .services(let services) = found, let service = services.first else {
      throw PhoneFailure.serviceMissing(DictofunUUID.fileTransferService)
    }
    guard let point = service.characteristics.first(where: { $0.uuid == DictofunUUID.controlPoint }) else {
      throw PhoneFailure.serviceMissing(DictofunUUID.controlPoint)
    }
    return (service, point)
  }
}

/// A dialogue that follows the phone's events.
private final class HeardDialogue: Sendable {
  private struct State {
    var dialogue: FTSDialogue
    var hasDisconnected = false
  }

  private let state: Mutex<State>
  private let phone: any RecorderPhone
  private let tell: @Sendable (FTSEvent) -> Void

  init(_ dialogue: FTSDialogue, _ phone: any RecorderPhone, _ tell: @escaping @Sendable (FTSEvent) -> Void) {
    state = Mutex(State(dialogue: dialogue))
    self.phone = phone
    self.tell = tell
  }

  var isOver: Bool { state.withLock { $0.dialogue.isComplete || $0.hasDisconnected } }
  var count: Int { state.withLock { $0.dialogue.count } }

  func begin() { state.withLock { $0.dialogue.begin(at: phone.now) } }

  func take(_ event: PhoneEvent) {
    switch event {
    case .valueReceived(let attribute, let value, _):
      let now = phone.now
      if let notification = state.withLock({ $0.dialogue.hear(attribute, value, at: now) }) {
        tell(.notified(notification))
      }
    case .connectionStatus(.disconnected): state.withLock { $0.hasDisconnected = true }
    default: break
    }
  }

  func result(after quiet: Duration) -> FTSResult {
    state.withLock { state in
      let (end, isAnswered) = state.dialogue.end(hasDisconnected: state.hasDisconnected, after: quiet)
      return FTSResult(
        end: end, isAnswered: isAnswered, elapsed: state.dialogue.elapsed(at: phone.now), count: state.dialogue.count,
        octets: state.dialogue.octets)
    }
  }
}
