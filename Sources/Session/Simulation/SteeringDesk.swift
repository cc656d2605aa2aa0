import Bench
import Bytes
import DictofunProtocol
import Foundation
import Recorder
import Runner
import ScenarioLanguage
import Text
import Timeline
import World

/// Performs orders to simulated recorders, one after the other.
package actor SteeringDesk {
  /// How an order ended.
  package enum Answer: Sendable {
    /// It was done, and found this.
    case done([(String, JSONValue)])
    /// It was not done, for this reason.
    case refused(String)

    /// The answer for people.
    package var text: String {
      switch self {
      case .done(let findings): findings.isEmpty ? "passed" : JSONValue.object(findings).text
      case .refused(let reason): reason
      }
    }
  }

  /// Octets of a step.
  private static let stepLimit = 4_096

  private let loop: EventLoop
  private let bench: RecorderBench
  private let verbs: DeviceConsole
  /// The fault that was planted into each recorder, and how it behaved before.
  private var planted: [(fault: RecorderFault, before: RecorderProfile)?]

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(_ bench: sending RecorderBench, _ verbs: DeviceConsole, on loop: EventLoop) {
    self.loop = loop
    self.bench = bench
    self.verbs = verbs
    planted = Array(repeating: nil, count: bench.recorders.count)
  }

  /// Performs one line.
  package func perform(_ line: String) async -> Answer {
    guard let order = SteeringOrder(line), order.step.utf8.count <= Self.stepLimit else {
      return .refused("expected a verb such as {\"press\": \"2 s\"} or press: 2 s")
    }
    if let complaint = order.complaint { return .refused(complaint) }
    let names = bench.recorders.map(\.name)
    guard let index = order.recorder.map({ names.firstIndex(of: $0) }) ?? 0 else {
      return .refused("no recorder is named \(order.recorder ?? ""); expected one of \(names.joined(separator: ", "))")
    }
    let recorder = bench.recorders[index]
    do throws(ControlFailure) {
      switch order.word {
      case "reboot":
        try recorder.cutPower()
        try recorder.powerOn()
      case "break": recorder.breakLink()
      case "write-firmware":
        try recorder.writeFirmware()
        let digest = recorder.applicationDigest.map { Hexadecimal.string($0) }
        return .done([("image", digest.map(JSONValue.string) ?? .null)])
      case "fault": return try plant(order.value, index)
      case "place": return place(order.value, recorder)
      case "inspect": return .done(try inspection(recorder))
      default: return await performVerb(order, recorder.name)
      }
      return .done([])
    } catch { return .refused("\(error)") }
  }

  private func performVerb(_ order: SteeringOrder, _ name: String) async -> Answer {
    guard SteeringOrder.verbs.contains(order.word) else {
      let expected = "expected one of \(SteeringOrder.words.joined(separator: ", "))"
      return .refused(Self.unknown("verb", order.word, SteeringOrder.words) + "; " + expected)
    }
    let answer = await verbs.perform(order.step, as: name)
    return answer == "passed" ? .done([]) : .refused(Self.sentence(answer))
  }

  /// Says that a word is unknown, and which one is near.
  private static func unknown(_ kind: String, _ word: String, _ candidates: [String]) -> String {
    "unknown \(kind) \(word)" + (Spelling.nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? "")
  }

  /// Shortens a report on a scenario to what is wrong and what was expected.
  private static func sentence(_ report: String) -> String {
    let lines = report.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    guard let first = lines.first, let start = first.range(of: "error: ") else { return lines.joined(separator: "; ") }
    let expected = lines.filter { $0.hasPrefix("expected: ") || $0.hasPrefix("did you mean") }
    return ([String(first[start.upperBound...])] + expected).joined(separator: "; ")
  }

  /// Plants a fault by its name, the `next` one, or `none`, and reboots the recorder, so that it takes effect.
  private func plant(_ name: String?, _ index: Int) throws(ControlFailure) -> Answer {
    let recorder = bench.recorders[index]
    let faults = RecorderFault.all
    let before: RecorderProfile
    // An update may have brought another behaviour since.
    if let old = planted[index], recorder.profile == old.before.with(old.fault) {
      before = old.before
    } else {
      before = recorder.profile
    }
    let fault: RecorderFault?
    switch name ?? "next" {
    case "none": fault = nil
    case "next":
      let last = planted[index].flatMap { faults.firstIndex(of: $0.fault) }
      fault = faults[((last ?? -1) + 1) % faults.count]
    case let name:
      guard let named = RecorderFault(name) else {
        let names = faults.map(\.name)
        return .refused(Self.unknown("fault", name, names + ["next", "none"]))
      }
      fault = named
    }
    recorder.profile = fault.map { before.with($0) } ?? before
    planted[index] = fault.map { ($0, before) }
    try recorder.cutPower()
    try recorder.powerOn()
    return .done([("fault", .string(fault?.name ?? "none"))])
  }

  private func place(_ path: String?, _ recorder: SimulatedDevice) -> Answer {
    guard let path else { return .refused("expected the path of a .wav or .record file") }
    guard path.hasSuffix(".wav") || path.hasSuffix(".record"), let data = FileManager.default.contents(atPath: path)
    else { return .refused("cannot read \(path); expected the path of a .wav or .record file") }
    do throws(DecodingFailure) {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let record = try RecorderPlan.Record(name: name, octets: Array(data))
      guard let identifier = bench.place(record, in: recorder) else {
        return .refused("no room for \(path), or a record with its name exists")
      }
      return .done([("identifier", .string(identifier.description))])
    } catch { return .refused("\(path): \(error)") }
  }

  private func inspection(_ recorder: SimulatedDevice) throws(ControlFailure) -> [(String, JSONValue)] {
    let inside = try recorder.inspect()
    let records = inside.records.map { record in
      JSONValue.object(["identifier": .string(record.identifier), "octets": .integer(record.bytes.count)])
    }
    return [
      ("recorder", .string(recorder.name)), ("address", .string(recorder.address.description)),
      ("power", .boolean(inside.isOn)), ("state", inside.state.map(JSONValue.string) ?? .null),
      ("clock", .string("\(CivilTime(secondsSince2000: inside.clock))")),
      ("bonds", inside.bondCount.map(JSONValue.integer) ?? .null),
      ("firmware", inside.firmwareVersion.map { .integer(Int($0)) } ?? .null),
      ("bootloader", .boolean(inside.isBootloaderRunning)),
      ("profile", .string(recorder.profile.name)), ("records", .array(records)),
    ]
  }
}
