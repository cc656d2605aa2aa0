import Processor

extension CallTable {
  /// The GATT server.
  static let server: [Entry] = [
    Entry(0xA8, "sd_ble_gatts_service_add", [.number, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.addService(call, &processor)
    },
    Entry(0xA9, "sd_ble_gatts_include_add", [.number, .number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.addInclude(call, &processor)
    },
    Entry(0xAA, "sd_ble_gatts_characteristic_add", [.number, .pointer, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.addCharacteristic(call, &processor)
    },
    Entry(0xAB, "sd_ble_gatts_descriptor_add", [.number, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.addDescriptor(call, &processor)
    },
    Entry(0xAC, "sd_ble_gatts_value_set", [.connection, .number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setValue(call, &processor)
    },
    Entry(0xAD, "sd_ble_gatts_value_get", [.connection, .number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellValue(call, &processor)
    },
    Entry(0xAE, "sd_ble_gatts_hvx", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tell(call, &processor)
    },
    Entry(0xAF, "sd_ble_gatts_service_changed", [.connection, .number, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellServiceChanged(call, &processor)
    },
    Entry(0xB0, "sd_ble_gatts_rw_authorize_reply", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.authorize(call, &processor)
    },
    Entry(0xB1, "sd_ble_gatts_sys_attr_set", [.connection, .pointer, .number, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setSystemAttributes(call, &processor)
    },
    Entry(0xB2, "sd_ble_gatts_sys_attr_get", [.connection, .pointer, .pointer, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellSystemAttributes(call, &processor)
    },
    Entry(0xB3, "sd_ble_gatts_initial_user_handle_get", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellFirstUserHandle(call, &processor)
    },
    Entry(0xB4, "sd_ble_gatts_attr_get", [.number, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellAttribute(call, &processor)
    },
    Entry(0xB5, "sd_ble_gatts_exchange_mtu_reply", [.connection, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.replyTransmissionUnit(call, &processor)
    },
  ]
}
