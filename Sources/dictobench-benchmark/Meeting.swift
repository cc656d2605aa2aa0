import Bytes
import DictofunProtocol
import HostStack
import Phone
import Recorder
import Reports
import Timeline
import Trace
import World

/// A phone and a recorder in a world of their own, measured one operation at a time.
final class Meeting {
  private let loop = EventLoop(driver: .virtual, seed: 1)
  private let trace = TraceRecorder()
  private let world: World
  private let phone: SimulatedPhone
  private let recorder: SimulatedDevice
  private var capture: CaptureSink?

  private static let phoneAddress = BluetoothAddress(0xC45E_0B1E_0001, .random)
  private static let recorderAddress = BluetoothAddress(0xD1C7_0F00_0001, .random)

  /// Both are switched on; the recorder holds one record of so many octets. With a folder, everything goes into a
  /// capture there, which is thrown away in the end.
  init(recordOctets: Int = 0, captureFolder: String? = nil) throws {
    world = World(loop: loop, trace: trace)
    if let captureFolder {
      let sink = try CaptureSink(captureFolder + "/benchmark.btsnoop", note: "benchmark")
      trace.add(sink)
      capture = sink
    }
    let medium = SimulatedMedium(loop: loop)
    let phone = SimulatedPhone(
      "phone", index: 0, PhoneConfiguration(ownAddress: Self.phoneAddress, library: try PhoneLibrary()), in: world,
      on: medium.attach("phone", .phone))
    var configuration = RecorderConfiguration(address: Self.recorderAddress)
    configuration.staysAwake = true
    if recordOctets > 0 {
      let content = (0..<recordOctets).map { UInt8(truncatingIfNeeded: $0 * 131 % 251) }
      configuration.records = [
        PlacedRecord(identifier: RecordIdentifier(RecorderConfiguration.defaultClock), content: content)
      ]
    }
    recorder = SimulatedDevice(
      "recorder", index: 0, configuration, in: world, on: medium.attach("recorder", .recorder)
    ) { try? phone.readClock() }
    self.phone = phone
    try recorder.powerOn()
  }

  deinit { try? capture?.close(keeping: false) }

  /// Connects, exchanges the MTU, discovers, reads the battery, pairs.
  func meet() throws {
    try perform(.connect(.address(Self.recorderAddress)))
    try perform(.pair)
  }

  /// Asks for the list and the size, and fetches the record; gives back its octets.
  func download() throws -> Int {
    guard case .record(_, let bytes) = try perform(.download(.newest)) else { throw Trouble.wrongResult }
    return bytes.count
  }

  /// Lets so much time pass with the link open.
  func wait(_ duration: Duration) { loop.runEvents(until: loop.now.advanced(by: duration)) }

  @discardableResult
  private func perform(_ operation: PhoneOperation) throws -> PhoneResult {
    // The root task runs on this loop, and so on this thread.
    nonisolated(unsafe) let phone = phone
    return try loop.run { try await phone.perform(operation) }.get()
  }
}

/// Why a benchmark gives no figure.
enum Trouble: Error {
  /// An operation ended in something else than it should.
  case wrongResult
  /// A program could not be started, or did not end well.
  case program(String)
  /// A file does not hold what it should.
  case file(String)
}
