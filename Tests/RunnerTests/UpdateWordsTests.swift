import Bytes
import Requirements
import ScenarioLanguage
import SecureDFU
import Testing
import Timeline

@testable import Runner

@Suite struct UpdateWords {
  private static let application = BluetoothAddress(0xC001_0203_04FF, .random)
  private static let bootloader = BluetoothAddress(0xC001_0203_0400, .random)

  private func isMeant(_ pattern: String, by subject: String? = nil, _ happening: Happening) throws -> Bool {
    let step = subject.map { ", as: \($0)" } ?? ""
    let scenario = try Playing.scenarios("steps: [{eventually: \(pattern), within: 1 s\(step)}]")[0]
    guard case .eventually(let pattern, within: _) = scenario.steps[0].action else {
      Issue.record("the step waits for an event")
      return false
    }
    let words = EventWords(phones: ["phone"], devices: [("device", Self.application)])
    let event: ProductEvent
    if case .oracle(let oracle) = happening {
      event = .oracle(oracle, at: .zero)
    } else {
      event = ProductEvent(at: .zero, from: .phone(), link: 1, peer: Self.bootloader, happening)
    }
    return words.match(event, pattern)
  }

  private func request(_ octets: [UInt8]) throws -> BootloaderRequest { try #require(BootloaderRequest(octets)) }

  private func answer(_ octets: [UInt8]) throws -> Happening {
    let reply = try ControlPointReply(decoding: octets)
    return .firmwareUpdate(.answered(try request([octets[1]]), BootloaderAnswer(reply: reply)))
  }

  @Test func requestsHaveWords() throws {
    let create = Happening.firmwareUpdate(.requested(try request([1, 2, 0, 16, 0, 0])))
    #expect(try isMeant("{dfu.request: {opcode: create, object: data, size: 4 KiB}}", create))
    #expect(try !isMeant("{dfu.request: {opcode: create, object: command}}", create))
    #expect(try !isMeant("{dfu.request: {opcode: execute}}", create))
    #expect(try isMeant("{dfu.request: {opcode: other}}", .firmwareUpdate(.requested(try request([9])))))
    let start = Happening.firmwareUpdate(.buttonlessRequested(.startBootloader))
    #expect(try isMeant("{dfu.request: {opcode: start-bootloader}}", start))
    #expect(try isMeant("{dfu.reply: success}", .firmwareUpdate(.buttonlessAnswered(.startBootloader, result: 1))))
  }

  @Test func resultsHaveWordsAndNumbers() throws {
    let refused = try answer([0x60, 4, 0x0B, 6])
    #expect(try isMeant("{dfu.reply: {opcode: execute, result: extended-error, extended: hardware-version}}", refused))
    #expect(try isMeant("{dfu.reply: {result: 11, extended: 6}}", refused))
    #expect(try !isMeant("{dfu.reply: {extended: firmware-version}}", refused))
    #expect(try !isMeant("{dfu.reply: success}", refused))
    #expect(try isMeant("{dfu.reply: 200}", try answer([0x60, 4, 200])))
  }

  @Test func whatPhoneAndRecorderStateHasWords() throws {
    func oracle(_ update: UpdateOracle) -> Happening { .oracle(.update(update)) }
    let state = UpdateState(place: .bootloader, phase: .sending, octets: 50, total: 100)
    let shown = oracle(.shown(phone: 0, state))
    #expect(try isMeant("{update.state: {phase: sending, place: bootloader, percent: 50 %}}", shown))
    #expect(try isMeant("{update.state: sending}", shown))
    #expect(try !isMeant("{update.state: {percent: {at-least: 51 %}}}", shown))
    #expect(try isMeant("{update.offered: 3}", oracle(.offered(phone: 0, version: 3))))
    #expect(try isMeant("{update.ended: none}", oracle(.ended(phone: 0, .none))))
    #expect(try !isMeant("{update.ended: new}", oracle(.ended(phone: 0, .old))))
    let started = oracle(.firmwareStarted(recorder: 0, version: 2, isWhole: false))
    #expect(try isMeant("{device.firmware: {version: 2, whole: false}}", started))
    #expect(try isMeant("device.bootloader", oracle(.bootloaderStarted(recorder: 0))))
  }

  @Test func aBootloaderGoesByTheNameOfItsRecorder() throws {
    let request = Happening.firmwareUpdate(.requested(try request([4])))
    #expect(try isMeant("{dfu.request: {opcode: execute}}", by: "device", request))
  }
}
