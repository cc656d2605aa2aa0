import Bytes

/// The two ends of a link, from whichever it is seen. Hosts have numbers in the scenario, whoever is seen over the air
/// has an address; phones of others are told apart by theirs.
struct LinkEnds {
  enum End: Hashable {
    case number(UInt16)
    case address(BluetoothAddress)
  }

  let phone: End
  let recorder: End
  let words: (phone: String, recorder: String)

  init?(_ event: ProductEvent) {
    guard let peer = event.peer else { return nil }
    let (number, other) = (End.number(event.source.index), End.address(peer))
    (phone, recorder) = event.source.part == .phone ? (number, other) : (other, number)
    words =
      event.source.part == .phone
      ? ("phone \(event.source.index)", "\(peer)") : ("the phone \(peer)", "recorder \(event.source.index)")
  }
}
