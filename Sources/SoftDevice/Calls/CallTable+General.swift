import Processor

extension CallTable {
  /// The SoftDevice manager and the master boot record.
  static let general: [Entry] = [
    Entry(0x10, "sd_softdevice_enable", [.pointer, .number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.enable(call, &processor)
    },
    Entry(0x11, "sd_softdevice_disable", [], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.disable(call, &processor)
    },
    Entry(0x12, "sd_softdevice_is_enabled", [.pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.tellEnabled(call, &processor)
    },
    Entry(0x13, "sd_softdevice_vector_table_base_set", [.number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.setVectorTable(call, &processor)
    },
    Entry(0x18, "sd_mbr_command", [.pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.commandBootRecord(call, &processor)
    },
  ]
}
