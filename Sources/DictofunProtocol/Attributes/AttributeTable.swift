import Bytes
import Packets

/// The attributes of one server, in the order in which it registers them.
///
/// Recorder, phone, interpreter of captures, `gatt` and the dissector all read these tables. A service that is added to
/// one of them needs no other line: its handles follow from its place (``GATTDatabase``).
public struct AttributeTable: Sendable {
  /// The services, in the order of their handles.
  public var services: [DictofunService]

  /// A table of these services.
  public init(_ services: [DictofunService]) { self.services = services }

  /// What the server registers.
  public var database: GATTDatabase { GATTDatabase(services: services.map(\.definition)) }

  /// The characteristics, in the order of their handles.
  public var characteristics: [DictofunCharacteristic] { services.flatMap(\.characteristics) }

  /// The service that has a characteristic; `nil` where the table has none.
  public func service(of characteristic: BluetoothUUID) -> DictofunService? {
    services.first { $0.characteristics.contains { $0.uuid == characteristic } }
  }

  /// Declaration, value and configuration of a characteristic, as discovery finds them. Traps where the table does not
  /// have it.
  public func place(of uuid: BluetoothUUID) -> DiscoveredCharacteristic {
    guard let found = database.discovered.lazy.flatMap(\.characteristics).first(where: { $0.uuid == uuid }) else {
      preconditionFailure("the table has no characteristic \(uuid)")
    }
    return found
  }

  /// The place of the value of a characteristic. Traps where the table does not have it.
  public func handle(of uuid: BluetoothUUID) -> AttributeHandle { place(of: uuid).valueHandle }
}

extension AttributeTable {
  /// Every table, and the services that only later firmware has.
  private static let known = application.services + bootloader.services + phone.services + [.deviceInformation]

  /// Every characteristic whose values have a layout of ours, each once: those of the application in the order of their
  /// handles, then those of the bootloader and of the phone.
  public static let explained: [DictofunCharacteristic] = known.flatMap(\.characteristics).filter { $0.layout != nil }

  /// The name of a service or characteristic; `nil` for a type that no table has.
  public static func name(of uuid: BluetoothUUID) -> String? {
    for service in known {
      if service.uuid == uuid { return service.name }
      if let found = service.characteristics.first(where: { $0.uuid == uuid }) { return found.name }
    }
    return nil
  }
}
