import Bytes
import DictofunProtocol
import HCI

/// Finds out which connections of a capture are a recorder's: those of an address that advertised its services, and those on
/// which they were discovered, then or before. A telephone has others, to watches and mice, which promised nothing.
struct RecorderLinks {
  private struct Adapter {
    var index: UInt16
    var interpreter: PacketInterpreter
    /// Whether its host is a recorder.
    var isRecorder = false
    /// Numbers of the connections on which a recorder answered.
    var links: Set<UInt32> = []
  }

  private var adapters: [Adapter] = []
  /// Addresses of recorders, from whatever adapter they are known.
  private var recorders: Set<BluetoothAddress> = []

  /// Takes the next packet. Whose host it is does not matter: what is discovered means the same at both ends.
  mutating func observe(_ packet: CapturePackets.Packet) {
    let position: Int
    if let known = adapters.firstIndex(where: { $0.index == packet.adapter }) {
      position = known
    } else {
      guard adapters.count < CaptureJudge.adapterLimit else { return }
      position = adapters.count
      adapters.append(
        Adapter(index: packet.adapter, interpreter: PacketInterpreter(.phone(packet.adapter), tellsFileData: false)))
    }
    var events: [ProductEvent] = []
    _ = adapters[position].interpreter.interpret(packet.packet, packet.direction, at: packet.instant, &events)
    for event in events {
      if case .advertisementHeard(let address, isRecorder: true, _) = event.happening { recorders.insert(address) }
    }
    switch packet.packet.kind {
    case .command: if Self.advertisesRecorder(packet.packet.bytes) { adapters[position].isRecorder = true }
    case .event: hearExtended(packet.packet.bytes)
    case .acl: findAnswers(at: position)
    case .synchronous, .isochronous: break
    }
  }

  /// Whether an event of an adapter may be shown to monitors: it belongs to no connection, or to one of a recorder, or says
  /// that nothing can be said of its connection.
  func concern(_ event: ProductEvent, of adapter: UInt16) -> Bool {
    if event.link == 0 { return true }
    if case .undetermined = event.happening { return true }
    if let peer = event.peer, recorders.contains(peer) { return true }
    return adapters.contains { $0.index == adapter && ($0.isRecorder || $0.links.contains(event.link)) }
  }

  private mutating func findAnswers(at position: Int) {
    if adapters[position].interpreter.localMap.isOfRecorder { adapters[position].isRecorder = true }
    for link in adapters[position].interpreter.links where link.remoteMap.isOfRecorder {
      adapters[position].links.insert(link.number)
      if let peer = link.peer { recorders.insert(peer) }
    }
  }

  /// Reports in the extended form, which this house's hosts do not ask for.
  private mutating func hearExtended(_ bytes: [UInt8]) {
    guard bytes.count > 2, bytes[2] == LESubeventCode.extendedAdvertisingReport.rawValue,
      case .leExtendedAdvertisingReport(let reports) = try? Event(decoding: bytes)
    else { return }
    for report in reports where PacketInterpreter.offersFileTransfer(report.data) {
      if let address = report.address { recorders.insert(address) }
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
