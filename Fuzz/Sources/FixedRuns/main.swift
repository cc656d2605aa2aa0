import Foundation
import FuzzTargets

// Runs every fuzz target on a fixed number of inputs from a fixed seed: the same inputs on every machine, so that what
// fails once fails again. Counts the edges that the seeds go along, and fails where they are too few.
//
//     FixedRuns FOLDER SEED LAST-INPUT [TARGET …]
//
// FOLDER holds the table `targets` and the folder `Corpus`. LAST-INPUT is a file that always holds the input being tried,
// so that a trap leaves it behind.

/// Prints a line at once, so that a trap does not swallow it.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3, let seed = UInt64(arguments[1]) else {
  FileHandle.standardError.write(Data("usage: FixedRuns FOLDER SEED LAST-INPUT [TARGET …]\n".utf8))
  exit(2)
}
let folder = arguments[0]
let bounds = try Bounds.read(folder + "/targets")
let lastInput = try LastInput(path: arguments[2])
let chosen = arguments.dropFirst(3)
let names = FuzzTarget.allCases.map(\.rawValue)

for name in chosen + Array(bounds.keys) where !names.contains(name) {
  say("\(name) is not a target; expected one of \(names.joined(separator: ", "))")
  exit(2)
}
var hasFailed = false
for target in FuzzTarget.allCases where chosen.isEmpty || chosen.contains(target.rawValue) {
  do throws(TargetRun.Failure) {
    guard let bounds = bounds[target.rawValue] else {
      throw TargetRun.Failure(reason: "\(folder)/targets has no line for it")
    }
    let seeds = Corpus.read(folder + "/Corpus/" + target.rawValue)
    guard !seeds.isEmpty else { throw TargetRun.Failure(reason: "there are no seeds for it") }
    let run = TargetRun(target: target, seeds: seeds, bounds: bounds, lastInput: lastInput)
    say("\(target.rawValue): \(try run.perform(from: seed))")
  } catch {
    say("\(target.rawValue): \(error.reason)")
    hasFailed = true
  }
}
exit(hasFailed ? 1 : 0)
