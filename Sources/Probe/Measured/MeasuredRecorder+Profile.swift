import DictofunProtocol
import HostStack
import Recorder

extension MeasuredRecorder {
  /// The name of the profile that plays a measured recorder.
  package static let profileName = "measured"

  /// A profile that behaves as the recorder that was measured: what was not measured is as with the twin.
  package func profile(from twin: RecorderProfile) -> RecorderProfile {
    var profile = twin
    profile.name = Self.profileName
    let distance = Distance(of: self, from: twin)
    // A figure that agrees with the twin within its spread says nothing against it. The length of a tick comes first,
    // because times become ticks.
    for difference in distance.differences { difference.constant.set(difference.measured.value, in: &profile) }
    if let advertisingData { profile.advertisingData = advertisingData }
    if let scanResponse { profile.scanResponseData = scanResponse }
    if !services.isEmpty, services != twin.attributes.discovered {
      profile.services = services.map { $0.definition }
    }
    return profile
  }
}

extension DiscoveredService {
  /// A service that is discovered like this one. What is not on the air, such as first values, is as on every Dictofun.
  fileprivate var definition: ServiceDefinition {
    ServiceDefinition(
      uuid: uuid,
      characteristics: characteristics.map { found in
        let known = AttributeTable.application.characteristics.first { $0.uuid == found.uuid }?.definition
        var definition =
          known
          ?? CharacteristicDefinition(uuid: found.uuid, properties: found.properties, reading: .open, writing: .open)
        definition.properties = found.properties
        return definition
      })
  }
}
