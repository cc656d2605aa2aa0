import Foundation
import FuzzTargets

// Runs every fuzz target on a fixed number of inputs from a fixed seed, without a sanitizer: the same inputs on every
// machine, so that what fails once fails again.
//
//     FixedRuns CORPUS RUNS SEED LAST-INPUT [TARGET …]
//
// LAST-INPUT is a file that always holds the input being tried, so that a trap leaves it behind.

/// Prints a line at once, so that a trap does not swallow it.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4, let runs = Int(arguments[1]), let seed = UInt64(arguments[2]) else {
  FileHandle.standardError.write(Data("usage: FixedRuns CORPUS RUNS SEED LAST-INPUT [TARGET …]\n".utf8))
  exit(2)
}
let lastInput = try LastInput(path: arguments[3])
let chosen = arguments.dropFirst(4)

for target in FuzzTarget.allCases where chosen.isEmpty || chosen.contains(target.rawValue) {
  let seeds = try Corpus.read(arguments[0] + "/" + target.rawValue)
  var mutator = Mutator(seeds: seeds, seed: seed)
  var accepted = 0
  for input in seeds {
    lastInput.keep(input)
    if target.run(input) { accepted += 1 }
  }
  guard accepted > 0 else {
    say("\(target.rawValue): none of \(seeds.count) seeds is accepted, so nothing is tried")
    exit(1)
  }
  let untouched = accepted
  for _ in 0..<runs {
    let input = mutator.next()
    lastInput.keep(input)
    if target.run(input) { accepted += 1 }
  }
  // Where no damage ever leaves an input that is taken, the decoder's inside was never reached.
  guard runs < 1_000 || accepted > untouched else {
    say("\(target.rawValue): none of \(runs) damaged inputs is accepted, so its decoder is hardly tried")
    exit(1)
  }
  say("\(target.rawValue): \(seeds.count + runs) inputs, \(accepted) accepted")
}
