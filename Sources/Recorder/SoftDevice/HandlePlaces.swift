import DictofunProtocol
import HostStack

/// Where a recorder with a table of its own serves what the application knows by the handles of every Dictofun.
struct HandlePlaces: Hashable, Sendable {
  /// The handle of a value on this recorder, by its handle on every Dictofun.
  private(set) var served: [UInt16: UInt16] = [:]
  /// The other way round.
  private(set) var known: [UInt16: UInt16] = [:]

  /// The places of the values that these services have.
  init(_ services: [ServiceDefinition]) {
    let database = GATTDatabase(services: services)
    for service in AttributeTable.application.services {
      for characteristic in service.characteristics {
        let handle = AttributeTable.application.handle(of: characteristic.uuid).rawValue
        guard let place = database.valueHandle(of: characteristic.uuid, in: service.uuid)?.rawValue else { continue }
        served[handle] = place
        known[place] = handle
      }
    }
  }
}
