import DictofunProtocol
import HostStack
import Testing

@testable import Recorder

/// What default addresses hang on.
@Suite struct AttributeTableDigests {
  private let services = RecorderDatabase.make(.reference).services

  @Test func changeWithWhateverAPhoneDiscovers() {
    let known = RecorderProfile.digest(of: services)
    #expect(known == RecorderProfile.reference.attributeTableDigest)
    var changed: [[ServiceDefinition]] = [Array(services.dropLast()), services.reversed(), services + [services[0]]]
    for (place, service) in services.enumerated() {
      for index in service.characteristics.indices {
        var other = services
        other[place].characteristics.remove(at: index)
        changed.append(other)
        other = services
        other[place].characteristics[index].properties.formSymmetricDifference(.writeWithoutResponse)
        changed.append(other)
        other = services
        other[place].characteristics[index].uuid = DictofunUUID.firmwareRevision
        changed.append(other)
      }
    }
    let digests = changed.map(RecorderProfile.digest)
    #expect(!digests.contains(known))
    #expect(Set(digests).count == digests.count)
  }

  @Test func stayWithFirstValues() {
    var renamed = RecorderProfile.reference
    renamed.deviceName = "another"
    #expect(renamed.attributeTableDigest == RecorderProfile.reference.attributeTableDigest)
    var other = services
    other[0].characteristics[0].initialValue = [0x41]
    #expect(RecorderProfile.digest(of: other) == RecorderProfile.reference.attributeTableDigest)
  }
}
