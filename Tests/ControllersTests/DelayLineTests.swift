import HCI
import Testing
import Timeline

@testable import Controllers

/// Packets under way between host and controller, against a plain list of them.
@Suite struct DelayLineTests {
  @Test func packetsLeaveInOrderWhenTheyAreDueHoweverManyWait() {
    let stream = ChoiceSource(seed: 3).stream("line")
    var line = DelayLine()
    var model: [(number: UInt8, due: UInt64)] = []
    var now: UInt64 = 0
    var most = 0
    for number in 0..<4_000 {
      // The line fills for a while and then empties, so that its ring grows while it is wrapped.
      if stream.below(100) < (number / 500 % 2 == 0 ? 70 : 40) {
        let due = now + 50
        let mustWake = line.push(HCIPacket(.acl, [UInt8(truncatingIfNeeded: number)]), due: due)
        #expect(mustWake == (model.last?.due != due))
        model.append((UInt8(truncatingIfNeeded: number), due))
        most = max(most, model.count)
      } else {
        now += stream.below(3)
        let packet = line.pop(due: now)
        let expected = model.first.flatMap { $0.due <= now ? $0.number : nil }
        #expect(packet?.bytes.first == expected)
        if expected != nil { model.removeFirst() }
      }
    }
    #expect(most > 32)
    line.removeAll()
    let nothing = line.pop(due: .max)
    #expect(nothing == nil)
  }
}
