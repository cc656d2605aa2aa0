/// A current as a data sheet states it, in nanoamperes: from its best to its worst case.
package struct SupplyCurrent: Hashable, Sendable {
  /// The least.
  package let least: Int64
  /// The most.
  package let most: Int64

  private init(_ least: Int64, to most: Int64) {
    self.least = least
    self.most = most
  }

  private init(milliamperes least: Double, to most: Double) {
    self.init(Int64((least * 1e6).rounded()), to: Int64((most * 1e6).rounded()))
  }

  /// CPU running CoreMark from flash, Clock = HFXO (nRF52840 Product Specification, Current consumption, CPU running):
  /// ICPU0 with the DC/DC regulator to ICPU1 without it, typical values at 3 V and 25 °C.
  package static let running = SupplyCurrent(milliamperes: 3.3, to: 6.3)
  /// System ON with all RAM retained (nRF52840 Product Specification, Current consumption, Sleep): woken by any event
  /// (ION_RAMON_EVENT) to woken by the RTC (ION_RAMON_RTC), typical values.
  package static let sleeping = SupplyCurrent(2_350, to: 3_160)
  /// Radio transmitting at 0 dBm, 1 Mbps (nRF52840 Product Specification, Current consumption, Radio): IRADIO_TX1 with the
  /// DC/DC regulator to IRADIO_TX3 without it, typical values.
  package static let transmitting = SupplyCurrent(milliamperes: 6.40, to: 10.80)
  /// Radio receiving at 1 Mbps (the same table): IRADIO_RX0 with the DC/DC regulator to IRADIO_RX1 without it.
  package static let receiving = SupplyCurrent(milliamperes: 6.26, to: 10.10)
  /// Page program and erase (W25Q128JV data sheet, 9.4, ICC5 to ICC7): typical to maximum.
  package static let writingRecords = SupplyCurrent(milliamperes: 20, to: 25)
  /// Standby of the flash for records (W25Q128JV data sheet, 9.4, ICC1): typical to maximum.
  package static let keepingRecords = SupplyCurrent(10_000, to: 60_000)

  /// The current of a radio of which only the time is known, not whether it sends or receives.
  package static let radio = SupplyCurrent(receiving.least, to: transmitting.most)
}
