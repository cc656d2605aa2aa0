import Bytes
import Text

/// Whether programs that a bench file names can be run.
struct ProgramCheck: BenchCheck {
  let name: String
  private let paths: [String]

  private init(_ name: String, _ paths: [String]) {
    self.name = name
    self.paths = paths
  }

  /// Those of a recorder, if it has any.
  static func all(of place: RecorderPlace) -> [any BenchCheck] {
    make(
      "programs of \(place.address)",
      place.actuators.flatMap(\.programs))
  }

  /// Those of somebody else's phone, if it has any.
  static func all(of phone: PhonePlan?) -> [any BenchCheck] {
    make("programs of the phone", (phone?.hooks.map(\.words) ?? []) + [phone?.helper.voice].compactMap { $0 })
  }

  private static func make(_ name: String, _ words: [[String]]) -> [any BenchCheck] {
    var paths: [String] = []
    for path in words.compactMap(\.first) where !paths.contains(path) { paths.append(path) }
    return paths.isEmpty ? [] : [ProgramCheck(name, paths)]
  }

  func look(_ examination: inout Examination) -> Finding? {
    for path in paths where !examination.machine.tree.mayRun(path) {
      let isThere = examination.machine.tree.exists(path)
      return .failed(
        "\(PlainText.escaped(path)) \(isThere ? "is not executable" : "does not exist")",
        advice: isThere ? "make it executable" : "install it, or correct its path in the bench file")
    }
    return .ready(paths.map { PlainText.escaped($0) }.joined(separator: ", "))
  }
}
