import Bytes
import Testing
import Timeline
import Verdicts

@testable import Requirements

/// By what names reports call phones and recorders.
@Suite struct PartyNaming {
  private static let addresses = [
    BluetoothAddress(0xC001_0203_0405, .random), BluetoothAddress(0xC001_0203_0A0A, .random),
  ]
  private static let several = PartyNames(
    phones: ["hers", "his"], recorders: [("green", addresses[0]), ("blue", addresses[1])])
  private static let onePhone = PartyNames(
    phones: ["phone"], recorders: [("green", addresses[0]), ("blue", addresses[1])])

  private static func read(by phone: UInt16, _ parties: PartyNames?) -> ProductEvent {
    var event = ProductEvent(at: .zero, from: .phone(phone), link: 1, peer: addresses[1], .batteryRead(84))
    event.parties = parties
    return event
  }

  @Test func whoIsOneOfAKindNeedsNoName() {
    #expect(Self.read(by: 0, nil).who == "recorder → phone")
    #expect(Self.read(by: 0, nil).told.recorder == "recorder")
  }

  @Test func whoIsOneOfSeveralHasTheNameOfTheScenarioAtBothEnds() {
    #expect(Self.read(by: 1, Self.several).who == "blue → his")
    #expect(Self.read(by: 0, Self.onePhone).who == "blue → phone")
    #expect(Self.read(by: 1, Self.several).told.recorder == "blue")
    #expect(Self.read(by: 1, Self.several).told.phone == "his")
    var pressed = ProductEvent.oracle(.buttonPressed(recorder: 1), at: .zero)
    pressed.parties = Self.several
    #expect(pressed.who == "blue")
  }

  @Test func anAddressOfNobodyStaysAnAddress() {
    let stranger = BluetoothAddress(0xC0FF_EE00_0000, .random)
    #expect(Self.several.recorder(at: stranger) == "\(stranger)")
  }

  /// Nordic's bootloader advertises with the address of the application plus one.
  @Test func theBootloaderIsTheRecorder() {
    #expect(Self.several.recorder(at: BluetoothAddress(0xC001_0203_0A0B, .random)) == "blue")
  }

  @Test(arguments: [
    ("recorder 1 lost 0000240101075000", "blue lost 0000240101075000"),
    ("recorder 0: phone 1 is gone", "green: his is gone"),
    ("recorder 7 and the phone 12 m away", "recorder 7 and the phone 12 m away"),
  ]) func monitorsKnowNumbersAndReportsTellNames(sentence: String, told: String) {
    #expect(Self.several.told(sentence) == told)
  }

  @Test func theOnlyOneOfAKindKeepsItsNumberInSentencesOfMonitors() {
    #expect(Self.onePhone.told("phone 0 asked recorder 1") == "phone 0 asked blue")
  }
}
