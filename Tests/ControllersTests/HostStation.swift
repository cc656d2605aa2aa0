import Bytes
import Controllers
import HCI
import HostStack
import Timeline

/// The real host stack on a virtual controller, with a loop that performs its effects.
final class HostStation: PacketReceiver {
  let controller: VirtualController
  let loop: EventLoop
  let address: BluetoothAddress
  var onEvent: ((HostEvent) -> Void)?
  private(set) var events: [HostEvent] = []
  private var machine = HostMachine()
  private var inputs: [MachineInput<HostRequest>] = []
  private var isBusy = false
  private var timers: [TimerToken: ScheduledEvent] = [:]

  /// One value that can be written and notified.
  static let value = BluetoothUUID(0xFFF1)

  init(
    _ name: String, _ profile: ControllerProfile, on air: Air, address: UInt64, mtu: UInt16 = 247,
    suggestsMaximumDataLength: Bool = true
  ) {
    controller = VirtualController(name, profile, on: air)
    loop = air.loop
    self.address = BluetoothAddress(address, .random)
    let value = CharacteristicDefinition(
      uuid: Self.value, properties: [.write, .writeWithoutResponse, .notify], writing: .open)
    var configuration = HostConfiguration(
      ownAddress: self.address,
      database: GATTDatabase(services: [
        ServiceDefinition(uuid: BluetoothUUID(0xFFF0), characteristics: [value])
      ]))
    configuration.maximumTransmissionUnit = mtu
    configuration.suggestsMaximumDataLength = suggestsMaximumDataLength
    valueHandle = configuration.database.valueHandle(of: Self.value)!
    controller.receiver = self
    ask(.start(configuration))
  }

  let valueHandle: AttributeHandle
  var configurationHandle: AttributeHandle { AttributeHandle(rawValue: valueHandle.rawValue + 1) }

  func ask(_ request: HostRequest) { feed(.request(request)) }
  func receive(_ packet: HCIPacket) { feed(.packet(packet)) }
  func pipeClosed(_ reason: PipeClosure) {}

  private func feed(_ input: MachineInput<HostRequest>) {
    inputs.append(input)
    guard !isBusy else { return }
    isBusy = true
    var next = 0
    while next < inputs.count {
      var effects: [MachineEffect<HostEvent>] = []
      machine.handle(inputs[next], &effects)
      for effect in effects { perform(effect) }
      next += 1
    }
    inputs.removeAll()
    isBusy = false
  }

  private func perform(_ effect: MachineEffect<HostEvent>) {
    switch effect {
    case .send(let packet): controller.send(packet)
    case .startTimer(let token, let duration):
      if let running = timers[token] { loop.cancel(running) }
      timers[token] = loop.schedule(after: duration) { [unowned self] in feed(.timerFired(token)) }
    case .cancelTimer(let token):
      if let running = timers.removeValue(forKey: token) { loop.cancel(running) }
    case .needEntropy(let request):
      let octets = loop.choices.stream("\(controller.name).\(request.purpose.rawValue)").bytes(request.count)
      inputs.append(.entropy(token: request.token, bytes: octets))
    case .event(let event):
      events.append(event)
      onEvent?(event)
    }
  }

  var handle: ConnectionHandle? {
    for case .connected(let information) in events { return information.handle }
    return nil
  }

  func has(_ isWanted: (HostEvent) -> Bool) -> Bool { events.contains(where: isWanted) }
  func forget() { events.removeAll { if case .connected = $0 { false } else { true } } }
}
