/// Registers of the start-up code: trims of the temperature sensor and work-arounds for errata, which change nothing that
/// a simulated chip has, and the component identification at 0xF0000FE0 by which the code finds out what to work around.
struct Trims: Hashable, Sendable {
  func read(_ offset: UInt32, _ chip: BoardDescription.Chip) -> UInt32? {
    switch offset {
    case 0xFE0: chip.revision.first ?? 0
    case 0xFE8: chip.revision.count > 1 ? chip.revision[1] & 0xF0 : 0
    default: 0
    }
  }
}
