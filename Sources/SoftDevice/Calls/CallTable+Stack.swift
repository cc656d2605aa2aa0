import Processor

extension CallTable {
  /// The Bluetooth stack as a whole.
  static let stack: [Entry] = [
    Entry(0x60, "sd_ble_enable", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.enableBluetooth(call, &processor)
    },
    Entry(0x61, "sd_ble_evt_get", [.pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.fetchEvent(call, &processor)
    },
    Entry(0x62, "sd_ble_uuid_vs_add", [.pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.addVendorBase(call, &processor)
    },
    Entry(0x63, "sd_ble_uuid_decode", [.number, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.decodeUUID(call, &processor)
    },
    Entry(0x64, "sd_ble_uuid_encode", [.pointer, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.encodeUUID(call, &processor)
    },
    Entry(0x65, "sd_ble_version_get", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellVersion(call, &processor)
    },
    Entry(0x66, "sd_ble_user_mem_reply", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.replyMemory(call, &processor)
    },
    Entry(0x67, "sd_ble_opt_set", [.number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setOption(call, &processor)
    },
    Entry(0x68, "sd_ble_opt_get", [.number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellOption(call, &processor)
    },
    Entry(0x69, "sd_ble_cfg_set", [.number, .pointer, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.configure(call, &processor)
    },
    Entry(0x6A, "sd_ble_uuid_vs_remove", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.removeVendorBase(call, &processor)
    },
  ]
}
