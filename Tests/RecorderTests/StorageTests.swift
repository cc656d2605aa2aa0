import DictofunProtocol
import Testing
import Timeline

@testable import Recorder

@Suite struct StorageTests {
  @Test func fileSystemCountsAsTheFirmwareDoes() {
    var storage = RecordStorage()
    #expect(storage.status == FileSystemStatus(fileSizes: []))
    for record in placedRecords([8064, 256, 0]) { _ = storage.place(record.identifier, record.content) }
    #expect(storage.status == FileSystemStatus(fileSizes: [8064, 256, 0]))
    let used = 8192 + 8192 + 512 + 256
    #expect(storage.roomForRecord == FileSystemGeometry.capacityBytes - used - 256)
  }

  @Test func tableHoldsTwoHundredAndFiftyThreeFiles() {
    var bench = RecorderBench.serving { $0.records = placedRecords(Array(repeating: 64, count: 300)) }
    #expect(bench.recorder.body.storage.entries.count == 253)
    #expect(bench.recorder.body.storage.roomForRecord == 0)
    bench.press(for: .seconds(1))
    #expect(bench.recorder.body.storage.entries.count == 253)
  }

  /// Power fails at every flash operation of two records, one after the other; what was finished before stays.
  @Test(arguments: 0...70)
  func powerCutAtAnyFlashOperationKeepsFinishedRecords(operation: Int) throws {
    let kept = placedRecords([1000, 2000])
    var bench = RecorderBench { $0.records = kept }
    bench.act(.setMicrophone(Microphone(samples: Array(repeating: 500, count: 100))))
    bench.act(.pressButton)
    bench.act(.cutPowerAtFlashOperation(skipping: operation))
    bench.run(for: .seconds(1))
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    if bench.recorder.isOn { bench.press(for: .milliseconds(1200)) }
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    #expect(bench.plainEvents.contains(.poweredOff(.cut)))
    let finished = bench.plainEvents.compactMap { event in
      if case .recordFinished(let identifier, let size) = event { (identifier, size) } else { nil }
    }
    bench.press(for: .milliseconds(500))
    bench.run(for: .seconds(1))
    let storage = bench.recorder.body.storage
    #expect(storage.finished.prefix(2).map(\.content) == kept.map(\.content))
    for (identifier, size) in finished {
      let index = try #require(storage.index(of: identifier))
      #expect(storage.entries[index].content.count == size)
    }
    #expect(storage.finished.count == 2 + finished.count + 1, "the recorder records again after the cut")
    #expect(Set(storage.entries.map(\.identifier)).count == storage.entries.count)
    bench.connect()
    let list = bench.answers(to: .listFiles).flatMap(\.value)
    #expect(list.first.map(Int.init) == storage.finished.count, "an unfinished record is not listed")
  }

  @Test func powerCutDuringARecordTakesEffectAtThatPage() throws {
    var bench = RecorderBench()
    bench.act(.pressButton)
    // Descriptor, then pages of 4 frames of 8 ms: the eleventh operation is the tenth page, 320 ms of sound.
    bench.act(.cutPowerAtFlashOperation(skipping: 10))
    bench.run(for: .seconds(5))
    let began = try #require(bench.time(of: .stateChanged(from: .recordPrepare, to: .recording)))
    let cut = try #require(bench.time(of: .poweredOff(.cut)))
    let milliseconds = began.duration(to: cut) / .milliseconds(1)
    #expect((319.0...322).contains(milliseconds))
    #expect(bench.plainEvents.contains { if case .recordLost = $0 { true } else { false } })
    #expect(bench.recorder.body.storage.entries.first?.content.count == 9 * 256)
  }

  /// A full table is erased only when the phone confirmed everything in it.
  @Test(arguments: [true, false])
  func formatWaitsForTheConfirmationOfAllRecords(isConfirmed: Bool) {
    let records = placedRecords(Array(repeating: 64, count: FileSystemGeometry.maximumFiles))
    var bench = RecorderBench.connected { $0.records = records }
    for record in isConfirmed ? records[...] : records.dropLast() {
      _ = bench.answers(to: .fileData(record.identifier), within: .seconds(2))
    }
    _ = bench.answers(to: .receiveComplete, within: .seconds(1))
    bench.run(for: .seconds(120))
    #expect(bench.plainEvents.contains(.formatted(records: records.count, unconfirmed: 0)) == isConfirmed)
    #expect(bench.recorder.body.storage.entries.isEmpty == isConfirmed)
  }

  /// Three records are sent and confirmed: six marks in flash, power fails at each.
  @Test(arguments: 0...5)
  func powerCutWhileMarkingWhatThePhoneHasLosesNoRecord(operation: Int) {
    let records = placedRecords([300, 64, 0])
    var bench = RecorderBench.connected { $0.records = records }
    bench.act(.cutPowerAtFlashOperation(skipping: operation))
    for record in records { _ = bench.answers(to: .fileData(record.identifier), within: .seconds(1)) }
    _ = bench.answers(to: .receiveComplete, within: .seconds(1))
    #expect(bench.plainEvents.contains(.poweredOff(.cut)))
    bench.act(.pressButton)
    bench.act(.releaseButton)
    bench.run(for: .seconds(2))
    bench.connect()
    for record in records {
      #expect(bench.answers(to: .fileData(record.identifier), within: .seconds(1)).flatMap(\.value) == record.content)
    }
  }

  @Test(arguments: [(0, 2), (1, 0)])
  func powerCutWhileFormattingLeavesAllOrNothing(operation: Int, count: Int) {
    var storage = RecordStorage()
    for record in placedRecords([64, 64]) { _ = storage.place(record.identifier, record.content) }
    storage.failPower(skipping: operation)
    let erased = storage.format()
    #expect(erased == nil)
    storage.mount(losesRecords: false)
    #expect(storage.finished.count == count)
  }

  @Test func identifiersAreUniqueWithinASecond() {
    var bench = RecorderBench()
    for _ in 0..<4 {
      bench.press(for: .milliseconds(100))
      bench.run(for: .milliseconds(250))
    }
    bench.act(.setClock(RecorderConfiguration.defaultClock))
    bench.press(for: .milliseconds(100))
    bench.run(for: .seconds(1))
    let identifiers = bench.recorder.body.storage.finished.map(\.identifier)
    #expect(identifiers.count == 5)
    #expect(Set(identifiers).count == 5)
    #expect(identifiers.allSatisfy { $0.isValid })
  }

  @Test func soundFilesBecomeRecordsThatEndedBeforeTheWorldBegan() {
    let files = [8000, 16_000, 48_000].map { rate in
      WaveFile(sampleRate: rate, samples: (0..<(rate * 3 / 2)).map { Int16($0 % 100) })
    }
    let records = PlacedRecord.made(of: files, before: RecorderConfiguration.defaultClock, profile: .reference)
    #expect(records.map(\.identifier.description) == ["0000240101115951", "0000240101115954", "0000240101115957"])
    // A second and a half is 187.5 frames.
    #expect(records.map(\.content.count) == [11_968, 11_968, 11_968])
    #expect(records[1].content == RecordAudio.record(of: files[1].samples))
  }
}
