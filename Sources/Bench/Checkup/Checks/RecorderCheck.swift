import Bytes
import Phone
import Text

/// Whether the recorders that are meant were heard, or can be woken: most recorders are off most of the time.
struct RecorderCheck: BenchCheck {
  let name = "recorder"
  let needs = ["adapter", "controller"]

  func look(_ examination: inout Examination) -> Finding? {
    guard let sightings = examination.sightings else { return nil }
    let places = examination.subject.recorders
    guard !places.isEmpty else {
      // Before somebody else's phone the recorder is ours.
      return examination.subject.phone == nil ? anyone(sightings) : nil
    }
    var found: [String] = []
    var advice: String?
    for place in places {
      if let sighting = sightings.first(where: { $0.address == place.address || $0.identity == place.address }) {
        found.append(Self.text(sighting))
        continue
      }
      let ways = place.abilities(isAttended: examination.subject.isAttended)
      guard ways.contains(.button) || ways.contains(.rail) else {
        return .failed(
          "\(place.address) was not heard\(Self.others(sightings))",
          advice: "press its button, and make sure that no other phone is connected to it and that its address is right"
        )
      }
      found.append("\(place.address) was not heard, and is woken when it is needed")
      if !sightings.isEmpty { advice = "check that the address is right\(Self.others(sightings))" }
    }
    return .ready(found.joined(separator: ", "), advice: advice)
  }

  private func anyone(_ sightings: [RecorderSighting]) -> Finding {
    guard !sightings.isEmpty else {
      return .ready("none was heard", advice: "press the button of the right one, and check again")
    }
    return .ready(
      sightings.map(Self.text).joined(separator: ", "),
      advice: sightings.count > 1 ? "choose one with --device, or in a bench file" : nil)
  }

  private static func others(_ sightings: [RecorderSighting]) -> String {
    sightings.isEmpty ? "" : "; heard were \(sightings.map(text).joined(separator: ", "))"
  }

  private static func text(_ sighting: RecorderSighting) -> String {
    "\(sighting.address) \(PlainText.escaped(sighting.name, limit: 40))"
      + (sighting.signalStrength.map { " at \($0) dBm" } ?? "") + (sighting.isBootloader ? ", in its bootloader" : "")
  }
}
