/// What can be wrong with the requests that the File Transfer Service takes.
package struct ServiceFaults: Hashable, Sendable {
  /// Whether the service answers nothing before power-off once a link ended while a request was being served.
  package var isDeafAfterBreak = false
  /// Whether a second request while one is being served makes the service answer nothing before power-off.
  package var isDeafAfterSecondRequest = false
  /// Whether a write that is not a request makes the service answer nothing before power-off.
  package var isDeafAfterBadRequest = false
  /// Whether a request for an unknown record is not answered.
  package var isSilentAboutUnknownRecords = false
  /// Whether the phone's message that it has everything changes nothing.
  package var ignoresReceiveComplete = false
  /// Whether a request that waits when the link ends is served on the next one, or not at all.
  package var keepsWaitingRequest = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofService = [
    RecorderFault("keeps-waiting-request", "A request that waited when its link ended keeps the place of later ones.") {
      $0.service.keepsWaitingRequest = true
    },
    RecorderFault("deaf-after-break", "It answers no request after a transfer was interrupted.") {
      $0.service.isDeafAfterBreak = true
    },
    RecorderFault("deaf-after-second-request", "It answers no request after a second one came too early.") {
      $0.service.isDeafAfterSecondRequest = true
    },
    RecorderFault("deaf-after-bad-request", "It answers no request after one that it does not understand.") {
      $0.service.isDeafAfterBadRequest = true
    },
    RecorderFault("silent-about-unknown-records", "It does not answer a request for an unknown record.") {
      $0.service.isSilentAboutUnknownRecords = true
    },
    RecorderFault("ignores-receive-complete", "It does not end the session when the phone has everything.") {
      $0.service.ignoresReceiveComplete = true
    },
  ]
}
