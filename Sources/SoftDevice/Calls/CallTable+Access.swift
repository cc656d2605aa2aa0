import Processor

extension CallTable {
  /// The Generic Access Profile.
  static let access: [Entry] = [
    Entry(0x6C, "sd_ble_gap_addr_set", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setAddress(call, &processor)
    },
    Entry(0x6D, "sd_ble_gap_addr_get", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellAddress(call, &processor)
    },
    Entry(0x6E, "sd_ble_gap_whitelist_set", [.pointer, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setWhitelist(call, &processor)
    },
    Entry(0x6F, "sd_ble_gap_device_identities_set", [.pointer, .pointer, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setIdentities(call, &processor)
    },
    Entry(0x70, "sd_ble_gap_privacy_set", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setPrivacy(call, &processor)
    },
    Entry(0x71, "sd_ble_gap_privacy_get", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellPrivacy(call, &processor)
    },
    Entry(0x72, "sd_ble_gap_adv_set_configure", [.pointer, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.configureAdvertising(call, &processor)
    },
    Entry(0x73, "sd_ble_gap_adv_start", [.number, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.startAdvertising(call, &processor)
    },
    Entry(0x74, "sd_ble_gap_adv_stop", [.number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.stopAdvertising(call, &processor)
    },
    Entry(0x75, "sd_ble_gap_conn_param_update", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.updateParameters(call, &processor)
    },
    Entry(0x76, "sd_ble_gap_disconnect", [.connection, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.disconnect(call, &processor)
    },
    Entry(0x77, "sd_ble_gap_tx_power_set", [.number, .connection, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setTransmitPower(call, &processor)
    },
    Entry(0x78, "sd_ble_gap_appearance_set", [.number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setAppearance(call, &processor)
    },
    Entry(0x79, "sd_ble_gap_appearance_get", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellAppearance(call, &processor)
    },
    Entry(0x7A, "sd_ble_gap_ppcp_set", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setPreferredParameters(call, &processor)
    },
    Entry(0x7B, "sd_ble_gap_ppcp_get", [.pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellPreferredParameters(call, &processor)
    },
    Entry(0x7C, "sd_ble_gap_device_name_set", [.pointer, .pointer, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.setName(call, &processor)
    },
    Entry(0x7D, "sd_ble_gap_device_name_get", [.pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellName(call, &processor)
    },
    Entry(0x7E, "sd_ble_gap_authenticate", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.authenticate(call, &processor)
    },
    Entry(0x7F, "sd_ble_gap_sec_params_reply", [.connection, .number, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.replySecurityParameters(call, &processor)
    },
    Entry(0x80, "sd_ble_gap_auth_key_reply", [.connection, .number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseSecurity(call, &processor)
    },
    Entry(0x81, "sd_ble_gap_lesc_dhkey_reply", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseSecurity(call, &processor)
    },
    Entry(0x82, "sd_ble_gap_keypress_notify", [.connection, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseSecurity(call, &processor)
    },
    Entry(0x83, "sd_ble_gap_lesc_oob_data_get", [.connection, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseSecurity(call, &processor)
    },
    Entry(0x84, "sd_ble_gap_lesc_oob_data_set", [.connection, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseSecurity(call, &processor)
    },
    Entry(0x85, "sd_ble_gap_encrypt", [.connection, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseSecurity(call, &processor)
    },
    Entry(0x86, "sd_ble_gap_sec_info_reply", [.connection, .pointer, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.replySecurityInformation(call, &processor)
    },
    Entry(0x87, "sd_ble_gap_conn_sec_get", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellSecurity(call, &processor)
    },
    Entry(0x88, "sd_ble_gap_rssi_start", [.connection, .number, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.startSignalStrength(call, &processor)
    },
    Entry(0x89, "sd_ble_gap_rssi_stop", [.connection], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.stopSignalStrength(call, &processor)
    },
    Entry(0x8A, "sd_ble_gap_scan_start", [.pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x8B, "sd_ble_gap_scan_stop", [], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x8C, "sd_ble_gap_connect", [.pointer, .pointer, .pointer, .number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x8D, "sd_ble_gap_connect_cancel", [], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x8E, "sd_ble_gap_rssi_get", [.connection, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellSignalStrength(call, &processor)
    },
    Entry(0x8F, "sd_ble_gap_phy_update", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.updatePHY(call, &processor)
    },
    Entry(0x90, "sd_ble_gap_data_length_update", [.connection, .pointer, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.updateDataLength(call, &processor)
    },
    Entry(0x91, "sd_ble_gap_qos_channel_survey_start", [.number], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x92, "sd_ble_gap_qos_channel_survey_stop", [], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x93, "sd_ble_gap_adv_addr_get", [.number, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.tellAdvertisedAddress(call, &processor)
    },
    Entry(0x94, "sd_ble_gap_next_conn_evt_counter_get", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x95, "sd_ble_gap_conn_evt_trigger_start", [.connection, .pointer], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
    Entry(0x96, "sd_ble_gap_conn_evt_trigger_stop", [.connection], .bluetooth) {
      (host, call, processor) throws(ErrorNumber) in try host.refuseCentral(call, &processor)
    },
  ]
}
