import Bytes
import Foundation
import ScenarioLanguage
import TestThreads
import Testing
import Timeline
import Transports
import World
import YAML

@testable import Bench

/// The check of a bench before the first scenario leaves the bench as it was found.
@Suite(.waits) struct Preflights {
  @Test func aCheckThatFailsGivesThePowerBack() throws {
    let shelf = try Shelf(powersNeighbour: true)
    var target = try #require(HardwareTarget(shelf.file, controller: nil, device: nil))
    target.look()
    let isOn = try shelf.end()
    let trouble = target.trouble ?? ""
    #expect(trouble.contains("stays on the air while its power is taken away"), "\(trouble)")
    #expect(isOn)
  }

  @Test func aCheckThatIsInterruptedGivesThePowerBackAndBlamesNobody() throws {
    let interruption = RunInterruption()
    let shelf = try Shelf(powersNeighbour: false) { interruption.request() }
    var target = try #require(HardwareTarget(shelf.file, controller: nil, device: nil))
    target.look(interruption)
    let isOn = try shelf.end()
    #expect(target.trouble == "the check of the bench was interrupted")
    #expect(isOn)
  }
}

/// A simulated recorder with a supply at its rail, which is on, on a thread of its own.
private final class Shelf: @unchecked Sendable {
  let file: BenchFile
  private let folder: Folder
  private let loop = EventLoop(driver: .wall, seed: 1)
  private let bench: RecorderBench
  private let instruments: SimulatedInstruments
  private let onCut: @Sendable () -> Void
  private let ended = DispatchSemaphore(value: 0)

  /// The supply may be the neighbour's of the recorder in the bench file. `onCut` is told when the power is gone.
  init(powersNeighbour: Bool, onCut: @escaping @Sendable () -> Void = {}) throws {
    self.onCut = onCut
    folder = try Folder()
    let ours = BluetoothAddress(0xC605_0403_0201, .random)
    let text = """
      place: shelf
      adapters: ["unix:\(folder.path)/air"]
      recorders:
        - address: \(ours)
          supply: {RawSerialPort: \(folder.path)/supply, identity: ACME, feeds: rail}
      """
    file = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var plan = RecorderPlan()
    plan.addresses = powersNeighbour ? [BluetoothAddress(0xC605_0403_0299, .random), ours] : [ours]
    plan.count = plan.addresses.count
    bench = RecorderBench(plan, on: loop)
    instruments = try SimulatedInstruments(file.recorders[0], around: bench.recorders[0], on: loop)
    _ = try bench.listen(at: .unixServer(path: "\(folder.path)/air"))
    nonisolated(unsafe) let link = try SupplyLink(try #require(file.recorders[0].supply), on: loop, Waits())
    try loop.run { try await link.setOutput(on: true) }
    link.close()
    watch()
    Thread.detachNewThread {
      self.loop.runEvents()
      self.ended.signal()
    }
  }

  private func watch() {
    if (try? bench.recorders[0].inspect().isOn) == false { onCut() }
    loop.schedule(after: .milliseconds(10)) { [weak self] in self?.watch() }
  }

  /// Ends the thread; whether the recorder at the supply has power.
  func end() throws -> Bool {
    loop.requestStop()
    ended.wait()
    defer { bench.close() }
    return try bench.recorders[0].inspect().isOn
  }
}
