import FuzzTargets

/// Where libFuzzer hands over its inputs.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTarget.updater.runInput(start, count)
}
