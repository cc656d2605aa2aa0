import Bench
import Transports
import World

/// What a set-up tells.
package enum SetupEvent: Equatable, Sendable {
  /// A sentence for the person.
  case say(String)
  /// A question, which ``SetupSession`` waits to be answered.
  case ask(String)
  /// The phone listens for recorders.
  case listening
}

/// Holds the set-up conversation: asks, listens and identifies until there is a bench or the person wants no more.
package struct SetupSession {
  /// How a set-up ended.
  package enum End: Sendable {
    /// This bench is to be kept.
    case keep(BenchDraft)
    /// There is no bench, for this reason.
    case quit(SetupEnd)
    /// No answer came.
    case unanswered
  }

  /// How the set-up looks at the bench. Tests put a scripted look in its place.
  package struct Look {
    /// Listens for recorders through a controller.
    package var listen: (TransportSpecification) -> SetupInput
    /// Asks a supply what it is.
    package var identify: (LineResource) -> SetupInput

    package init(
      listen: @escaping (TransportSpecification) -> SetupInput, identify: @escaping (LineResource) -> SetupInput
    ) {
      self.listen = listen
      self.identify = identify
    }

    /// Looks at what is really there. Listens for three seconds: recorders advertise every 125 ms.
    package static func live(knowing library: QuirkLibrary) -> Look {
      Look(
        listen: { controller in
          do throws(ControlFailure) {
            let look = try RadioLook(controller, listening: .seconds(3), knowing: library)
            return .heard(look.sightings, trouble: nil)
          } catch { return .heard([], trouble: sentence(error)) }
        },
        identify: { line in
          do throws(ControlFailure) { return .identified(try InstrumentQuestion.supply(at: line), trouble: nil) } catch
          {
            return .identified(nil, trouble: sentence(error))
          }
        })
    }

    private static func sentence(_ failure: ControlFailure) -> String {
      if case .bench(let fault) = failure { fault.description } else { "\(failure)" }
    }
  }

  private var conversation: SetupConversation
  private let look: Look
  private let answer: () -> String?
  private let tell: (SetupEvent) -> Void

  /// A set-up that reads answers from `answer`, which returns `nil` when none comes.
  package init(
    _ conversation: SetupConversation, look: Look, answer: @escaping () -> String?,
    tell: @escaping (SetupEvent) -> Void
  ) {
    self.conversation = conversation
    self.look = look
    self.answer = answer
    self.tell = tell
  }

  /// Holds the conversation to its end.
  package mutating func run() -> End {
    var inputs = [SetupInput.begin]
    while let input = inputs.popLast() {
      var effects: [SetupEffect] = []
      conversation.handle(input, &effects)
      for effect in effects {
        switch effect {
        case .say(let text): tell(.say(text))
        case .ask(let text):
          tell(.ask(text))
          guard let line = answer() else { return .unanswered }
          inputs = [.line(line)]
        case .listen(let controller):
          tell(.listening)
          inputs = [look.listen(controller)]
        case .identify(let line): inputs = [look.identify(line)]
        case .keep(let draft): return .keep(draft)
        case .quit(let end): return .quit(end)
        }
      }
    }
    return .quit(.misunderstood)
  }
}
