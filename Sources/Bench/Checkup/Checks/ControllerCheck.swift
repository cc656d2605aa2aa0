import World

/// Whether the controllers answer; the first listens for recorders at once, since it was opened.
struct ControllerCheck: BenchCheck {
  let name = "controller"
  let needs = ["adapter", "permission", "radio", "owner"]

  /// How long is listened: recorders advertise every 125 ms.
  private static let span = Duration.seconds(2)
  /// How long the others listen, to whom it does not matter.
  private static let moment = Duration.milliseconds(100)

  func look(_ examination: inout Examination) -> Finding? {
    guard let chosen = examination.chosen else { return nil }
    do throws(ControlFailure) {
      let library = examination.subject.quirks
      let look = try RadioLook(chosen, listening: Self.span, knowing: library)
      examination.sightings = look.sightings
      examination.quirks = look.quirks.map { (chosen, $0) }
      for other in examination.subject.controllers.dropFirst() {
        let look = try RadioLook(other, listening: Self.moment, knowing: library)
        examination.quirks += look.quirks.map { (other, $0) }
      }
      let traits = look.traits.map(\.value).joined(separator: ", ")
      let notes = examination.quirks.map { "\($0.controller) is \($0.entry.note)" }
      return .ready(
        ([traits.isEmpty ? "answers" : "answers: \(traits)"] + notes).joined(separator: "; "), traits: look.traits)
    } catch {
      guard case .bench(let fault) = error else { return .failed(BenchFault("\(error)")) }
      return .failed(fault)
    }
  }
}
