import Bytes
import HostStack

extension MeasuredRecorder {
  /// The file of a measured profile, as YAML. `note` stands at its head and tells which program wrote it.
  package func file(note: String) -> String {
    var lines = [
      "# \(note)", "profile: \(Self.profileName)", "twin: \(quoted(twin))", "recorder: \(quoted("\(address)"))",
    ]
    if let firmware { lines.append("firmware: \(quoted(firmware))") }
    lines += section(
      "measured",
      ProbedConstant.allCases.compactMap { constant in
        figures[constant].map { "\(constant.rawValue): \(text($0))" }
      })
    lines += section(
      "not-measured",
      ProbedConstant.allCases.compactMap { constant in
        figures[constant] == nil ? reasons[constant].map { "\(constant.rawValue): \(quoted($0))" } : nil
      })
    lines += section("observed", observations.map { "\($0.name): \(text($0.figure))" })
    var advertising: [String] = []
    if let advertisingData { advertising.append("data: \(quoted(Hexadecimal.string(advertisingData)))") }
    if let scanResponse { advertising.append("response: \(quoted(Hexadecimal.string(scanResponse)))") }
    lines += section("advertising", advertising)
    lines += section("attributes", services.flatMap(rows))
    lines += section("accesses", accesses.map { "- {attempt: \(quoted($0.attempt)), result: \(quoted($0.result))}" })
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ name: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["\(name):"] + lines.map { "  \($0)" }
  }

  private func text(_ figure: Figure) -> String {
    "{value: \(figure.unit.text(figure.value)), spread: \(figure.unit.text(figure.spread)), samples: \(figure.samples), "
      + "how: \(quoted(figure.method))}"
  }

  private func rows(of service: DiscoveredService) -> [String] {
    [
      "- {service: \(quoted("\(service.uuid)")), handle: \(quoted(AttributeWords.handle(service.handle))), "
        + "end: \(quoted(AttributeWords.handle(service.endHandle)))}"
    ]
      + service.characteristics.map { characteristic in
        let configuration = characteristic.configurationHandle.map {
          ", configuration: \(quoted(AttributeWords.handle($0)))"
        }
        let properties = AttributeWords.properties(characteristic.properties).joined(separator: ", ")
        return "- {characteristic: \(quoted("\(characteristic.uuid)")), "
          + "handle: \(quoted(AttributeWords.handle(characteristic.valueHandle))), properties: [\(properties)]"
          + "\(configuration ?? "")}"
      }
  }

  private func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
