import Bytes
import HCI
import HostStack
import Packets
import Processor
import SoftDevice

/// Supervisor calls of an image that may be anything, between events of a host stack.
enum SoftDeviceTarget {
  /// One input is a series of what an image and its surroundings do; every head is one octet.
  static func calls(_ octets: [UInt8]) -> Bool {
    var input = InputReader(octets)
    var chip = Chip(variant: input.octet() & 1 == 0 ? .s132 : .s140)
    while !input.isAtEnd { chip.act(input.octet(), &input) }
    return chip.successes > 0
  }

  private struct Chip {
    static let ram: UInt32 = 0x2000_0000
    static let heap: UInt32 = 0x2000_1000
    static let handle = ConnectionHandle(0x40)
    /// The most that one call may want done.
    static let outputLimit = 64

    var device: SoftDeviceHost
    var processor: CortexM4
    var completions: [TimedCompletion] = []
    var cycle: UInt64 = 1_000
    var successes = 0

    init(variant: SoftDeviceSettings.Variant) {
      device = SoftDeviceHost(
        SoftDeviceSettings(
          variant, address: BluetoothAddress(0xF5E6_A1B2_C3D4, .random),
          identityResolvingKey: Array(repeating: 3, count: 16), randomKey: Array(repeating: 7, count: 16),
          eraseCycles: 5_440_000, wordCycles: 2_624))
      let regions = [
        MemoryRegion(base: 0, size: Int(variant.flashSize), kind: .readOnly, name: "flash"),
        MemoryRegion(base: Self.ram, size: 0x4000, kind: .readWrite, name: "RAM"),
      ]
      guard let memory = try? Memory(regions: regions) else { preconditionFailure("the regions are refused") }
      processor = CortexM4(memory: memory)
    }

    mutating func act(_ head: UInt8, _ input: inout InputReader) {
      cycle += UInt64(head) * 100
      switch head % 16 {
      case 0...7: call(&input)
      case 8, 9:
        let address = Self.heap + UInt32(input.octet()) * 16
        _ = try? processor.memory.write(input.counted(), at: address)
      case 10: complete()
      case 11: connect()
      case 12...14: device.take(event(&input), &processor, at: cycle)
      default: device.reset()
      }
      drain()
    }

    /// Fills R0 to R3 by a selector each: a small number, a pointer into the heap, any word, or the last result.
    private mutating func call(_ input: inout InputReader) {
      let number = input.octet()
      for register in 0..<4 {
        let selector = input.octet()
        switch selector >> 6 {
        case 0: processor[register: register] = UInt32(selector)
        case 1: processor[register: register] = Self.heap + UInt32(selector & 63) * 16
        case 2: processor[register: register] = input.word()
        default: break
        }
      }
      let before = processor.programCounter
      device.call(number, &processor, at: cycle)
      precondition(processor.programCounter == before, "a call moves the program counter")
      precondition(processor[register: 0] < 0x4000, "a call gives a result that no header names")
      if processor[register: 0] == 0 { successes += 1 }
    }

    private mutating func complete() {
      let due = completions
      completions = []
      for completion in due {
        cycle = max(cycle, completion.due)
        device.complete(completion.completion, &processor, at: cycle)
      }
    }

    private mutating func connect() {
      let peer = BluetoothAddress(0xC000_0000_0002, .random)
      let information = ConnectionInformation(
        isCentral: false, handle: Self.handle, peer: peer, identity: peer, isBonded: false,
        parameters: ConnectionParameters(intervalUnits: 24))
      device.take(.connected(information), &processor, at: cycle)
    }

    private func event(_ input: inout InputReader) -> HostEvent {
      let (kind, handle) = (input.octet(), AttributeHandle(UInt16(input.octet())))
      switch kind % 16 {
      case 0: return .disconnected(Self.handle, .connectionTimeout)
      case 1: return .attributeWritten(Self.handle, handle, input.counted())
      case 2: return .writeRequested(Self.handle, AccessToken(UInt32(kind)), handle, input.counted())
      case 3: return .readRequested(Self.handle, AccessToken(UInt32(kind)), handle, offset: input.halfword())
      case 4:
        return .subscriptionChanged(Self.handle, handle, Subscription(rawValue: UInt16(input.octet() & 3)), .written)
      case 5: return .subscriptionsRequested(Self.handle)
      case 6: return .maximumTransmissionUnitRequested(Self.handle, input.halfword())
      case 7: return .longTermKeyRequested(Self.handle, encryptedDiversifier: input.halfword(), randomNumber: 1)
      case 8:
        let features = PairingFeatures(
          inputOutput: .noInputNoOutput, authentication: .bonding, initiatorKeys: .encryption,
          responderKeys: .encryption)
        return .pairingFeaturesRequested(Self.handle, features)
      case 9: return .encryptedByPairing(Self.handle, keySize: input.octet() % 17)
      case 10: return .notificationReceived(Self.handle, handle, input.counted()[...])
      case 11: return .notificationTransmitted(Self.handle, NotificationTicket(input.word()))
      case 12: return .indicationConfirmed(Self.handle, NotificationTicket(input.word()))
      case 13: return .secured(Self.handle, identity: nil, keySize: 16)
      case 14:
        let token = ClientToken(UInt32(input.octet()))
        return .clientCompleted(Self.handle, token, .success(.value(input.counted())))
      default: return .signalStrength(Self.handle, Int8(bitPattern: input.octet()))
      }
    }

    /// Takes what the calls want done, and holds it against what a host stack can be asked.
    private mutating func drain() {
      var output = SoftDeviceOutput()
      device.drain(&output)
      completions += output.completions
      precondition(output.requests.count <= Self.outputLimit, "a call asks the host stack for too much")
      for request in output.requests { check(request) }
      precondition(device.findings.count <= 256 && device.waitingEventCount <= 256, "what is kept has no bound")
    }

    private func check(_ request: HostRequest) {
      switch request {
      case .setAdvertising(let advertisement?):
        precondition(advertisement.data.count <= 31 && advertisement.scanResponse.count <= 31, "too much to advertise")
      case .setDataLength(_, let octets): precondition((27...251).contains(octets), "an impossible data length")
      case .notify(_, _, _, let value): precondition(value.count <= 512, "too much to tell")
      case .indicate(_, _, _, let value): precondition(value.count <= 512, "too much to tell")
      case .answerMaximumTransmissionUnit(_, let unit): precondition(unit >= 23, "an MTU below the least")
      default: break
      }
    }
  }
}
