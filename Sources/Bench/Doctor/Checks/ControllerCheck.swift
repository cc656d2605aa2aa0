import World

/// Whether the controller answers; it listens for recorders at once, since it was opened.
struct ControllerCheck: BenchCheck {
  let name = "controller"
  let needs = ["adapter", "permission", "radio", "owner"]

  /// How long it listens: recorders advertise every 125 ms.
  private static let span = Duration.seconds(2)

  func look(_ examination: inout Examination) -> Finding? {
    guard let controller = examination.chosen else { return nil }
    do throws(ControlFailure) {
      let look = try RadioLook(controller, listening: Self.span)
      examination.sightings = look.sightings
      let traits = look.traits.map(\.value).joined(separator: ", ")
      return .ready("answers: \(traits.isEmpty ? "and does not tell what it is" : traits)", traits: look.traits)
    } catch {
      guard case .bench(let sentence) = error else { return .failed("\(error)", advice: "look at it, and try again") }
      return .failed(sentence: sentence)
    }
  }
}
