import Bytes
import DictofunProtocol
import HCI
import Timeline
import Trace

@testable import Requirements

/// Makes the HCI packets of one host, one after the other, and keeps what the interpreter says about them.
struct PacketScript {
  static let recorderAddress = BluetoothAddress(0xC001_0203_0405, .random)
  static let phoneAddress = BluetoothAddress(0xF0AA_BBCC_DDEE, .random)

  struct Line {
    var packet: HCIPacket
    var direction: PacketDirection
    var instant: Instant
    var covered: CoveredRange
  }

  var interpreter: PacketInterpreter
  var now = Instant.zero
  var events: [ProductEvent] = []
  var lines: [Line] = []

  init(_ source: TraceSource = .phone(), isServingRecorder: Bool = false) {
    interpreter = PacketInterpreter(source, isServingRecorder: isServingRecorder)
  }

  /// The events as the words of their cases, without payload.
  var words: [String] { events.map { $0.happening.name } }

  /// What one monitor says of the events: `shown`, `violated` or `notExercised`.
  func word(of monitor: any Monitor.Type) -> String? {
    var monitors = MonitorSet([monitor.init()])
    for event in events { monitors.observe(event) }
    return monitors.finish(at: now).first?.outcome.word
  }

  mutating func wait(_ duration: Duration) { now = now.advanced(by: duration) }

  @discardableResult
  mutating func send(_ kind: HCIPacket.Kind, _ bytes: [UInt8]) -> CoveredRange {
    pass(HCIPacket(kind, bytes), .toController)
  }

  @discardableResult
  mutating func get(_ kind: HCIPacket.Kind, _ bytes: [UInt8]) -> CoveredRange {
    pass(HCIPacket(kind, bytes), .toHost)
  }

  private mutating func pass(_ packet: HCIPacket, _ direction: PacketDirection) -> CoveredRange {
    now = now.advanced(by: .milliseconds(20))
    let covered = interpreter.interpret(packet, direction, at: now, &events)
    lines.append(Line(packet: packet, direction: direction, instant: now, covered: covered))
    return covered
  }

  // MARK: Links

  mutating func connect(
    role: LinkRole = .central, handle: UInt16 = 0x40, to recorder: BluetoothAddress = recorderAddress
  ) {
    let peer = role == .central ? recorder : Self.phoneAddress
    get(
      .event,
      [0x3E, 19, 0x01, 0, UInt8(handle & 0xFF), UInt8(handle >> 8), role.rawValue, 1] + peer.littleEndian
        + [24, 0, 0, 0, 0x90, 0x01, 0])
  }

  mutating func disconnect(reason: UInt8 = 0x13) { get(.event, [0x05, 4, 0, 0x40, 0, reason]) }
  mutating func encrypt() { get(.event, [0x08, 4, 0, 0x40, 0, 1]) }

  // MARK: Data

  /// An ACL packet with a whole frame.
  static func data(_ channel: UInt8, _ payload: [UInt8], isFromHost: Bool) -> [UInt8] {
    let frame = [UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), channel, 0] + payload
    return [0x40, isFromHost ? 0x00 : 0x20, UInt8(frame.count & 0xFF), UInt8(frame.count >> 8)] + frame
  }

  @discardableResult
  mutating func ask(_ pdu: [UInt8]) -> CoveredRange { send(.acl, Self.data(4, pdu, isFromHost: true)) }
  @discardableResult
  mutating func hear(_ pdu: [UInt8]) -> CoveredRange { get(.acl, Self.data(4, pdu, isFromHost: false)) }

  /// Passes a frame in fragments of `size` octets and gives what is covered in each.
  mutating func fragments(_ payload: [UInt8], of size: Int, isFromHost: Bool) -> [[UInt8]] {
    let frame = [UInt8(payload.count & 0xFF), UInt8(payload.count >> 8), 4, 0] + payload
    return stride(from: 0, to: frame.count, by: size).map { start in
      let part = Array(frame[start..<min(frame.count, start + size)])
      let boundary: UInt8 = start > 0 ? 0x10 : isFromHost ? 0x00 : 0x20
      let bytes = [0x40, boundary, UInt8(part.count), 0] + part
      let covered = isFromHost ? send(.acl, bytes) : get(.acl, bytes)
      return covered.applied(to: bytes)
    }
  }

  // MARK: Procedures of the phone

  /// The exchange of the ATT_MTU that every phone begins with: 247 octets.
  mutating func exchangeMTU() {
    ask([0x02, 0xF7, 0x00])
    hear([0x03, 0xF7, 0x00])
  }

  /// Discovery of the characteristics that matter, as a phone sees it, after the exchange of the ATT_MTU.
  mutating func discover(exchangingMTU: Bool = true) {
    if exchangingMTU { exchangeMTU() }
    ask([0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28])
    hear(
      [0x11, 20, 0x0E, 0x00, 0x26, 0x00] + DictofunUUID.fileTransferService.littleEndian128)
    ask([0x10, 0x27, 0x00, 0xFF, 0xFF, 0x00, 0x28])
    hear([0x11, 6, 0x27, 0x00, 0x2A, 0x00, 0x0F, 0x18, 0x2B, 0x00, 0xFF, 0xFF, 0x59, 0xFE])
    for (declaration, uuid) in [
      (0x0F, 0x1002), (0x12, 0x1003), (0x15, 0x1008), (0x18, 0x1004), (0x1B, 0x1005), (0x1E, 0x1006), (0x21, 0x1007),
      (0x24, 0x10FE), (0x28, 0x2A19),
    ] {
      ask([0x08, UInt8(declaration), 0x00, 0xFF, 0xFF, 0x03, 0x28])
      hear([
        0x09, 7, UInt8(declaration), 0, 0x12, UInt8(declaration + 1), 0, UInt8(uuid & 0xFF), UInt8(uuid >> 8),
      ])
    }
  }

  mutating func readBattery(_ percent: UInt8) {
    ask([0x0A, 0x29, 0x00])
    hear([0x0B, percent])
  }

  /// Enables the notifications of the File Transfer Service.
  mutating func enableAnswers() {
    for handle: UInt8 in [0x14, 0x17, 0x1A, 0x1D, 0x20, 0x23] {
      ask([0x12, handle, 0x00, 0x01, 0x00])
      hear([0x13])
    }
  }

  /// Writes a request to the control point and lets the recorder take it.
  mutating func request(_ request: ControlPointRequest) {
    ask([0x12, 0x10, 0x00] + request.encoded)
    hear([0x13])
  }

  mutating func notify(_ handle: UInt8, _ value: [UInt8]) { hear([0x1B, handle, 0x00] + value) }

  mutating func list(_ identifiers: [RecordIdentifier]) {
    request(.listFiles)
    for (index, part) in FilesList.parts(identifiers).enumerated() { notify(index == 0 ? 0x13 : 0x16, part) }
  }

  mutating func inform(_ identifier: RecordIdentifier, size: UInt32) {
    request(.fileInformation(identifier))
    notify(0x19, FileInformation(size: size).encoded)
  }

  mutating func download(_ identifier: RecordIdentifier, size: Int) {
    request(.fileData(identifier))
    for length in FileDataLayout.packetLengths(fileSize: size) { notify(0x1C, Array(repeating: 0xA5, count: length)) }
  }

  // MARK: Oracle

  mutating func state(_ event: OracleEvent) { events.append(.oracle(event, at: now)) }
}

/// An identifier by its time on 2024-01-01.
func identifier(_ second: Int) -> RecordIdentifier {
  RecordIdentifier(CivilTime(year: 2024, month: 1, day: 1, hour: 12, minute: 0, second: second)!)
}

extension CoveredRange {
  /// The packet with its covered octets zeroed.
  func applied(to bytes: [UInt8]) -> [UInt8] {
    var covered = bytes
    for index in within(bytes.count) { covered[index] = 0 }
    return covered
  }
}
