import Processor

extension CallTable {
  /// The chip.
  static let chip: [Entry] = [
    Entry(0x20, "sd_ppi_channel_enable_get", [.pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.tellChannels(call, &processor)
    },
    Entry(0x21, "sd_ppi_channel_enable_set", [.number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.enableChannels(call, &processor)
    },
    Entry(0x22, "sd_ppi_channel_enable_clr", [.number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.disableChannels(call, &processor)
    },
    Entry(0x23, "sd_ppi_channel_assign", [.number, .pointer, .pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.assignChannel(call, &processor)
    },
    Entry(0x24, "sd_ppi_group_task_enable", [.number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.enableGroup(call, &processor)
    },
    Entry(0x25, "sd_ppi_group_task_disable", [.number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.disableGroup(call, &processor)
    },
    Entry(0x26, "sd_ppi_group_assign", [.number, .number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.assignGroup(call, &processor)
    },
    Entry(0x27, "sd_ppi_group_get", [.number, .pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.tellGroup(call, &processor)
    },
    Entry(0x28, "sd_flash_page_erase", [.number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.eraseFlash(call, &processor)
    },
    Entry(0x29, "sd_flash_write", [.pointer, .pointer, .number], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.writeFlash(call, &processor)
    },
    Entry(0x2C, "sd_mutex_new", [.pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.releaseMutex(call, &processor)
    },
    Entry(0x2D, "sd_mutex_acquire", [.pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.acquireMutex(call, &processor)
    },
    Entry(0x2E, "sd_mutex_release", [.pointer], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.releaseMutex(call, &processor)
    },
    Entry(0x2F, "sd_rand_application_pool_capacity_get", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.tellPool(call, &processor)
    },
    Entry(0x30, "sd_rand_application_bytes_available_get", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.tellPool(call, &processor)
    },
    Entry(0x31, "sd_rand_application_vector_get", [.pointer, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.drawRandom(call, &processor)
    },
    Entry(0x32, "sd_power_mode_set", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.setPowerMode(call, &processor)
    },
    Entry(0x33, "sd_power_system_off", [], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.switchOff(call, &processor)
    },
    Entry(0x34, "sd_power_reset_reason_get", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.tellResetReason(call, &processor)
    },
    Entry(0x35, "sd_power_reset_reason_clr", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.clearResetReason(call, &processor)
    },
    Entry(0x36, "sd_power_pof_enable", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x37, "sd_power_pof_threshold_set", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x38, "sd_power_pof_thresholdvddh_set", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x39, "sd_power_ram_power_set", [.number, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x3A, "sd_power_ram_power_clr", [.number, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x3C, "sd_power_gpregret_set", [.number, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.setRetention(call, &processor)
    },
    Entry(0x3D, "sd_power_gpregret_clr", [.number, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.clearRetention(call, &processor)
    },
    Entry(0x3E, "sd_power_gpregret_get", [.number, .pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.tellRetention(call, &processor)
    },
    Entry(0x3F, "sd_power_dcdc_mode_set", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x40, "sd_power_dcdc0_mode_set", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x41, "sd_app_evt_wait", [], .nothing) {
      (host, call, processor) throws(ErrorNumber) in try host.wait(call, &processor)
    },
    Entry(0x42, "sd_clock_hfclk_request", [], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.requestClock(call, &processor)
    },
    Entry(0x43, "sd_clock_hfclk_release", [], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.releaseClock(call, &processor)
    },
    Entry(0x44, "sd_clock_hfclk_is_running", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.tellClock(call, &processor)
    },
    Entry(0x45, "sd_radio_notification_cfg_set", [.number, .number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.setRadioNotification(call, &processor)
    },
    Entry(0x46, "sd_ecb_block_encrypt", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.encryptBlock(call, &processor)
    },
    Entry(0x47, "sd_ecb_blocks_encrypt", [.number, .pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.encryptBlocks(call, &processor)
    },
    Entry(0x4B, "sd_evt_get", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.fetchChipEvent(call, &processor)
    },
    Entry(0x4C, "sd_temp_get", [.pointer], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.tellTemperature(call, &processor)
    },
    Entry(0x4D, "sd_power_usbpwrrdy_enable", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x4E, "sd_power_usbdetected_enable", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
    Entry(0x4F, "sd_power_usbremoved_enable", [.number], .enabled) {
      (host, call, processor) throws(ErrorNumber) in try host.acceptPowerSetting(call, &processor)
    },
  ]
}
