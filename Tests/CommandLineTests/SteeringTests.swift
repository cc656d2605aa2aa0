import Bench
import Session
import Testing

@testable import dictobench

@Suite struct SteeringKeyTests {
  @Test func keysAreOrders() {
    var keys = SteeringKeys()
    #expect(
      ["p", "p", "p", "b", "b", "b", "x", "z"].map { keys.order($0) } == [
        "hold", "release", "hold", "battery: 3.4 V", "battery: 2.9 V", "battery: 3.7 V", "break", nil,
      ])
    for key in "pbxrfi" { #expect(keys.order(key).flatMap { SteeringOrder($0) }?.word != nil) }
  }
}
