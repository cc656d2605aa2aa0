import Transports
import World

/// Whether the adapter that is meant is there.
struct AdapterCheck: BenchCheck {
  let name = "adapter"

  func look(_ examination: inout Examination) -> Finding? {
    examination.subject.controllers.isEmpty ? choose(&examination) : find(&examination)
  }

  /// The adapters that were asked for.
  private func find(_ examination: inout Examination) -> Finding {
    var texts: [String] = []
    for controller in examination.subject.controllers {
      do throws(AdapterTrouble) {
        guard let sight = try examination.machine.survey.find(controller) else {
          texts.append("\(controller), which is not an adapter of this machine")
          continue
        }
        examination.adapters.append(sight)
        texts.append(sight.description)
      } catch { return .failed(BenchFault(error, at: controller)) }
    }
    examination.chosen = examination.subject.controllers.first
    return .ready(texts.joined(separator: ", "), advice: note(examination), traits: traits(examination))
  }

  /// Whatever there is.
  private func choose(_ examination: inout Examination) -> Finding {
    let survey = examination.machine.survey
    let choices = survey.choices
    guard !choices.isEmpty else {
      return .failed(
        "no Bluetooth adapter was found on this machine",
        advice: survey.isMachineRadioOff
          ? "switch the machine's radio on: `rfkill unblock bluetooth`"
          : "plug in a dongle, or name a controller on another machine with --controller; simulated runs do not need one"
      )
    }
    let usable = choices.filter { $0.trouble == nil }
    examination.adapters = usable.isEmpty ? choices : usable
    let list = examination.adapters.map(\.description).joined(separator: ", ")
    guard examination.adapters.count == 1 else {
      return .ready(list, advice: "choose one with --controller, or permanently with `dictobench setup`")
    }
    examination.chosen = examination.adapters[0].specification
    return .ready(list, advice: note(examination), traits: traits(examination))
  }

  private func note(_ examination: Examination) -> String? { examination.adapters.lazy.flatMap(\.notes).first }

  private func traits(_ examination: Examination) -> [BenchTrait] {
    examination.adapters.enumerated().map { BenchTrait($0 == 0 ? name : "\(name) \($0 + 1)", $1.identity) }
  }
}
