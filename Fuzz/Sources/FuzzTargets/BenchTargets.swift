import ScenarioLanguage
import Text
import YAML

@testable import Bench

/// The files of a bench, and what its instruments and hooks say.
enum BenchTargets {
  /// A bench file that names a file of labgrid: a bench comes out, or messages that point into one of the two.
  static func benchFile(_ octets: [UInt8]) -> Bool {
    read(SourceFile(path: "bench.yaml", bytes: octets), labgrid: SourceFile(path: "lab.yaml", text: labgrid))
  }

  /// A file of labgrid, seen from a bench that names resources in it.
  static func labgrid(_ octets: [UInt8]) -> Bool {
    read(SourceFile(path: "bench.yaml", text: bench), labgrid: SourceFile(path: "lab.yaml", bytes: octets))
  }

  private static func read(_ file: SourceFile, labgrid: SourceFile) -> Bool {
    let (bench, diagnostics) = BenchFile.read(
      file, other: { _ throws(SourceFileFailure) in labgrid }, exists: { _ in true })
    precondition((bench == nil) == !diagnostics.isEmpty, "a bench file is refused without a word")
    for diagnostic in diagnostics {
      let place = diagnostic.location
      precondition(place.line >= 1 && place.column >= 1, "a message points nowhere")
      precondition([file.path, labgrid.path].contains(place.file), "a message points into another file")
    }
    guard let bench else { return false }
    precondition(bench.shared(with: bench) != nil, "a bench has nothing in common with itself")
    return true
  }

  private static let labgrid = """
    dictofun-a:
      console: {cls: RawSerialPort, port: /dev/ttyUSB0, speed: 115200}
    """
  private static let bench = """
    place: fuzz
    adapters: ["usb:0"]
    labgrid: {file: lab.yaml, group: dictofun-a}
    recorders:
      - address: "C0:00:00:00:00:01"
        console: {resource: console}
    """

  /// What a hook printed: an answer, or one sentence that is safe to show.
  static func hooks(_ octets: [UInt8]) -> Bool {
    do {
      _ = try HookAnswer.read(String(decoding: octets, as: UTF8.self), of: "hook")
      return true
    } catch {
      guard case .bench(let fault) = error else { preconditionFailure("not the hook is to blame, but \(error)") }
      let shown = PlainText.escaped(fault.problem, limit: fault.problem.unicodeScalars.count)
      precondition(shown == fault.problem, "what a hook printed reaches the terminal as it is")
      return false
    }
  }

  /// A client's line for the control socket of a simulation: what comes of it is one step.
  static func controlSocket(_ octets: [UInt8]) -> Bool {
    guard let order = SteeringOrder(String(decoding: octets, as: UTF8.self), knowing: ["press", "battery", "inspect"])
    else { return false }
    let breaks = order.step.unicodeScalars.filter { "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
    precondition(breaks.isEmpty, "an order brings further lines along")
    return true
  }
}
