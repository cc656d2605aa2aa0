import Bench
import Testing

@testable import Session

@Suite struct SteeringOrders {
  static let orders: [(line: String, word: String, value: String?, recorder: String?, step: String)] = [
    (#"{"press": "2 s"}"#, "press", "2 s", nil, "press: 2 s"),
    (#"{"as": "recorder-1", "battery": "3.05 V"}"#, "battery", "3.05 V", "recorder-1", "battery: 3.05 V"),
    (#"{"hold": null}"#, "hold", nil, nil, "hold"), (#"{"hold": true}"#, "hold", nil, nil, "hold"),
    (#"{"events": false}"#, "events", "false", nil, "events: false"),
    (#"{"cut-power": 3}"#, "cut-power", "3", nil, "cut-power: 3"),
    (
      #"{"set-clock": "2024-12-31 23:59:50"}"#, "set-clock", "2024-12-31 23:59:50", nil,
      "set-clock: '2024-12-31 23:59:50'"
    ),
    (#"{"set-clock": {"back": "1 h"}}"#, "set-clock", nil, nil, "set-clock: {back: 1 h}"),
    (#"{"sound": "it's.wav", "press": "2 s"}"#, "press", "2 s", nil, "press: 2 s, sound: 'it''s.wav'"),
    (
      " press: 2 s, sound: a.wav, as: recorder-1", "press", "2 s, sound: a.wav", "recorder-1",
      "press: 2 s, sound: a.wav"
    ),
    ("reboot", "reboot", nil, nil, "reboot"),
  ]

  @Test(arguments: orders.indices) func bothFormsAreStepsOfADevice(_ index: Int) throws {
    let expected = Self.orders[index]
    let order = try #require(SteeringOrder(expected.line))
    #expect(order.word == expected.word)
    #expect(order.value == expected.value)
    #expect(order.recorder == expected.recorder)
    #expect(order.step == expected.step)
  }

  /// What an order does not take is refused: it may have meant another recorder.
  @Test(arguments: [
    (#"{"reboot": null, "recorder": "recorder-1"}"#, "reboot has no member recorder; expected only `as`"),
    (#"{"reboot": null, "a": "recorder-1"}"#, "did you mean as?"),
    (#"{"events": true, "of": 1}"#, "events has no member of"), (#"{"reboot": "recorder-1"}"#, "reboot takes no value"),
    (#"{"inspect": {"as": "recorder-1"}}"#, "inspect takes no value"), ("reboot: recorder-1", "reboot takes no value"),
    (#"{"press": "2 s", "as": 1}"#, "`as` needs the name of a recorder"),
  ])
  func whatAnOrderDoesNotTakeIsSaid(line: String, complaint: String) throws {
    let order = try #require(SteeringOrder(line))
    let said = try #require(order.complaint)
    #expect(said.contains(complaint), "\(said)")
  }

  @Test(arguments: [
    #"{"reboot": true, "as": "recorder-1"}"#, #"{"events": false}"#, #"{"press": "2 s", "sound": "a.wav"}"#,
    "reboot, as: recorder-1", "fault: next", #"{"place": "a.wav"}"#,
  ])
  func anOrderThatIsWholeHasNoComplaint(line: String) throws {
    let order = try #require(SteeringOrder(line))
    #expect(order.complaint == nil)
  }

  /// A step becomes a line of a scenario; a second line of it would be a step that nobody looked at.
  @Test(arguments: [
    "press: 2 s}\r  - device: {reboot", "press: 2 s}\u{2028}  - device: {reboot",
    "press: 2 s}\u{85}  - device: {reboot",
    #"{"press: 2 s}\n  - device: {reboot": true}"#, #"{"place": "a\nb"}"#,
  ])
  func anOrderIsOneLine(line: String) {
    #expect(SteeringOrder(line) == nil)
  }

  @Test(arguments: ["", " ", "{", "{}", #"{"as": "recorder-1"}"#]) func anythingElseIsNoOrder(line: String) {
    #expect(SteeringOrder(line) == nil)
  }
}
