import Bytes
import DictofunProtocol
import Foundation
import Recorder
import ScenarioLanguage
import Testing
import Timeline
import Transports
import World

@testable import Bench

/// A bench file in a folder of its own, simulated recorders with the instruments that it states, and the real thing's
/// way to them, all on one loop.
final class BenchRig {
  let loop = EventLoop(driver: .wall, seed: 1)
  let waits = Waits()
  let recorder: SimulatedDevice
  let place: RecorderPlace
  let instruments: SimulatedInstruments
  private let bench: RecorderBench
  private let folder: Folder

  /// `$folder` in the text stands for the folder, `$port` for a port that is free. Of the recorders on the air, those
  /// with `addresses`, the bench's alone unless stated, the first is the one around which the instruments stand.
  init(_ text: String, onTheAir addresses: [BluetoothAddress]? = nil, _ fault: String? = nil) throws {
    folder = try Folder()
    let whole = text.replacing("$folder", with: folder.path).replacing("$port", with: "\(try Self.freePort())")
    place = try benchFile(whole).recorders[0]
    var plan = RecorderPlan()
    plan.addresses = addresses ?? [place.address]
    plan.count = plan.addresses.count
    plan.faults = try fault.map { [try #require(RecorderFault($0))] } ?? []
    bench = RecorderBench(plan, on: loop)
    recorder = bench.recorders[0]
    instruments = try SimulatedInstruments(place, around: recorder, on: loop)
  }

  deinit { bench.close() }

  private static func freePort() throws -> Int {
    let server = try LineServer(at: .networkSerialPort(host: "127.0.0.1", port: 0), on: EventLoop(driver: .wall))
    return try #require(server.port)
  }

  /// The recorder as a bench sees it.
  func device(operator attended: OperatorPlace? = nil) throws -> ActuatedDevice {
    try ActuatedDevice("device", place, operator: attended, on: loop, waits)
  }

  /// A phone on the same air.
  func phone() throws -> PhoneDesk {
    let path = "\(folder.path)/air"
    _ = try bench.listen(at: .unixServer(path: path))
    return try PhoneDesk(
      on: try TransportOpening.open(.unixClient(path: path), on: loop), loop: loop, library: .memory)
  }

  /// A controller on the same air that only listens.
  func scanner() throws -> AirScanner {
    let path = "\(folder.path)/listener"
    _ = try bench.listen(at: .unixServer(path: path))
    return AirScanner(on: try TransportOpening.open(.unixClient(path: path), on: loop), loop)
  }

  /// The recorder as the next scenario sees it.
  func reopened(_ device: ActuatedDevice) throws -> ActuatedDevice {
    device.close()
    return try self.device()
  }

  /// Its supply and its Pico, after somebody else has used them.
  func links(_ device: ActuatedDevice) throws -> (SupplyLink, PicoLink) {
    device.close()
    let (supply, pico) = (try #require(place.supply), try #require(place.pico))
    return (try SupplyLink(supply, on: loop, waits), try PicoLink(pico, on: loop, waits))
  }

  /// Somebody types at the recorder's console, faster than its tasks take turns.
  func type(_ text: String) throws {
    let terminal = try #require(FileHandle(forWritingAtPath: "\(folder.path)/console"))
    try terminal.write(contentsOf: Data(text.utf8))
    try terminal.close()
  }

  /// Runs steps on the loop's thread.
  func run<Value: Sendable>(_ body: @escaping () async throws -> Value) throws -> Value {
    nonisolated(unsafe) let body = body
    return try loop.run { try await body() }
  }

  /// The sentence with which steps fail at the bench.
  func trouble(_ body: @escaping () async throws -> Void) -> String {
    do {
      try run(body)
      return "no trouble"
    } catch ControlFailure.bench(let fault) { return fault.description } catch { return "another failure: \(error)" }
  }
}

extension RecorderPlace {
  var console: ConsolePlan? { plan() }
  var pico: PicoPlan? { plan() }
  var flash: FlashPlan? { plan() }
}

/// A folder that goes away with its last user.
final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/dictobench-bench-\(String(repeating: "X", count: 6))".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a program that a shell runs.
  func script(_ name: String, _ body: String) throws -> String {
    let path = "\(path)/\(name)"
    try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(filePath: path + ".text"))
    // Copied by another process: a program that this one had open for writing may still be open in what a test beside
    // this one is just starting, and is then too busy to be run.
    #expect(system("cp '\(path).text' '\(path)' && chmod 700 '\(path)'") == 0)
    return path
  }

  func text(_ name: String) -> String {
    (try? String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)) ?? ""
  }
}
