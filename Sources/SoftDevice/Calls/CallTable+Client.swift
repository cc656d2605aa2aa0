import Processor

extension CallTable {
  /// The GATT client.
  static let client: [Entry] = [
    Entry(0x9B, "sd_ble_gattc_primary_services_discover", [.connection, .number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.discoverServices(call, &processor)
    },
    Entry(0x9C, "sd_ble_gattc_relationships_discover", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.discoverRelationships(call, &processor)
    },
    Entry(0x9D, "sd_ble_gattc_characteristics_discover", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.discoverCharacteristics(call, &processor)
    },
    Entry(0x9E, "sd_ble_gattc_descriptors_discover", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.discoverDescriptors(call, &processor)
    },
    Entry(0x9F, "sd_ble_gattc_attr_info_discover", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.discoverInformation(call, &processor)
    },
    Entry(0xA0, "sd_ble_gattc_char_value_by_uuid_read", [.connection, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.readByType(call, &processor)
    },
    Entry(0xA1, "sd_ble_gattc_read", [.connection, .number, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.readValue(call, &processor)
    },
    Entry(0xA2, "sd_ble_gattc_char_values_read", [.connection, .pointer, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.readValues(call, &processor)
    },
    Entry(0xA3, "sd_ble_gattc_write", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.writeValue(call, &processor)
    },
    Entry(0xA4, "sd_ble_gattc_hv_confirm", [.connection, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.confirmValue(call, &processor)
    },
    Entry(0xA5, "sd_ble_gattc_exchange_mtu_request", [.connection, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.exchangeTransmissionUnit(call, &processor)
    },
  ]
}
