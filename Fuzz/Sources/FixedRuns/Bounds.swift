import Foundation

/// What a target has to reach, and how often it is tried: a line of `Fuzz/targets`.
struct Bounds {
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Edges that the seeds alone must go along. They are counted in this build, so a compiler may change them a little.
  let edges: Int
  /// Inputs of a fixed run, beside the seeds.
  let inputs: Int

  /// The lines of a file by target; what begins with `#` is a comment. Throws for anything that is not a line.
  static func read(_ path: String) throws -> [String: Bounds] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    var bounds: [String: Bounds] = [:]
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.split(separator: " ")
      guard let name = words.first, !name.hasPrefix("#") else { continue }
      guard words.count == 3, let edges = Int(words[1]), let inputs = Int(words[2]), bounds[String(name)] == nil else {
        throw Unreadable(
          description: "\(path):\(number + 1): found `\(line)`, expected a target, its edges and its inputs")
      }
      bounds[String(name)] = Bounds(edges: edges, inputs: inputs)
    }
    return bounds
  }
}
