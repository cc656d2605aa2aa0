import Bytes
import HCI
import Timeline

@testable import Bench
@testable import Transports

/// An adapter with a quirk: a virtual controller on the air of a simulated recorder, behind a pipe that deviates.
struct QuirkyTransport: Transport {
  static let schemes = ["quirky"]
  static let examples = ["counts-no-credits"]

  let quirk: AdapterQuirk?

  init(_ quirk: AdapterQuirk?) { self.quirk = quirk }
  init(parsing rest: String, after scheme: String) { self.init(AdapterQuirk(rawValue: rest)) }

  var rest: String { quirk?.rawValue ?? "none" }
  var specification: TransportSpecification { TransportSpecification(self) }

  func begin(_ request: OpeningRequest) throws(TransportFailure) -> any OpeningAttempt {
    var plan = RecorderPlan()
    plan.addresses = [Self.recorder]
    let bench = RecorderBench(plan, on: request.loop)
    guard let folder = try? Folder() else { throw .timedOut(request.specification) }
    _ = try bench.listen(at: .unixServer(path: folder.path + "/air"))
    let quirk = quirk
    return try TransportSpecification.unixClient(path: folder.path + "/air").transport.begin(
      OpeningRequest(
        specification: request.specification, loop: request.loop, side: request.side, options: request.options,
        note: request.note, identify: request.identify,
        finish: { result in
          request.finish(
            result.map {
              QuirkyPipe($0, quirk, openedAt: request.loop.now, on: request.loop, keeping: (bench, folder))
            })
        }))
  }

  /// The recorder on the air.
  static let recorder = BluetoothAddress(0xC605_0403_0201, .random)
}

/// A pipe that deviates from the specification as a quirk says.
private final class QuirkyPipe: PacketPipe, PacketReceiver {
  weak var receiver: (any PacketReceiver)? {
    didSet { pipe.receiver = receiver.map { _ in self } }
  }

  private let pipe: any PacketPipe
  private let quirk: AdapterQuirk?
  private let loop: EventLoop
  private let openedAt: Instant
  private let kept: (RecorderBench, Folder)
  private var hangs = false
  private var resets = 0
  private var scans = 0

  /// Shorter than the time that is left to such an adapter.
  private static let startingTime = Duration.milliseconds(2_500)

  init(
    _ pipe: any PacketPipe, _ quirk: AdapterQuirk?, openedAt: Instant, on loop: EventLoop,
    keeping kept: (RecorderBench, Folder)
  ) {
    (self.pipe, self.quirk, self.openedAt, self.loop, self.kept) = (pipe, quirk, openedAt, loop, kept)
  }

  func send(_ packet: HCIPacket) {
    if quirk == .slowToOpen, openedAt.duration(to: loop.now) < Self.startingTime { hangs = true }
    if packet.kind == .command, let command = try? Command(decoding: packet.bytes) {
      switch command {
      case .reset: (resets, scans) = (resets + 1, 0)
      case .leSetScanEnable(true, _): scans += 1
      case .leWriteSuggestedDefaultDataLength where quirk == .noDataLength: hangs = true
      default: break
      }
    }
    if !hangs { pipe.send(packet) }
  }

  func close() {
    pipe.close()
    kept.0.close()
  }

  func receive(_ packet: HCIPacket) {
    var packet = packet
    if packet.kind == .event {
      switch quirk {
      case .countsNoCredits where packet.bytes[0] == EventCode.commandComplete.rawValue: packet.bytes[2] = 0
      case .countsNoCredits where packet.bytes[0] == EventCode.commandStatus.rawValue: packet.bytes[3] = 0
      case .needsSecondReset where packet.bytes[0] == EventCode.leMeta.rawValue && resets < 2: return
      case .needsSecondScan where packet.bytes[0] == EventCode.leMeta.rawValue && scans < 2: return
      default: break
      }
    }
    receiver?.receive(packet)
  }

  func pipeClosed(_ reason: PipeClosure) { receiver?.pipeClosed(reason) }
}

/// A controller with one ACL buffer that says that it has eight, and loses what does not fit.
final class OneBuffer: PacketPipe {
  weak var receiver: (any PacketReceiver)?
  private(set) var transmitted: [[UInt8]] = []
  private var isFull = false
  private let loop: EventLoop

  init(on loop: EventLoop) { self.loop = loop }

  func send(_ packet: HCIPacket) {
    if packet.kind == .command {
      let size = LEBufferSize(octets: 27, count: 8)
      return tell(Event.commandComplete(.leReadBufferSize, credits: 1, .leBufferSize(size)).packet)
    }
    guard !isFull else { return }
    isFull = true
    transmitted.append(packet.bytes)
    loop.schedule(after: .milliseconds(1)) { [weak self] in
      self?.isFull = false
      self?.receiver?.receive(Event.packet(completing: 1, of: ConnectionHandle(0)))
    }
  }

  func close() {}

  private func tell(_ packet: HCIPacket) {
    loop.schedule(after: .zero) { [weak self] in self?.receiver?.receive(packet) }
  }
}
