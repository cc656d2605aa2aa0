import EdgeCounters
import FuzzTargets

/// Tries one target: its seeds, and then inputs that are damaged seeds.
struct TargetRun {
  struct Failure: Error {
    let reason: String
  }

  let target: FuzzTarget
  let seeds: [[UInt8]]
  let bounds: Bounds
  let lastInput: LastInput

  /// Runs everything; gives the line that tells of it. Throws where the seeds, or what is made of them, reach too little.
  func perform(from seed: UInt64) throws(Failure) -> String {
    // What is made once for the whole process counts for no target, whichever is the first.
    for input in seeds { _ = attempt(input) }
    edges_forget()
    var accepted = 0
    var edges = 0
    for input in seeds {
      if attempt(input) { accepted += 1 }
      edges = edges_note()
    }
    guard accepted > 0 else {
      throw Failure(reason: "none of \(seeds.count) seeds is accepted, so nothing is tried")
    }
    guard edges >= bounds.edges else {
      throw Failure(reason: "the seeds go along \(edges) edges, expected at least \(bounds.edges) as in Fuzz/targets")
    }
    let untouched = accepted
    var mutator = Mutator(seeds: seeds, seed: seed)
    for _ in 0..<bounds.inputs {
      if attempt(mutator.next()) { accepted += 1 }
    }
    // Where no damage ever leaves an input that is taken, the decoder's inside was never reached.
    guard bounds.inputs < 1_000 || accepted > untouched else {
      throw Failure(reason: "none of \(bounds.inputs) damaged inputs is accepted, so its decoder is hardly tried")
    }
    let all = edges_note()
    return "\(seeds.count + bounds.inputs) inputs, \(accepted) accepted; \(edges) edges by the seeds, \(all) by all"
  }

  private func attempt(_ input: [UInt8]) -> Bool {
    lastInput.keep(input)
    return target.run(input)
  }
}
