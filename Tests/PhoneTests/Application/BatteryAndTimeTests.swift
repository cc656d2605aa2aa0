import DictofunProtocol
import HCI
import HostStack
import Testing

@testable import Phone

@Suite struct LowBattery {
  private static func rig(_ configure: (inout PhoneConfiguration) -> Void = { _ in }) throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: [20_000])
    var rig = try PhoneRig(recorder, configure)
    try rig.pair()
    return rig
  }

  private static func lowEvents(_ rig: PhoneRig) -> Int {
    rig.events.count { if case .batteryLow = $0 { true } else { false } }
  }

  @Test(arguments: [
    PhoneOperation.list, .inform(.newest), .download(.newest), .fileSystemStatus, .pair, .unpair,
    .sync(.paired, finishes: true), .writeControlPoint([1]),
  ]) func onlyTheBatteryIsAskedForWhileItIsLow(_ operation: PhoneOperation) throws {
    var rig = try Self.rig()
    #expect(try rig.perform(.disconnect) == .success(.done))
    rig.recorders[0].battery = 12
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
    #expect(Self.lowEvents(rig) == 1)
    #expect(rig.recorders[0].subscribed.isEmpty)
    #expect(try rig.perform(operation) == .failure(.batteryLow(12)))
    #expect(rig.recorders[0].requests.isEmpty)
    #expect(rig.recorders[0].isBonded)
    #expect(try rig.perform(.readBattery) == .success(.battery(12)))
    rig.readTime()
    #expect(rig.timeAnswers == [.failure(ATTErrorCode(rawValue: 0x80))])
  }

  @Test func aLowBatteryIsGoodAgainFromTwentyFourPercent() throws {
    var rig = try Self.rig()
    for (level, isLow) in [
      (UInt8(13), false), (12, true), (23, true), (254, true), (24, false), (254, false), (0, true),
    ] {
      rig.recorders[0].battery = level
      #expect(try rig.perform(.readBattery) == .success(.battery(level)))
      let expected: PhoneFailure? = isLow ? .batteryLow(level) : nil
      guard case .failure(let failure) = try rig.perform(.fileSystemStatus) else {
        #expect(expected == nil, "at \(level) %")
        continue
      }
      #expect(failure == expected, "at \(level) %")
    }
  }

  @Test(arguments: [false, true]) func aTransferEndsWithTheLinkWhenTheBatteryIsLow(_ isNotified: Bool) throws {
    var rig = try Self.rig { $0.timeouts.batteryPeriod = .milliseconds(1500) }
    let download = rig.begin(.download(.newest))
    rig.run { $0.application.exchange.inbox.received > 2000 }
    rig.recorders[0].battery = 0
    if isNotified { rig.notify(DictofunHandle.batteryLevel, [0]) }
    rig.run { $0.ended[download] != [] }
    #expect(rig.ended[download] == [.failure(.batteryLow(0))])
    #expect(rig.connected == nil)
    #expect(Self.lowEvents(rig) == 1)
    #expect(try rig.application.configuration.library.records().allSatisfy { !$0.isComplete })
  }

  /// The recorder tells of a low battery and ends the link, while the phone's user ends it too.
  @Test(arguments: [(UInt8(0), 1), (13, 0)])
  func aBatteryThatBecomesLowWhileTheLinkIsEndedIsTold(_ level: UInt8, _ told: Int) throws {
    var rig = try Self.rig()
    let ending = rig.begin(.disconnect)
    rig.notify(DictofunHandle.batteryLevel, [level])
    rig.notify(DictofunHandle.batteryLevel, [level])
    rig.run { $0.ended[ending] != [] }
    #expect(rig.ended[ending] == [.success(.done)])
    #expect(Self.lowEvents(rig) == told)
  }

  /// Who asked for the bootloader does not learn in time that the battery is low, unless it is told before.
  @Test func noBootloaderIsAskedForOnceTheBatteryIsLow() throws {
    var rig = try Self.rig()
    let entry = rig.begin(.enterBootloader(name: nil))
    rig.notify(DictofunHandle.batteryLevel, [0])
    rig.run { $0.ended[entry] != [] }
    #expect(rig.ended[entry] == [.failure(.batteryLow(0))])
    #expect(rig.connected != nil)
    #expect(Self.lowEvents(rig) == 1)
  }

  @Test func aBatteryThatWasLowStaysLowAcrossConnections() throws {
    var rig = try Self.rig()
    rig.recorders[0].battery = 12
    _ = try rig.perform(.readBattery)
    #expect(try rig.perform(.disconnect) == .success(.done))
    rig.recorders[0].battery = 18
    #expect(try rig.perform(.sync(.paired, finishes: true)) == .failure(.batteryLow(18)))
    rig.recorders[0].battery = 36
    #expect(try rig.perform(.readBattery) == .success(.battery(36)))
    #expect(try rig.perform(.list) != .failure(.batteryLow(36)))
  }

  /// What still arrives while the link of an application that was ended goes down is answered as before.
  @Test func aRestartForgetsALowLevelWhenTheLinkIsDown() throws {
    var rig = try Self.rig()
    rig.notify(DictofunHandle.batteryLevel, [12])
    rig.request(.start)
    rig.readTime()
    #expect(rig.timeAnswers == [.failure(TimeServer.refusal)])
    rig.pass(.seconds(1))
    #expect(!rig.application.battery.isLow)
  }
}

@Suite struct ServingTheTime {
  private static func served(_ rig: PhoneRig) throws -> CurrentTime {
    try CurrentTime(decoding: try #require(rig.timeAnswers.last).get())
  }

  /// Seconds from 1970 to 2000.
  private static let epoch: Int64 = 946_684_800

  @Test(arguments: [
    "2024-01-01 12:00:00", "2024-02-28 23:59:58", "2024-02-29 23:59:59", "2023-12-31 23:59:59", "2000-01-01 00:00:00",
    "2024-10-31 23:59:59",
  ]) func theClockRunsFromWhereItWasSet(_ text: String) throws {
    let begin = try #require(CivilTime(text))
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    rig.request(.setClock(begin.secondsSinceEpoch - Self.epoch))
    for seconds in [0, 1, 2, 86_400] as [Int64] {
      rig.pass(.seconds(seconds) + .milliseconds(250))
      rig.readTime()
    }
    let passed: Int64 = 86_403
    let time = try Self.served(rig)
    #expect(time.civilTime == begin.adding(seconds: passed + 1))
    #expect(time.fractions256 == 0)
    #expect(try rig.timeAnswers[0].get().count == CurrentTime.length)
    #expect(try CurrentTime(decoding: rig.timeAnswers[0].get()).fractions256 == 64)
    guard case .timeServed(let seconds)? = rig.events.last else {
      Issue.record("the time served is reported")
      return
    }
    #expect(seconds + Self.epoch == time.civilTime?.secondsSinceEpoch)
  }

  @Test func theTimeIsServedFirstInItsServiceAndOnlyOverAnEncryptedLink() throws {
    let host = try PhoneRig(ModelRecorder()).application.hostConfiguration
    let service = try #require(host.database.services.first { $0.uuid == DictofunUUID.currentTimeService })
    #expect(service.characteristics.first?.uuid == DictofunUUID.currentTime)
    #expect(service.characteristics.first?.reading == .encrypted)
  }
}

@Suite struct Background {
  private static func rig(_ configure: (inout PhoneConfiguration) -> Void) throws -> PhoneRig {
    var recorder = ModelRecorder()
    recorder.record(sizes: [20_000])
    return try PhoneRig(recorder, configure)
  }

  private static func hasProgress(_ rig: PhoneRig) -> Bool {
    rig.events.contains { if case .progress = $0 { true } else { false } }
  }

  @Test func theBackgroundIsSlowerAndSilent() throws {
    var rig = try Self.rig { $0.isForeground = false }
    try rig.pair()
    let began = rig.now
    guard case .success(.record(_, let bytes)) = try rig.perform(.download(.newest)) else {
      Issue.record("a download ends in a record")
      return
    }
    #expect(bytes == rig.recorders[0].records[0].content)
    #expect(!Self.hasProgress(rig))
    let inBackground = rig.now - began
    rig.request(.setForeground(true))
    let again = rig.now
    _ = try rig.perform(.download(.newest))
    #expect(Self.hasProgress(rig))
    #expect(rig.now - again < inBackground)
    // The time does not wait for the application's turn.
    rig.request(.setForeground(false))
    rig.readTime()
    #expect(rig.timeAnswers.count == 1)
  }

  /// What came before the answer is handled before it.
  @Test func anAnswerFindsTheApplicationAwake() {
    var background = Phone.Background(isForeground: false, delay: .milliseconds(50))
    var effects = ApplicationEffects()
    let link = ConnectionHandle(0x40)
    let level = HostEvent.notificationReceived(link, AttributeHandle(0x29), [12])
    let answer = HostEvent.clientCompleted(link, ClientToken(1), .success(.value([12])))
    #expect(background.keep(level, &effects) == [])
    #expect(background.keep(answer, &effects) == [level, answer])
    #expect(background.keep(level, &effects) == [])
    #expect(background.take() == [level])
  }

  @Test func comingToTheForegroundDoesNotDisturbATransfer() throws {
    var rig = try Self.rig { $0.isForeground = false }
    try rig.pair()
    let download = rig.begin(.download(.newest))
    rig.run { $0.application.exchange.inbox.received > 5000 }
    rig.request(.setForeground(true))
    #expect(Self.hasProgress(rig), "the view catches up")
    rig.run { $0.ended[download] != [] }
    let record = rig.recorders[0].records[0]
    #expect(
      rig.ended[download]
        == [.success(.record(identifier: record.identifier.description, bytes: record.content))])
    #expect(rig.recorders[0].requests.filter { $0 == .fileData(record.identifier) }.count == 1)
  }

  @Test func thePairedRecorderIsSyncedWheneverItAppears() throws {
    var rig = try Self.rig {
      $0.isForeground = false
      $0.autoSync = true
    }
    try rig.pair()
    #expect(try rig.perform(.disconnect) == .success(.done))
    rig.recorders[0].isInSight = false
    rig.pass(.seconds(3600))
    #expect(rig.recorders[0].requests.isEmpty)
    rig.recorders[0].isInSight = true
    rig.run { !$0.recorders[0].requests.isEmpty && $0.connected == nil }
    let ended = rig.now
    rig.run { $0.connected != nil }
    #expect(rig.now - ended >= 10_000_000_000, "the recorder gets its time to switch itself off")
    let library = rig.application.configuration.library
    #expect(try library.records().map(\.isComplete) == [true])
    rig.recorders[0].record(sizes: [300])
    rig.pass(.seconds(60))
    #expect(try library.records().map(\.size) == [300, 20_000])
    // The user is not kept waiting by the search.
    rig.recorders[0].isInSight = false
    rig.pass(.seconds(30))
    #expect(try rig.perform(.delete(.newest)) == .success(.done))
    #expect(try rig.perform(.connect(.paired)) == .failure(.nothingInSight))
  }

  @Test func aPhoneThatBecomesAutomaticBeginsAtOnce() throws {
    var rig = try Self.rig { $0.isForeground = false }
    try rig.pair()
    #expect(try rig.perform(.disconnect) == .success(.done))
    rig.pass(.seconds(60))
    #expect(rig.connected == nil)
    #expect(rig.recorders[0].requests.isEmpty)
    rig.request(.setAutomatic(true))
    rig.run { !$0.recorders[0].requests.isEmpty && $0.connected == nil }
    #expect(try rig.application.configuration.library.records().map(\.isComplete) == [true])
  }
}
