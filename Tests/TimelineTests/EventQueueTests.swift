import Testing

@testable import Timeline

/// The queue against a list that is looked through.
struct EventQueues {
  private struct Waiting {
    var time: UInt64
    var number: Int
    var event: ScheduledEvent
  }

  @Test(arguments: 1...20)
  func eventsLeaveInOrderOfTheirTimeAndOfTheirComing(seed: UInt64) {
    let chance = ChoiceSource(seed: seed).stream("queue")
    var queue = EventQueue<Int>()
    var waiting: [Waiting] = []
    var now: UInt64 = 0
    for number in 0..<2000 {
      switch chance.below(5) {
      case 0...2:
        let time = now + chance.below(50)
        waiting.append(Waiting(time: time, number: number, event: queue.push(at: time, .normal, number)))
      case 3 where !waiting.isEmpty:
        let cancelled = waiting.remove(at: Int(chance.below(UInt64(waiting.count)))).event
        let wasWaiting = queue.cancel(cancelled)
        #expect(wasWaiting)
        let isStillWaiting = queue.cancel(cancelled)
        #expect(!isStillWaiting)
      default:
        let first = waiting.min { ($0.time, $0.number) < ($1.time, $1.number) }
        let next = queue.nextTime()
        #expect(next == first?.time)
        guard let first else { continue }
        let popped = queue.pop()
        #expect(popped == first.number)
        now = first.time
        waiting.removeAll { $0.number == first.number }
      }
      let isEmpty = queue.isEmpty
      #expect(isEmpty == waiting.isEmpty)
      let count = queue.normalCount
      #expect(count == waiting.count)
    }
  }
}
