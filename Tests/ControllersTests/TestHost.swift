import Bytes
import Controllers
import HCI
import Timeline

/// A host made of nothing but HCI: it sends what a test tells it to and keeps what it gets.
final class TestHost: PacketReceiver {
  struct Data: Equatable {
    var instant: Instant
    var octets: [UInt8]
    var boundary: PacketBoundary
  }

  let controller: VirtualController
  let loop: EventLoop
  let address: BluetoothAddress
  private(set) var events: [(instant: Instant, event: Event)] = []
  private(set) var data: [Data] = []
  var onEvent: ((Event) -> Void)?

  init(_ name: String, _ profile: ControllerProfile, on air: Air, address: UInt64) {
    controller = VirtualController(name, profile, on: air)
    loop = air.loop
    self.address = BluetoothAddress(address, .random)
    controller.receiver = self
  }

  func receive(_ packet: HCIPacket) {
    if packet.kind == .acl {
      guard let received = try? ACLPacket(decoding: packet.bytes) else { return }
      data.append(Data(instant: loop.now, octets: received.payload, boundary: received.boundary))
    } else if let event = try? Event(decoding: packet.bytes) {
      events.append((loop.now, event))
      onEvent?(event)
    }
  }

  func pipeClosed(_ reason: PipeClosure) {}

  func send(_ command: Command) { controller.send(command.packet) }

  func send(_ octets: [UInt8], on handle: ConnectionHandle, _ boundary: PacketBoundary = .firstFromHost) {
    controller.send(ACLPacket(handle, boundary, octets).packet)
  }

  /// Resets the controller, opens all masks and sets the address.
  func setUp() {
    send(.reset)
    send(.setEventMask(EventMask(rawValue: .max)))
    send(.leSetEventMask(LEEventMask(rawValue: .max)))
    send(.leSetRandomAddress(address))
  }

  func advertise(intervalUnits: UInt16 = 160, _ kind: LEAdvertisingParameters.Kind = .connectableUndirected) {
    send(.leSetAdvertisingParameters(LEAdvertisingParameters(intervalUnits: intervalUnits, kind: kind)))
    send(.leSetAdvertisingData(LEAdvertisingPayload([2, 1, 6])))
    send(.leSetScanResponseData(LEAdvertisingPayload([3, 3, 5, 24])))
    send(.leSetAdvertisingEnable(true))
  }

  func scan(isActive: Bool = true, filterDuplicates: Bool = false, intervalUnits: UInt16 = 96, windowUnits: UInt16 = 96)
  {
    send(
      .leSetScanParameters(
        LEScanParameters(isActive: isActive, intervalUnits: intervalUnits, windowUnits: windowUnits)))
    send(.leSetScanEnable(true, filterDuplicates: filterDuplicates))
  }

  func connect(to peer: BluetoothAddress, _ timing: LEConnectionTiming) {
    send(.leCreateConnection(LECreateConnection(peerAddress: peer, timing: timing)))
  }

  func forget() {
    events.removeAll()
    data.removeAll()
  }

  /// Results of the last answer to a command.
  func answer(_ opcode: Opcode) -> ReturnParameters? {
    for (_, event) in events.reversed() {
      if case .commandComplete(opcode, _, let parameters) = event { return parameters }
    }
    return nil
  }

  func status(_ opcode: Opcode) -> ErrorCode? {
    for (_, event) in events.reversed() {
      if case .commandStatus(opcode, _, let status) = event { return status }
    }
    return nil
  }

  var reports: [LEAdvertisingReport] {
    events.flatMap { entry in
      if case .leAdvertisingReport(let reports) = entry.event { return reports }
      return []
    }
  }

  var completedPackets: Int {
    events.reduce(0) { sum, entry in
      guard case .numberOfCompletedPackets(let entries) = entry.event else { return sum }
      return sum + entries.reduce(0) { $0 + Int($1.count) }
    }
  }

  var disconnections: [(instant: Instant, reason: ErrorCode)] {
    events.compactMap { entry in
      guard case .disconnectionComplete(.success, _, let reason) = entry.event else { return nil }
      return (entry.instant, reason)
    }
  }

  var connections: [LEConnectionComplete] {
    events.compactMap { entry in
      guard case .leConnectionComplete(let complete) = entry.event else { return nil }
      return complete
    }
  }

  var handle: ConnectionHandle { connections.last?.handle ?? ConnectionHandle(0x0EFF) }
}

/// A central and a peripheral on one air.
final class Pair {
  let loop: EventLoop
  let air: Air
  let central: TestHost
  let peripheral: TestHost

  init(
    seed: UInt64 = 1, central: ControllerProfile = .phone, peripheral: ControllerProfile = .recorder,
    setUp: Bool = true
  ) {
    loop = EventLoop(seed: seed)
    air = Air(loop: loop)
    self.central = TestHost("phone", central, on: air, address: 0xC000_0000_0001)
    self.peripheral = TestHost("recorder", peripheral, on: air, address: 0xC000_0000_0002)
    guard setUp else { return }
    self.central.setUp()
    self.peripheral.setUp()
    run(.milliseconds(10))
  }

  /// Lets time pass, whether anything happens or not.
  func run(_ duration: Duration) {
    let end = loop.now.advanced(by: duration)
    loop.schedule(at: end, .background) {}
    loop.runEvents(until: end)
  }

  /// Runs until something holds, but not longer than `limit`; says whether it does.
  @discardableResult
  func run(atMost limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
    let end = loop.now.advanced(by: limit)
    var isOver = false
    loop.schedule(at: end, .background) { isOver = true }
    loop.runEvents { isDone() || isOver }
    return isDone()
  }

  static func timing(
    intervalUnits: UInt16 = 12, latency: UInt16 = 0, supervisionTimeoutUnits: UInt16 = 200
  ) -> LEConnectionTiming {
    LEConnectionTiming(
      minimumIntervalUnits: intervalUnits, maximumIntervalUnits: intervalUnits, latency: latency,
      supervisionTimeoutUnits: supervisionTimeoutUnits)
  }

  @discardableResult
  func connect(_ timing: LEConnectionTiming = Pair.timing()) -> Bool {
    peripheral.advertise()
    central.connect(to: peripheral.address, timing)
    let isConnected = run { !central.connections.isEmpty && !peripheral.connections.isEmpty }
    run(.milliseconds(1))
    return isConnected
  }

  /// Encrypts the connection with equal keys.
  func encrypt(_ key: [UInt8] = Array(1...16)) {
    central.send(
      .leEnableEncryption(
        LEEnableEncryption(
          central.handle, randomNumber: 7, encryptedDiversifier: 9, longTermKey: LEKeyOctets(key))))
    peripheral.onEvent = { [unowned self] event in
      if case .leLongTermKeyRequest(let handle, 7, 9) = event {
        peripheral.send(.leLongTermKeyRequestReply(handle, LEKeyOctets(key)))
      }
    }
    run(atMost: .seconds(5)) {
      central.events.contains { $0.event == .encryptionChange(.success, central.handle, isEncrypted: true) }
    }
  }
}
