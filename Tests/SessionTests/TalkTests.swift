import Bytes
import Phone
import Synchronization
import Testing
import Timeline

@testable import Session

/// The short conversations, with a scripted phone.
@Suite struct Talks {
  static let address = BluetoothAddress(0xC605_0403_0201, .random)
  static let other = BluetoothAddress(0xC605_0403_0202, .random)

  private static func sighting(_ address: BluetoothAddress) -> RecorderSighting {
    RecorderSighting(
      address: address, identity: address, name: "dict", signalStrength: -50, lastHeardNanoseconds: 1_500_000_000,
      isPaired: false)
  }

  @Test func aScanTellsOnlyTheRecorderThatIsMeant() async throws {
    let phone = ScriptedPhone { _, _ in .success(.recorders([Self.sighting(Self.address), Self.sighting(Self.other)])) }
    let all = try await RecorderConversation(phone, .paired).scan(for: .seconds(2))
    #expect(all.recorders.map(\.address) == [Self.address, Self.other])
    #expect(all.age(of: Self.sighting(Self.other)) == .milliseconds(500))
    let one = try await RecorderConversation(phone, .address(Self.other)).scan(for: .seconds(2))
    #expect(one.recorders.map(\.address) == [Self.other])
  }

  @Test func pairingRefusesWhileAnotherRecorderIsPaired() async throws {
    let phone = ScriptedPhone(paired: Self.address) { _, _ in .success(.done) }
    await #expect(throws: PhoneFailure.alreadyPaired(Self.address)) {
      _ = try await RecorderConversation(phone, .address(Self.other)).pair()
    }
    #expect(phone.operations.isEmpty)
  }

  @Test func pairingReadsOnceMoreSoThatTheKeysArrive() async throws {
    let phone = ScriptedPhone { operation, phone in
      if case .pair = operation { phone.pair(with: Self.address) }
      return .success(.done)
    }
    let result = try await RecorderConversation(phone, .paired).pair()
    #expect(result.recorder == Self.address)
    #expect(result.isNew)
    #expect(phone.operations == [.connect(.paired), .pair, .readBattery])
  }

  @Test func unpairingTellsTheRecorderOnlyWhereThatIsWanted() async throws {
    for tells in [true, false] {
      let phone = ScriptedPhone(paired: Self.address) { _, _ in .success(.done) }
      #expect(try await RecorderConversation(phone, .paired).unpair(tellsRecorder: tells) == Self.address)
      #expect(phone.operations == (tells ? [.connect(.paired)] : []) + [.unpair])
    }
    let stranger = ScriptedPhone { _, _ in .success(.done) }
    await #expect(throws: PhoneFailure.notPaired) {
      _ = try await RecorderConversation(stranger, .paired).unpair(tellsRecorder: true)
    }
  }

  @Test func batteryLevelsAbove100AreNoPercentage() {
    #expect(BatteryReading(octet: 96).percent == 96)
    #expect(!BatteryReading(octet: 96).isLow)
    #expect(BatteryReading(octet: 5).isLow)
    #expect(BatteryReading(octet: 255).percent == nil)
    #expect(!BatteryReading(octet: 255).isLow)
  }

  @Test func recordsThatTheRecorderDoesNotFindAreTold() async throws {
    let phone = ScriptedPhone { operation, _ in
      switch operation {
      case .list: .success(.records(["0000240112101112", "0000240112101113"]))
      case .inform(.identifier("0000240112101112")): .success(.size(640))
      case .inform: .failure(.recordNotFound("0000240112101113"))
      default: .success(.done)
      }
    }
    let rows = try await RecorderConversation(phone, .paired).listRecords()
    #expect(rows.map(\.size) == [640, nil])
    #expect(rows.map(\.trouble) == [nil, .unknown])
    #expect(rows.map(\.state) == [.new, .new])
  }

  @Test func theNewestRecordTellsWhetherTheClockWasAhead() {
    var findings = TimeFindings()
    // 2024-01-12 10:11:12 is 758,370,… seconds after 2000; the phone's time lies three seconds before it.
    findings.take(["0000240112101109", "0000240112101112", "0000000000000001"], at: 0)
    let date = findings.newest?.date
    #expect(findings.undated == 1)
    #expect(findings.newest?.identifier.description == "0000240112101112")
    var close = TimeFindings()
    close.take(["0000240112101112"], at: (date?.secondsSince2000 ?? 0) - 2)
    #expect(!close.isAhead)
    close.take(["0000240112101112"], at: (date?.secondsSince2000 ?? 0) - 3)
    #expect(findings.isAhead)
  }

  @Test func theTimeIsServedOrRefusedBeforeTheSpanIsOver() async throws {
    let phone = ScriptedPhone { operation, _ in
      if case .list = operation { return .success(.records([])) }
      return .success(.done)
    }
    phone.prepare([.timeRefused])
    let findings = try await RecorderConversation(phone, .paired).serveTime(for: .seconds(5))
    #expect(findings.isRefused)
    #expect(findings.served == nil)
    #expect(phone.now == Instant.zero.advanced(by: .milliseconds(10)))
  }
}
