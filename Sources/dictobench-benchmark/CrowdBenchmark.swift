import Bytes
import Controllers
import HCI
import Timeline

/// A thousand recorders that advertise in one room, and one phone that listens.
struct CrowdBenchmark {
  let sampling: Sampling

  private static let recorders = 1000
  /// 125 ms in units of 0.625 ms.
  private static let advertisingInterval: UInt16 = 200
  private static let seconds = 10

  func run() throws -> Figure {
    let samples = try sampling.samples {
      let crowd = Crowd(count: Self.recorders, advertisingInterval: Self.advertisingInterval)
      let time = processorTime { crowd.listen(.seconds(Self.seconds)) }
      guard crowd.heard > 0 else { throw Trouble.wrongResult }
      return Double(Self.seconds) * 1e9 / time
    }
    return Figure(
      "crowd", "1,000 recorders advertising, with collisions", samples.median, "s/s", samples: samples,
      bar: .atLeast(1))
  }
}

/// Controllers on one air, without hosts.
private final class Crowd: PacketReceiver {
  private(set) var heard = 0
  private let loop = EventLoop(driver: .virtual, seed: 1)
  private let air: Air
  private var controllers: [VirtualController] = []

  init(count: Int, advertisingInterval: UInt16) {
    air = Air(loop: loop)
    air.collisions = true
    let data = LEAdvertisingPayload([0x02, 0x01, 0x06, 0x09, 0x09] + Array("dictofun".utf8))
    for number in 0..<count {
      let recorder = VirtualController("recorder-\(number)", .recorder, on: air)
      recorder.send(Command.leSetRandomAddress(BluetoothAddress(0xC000_0000_0000 | UInt64(number), .random)).packet)
      recorder.send(
        Command.leSetAdvertisingParameters(LEAdvertisingParameters(intervalUnits: advertisingInterval)).packet)
      recorder.send(Command.leSetAdvertisingData(data).packet)
      controllers.append(recorder)
      // They were not all switched on at the same moment.
      loop.schedule(after: .microseconds(number * 125)) {
        recorder.send(Command.leSetAdvertisingEnable(true).packet)
      }
    }
    let phone = VirtualController("phone", .phone, on: air)
    phone.receiver = self
    phone.send(Command.setEventMask(EventMask(rawValue: .max)).packet)
    phone.send(Command.leSetRandomAddress(BluetoothAddress(0xC45E_0B1E_0001, .random)).packet)
    // Listens all the time, 100 ms on each channel, and does not ask.
    phone.send(
      Command.leSetScanParameters(LEScanParameters(isActive: false, intervalUnits: 160, windowUnits: 160)).packet)
    phone.send(Command.leSetScanEnable(true, filterDuplicates: false).packet)
    controllers.append(phone)
    loop.runEvents(until: Instant.zero.advanced(by: .seconds(1)))
  }

  func listen(_ duration: Duration) { loop.runEvents(until: loop.now.advanced(by: duration)) }

  func receive(_ packet: HCIPacket) { heard += 1 }

  func pipeClosed(_ reason: PipeClosure) {}
}
