import Bytes
import DictofunProtocol
import HCI
import Timeline

/// Finds out which connections of a capture are a recorder's: those of an address that advertised its services, and those on
/// which they were discovered, then or before. A telephone has others, to watches and mice, which promised nothing.
struct RecorderLinks {
  private struct Adapter {
    var interpreter: PacketInterpreter
    /// Whether its host is a recorder.
    var isRecorder = false
    /// Numbers of the connections on which a recorder answered.
    var links: Set<UInt32> = []
  }

  private var adapters: [Adapter] = []
  /// Addresses of recorders that are remembered; the connections of further ones are known by what is discovered on them.
  private static let recorderLimit = 1 << 14
  /// Addresses of recorders, from whatever adapter they are known.
  private var recorders: Set<BluetoothAddress> = []

  /// Takes the next packet, of the adapter at `place`. An adapter that is new has the place behind all others. Whose host it is
  /// does not matter: what is discovered means the same at both ends.
  mutating func observe(_ packet: CapturePackets.Packet, at place: Int) {
    if place == adapters.count {
      adapters.append(Adapter(interpreter: PacketInterpreter(.phone(packet.adapter), tellsFileData: false)))
    }
    var events: [ProductEvent] = []
    _ = adapters[place].interpreter.interpret(packet.packet, packet.direction, at: packet.instant, &events)
    for event in events {
      if case .advertisementHeard(let address, isRecorder: true, _) = event.happening { remember(address) }
    }
    switch packet.packet.kind {
    case .command: if Self.advertisesRecorder(packet.packet.bytes) { adapters[place].isRecorder = true }
    case .event: hearExtended(packet.packet.bytes)
    case .acl: findAnswers(at: place)
    case .synchronous, .isochronous: break
    }
  }

  /// The packets of the adapter at `place` end, or of one connection only.
  mutating func end(at place: Int, of handle: ConnectionHandle?, _ instant: Instant) {
    var events: [ProductEvent] = []
    adapters[place].interpreter.packetsEnd(of: handle, at: instant, &events)
  }

  /// Whether an event of the adapter at `place` may be shown to monitors: it belongs to no connection, or to one of a recorder,
  /// or says that nothing can be said of its connection.
  func concern(_ event: ProductEvent, at place: Int) -> Bool {
    if event.link == 0 { return true }
    if case .undetermined = event.happening { return true }
    if let peer = event.peer, recorders.contains(peer) { return true }
    return adapters[place].isRecorder || adapters[place].links.contains(event.link)
  }

  private mutating func findAnswers(at place: Int) {
    if adapters[place].interpreter.localMap.isOfRecorder { adapters[place].isRecorder = true }
    for link in adapters[place].interpreter.links where link.remoteMap.isOfRecorder {
      adapters[place].links.insert(link.number)
      if let peer = link.peer { remember(peer) }
    }
  }

  private mutating func remember(_ address: BluetoothAddress) {
    if recorders.count < Self.recorderLimit { recorders.insert(address) }
  }

  /// Reports in the extended form, which this house's hosts do not ask for.
  private mutating func hearExtended(_ bytes: [UInt8]) {
    guard bytes.count > 2, bytes[2] == LESubeventCode.extendedAdvertisingReport.rawValue,
      case .leExtendedAdvertisingReport(let reports) = try? Event(decoding: bytes)
    else { return }
    for report in reports where PacketInterpreter.offersFileTransfer(report.data) {
      if let address = report.address { remember(address) }
    }
  }

  /// Whether a command gives a recorder's advertising data, behind opcode, length and the number of their octets.
  private static func advertisesRecorder(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 35, UInt16(bytes[0]) | UInt16(bytes[1]) << 8 == Opcode.leSetAdvertisingData.rawValue else {
      return false
    }
    return PacketInterpreter.offersFileTransfer(Array(bytes[4..<min(35, 4 + Int(bytes[3]))]))
  }
}
