import Bytes
import DictofunProtocol
import HostStack
import Phone
import SecureDFU
import Testing
import Timeline
import Trace

@testable import Recorder
@testable import World

/// Our phone, and a recorder that is stopped and goes on later with what it kept.
private final class Restarts {
  static let address = BluetoothAddress(0xD1C7_0F00_0001, .random)
  let library: PhoneLibrary
  /// Everything that the recorder kept, in the order in which it changed.
  var memories: [RecorderMemory] = []
  var events: [RecorderEvent] = []
  /// Bonds that were kept whenever one was told of.
  var bondsWhenTold: [Int] = []

  init() throws { library = try PhoneLibrary() }

  /// What was written after an hour and read again at once.
  static func reread(_ memory: RecorderMemory) throws -> RecorderMemory {
    var encoder = MemoryEncoder()
    let encoded = encoder.encode(memory, at: Instant.zero.advanced(by: .seconds(3_600)), wall: 0)
    return try RecorderMemory(decoding: encoded.table, wall: 0) { digest in
      encoded.contents.first { $0.digest == digest }?.octets
    }
  }

  /// One meeting of the phone with a recorder that begins with `memory`.
  func meet(
    _ memory: RecorderMemory?, _ steps: @escaping (SimulatedPhone) async throws -> Void
  ) throws {
    let loop = EventLoop(driver: .virtual, seed: 3)
    let world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    let medium = SimulatedMedium(loop: loop)
    var configuration = RecorderConfiguration(address: Self.address)
    configuration.staysAwake = true
    configuration.memory = memory
    configuration.records = [
      PlacedRecord(
        identifier: RecordIdentifier(RecorderConfiguration.defaultClock), content: (0..<700).map { UInt8($0 % 251) })
    ]
    let device = SimulatedDevice(
      "device", index: 0, configuration, in: world, on: medium.attach("device", .recorder)
    ) { nil }
    device.onEvent = { [unowned self] event in
      events.append(event)
      if case .bondStored = event { bondsWhenTold.append(memories.last?.bondCount ?? 0) }
    }
    device.onMemoryChange = { [unowned self] in memories.append($0) }
    let phone = SimulatedPhone(
      "phone", index: 0,
      PhoneConfiguration(ownAddress: BluetoothAddress(0xC0FF_EE00_0001, .random), library: library), in: world,
      on: medium.attach("phone", .phone))
    try device.powerOn()
    nonisolated(unsafe) let (walk, walker) = (steps, phone)
    try loop.run { try await walk(walker) }
    device.retire()
    phone.retire()
  }
}

@Suite struct Memories {
  @Test func aBondedPhoneGoesOnWithoutPairing() throws {
    let restarts = try Restarts()
    try restarts.meet(nil) { phone in
      _ = try (try await phone.perform(.connect(.address(Restarts.address)))).get()
      _ = try (try await phone.perform(.pair)).get()
      _ = try (try await phone.perform(.sync(.paired, finishes: true))).get()
    }
    let kept = try Restarts.reread(try #require(restarts.memories.last))
    #expect(kept.bondCount == 1)
    #expect(kept.records.count == 1)
    restarts.events = []
    try restarts.meet(kept) { phone in
      _ = try (try await phone.perform(.connect(.paired))).get()
      guard case .failure(.alreadyPaired) = try await phone.perform(.pair) else {
        Issue.record("paired anew")
        return
      }
      guard case .synced(let summary) = try (try await phone.perform(.sync(.paired, finishes: true))).get() else {
        return
      }
      #expect(summary.listed == 1)
      #expect(summary.downloaded == 0)
    }
    #expect(restarts.events.contains(.connected(isBonded: true)))
  }

  @Test func aRecorderThatKeptNothingIsAStranger() throws {
    let restarts = try Restarts()
    try restarts.meet(nil) { phone in
      _ = try (try await phone.perform(.connect(.address(Restarts.address)))).get()
      _ = try (try await phone.perform(.pair)).get()
    }
    restarts.events = []
    try restarts.meet(nil) { phone in _ = try await phone.perform(.sync(.paired, finishes: true)) }
    #expect(!restarts.events.contains(.connected(isBonded: true)))
  }

  /// Everything is kept before anybody can know of it, so that no kill can lose what a phone relies on.
  @Test func whatIsToldIsKeptAlready() throws {
    let restarts = try Restarts()
    try restarts.meet(nil) { phone in
      _ = try (try await phone.perform(.connect(.address(Restarts.address)))).get()
      _ = try (try await phone.perform(.pair)).get()
      _ = try (try await phone.perform(.sync(.paired, finishes: true))).get()
    }
    #expect(restarts.bondsWhenTold.contains(1))
    #expect(restarts.bondsWhenTold.allSatisfy { $0 == 1 })
    // Sent and confirmed, each kept when it happened.
    let entries = restarts.memories.map { $0.storage.entries.map { [$0.isDelivered, $0.isConfirmed] } }
    #expect(entries.contains([[true, false]]))
    #expect(entries.last == [[true, true]])
  }

  /// An update that is ended at any moment goes on from what is kept.
  @Test func anUpdateGoesOnFromWhatIsKept() throws {
    let release = try UpdateRig.release(version: 2, octets: 12_000)
    func quick(_ configuration: inout RecorderConfiguration) {
      configuration.firmware.timing = FlashTiming(erase: 100, word: 1)
    }
    func install(_ rig: UpdateRig) -> Bool {
      rig.update(release) == "600401" && rig.waitForApplication()
    }
    let rig = try UpdateRig { quick(&$0) }
    var memory = try #require(rig.machine.memory)
    var kept = [memory]
    rig.recorder.onStep = { [unowned rig] in
      guard let next = rig.machine.memory else { return }
      if next != memory { kept.append(next) }
      memory = next
    }
    #expect(install(rig))
    #expect(kept.count > 10)
    #expect(kept.last?.firmwareVersion == 2)
    for index in stride(from: 0, to: kept.count, by: max(1, kept.count / 12)) {
      let begun = try Restarts.reread(kept[index])
      let again = try UpdateRig {
        quick(&$0)
        $0.memory = begun
      }
      #expect(again.waitForApplication())
      #expect(again.machine.records == begun.records)
      #expect(again.machine.bondCount == begun.bondCount)
      if again.machine.firmwareVersion == 2 { continue }
      #expect(install(again), "from state \(index) of \(kept.count)")
      #expect(again.machine.firmwareVersion == 2)
    }
  }
}
