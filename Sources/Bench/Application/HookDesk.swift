import Bytes
import Text
import Timeline
import World

/// Uses somebody else's application: each action by the hook of the bench file where there is one, else by the operator;
/// what nobody can do is lacking.
package final class HookDesk: ApplicationDriver {
  private let plan: PhonePlan
  private let desk: OperatorDesk?
  private let loop: EventLoop
  private let waits: Waits

  package init(_ plan: PhonePlan, operator place: OperatorPlace?, on loop: EventLoop, _ waits: Waits) {
    self.plan = plan
    self.loop = loop
    self.waits = waits
    desk = place.map { OperatorDesk($0, plan.helper, on: loop, waits) }
  }

  package func perform(
    _ action: ApplicationAction, _ parameters: ApplicationParameters
  ) async throws(ControlFailure) -> ApplicationAnswer {
    if let hook = plan.hooks.first(where: { $0.action == action }) { return try await run(hook, parameters) }
    guard let desk, plan.can(action, isAttended: true) else { throw .lacking(action.capability) }
    return action == .ask
      ? try await question(parameters.question ?? "", desk) : try await byHand(action, parameters, desk)
  }

  // MARK: Hooks

  private func run(
    _ hook: HookPlan, _ parameters: ApplicationParameters
  ) async throws(ControlFailure) -> ApplicationAnswer {
    let program = ExternalProgram(
      hook.words, within: hook.limit, environment: Self.environment(hook.action, parameters))
    let outcome = try await program.run(on: loop, waits)
    let name = hook.words.first ?? ""
    guard outcome.code == 0 else {
      let last = outcome.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      throw .bench(
        "the hook for \(hook.action.rawValue) ended with \(outcome.code.map { "exit code \($0)" } ?? "a signal")"
          + (last.isEmpty ? "" : " and said `\(PlainText.escaped(last, limit: 120))`") + "",
        advice: "run it by hand to see why")
    }
    return try HookAnswer.read(outcome.output, of: name)
  }

  /// What a hook is told, as variables of its environment.
  static func environment(_ action: ApplicationAction, _ parameters: ApplicationParameters) -> [String] {
    let variables: [(String, String?)] = [
      ("ACTION", action.rawValue), ("RECORDER", parameters.recorder?.description), ("RECORD", parameters.record),
      ("SECONDS", parameters.seconds.map(String.init)), ("PLACE", parameters.place),
      ("QUESTION", parameters.question), ("FINISH", parameters.finishes.map { $0 ? "yes" : "no" }),
    ]
    return variables.compactMap { name, value in value.map { "DICTOBENCH_\(name)=\($0)" } }
  }

  // MARK: By hand

  private func byHand(
    _ action: ApplicationAction, _ parameters: ApplicationParameters, _ desk: OperatorDesk
  ) async throws(ControlFailure) -> ApplicationAnswer {
    var request = "On the phone: \(action.meaning)"
    for detail in Self.environment(action, parameters).dropFirst() {
      guard let value = detail.split(separator: "=", maxSplits: 1).last else { continue }
      request += " [\(value)]"
    }
    let prompt =
      "OPERATOR: \(request)\n  Enter when done, or the word of the failure that the phone shows, such as already-paired: "
    guard case .refused(let text) = try await desk.answer(to: prompt, spoken: request, OperatorDesk.answer) else {
      return .done(ApplicationView())
    }
    return .failed(String(text.split(separator: " ").first ?? ""), PlainText.escaped(text, limit: 120))
  }

  private func question(_ question: String, _ desk: OperatorDesk) async throws(ControlFailure) -> ApplicationAnswer {
    var view = ApplicationView()
    view.answer = try await desk.answer(
      to: "OPERATOR: \(question)\n  y or n: ", spoken: question, again: "  Please answer y or n: "
    ) { line in
      OperatorDesk.isYes(line).map { SpokenAnswer(isYes: $0, text: PlainText.escaped(line, limit: 120)) }
    }
    return .done(view)
  }
}
