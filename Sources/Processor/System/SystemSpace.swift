extension Core {
  func readSystem(_ address: UInt32, _ width: AccessWidth, _ step: Step) -> UInt32? { 0 }
  func writeSystem(_ address: UInt32, _ width: AccessWidth, _ value: UInt32, _ step: Step) -> StoreOutcome { .done }
}
