import Foundation
import FuzzTargets

// Hands the fuzz target that the environment's FUZZ_TARGET names to libFuzzer, with this program's arguments. They cannot
// name it, because libFuzzer starts the program again with arguments of its own.

/// libFuzzer as a library (Clang, "Using libFuzzer as a library"): it calls `run` with one input after the other.
@_silgen_name("LLVMFuzzerRunDriver")
func runLibFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

guard let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"], FuzzTarget(rawValue: name) != nil else {
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  FileHandle.standardError.write(Data("FUZZ_TARGET must be one of \(names)\n".utf8))
  exit(2)
}
/// The target of this process: libFuzzer's function cannot be told it.
let chosen = FuzzTarget(rawValue: name)

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  runLibFuzzer(&count, &arguments) { start, count in
    chosen?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
  })
