import DictofunProtocol

@testable import Requirements

extension ServingMonitors {
  private static let fetched: [(after: Int, Teller, Happening)] = [
    world(0, .recordFinished(recorder: 0, identifier(1), octets: 64)),
    (9, .recorder, .fileTransfer(.requestTaken(.fileData(identifier(1))))), kept,
  ]
  private static let kept = world(9, .recordStored(phone: 0, identifier(1), octets: 64))
  private static let asksToEnd: (after: Int, Teller, Happening) = (
    9, .recorder, .fileTransfer(.requested(.receiveComplete))
  )
  private static let ends: (after: Int, Teller, Happening) = (
    9, .recorder, .fileTransfer(.requestTaken(.receiveComplete))
  )
  private static let gone = world(9, .recordsGone(recorder: 0, [identifier(1)]))

  /// Which records a recorder may lose.
  static let records: [Case] = [
    Case(RecordsAreKept.self, "shown", "one that a phone fetched, and said so", fetched + [asksToEnd, ends, gone]),
    Case(
      RecordsAreKept.self, "violated", "one that a phone fetched, and said so in vain",
      fetched + [
        asksToEnd, (9, .recorder, .fileTransfer(.requestRefused(.receiveComplete, attributeError: 0x05))), gone,
      ]),
    Case(
      RecordsAreKept.self, "violated", "one of whose name a phone has another recorder's",
      [world(0, .recordFinished(recorder: 0, identifier(1), octets: 64)), kept, asksToEnd, ends, gone]),
    Case(
      RecordsAreKept.self, "violated", "no longer listed, where a phone has another recorder's of that name",
      [
        world(0, .recordFinished(recorder: 0, identifier(1), octets: 64)), kept,
        (9, .recorder, .fileTransfer(.listed([]))),
      ]),
    Case(
      RecordsAreKept.self, "violated", "one of a name that came again",
      fetched + [asksToEnd, ends, gone, world(9, .recordFinished(recorder: 0, identifier(1), octets: 64)), gone]),
  ]
}
