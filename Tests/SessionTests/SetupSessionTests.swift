import Bench
import Phone
import Synchronization
import Testing
import Transports

@testable import Session

@Suite struct SetupSessions {
  private static let controller = TransportSpecification.usb(.index(0))

  private static func conversation() -> SetupConversation {
    SetupConversation(adapters: [], lines: [], place: "bench", controller: controller)
  }

  @Test func nothingIsKeptWhenNobodyAnswers() {
    let told = Mutex<[SetupEvent]>([])
    var session = SetupSession(
      Self.conversation(), look: .init(listen: { _ in .heard([], trouble: nil) }, identify: { _ in .begin }),
      answer: { nil }, tell: { event in told.withLock { $0.append(event) } })
    guard case .unanswered = session.run() else {
      Issue.record("a set-up without answers came to something else")
      return
    }
    #expect(told.withLock { $0.contains { if case .ask = $0 { true } else { false } } })
  }

  @Test func answersReachTheConversationUntilItEnds() {
    let answers = Mutex(["1", "quit"])
    var session = SetupSession(
      Self.conversation(), look: .init(listen: { _ in .heard([], trouble: nil) }, identify: { _ in .begin }),
      answer: { answers.withLock { $0.isEmpty ? nil : $0.removeFirst() } }, tell: { _ in })
    guard case .quit(.left) = session.run() else {
      Issue.record("`quit` did not end the set-up")
      return
    }
    #expect(answers.withLock { $0.isEmpty })
  }
}
