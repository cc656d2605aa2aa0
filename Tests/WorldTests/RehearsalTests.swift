import Bytes
import Phone
import Recorder
import Testing

@testable import World

/// Pairing before a scenario.
@Suite struct Rehearsals {
  private static func rehearsal() throws -> Rehearsal {
    let phone = PhoneConfiguration(ownAddress: BluetoothAddress(0xC605_0403_0299, .random), library: try PhoneLibrary())
    return Rehearsal(BluetoothAddress(0xC605_0403_0201, .random), pairedWith: [.init(phone)])
  }

  /// An interruption says nothing about the program, so that what it ended is not kept for other scenarios.
  @Test func anInterruptionEndsItAndIsForgotten() throws {
    let (store, interruption) = (RehearsalStore(), RunInterruption())
    interruption.request()
    let interrupted = #expect(throws: Rehearsal.Failure.self) {
      try store.outcome(of: Self.rehearsal(), .modelled, until: interruption)
    }
    #expect(interrupted?.wasInterrupted == true)
    // The model keeps no chip's flash, and so no bond for a scenario.
    let whole = #expect(throws: Rehearsal.Failure.self) {
      try store.outcome(of: Self.rehearsal(), .modelled, until: RunInterruption())
    }
    #expect(whole?.wasInterrupted == false)
  }
}
