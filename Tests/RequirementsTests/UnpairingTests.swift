import Bytes
import HCI
import Testing
import Timeline

@testable import Requirements

/// Whom a request to unpair makes a stranger: whoever was told that it was taken.
@Suite struct Unpairing {
  /// What a recorder says of the write of 0xAD.
  enum Answer: CaseIterable {
    case taken, refused, none
  }

  private static func unpair(_ answer: Answer, _ script: inout PacketScript) {
    script.ask([0x12, 0x25, 0x00, 0xAD])
    switch answer {
    case .taken: script.hear([0x13])
    case .refused: script.hear([0x01, 0x12, 0x25, 0x00, 0x0F])
    case .none: break
    }
  }

  /// A phone that is asked for encryption first, as every phone with a bond is.
  @Test func aPhoneMayEncryptAfterARefusal() {
    var script = PacketScript()
    script.connect()
    script.discover()
    Self.unpair(.refused, &script)
    script.encrypt()
    Self.unpair(.taken, &script)
    script.disconnect(reason: 0x16)
    #expect(script.word(of: UnpairedKeysAreUseless.self) == "notExercised")
  }

  @Test(arguments: Answer.allCases, [UInt8(0x12), 0x52]) func keysAreOwedToWhomWasNotTaken(
    answer: Answer, opcode: UInt8
  ) {
    var script = PacketScript()
    Monitors.meet(&script)
    script.disconnect()
    script.connect()
    if opcode == 0x12 { Self.unpair(answer, &script) } else { script.ask([0x52, 0x25, 0x00, 0xAD]) }
    script.disconnect(reason: 0x08)
    script.connect()
    script.get(.event, [0x08, 4, 0x06, 0x40, 0, 0])
    // Where nobody heard the answer, the keys may be gone.
    let isOwed = opcode == 0x12 && answer == .refused
    #expect(script.word(of: RecognisesOwners.self) == (isOwed ? "violated" : "notExercised"))
  }

  @Test func aRefusedRequestLeavesTheOwner() {
    var script = PacketScript(.recorder(), isServingRecorder: true)
    script.state(.bondMade(recorder: 0, PacketScript.phoneAddress, others: 1))
    script.connect(role: .peripheral)
    script.hear([0x12, 0x25, 0x00, 0xAD])
    script.ask([0x01, 0x12, 0x25, 0x00, 0x0F])
    script.wait(.seconds(40))
    #expect(script.word(of: StrangersLeave.self) == "violated")
  }

  /// Whether the second recorder refused, or forgot a pairing that was not meant.
  @Test(arguments: [Answer.taken, .refused]) func anotherRecorderDoesNotEndAPairing(answer: Answer) {
    var script = PacketScript()
    let other = BluetoothAddress(0xC0FF_EE00_0001, .random)
    Monitors.meet(&script)
    script.disconnect()
    script.connect(to: other)
    script.discover()
    Self.unpair(answer, &script)
    script.events.append(ProductEvent(at: script.now, from: .phone(), link: 2, peer: other, .paired(nil)))
    #expect(script.word(of: OneRecorderAtATime.self) == "violated")
  }

  @Test func aRefusedRequestIsNoReasonToEndTheLink() {
    var script = PacketScript()
    script.state(.recorderState(recorder: 0, name: "BLE_OPERATION"))
    Monitors.meet(&script)
    Self.unpair(.refused, &script)
    script.disconnect(reason: 0x13)
    #expect(script.word(of: KeepsAPhoneThatBehaves.self) == "violated")
  }
}
