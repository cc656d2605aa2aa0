import DictofunProtocol
import HostStack
import Testing
import Timeline

@testable import Recorder

@Suite struct StateMachineTests {
  @Test func bootOnHeldRailOffersBluetoothAfterItsTime() throws {
    let bench = RecorderBench.serving()
    #expect(bench.states == [.bluetoothOperation])
    #expect(bench.ticks(from: .zero, to: .stateChanged(from: .initialisation, to: .bluetoothOperation)) == 800)
    let advertisement = bench.requests.compactMap { if case .setAdvertising(let data?) = $0 { data } else { nil } }
    #expect(advertisement.count == 1)
    #expect(advertisement.first?.intervalUnits == 200)
    #expect(advertisement.first?.data == DictofunAdvertisement.advertisingData)
    #expect(bench.plainEvents.contains(.lightChanged(LightSignal(.darkBlue, .slow))))
  }

  @Test func pressBootsRecordsAndOffersBluetooth() throws {
    var bench = RecorderBench()
    bench.act(.setMicrophone(Microphone(samples: Array(repeating: 1000, count: 40_000))))
    bench.press(for: .seconds(2))
    bench.run(for: .seconds(2))
    #expect(bench.states == [.recordPrepare, .recording, .recordEnd, .bluetoothOperation])
    let began = try #require(bench.ticks(from: .zero, to: .stateChanged(from: .recordPrepare, to: .recording)))
    // DEV-1: the first sample within 0.4 s.
    #expect(began < 410)
    let identifier = RecordIdentifier(RecorderConfiguration.defaultClock)
    #expect(bench.plainEvents.contains(.recordBegan(identifier)))
    let record = try #require(bench.recorder.body.storage.finished.first)
    #expect(record.identifier == identifier)
    // Two seconds less the time to the first sample, in whole frames.
    #expect(record.content.count.isMultiple(of: 64))
    #expect((14_800...16_000).contains(record.content.count))
    #expect(record.content == RecordAudio.record(of: Array(repeating: 1000, count: record.content.count * 2)))
    // DEV-2: advertising within 2 s.
    let released = Instant(nanoseconds: 2_000_000_000)
    let offered = try #require(
      bench.ticks(from: released, to: .stateChanged(from: .recordEnd, to: .bluetoothOperation)))
    #expect(offered < 100)
  }

  @Test(arguments: [1, 20, 60, 100, 150])
  func tapMakesARecordOfAFewFrames(milliseconds: Int) {
    var bench = RecorderBench()
    bench.press(for: .milliseconds(milliseconds))
    bench.run(for: .seconds(1))
    let sizes = bench.recorder.body.storage.finished.map(\.content.count)
    #expect(sizes.count == 1)
    #expect(sizes.allSatisfy { $0.isMultiple(of: 64) && $0 <= 64 * 16 })
  }

  /// Time-outs in ticks from boot or from the end of the record; a poll may add up to ten.
  @Test func unusedRecorderSwitchesItselfOff() throws {
    var idle = RecorderBench.serving()
    idle.run(for: .seconds(60))
    let off = try #require(idle.ticks(from: .zero, to: .poweredOff(.noRecord)))
    #expect((20_000...20_200).contains(off))
    // The rail is still held: it boots again.
    #expect(idle.plainEvents.contains(.poweredOn(.reset)))

    var after = RecorderBench()
    after.press(for: .seconds(2))
    after.run(for: .seconds(60))
    let afterRecord = try #require(after.ticks(from: .zero, to: .poweredOff(.afterRecord)))
    #expect((27_048...27_300).contains(afterRecord))
    #expect(!after.plainEvents.contains(.poweredOn(.reset)))
  }

  @Test func phoneKeepsTheRecorderAwakeAndItsAbsenceDoesNot() throws {
    var bench = RecorderBench { $0.records = placedRecords([200_000]) }
    bench.press(for: .seconds(1))
    bench.run(for: .seconds(1))
    bench.connect()
    bench.acknowledgesAfter = .milliseconds(60)
    // 200,000 octets in packets of 200 and 56, one in 60 ms: 94 s, far beyond every time-out.
    let answers = bench.answers(to: .fileData(placedRecords([0])[0].identifier), within: .seconds(100))
    #expect(answers.reduce(0) { $0 + $1.value.count } == 200_000)
    #expect(bench.recorder.isOn)
    let quiet = try #require(bench.notifications.last?.at)
    bench.run(for: .seconds(20))
    let keepAlive = try #require(bench.ticks(from: quiet, to: .poweredOff(.keepAlive)))
    #expect((15_000...15_300).contains(keepAlive))
  }

  @Test func disconnectionCountsUnlessThePhoneComesBack() throws {
    var bench = RecorderBench()
    bench.press(for: .seconds(1))
    bench.run(for: .seconds(1))
    bench.connect()
    bench.disconnect()
    bench.run(for: .seconds(3))
    bench.connect()
    bench.run(for: .seconds(4))
    #expect(bench.recorder.isOn)
    bench.disconnect()
    let left = bench.now
    bench.run(for: .seconds(10))
    let off = try #require(bench.ticks(from: left, to: .poweredOff(.afterDisconnect)))
    #expect((5000...5300).contains(off))
  }

  @Test func recorderThatStaysAwakeDoes() {
    var bench = RecorderBench.serving { $0.staysAwake = true }
    var recorder = bench.recorder
    let due = recorder.dueTick()
    #expect(due == nil, "nothing is due, so an hour costs nothing")
    bench.run(for: .seconds(3600))
    #expect(bench.recorder.isOn)
    #expect(bench.states == [.bluetoothOperation])
  }

  @Test func pressWhileConnectedEndsTheLinkAndAdvertisesAgainAfterTheRecord() {
    var bench = RecorderBench.connected()
    bench.act(.pressButton)
    bench.run(for: .seconds(1))
    #expect(bench.count { if case .disconnect(_, .remoteUserTerminatedConnection) = $0 { true } else { false } } == 1)
    #expect(!bench.recorder.softDevice.isAdvertising)
    #expect(!bench.plainEvents.contains(.disconnected(.remoteUserTerminatedConnection)), "waits for the task to resume")
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    #expect(bench.recorder.softDevice.isAdvertising)
    #expect(bench.plainEvents.contains(.disconnected(.remoteUserTerminatedConnection)))
    // The link that the record ended does not count as a phone that left.
    bench.run(for: .seconds(20))
    #expect(bench.recorder.isOn)
  }

  @Test func phoneThatConnectsDuringARecordIsServedAfterIt() {
    var bench = RecorderBench.serving()
    bench.act(.pressButton)
    bench.run(for: .seconds(1))
    #expect(bench.recorder.softDevice.isAdvertising)
    bench.connect()
    bench.ask(.listFiles)
    bench.run(for: .seconds(5))
    #expect(bench.notifications.isEmpty)
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    #expect(bench.notifications.map(\.handle) == [DictofunHandle.filesList])
    #expect(bench.notifications.first?.value.count == 24)
  }

  @Test func phoneThatWritesWithoutEndDuringARecordLosesItsLink() {
    var bench = RecorderBench.serving()
    bench.act(.pressButton)
    bench.run(for: .seconds(1))
    bench.connect()
    for _ in 0..<RecorderApplication.waitingEventLimit { bench.ask(.listFiles) }
    #expect(bench.recorder.softDevice.link == nil)
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    #expect(bench.notifications.isEmpty)
    #expect(bench.recorder.softDevice.isAdvertising)
  }

  @Test func lowBatteryIsToldThenEndsEverything() throws {
    var bench = RecorderBench.connected()
    bench.subscribe(DictofunHandle.batteryLevel)
    bench.act(.setBattery(millivolts: 3050))
    bench.run(for: .seconds(40))
    let levels = bench.notifications.filter { $0.handle == DictofunHandle.batteryLevel }.map(\.value)
    #expect(levels.last == [0])
    #expect(bench.states.suffix(2) == [.batteryLow, .shutdown] || bench.plainEvents.contains(.poweredOff(.batteryLow)))
    let low = try #require(bench.time(of: .batteryLow))
    let off = try #require(bench.ticks(from: low, to: .poweredOff(.batteryLow)))
    #expect((5000...5300).contains(off))
    // The phone acknowledged the level before its link was ended.
    let told = try #require(bench.notifications.last { $0.handle == DictofunHandle.batteryLevel }?.at)
    #expect(told.duration(to: low) >= .milliseconds(15))
  }

  /// The phone is out of reach, so the recorder waits for as long as it may before it goes.
  @Test(arguments: [false, true]) func aPressWhileALowBatteryIsToldIsRefused(isHeldBefore: Bool) {
    var bench = RecorderBench.connected()
    bench.subscribe(DictofunHandle.batteryLevel)
    bench.run(for: .seconds(1))
    bench.acknowledgesAfter = nil
    if isHeldBefore { bench.recorder.body.isButtonPressed = true }
    bench.act(.setBattery(millivolts: 2500))
    for _ in 0..<60_000 where bench.recorder.lowBatteryDeadline == nil { bench.run(for: .milliseconds(1)) }
    #expect(bench.recorder.lowBatteryDeadline != nil)
    if !isHeldBefore {
      #expect(!bench.plainEvents.contains(.batteryLow))
      bench.act(.pressButton)
    }
    bench.run(for: .milliseconds(100))
    #expect(bench.recorder.state == .bluetoothOperation)
    #expect(bench.plainEvents.contains(.batteryLow))
  }

  @Test func lowBatteryRefusesARecord() {
    var bench = RecorderBench { $0.batteryMillivolts = 3000 }
    bench.press(for: .seconds(1))
    bench.run(for: .seconds(10))
    #expect(bench.states == [.batteryLow, .shutdown])
    #expect(bench.recorder.body.storage.entries.isEmpty)
  }

  @Test func fullMemoryEndsTheRecordAndStillServes() throws {
    let nearlyAll = FileSystemGeometry.capacityBytes - FileSystemGeometry.tableBytes - 20_000
    var bench = RecorderBench {
      $0.records = [PlacedRecord(identifier: .fallback, content: Array(repeating: 0, count: nearlyAll))]
    }
    bench.act(.pressButton)
    bench.run(for: .seconds(10))
    #expect(bench.states == [.recordPrepare, .recording, .recordEnd, .outOfMemory, .bluetoothOperation])
    let record = try #require(bench.recorder.body.storage.finished.last)
    #expect((19_000...20_000).contains(record.content.count))
    #expect(bench.recorder.body.storage.status.freeBytes < 1024)
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    #expect(bench.recorder.state == .bluetoothOperation, "the button is ignored where there is no room")
    bench.connect()
    #expect(bench.answers(to: .listFiles, within: .seconds(1)).first?.value.count == 40)
  }

  /// The button is pressed again while the recorder closes the record that takes the last entry.
  @Test(arguments: [1, 2]) func aPressThatFindsNoRoomIsTold(free: Int) throws {
    let records = placedRecords(Array(repeating: 64, count: FileSystemGeometry.maximumFiles - free))
    var bench = RecorderBench { $0.records = records }
    bench.press(for: .seconds(1))
    bench.run(for: .milliseconds(10))
    #expect(bench.recorder.state == .recordEnd)
    bench.act(.pressButton)
    bench.run(for: .seconds(1))
    #expect(bench.plainEvents.contains(.memoryFull) == (free == 1))
    #expect(bench.states.last == (free == 1 ? .bluetoothOperation : .recording))
  }

  @Test func buttonHoldsThePowerLatch() {
    var bench = RecorderBench { $0.batteryMillivolts = 3000 }
    bench.act(.pressButton)
    bench.run(for: .seconds(30))
    #expect(bench.recorder.isOn)
    bench.act(.releaseButton)
    bench.run(for: .seconds(1))
    #expect(!bench.recorder.isOn)
    #expect(bench.recorder.mustSilenceController)
  }
}
