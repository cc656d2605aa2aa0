import DictofunProtocol
import Processor
import Recorder
import Testing
import Timeline

@testable import Board
@testable import FirmwareImages
@testable import ImageRecorder

/// What a guest can ask for, and no run reaches.
@Suite struct HostileGuestTests {
  /// What led there is not known: a branch, or an entry of the vector table that is 0.
  @Test func aZeroVectorIsNotSaidToBranch() {
    let fault = ProcessorFault(.invalidState, programCounter: 0, address: 0)
    #expect(ImageFinding.fault(fault).text(SymbolTable([])) == "the processor was led to 0x0, where no Thumb code is")
  }

  @Test func cyclesBeyondAllTimeAreTheLastInstant() {
    for error in [-100_000_000, 0, 100_000_000] as [Int64] {
      let clock = CycleClock(partsPerBillion: error, at: Instant(nanoseconds: 5), cycle: 3)
      for cycle in [UInt64.max, 1 << 63, 1 << 61] {
        #expect(clock.instant(of: cycle).nanoseconds == UInt64(Int64.max))
      }
      #expect(clock.cycle(at: clock.instant(of: 64_000_003)) == 64_000_003)
    }
  }

  /// Entries that say that each of them fills the flash would take gigabytes.
  @Test func aDirectoryThatPromisesMoreThanTheFlashHoldsIsNotBelieved() throws {
    var flash = NORFlash()
    let time = CivilTime(secondsSince2000: 5)
    let records = (0..<3).map {
      PlacedRecord(
        identifier: RecordIdentifier(time.adding(seconds: $0)), content: [UInt8](repeating: 7, count: 300))
    }
    RecordFileSystem.format(&flash, with: records)
    #expect(RecordFileSystem.records(flash) == records)
    for entry in 2...3 {
      var octets = flash.octets(at: entry * 32, count: 32)
      octets.replaceSubrange(16..<20, with: [0, 0, 0xF0, 0])
      flash.store(octets, at: entry * 32)
    }
    #expect(RecordFileSystem.records(flash).map(\.content.count) == [300, 0xF0_0000])
  }
}
