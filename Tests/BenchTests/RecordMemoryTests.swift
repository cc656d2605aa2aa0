import Bytes
import DictofunProtocol
import TestThreads
import Testing

@testable import Bench

/// What a bench remembers of the records that it made.
@Suite struct RecordMemories {
  private let recorder = BluetoothAddress(littleEndian: [1, 2, 3, 4, 5, 0xC6], .random)
  /// 2024-01-01 12:00:00.
  private static let noon = RecordIdentifier("0000240101120000")?.date?.secondsSince2000 ?? 0
  private let three = MadeRecords(
    count: 3, length: .seconds(1), span: (RecordMemories.noon - 20)...(RecordMemories.noon - 5))

  @Test func onlyWhatIsTheSameAndOlderServes() {
    #expect(three.serve(count: 3, length: .seconds(1), before: Self.noon))
    #expect(!three.serve(count: 2, length: .seconds(1), before: Self.noon))
    #expect(!three.serve(count: 3, length: .seconds(2), before: Self.noon))
    #expect(!three.serve(count: 3, length: .seconds(1), before: Self.noon - 5))
    #expect(MadeRecords.none.serve(count: 0, length: .seconds(9), before: 0))
    #expect(!MadeRecords.none.serve(count: 1, length: .zero, before: Self.noon))
  }

  @Test(arguments: [
    (["0000240101115941", "0000240101115945", "0000240101115950"], true),
    // One is missing, one is twice, one is of another day, one is not a time.
    (["0000240101115941", "0000240101115945"], false),
    (["0000240101115941", "0000240101115945", "0000240101115945"], false),
    (["0000240101115941", "0000240101115945", "0000240102115950"], false),
    (["0000240101115941", "0000240101115945", "0000240101115950", "0000240101115955"], false),
    (["0000240101115941", "0000240101115945", "no time at all!!"], false),
  ])
  func theListMustNameWhatWasMade(_ names: [String], _ isThere: Bool) {
    #expect(three.areListed(as: names) == isThere)
    #expect(MadeRecords.none.areListed(as: []))
    #expect(!MadeRecords.none.areListed(as: names))
  }

  @Test func aRequestThatMayChangeWhatNoListShowsIsTheEndOfIt() throws {
    let name = try #require(RecordIdentifier("0000240101115941"))
    let (harmless, others): ([ControlPointRequest], [ControlPointRequest]) = (
      [.listFiles, .fileInformation(name), .fileSystemStatus], [.fileData(name), .receiveComplete, .unaccepted([9])]
    )
    let memory = RecordMemory()
    for request in others {
      memory.remember(three, on: recorder)
      for harmless in harmless { memory.note(harmless, to: recorder) }
      #expect(memory.made(on: recorder) == three)
      memory.note(request, to: recorder)
      #expect(memory.made(on: recorder) == nil, "\(request)")
      memory.remember(.none, on: recorder)
      memory.note(request, to: recorder)
      #expect(memory.made(on: recorder) == MadeRecords.none, "nothing can be fetched from an empty flash")
    }
  }
}

/// Presses that the Pico times itself.
@Suite(.waits) struct TimedPresses {
  private static let pico = "pico: {RawSerialPort: {port: $folder/pico}, serial: E6614C311B000001}"

  @Test func everyShortPressIsARecordAndEndsTheMemory() throws {
    let rig = try BenchRig(Self.pico)
    let device = try rig.device()
    defer { device.close() }
    let told = try rig.run {
      var told: [Deed] = []
      device.onAction = { told.append($0) }
      try await device.perform([.wish(.power(true))])
      device.remember(.none)
      try await device.perform([.makeRecords(count: 3, length: .milliseconds(24))])
      return told
    }
    let deeds = told.filter { $0 == .press || $0 == .release }.drop { $0 == .release }
    #expect(Array(deeds) == [.press, .release, .press, .release, .press, .release])
    #expect(device.madeRecords == nil)
    let records = try rig.recorder.inspect().records
    #expect(records.count == 3)
  }

  @Test func aLongPressIsFeltAndTakesItsTime() throws {
    let rig = try BenchRig(Self.pico)
    let device = try rig.device()
    defer { device.close() }
    let took = try rig.run {
      try await device.perform([.wish(.power(true))])
      let began = rig.loop.now
      try await device.press(for: .milliseconds(900))
      let took = began.duration(to: rig.loop.now)
      _ = await rig.waits.pass(.milliseconds(500), on: rig.loop)
      return took
    }
    #expect(took >= .milliseconds(900))
    #expect(took < .milliseconds(1_900))
    #expect(try rig.recorder.inspect().records.count == 1)
  }
}
