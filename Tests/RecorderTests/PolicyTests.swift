import Bytes
import DictofunProtocol
import HostStack
import Testing
import Timeline

@testable import Recorder

/// What a recorder does with the value of each policy that the reference does not have.
@Suite struct PolicyTests {
  private static func profile(_ choose: (inout RecorderPolicies) -> Void) -> RecorderProfile {
    var profile = RecorderProfile.reference
    choose(&profile.policies)
    return profile
  }

  @Test func timeIsReadFromCurrentTimeItself() throws {
    var bench = RecorderBench.connected { $0.profile = Self.profile { $0.timeCharacteristic = .currentTime } }
    let local = DiscoveredCharacteristic(
      uuid: BluetoothUUID(0x2A0F), handle: AttributeHandle(10), valueHandle: AttributeHandle(11),
      properties: .read)
    let current = DiscoveredCharacteristic(
      uuid: DictofunUUID.currentTime, handle: AttributeHandle(12), valueHandle: AttributeHandle(13), properties: .read)
    let service = DiscoveredService(
      uuid: DictofunUUID.currentTimeService, handle: AttributeHandle(9), endHandle: AttributeHandle(20),
      characteristics: [local, current])
    guard case .client(_, let token, .discoverService)? = bench.requests.last(where: { Self.isDiscovery($0) }) else {
      Issue.record("the recorder did not look for the Current Time Service")
      return
    }
    bench.hear(.clientCompleted(RecorderBench.link, token, .success(.services([service]))))
    guard case .client(_, _, .read(let handle))? = bench.requests.last else {
      Issue.record("the recorder did not read the time")
      return
    }
    #expect(handle == AttributeHandle(13))
  }

  private static func isDiscovery(_ request: HostRequest) -> Bool {
    if case .client(_, _, .discoverService) = request { true } else { false }
  }

  /// Two records of one second on the 31st of December have one name.
  @Test func identifiersAreFoldedAndRepeated() throws {
    let clock = try #require(CivilTime("2024-12-31 10:00:00"))
    var names: [[String]] = []
    for policy in [IdentifierPolicy.trueDateUnique, .foldedDate] {
      var bench = RecorderBench.serving {
        $0.profile = Self.profile { $0.identifier = policy }
        $0.clock = clock
      }
      for _ in 0..<2 {
        bench.act(.setClock(clock))
        bench.press(for: .seconds(1))
        bench.run(for: .seconds(1))
      }
      names.append(bench.recorder.body.storage.finished.map { "\($0.identifier)" })
    }
    #expect(names == [["0000241231100000", "0000241231100001"], ["0000240000100000", "0000240000100000"]])
  }

  @Test func codecForgetsItsLabel() {
    let samples = (0..<512).map { Int16($0 % 97 * 100) }[...]
    var remembering = FrameSource(profile: .reference)
    var forgetting = FrameSource(profile: Self.profile { $0.codecLabel = .isForgotten })
    let first = (remembering.encode(samples[..<128]), forgetting.encode(samples[..<128]))
    #expect(first.0.prefix(RecordAudio.codecLabel.count) == first.1.prefix(RecordAudio.codecLabel.count))
    #expect(remembering.encode(samples[128..<256]) != forgetting.encode(samples[128..<256]))
  }

  @Test(arguments: [(SecondRequestPolicy.waits, true), (.isDropped, false)])
  func secondRequest(policy: SecondRequestPolicy, isAnswered: Bool) {
    let records = placedRecords([3000])
    var bench = RecorderBench.connected {
      $0.profile = Self.profile { $0.secondRequest = policy }
      $0.records = records
    }
    bench.ask(.fileData(records[0].identifier))
    bench.ask(.fileSystemStatus)
    bench.run(for: .seconds(5))
    #expect(bench.notifications.filter { $0.handle == DictofunHandle.fileData }.flatMap(\.value) == records[0].content)
    #expect(bench.notifications.contains { $0.handle == DictofunHandle.fileSystemStatus } == isAnswered)
    #expect(!bench.answers(to: .fileSystemStatus, within: .seconds(1)).isEmpty, "the service still answers")
  }

  /// A link that ends in a transfer leaves the service deaf; a recording resets it, a new link does not.
  @Test func brokenTransferBlocksTheServiceUntilARecording() {
    let records = placedRecords([3000])
    var bench = RecorderBench.connected {
      $0.profile = Self.profile { $0.linkLoss = .keepsRequest }
      $0.records = records
    }
    bench.ask(.fileData(records[0].identifier))
    bench.run(for: .milliseconds(100))
    bench.disconnect()
    bench.connect()
    #expect(bench.answers(to: .listFiles, within: .seconds(1)).isEmpty)
    bench.press(for: .seconds(1))
    bench.run(for: .seconds(1))
    bench.connect()
    #expect(!bench.answers(to: .listFiles, within: .seconds(1)).isEmpty)
  }

  @Test(arguments: [(PowerCutPolicy.keepsFinishedRecords, 2), (.losesEverything, 0)])
  func powerCutDuringARecording(policy: PowerCutPolicy, left: Int) {
    var bench = RecorderBench {
      $0.profile = Self.profile { $0.powerCut = policy }
      $0.records = placedRecords([1000, 2000])
    }
    bench.act(.pressButton)
    bench.run(for: .seconds(2))
    bench.act(.cutPower)
    bench.act(.releaseButton)
    bench.press(for: .milliseconds(10))
    bench.run(for: .milliseconds(100))
    #expect(bench.recorder.body.storage.finished.count { $0.content.count >= 1000 } == left)
  }

  /// The flash is nearly full and the phone has nothing of it.
  @Test(arguments: [(FormatPolicy.confirmedOnly, 1), (.nearlyFull, 0)])
  func unconfirmedRecordsInANearlyFullFlash(policy: FormatPolicy, left: Int) {
    let nearlyAll = FileSystemGeometry.capacityBytes - FileSystemGeometry.tableBytes - 20_000
    var bench = RecorderBench.serving {
      $0.profile = Self.profile { $0.format = policy }
      $0.records = [PlacedRecord(identifier: .fallback, content: Array(repeating: 0, count: nearlyAll))]
    }
    bench.run(for: .seconds(100))
    #expect(bench.plainEvents.contains(.formatted(records: 1, unconfirmed: 1)) == (left == 0))
    #expect(bench.recorder.body.storage.entries.count == left)
  }

  /// The published firmware erases above 254 records, and finds at most 253 when it starts.
  @Test func aFullTableIsNotErasedByThePublishedFirmware() {
    let records = placedRecords(Array(repeating: 64, count: FileSystemGeometry.maximumFiles))
    var bench = RecorderBench.serving {
      $0.profile = Self.profile { $0.format = .nearlyFull }
      $0.records = records
    }
    bench.run(for: .seconds(100))
    #expect(bench.recorder.body.storage.entries.count == records.count)
  }
}
