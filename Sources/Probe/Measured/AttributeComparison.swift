import HostStack

/// Compares a table of attributes with the expected one.
package enum AttributeComparison {
  /// Every difference as one phrase. Services and characteristics are matched by UUID.
  package static func differences(_ found: [DiscoveredService], from expected: [DiscoveredService]) -> [String] {
    var differences: [String] = []
    for service in expected {
      guard let other = found.first(where: { $0.uuid == service.uuid }) else {
        differences.append("service \(service.uuid) is missing")
        continue
      }
      differences += compare(other, service)
    }
    for service in found where !expected.contains(where: { $0.uuid == service.uuid }) {
      differences.append("service \(service.uuid) is not expected")
    }
    return differences
  }

  private static func compare(_ found: DiscoveredService, _ expected: DiscoveredService) -> [String] {
    var differences: [String] = []
    func expect(_ what: String, _ found: AttributeHandle?, _ expected: AttributeHandle?) {
      guard found != expected else { return }
      let (is_, not) = (found.map(AttributeWords.handle) ?? "nowhere", expected.map(AttributeWords.handle) ?? "nowhere")
      differences.append("\(what) is at \(is_) instead of \(not)")
    }
    expect("service \(found.uuid)", found.handle, expected.handle)
    for characteristic in expected.characteristics {
      let what = "characteristic \(characteristic.uuid)"
      guard let other = found.characteristics.first(where: { $0.uuid == characteristic.uuid }) else {
        differences.append("\(what) is missing")
        continue
      }
      expect(what, other.valueHandle, characteristic.valueHandle)
      expect("the configuration of \(what)", other.configurationHandle, characteristic.configurationHandle)
      if other.properties != characteristic.properties {
        let (has, needs) = (
          AttributeWords.properties(other.properties), AttributeWords.properties(characteristic.properties)
        )
        differences.append(
          "\(what) has [\(has.joined(separator: ", "))] instead of [\(needs.joined(separator: ", "))]")
      }
    }
    for other in found.characteristics where !expected.characteristics.contains(where: { $0.uuid == other.uuid }) {
      differences.append("characteristic \(other.uuid) is not expected")
    }
    return differences
  }
}
