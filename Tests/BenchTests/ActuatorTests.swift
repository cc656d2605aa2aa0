import Bytes
import ScenarioLanguage
import Testing
import Timeline
import World

@testable import Bench

/// An actuator that exists only here: a relay at the button, stated under a field of its own.
private struct RelayPlan: FieldGroupValue, ActuatorPlan {
  static let channelField = Field<Int>("channel", "Which relay.")
  static let field = Field<RelayPlan?>("relay", "A relay at the button.")
  static var group: FieldGroup { FieldGroup([channelField], shorthand: channelField) }
  static var key: any FieldKey { field }
  static func stated(in arguments: Arguments) -> RelayPlan? { arguments[field] }

  let channel: Int
  var log = RelayLog()

  init(_ arguments: Arguments) { channel = arguments[Self.channelField] }
  init(channel: Int) { self.channel = channel }

  var purposes: [Purpose] { [.press, .release] }
  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? { Relay(self) }
}

/// What relays were told.
private final class RelayLog: @unchecked Sendable {
  var entries: [String] = []
}

private final class Relay: Actuator {
  private let plan: RelayPlan

  init(_ plan: RelayPlan) { self.plan = plan }

  func identify() async throws(ControlFailure) -> [BenchTrait] { [BenchTrait("relay", "\(plan.channel)")] }

  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool {
    switch deed {
    case .press: plan.log.entries.append("on \(plan.channel)")
    case .release: plan.log.entries.append("off \(plan.channel)")
    default: return false
    }
    return true
  }

  func close() { plan.log.entries.append("close") }
}

@Suite struct Actuators {
  private let address: BluetoothAddress
  private let rig: BenchRig

  init() throws {
    rig = try BenchRig("operator: [rail]")
    address = rig.place.address
  }

  private func device(_ plans: [any ActuatorPlan]) throws -> ActuatedDevice {
    try ActuatedDevice(
      "device", RecorderPlace(address, plans.map { ($0, nil) }), operator: nil, on: rig.loop, rig.waits)
  }

  @Test func aNewKindIsOneConformance() throws {
    let relay = RelayPlan(channel: 7)
    let place = RecorderPlace(address, [(relay, nil)])
    #expect(place.abilities(isAttended: false) == [.button])
    let device = try device([relay])
    try rig.run {
      #expect(try await device.identify() == [BenchTrait("relay", "7")])
      try await device.pressButton()
      try await device.releaseButton()
    }
    #expect(throws: ControlFailure.lacking("actuators: rail")) { try rig.run { try await device.powerOn() } }
    device.close()
    #expect(relay.log.entries == ["on 7", "off 7", "close"])
  }

  @Test func theFirstThatCanDoesIt() throws {
    let (first, second) = (RelayPlan(channel: 1), RelayPlan(channel: 2))
    let device = try device([first, second])
    try rig.run { try await device.pressButton() }
    #expect(first.log.entries == ["on 1"])
    #expect(second.log.entries == [])
    // What was pressed is released after the scenario.
    #expect(try rig.run { await device.restore(batteryMillivolts: 3_700) } == [])
    #expect(first.log.entries == ["on 1", "off 1"])
  }

  @Test func anActuatorThatDoesOnlyHalfOfItIsNoAbility() throws {
    let place = try benchFile("commands: [{for: press, run: [/bin/true]}]").recorders[0]
    #expect(place.abilities(isAttended: false) == [])
  }

  @Test func everyKindOfTheBenchFileHasAFieldOfItsOwn() {
    let names = ActuatorKinds.all.map { $0.key.declaration.name }
    #expect(Set(names).count == names.count)
    #expect(names.starts(with: ["commands", "supply", "pico", "flash", "console", "operator"]))
  }
}
