import Bytes
import DictofunProtocol
import HCI
import HostStack
import Testing

@testable import Phone

@Suite struct Connecting {
  private static let first = BluetoothAddress(0xC0DE_0000_0001, .random)
  private static let second = BluetoothAddress(0xC0DE_0000_0002, .random)

  private static func recorders(_ count: Int) -> [ModelRecorder] {
    (0..<count).map { index in
      var recorder = ModelRecorder()
      recorder.address = BluetoothAddress(first.value + UInt64(index), .random)
      return recorder
    }
  }

  @Test(arguments: [0, 1, 2, 10]) func scanningTellsEveryRecorderFromTheOthers(_ count: Int) throws {
    var rig = PhoneRig(Self.recorders(count), library: try PhoneLibrary(.memory))
    guard case .success(.recorders(let sightings)) = try rig.perform(.scan(.seconds(2))) else {
      Issue.record("a scan ends in sightings")
      return
    }
    #expect(sightings.map(\.address) == rig.recorders.map(\.address))
    #expect(sightings.allSatisfy { $0.name == "dict" && !$0.isPaired && $0.signalStrength == -50 })
    #expect(rig.now >= 2_000_000_000)
  }

  @Test(
    arguments: [
      (0, .failure(.nothingInSight)), (1, .success(.done)), (2, .failure(.severalInSight([first, second]))),
    ] as [(Int, Result<PhoneResult, PhoneFailure>)])
  func anUnpairedPhoneTakesTheOnlyRecorderInSight(
    _ count: Int, _ outcome: Result<PhoneResult, PhoneFailure>
  ) throws {
    var rig = PhoneRig(Self.recorders(count), library: try PhoneLibrary(.memory))
    #expect(try rig.perform(.connect(.paired)) == outcome)
  }

  @Test(
    arguments: [(0, .success(.done)), (1, .success(.done)), (7, .failure(.nothingInSight))]
      as [(UInt64, Result<PhoneResult, PhoneFailure>)])
  func aPhoneThatAdmitsOneRecorderHearsNoOther(
    _ offset: UInt64, _ outcome: Result<PhoneResult, PhoneFailure>
  ) throws {
    var rig = PhoneRig(Self.recorders(3), library: try PhoneLibrary(.memory)) {
      $0.admittedRecorders = [BluetoothAddress(Self.first.value + offset, .random)]
    }
    #expect(try rig.perform(.connect(.paired)) == outcome)
    if outcome == .success(.done) { #expect(rig.connected == Int(offset)) }
  }

  @Test func aNamedRecorderThatIsNotThereIsNotConfusedWithSilence() throws {
    var rig = PhoneRig(Self.recorders(2), library: try PhoneLibrary(.memory))
    let absent = BluetoothAddress(Self.first.value + 99, .random)
    #expect(try rig.perform(.connect(.address(absent))) == .failure(.othersInSight([Self.first, Self.second])))
  }

  @Test func aNamedRecorderIsTakenAmongSeveral() throws {
    var rig = PhoneRig(Self.recorders(3), library: try PhoneLibrary(.memory))
    #expect(try rig.perform(.connect(.address(Self.second))) == .success(.done))
    #expect(rig.connected == 1)
    #expect(
      try rig.perform(.connect(.address(Self.first))) == .failure(.connectionFailed(.connectionAlreadyExists)))
  }

  @Test func thePairedRecorderIsTakenAmongSeveral() throws {
    var rig = PhoneRig(Self.recorders(3), library: try PhoneLibrary(.memory))
    #expect(try rig.perform(.connect(.address(Self.second))) == .success(.done))
    #expect(try rig.perform(.pair) == .success(.done))
    #expect(try rig.perform(.disconnect) == .success(.done))
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
    #expect(rig.connected == 1)
    #expect(rig.application.link?.isSecured == true)
  }

  @Test(arguments: [nil, .seconds(1), .seconds(3), .seconds(6)] as [Duration?])
  func aPhoneThatWaitsToBeAskedForEncryptionGoesOnWithoutIt(asked: Duration?) throws {
    var rig = try PhoneRig(ModelRecorder()) { $0.waitsForSecurityRequest = true }
    try rig.pair()
    #expect(try rig.perform(.disconnect) == .success(.done))
    let token = rig.begin(.connect(.paired))
    rig.run { $0.application.link != nil }
    let linkUp = rig.now
    if let asked {
      rig.pass(asked)
      rig.inject(.securityRequested(try #require(rig.application.link).handle))
    }
    rig.run { $0.ended[token] != [] && ($0.application.link?.isSecured == true || asked == nil) }
    #expect(rig.ended[token] == [.success(.done)])
    let waited = Duration.nanoseconds(Int64(rig.now - linkUp))
    let expected = asked ?? PhoneTimeouts().securityRequest
    #expect((expected..<expected + .seconds(1)).contains(waited))
    #expect(rig.application.link?.isSecured == (asked != nil))
    #expect(try rig.perform(.readBattery) == .success(.battery(84)))
  }

  @Test func aPhoneThatIsAskedForEncryptionWaitsForItsEnd() throws {
    var rig = try PhoneRig(ModelRecorder()) { $0.waitsForSecurityRequest = true }
    try rig.pair()
    #expect(try rig.perform(.disconnect) == .success(.done))
    let token = rig.begin(.connect(.paired))
    rig.run { $0.application.link != nil }
    rig.disturbed = (rig.steps, .silence)
    rig.inject(.securityRequested(try #require(rig.application.link).handle))
    rig.pass(.seconds(30))
    #expect(rig.ended[token] == [])
    rig.run { $0.ended[token] != [] }
    #expect(rig.ended[token] == [.failure(.noAnswer)])
  }

  @Test func aHiddenRecorderIsKnownByItsIdentity() throws {
    var recorder = ModelRecorder()
    recorder.identity = BluetoothAddress(0xC0DE_0000_00AA, .random)
    recorder.record(sizes: [10])
    var rig = try PhoneRig(recorder)
    try rig.pair()
    _ = try rig.perform(.download(.newest))
    #expect(try rig.application.configuration.library.records().first?.recorder == recorder.identity)
    #expect(try rig.perform(.pair) == .failure(.alreadyPaired(try #require(recorder.identity))))
    #expect(try rig.perform(.disconnect) == .success(.done))
    rig.recorders[0].isInSight = false
    _ = rig.begin(.connect(.paired))
    let hidden = BluetoothAddress(0x4000_0000_0001, .random)
    rig.inject(
      .advertisingReport(
        AdvertisingReport(
          address: hidden, identity: try #require(recorder.identity), isScanResponse: false, isConnectable: true,
          data: [], signalStrength: nil)))
    #expect(rig.application.search.attempt == hidden)
  }

  @Test func theBatteryIsReadBeforeTheFirstRequestAndAgainEveryMinute() throws {
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    #expect(rig.recorders[0].requests.isEmpty)
    #expect(rig.application.battery.level == 84)
    let readings = { (rig: PhoneRig) in rig.events.count { if case .battery = $0 { true } else { false } } }
    let before = readings(rig)
    rig.pass(.seconds(180))
    #expect(readings(rig) - before >= 3)
  }

  @Test func everySubscriptionIsWrittenInEveryConnection() throws {
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    for _ in 0..<2 {
      #expect(try rig.perform(.list) == .success(.records([])))
      #expect(
        rig.recorders[0].subscribed == [
          DictofunHandle.batteryLevel, DictofunHandle.filesList, DictofunHandle.filesListContinuation,
          DictofunHandle.generalStatus, DictofunHandle.fileInformation, DictofunHandle.fileData,
          DictofunHandle.fileSystemStatus,
        ])
      #expect(try rig.perform(.disconnect) == .success(.done))
      #expect(try rig.perform(.connect(.paired)) == .success(.done))
    }
  }

  @Test func aConnectionWhoseFirstPacketsAreLostIsTriedAgain() throws {
    var rig = try PhoneRig(ModelRecorder())
    rig.disturbed = (0, .linkLoss)
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
    #expect(try rig.perform(.disconnect) == .success(.done))
    let connect = rig.begin(.connect(.paired))
    for _ in 1..<PhoneApplication.connectionAttempts {
      rig.run { if case .preparing = $0.application.running?.stage { true } else { false } }
      rig.loseLink(.connectionFailedToBeEstablished)
      rig.run { $0.application.link == nil }
    }
    rig.run { $0.ended[connect] != [] }
    #expect(rig.ended[connect] == [.success(.done)])
  }

  @Test func theHistoryOfConnectionsSurvivesARestart() throws {
    let library = try PhoneLibrary(.memory)
    var rig = PhoneRig([ModelRecorder()], library: library)
    try rig.pair()
    rig.request(.restart)
    rig.pass(.seconds(1))
    #expect(
      try library.connectionHistory().map(\.status) == [
        .connected, .secured, .paired, .disconnected(reason: ErrorCode.connectionTerminatedByLocalHost.rawValue),
      ])
    #expect(rig.hostStarts == 2)
    #expect(try rig.perform(.connect(.paired)) == .success(.done))
    #expect(rig.application.link?.isSecured == true)
  }

  // MARK: Pairing

  @Test func aSecondPairingIsRefusedUntilTheFirstIsRemoved() throws {
    var rig = PhoneRig(Self.recorders(2), library: try PhoneLibrary(.memory))
    #expect(try rig.perform(.connect(.address(Self.first))) == .success(.done))
    #expect(try rig.perform(.pair) == .success(.done))
    #expect(try rig.perform(.pair) == .failure(.alreadyPaired(Self.first)))
    #expect(try rig.perform(.disconnect) == .success(.done))
    #expect(try rig.perform(.connect(.address(Self.second))) == .success(.done))
    #expect(try rig.perform(.pair) == .failure(.alreadyPaired(Self.first)))
    #expect(!rig.recorders[1].isBonded)
    // The first recorder is not there: the phone forgets its keys all the same.
    #expect(try rig.perform(.unpair) == .success(.done))
    #expect(try rig.perform(.pair) == .success(.done))
    #expect(try rig.application.configuration.library.pairedRecorder()?.identity == Self.second)
  }

  @Test func unpairingTellsTheRecorder() throws {
    var rig = try PhoneRig(ModelRecorder())
    #expect(try rig.perform(.unpair) == .failure(.notPaired))
    try rig.pair()
    #expect(try rig.perform(.unpair) == .success(.done))
    #expect(!rig.recorders[0].isBonded)
    #expect(try rig.application.configuration.library.bonds().isEmpty)
    #expect(rig.connected != nil, "the link stays")
  }

  @Test func keysThatTheRecorderLostEndTheConnectionAndStay() throws {
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    #expect(try rig.perform(.disconnect) == .success(.done))
    rig.recorders[0].isBonded = false
    #expect(try rig.perform(.connect(.paired)) == .failure(.securityFailed(.pinOrKeyMissing)))
    #expect(rig.connected == nil)
    #expect(try rig.application.configuration.library.pairedRecorder() != nil)
    #expect(try rig.perform(.unpair) == .success(.done))
    try rig.pair()
  }

  /// The host encrypts as soon as the recorder asks, which may be earlier than the phone would have; a recorder that lost its
  /// keys ends the link then. What was encrypted after all ended for another reason.
  @Test(arguments: [false, true]) func keysThatTheRecorderLostEndTheConnectionWhenItAsksFirst(isSecured: Bool) throws {
    var rig = try PhoneRig(ModelRecorder())
    try rig.pair()
    #expect(try rig.perform(.disconnect) == .success(.done))
    let token = rig.begin(.connect(.paired))
    rig.run { $0.application.link != nil }
    rig.inject(.securityFailed(try #require(rig.application.link).handle, .pinOrKeyMissing))
    if isSecured { rig.run { $0.application.link?.isSecured == true } }
    #expect(rig.ended[token] == [])
    rig.loseLink(.remoteUserTerminatedConnection)
    rig.run { $0.ended[token] != [] }
    let expected: PhoneFailure =
      isSecured ? .disconnected(.remoteUserTerminatedConnection) : .securityFailed(.pinOrKeyMissing)
    #expect(rig.ended[token] == [.failure(expected)])
  }

  @Test(arguments: [DictofunUUID.fileTransferService, DictofunUUID.batteryService])
  func aRecorderWithoutAServiceIsLeft(_ missing: BluetoothUUID) throws {
    var rig = try PhoneRig(ModelRecorder())
    rig.recorders[0].missingService = missing
    #expect(try rig.perform(.connect(.paired)) == .failure(.serviceMissing(missing)))
    #expect(rig.connected == nil)
  }
}
