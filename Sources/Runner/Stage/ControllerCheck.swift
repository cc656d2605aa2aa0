import World

extension Stage {
  /// A failure on a bench speaks against the other side only where our controllers are in their senses: ends every link,
  /// which a controller that lost an event cannot do. What is found becomes the world's controller trouble.
  func checkControllers() async {
    for case let phone as SimulatedPhone in phones { _ = try? await phone.perform(.disconnect) }
    let recorders = devices.compactMap { $0 as? SimulatedDevice }
    for recorder in recorders { recorder.breakLink() }
    if !recorders.isEmpty { _ = await waits.pass(Self.patienceWithControllers, on: loop) }
  }

  /// Longer than a host waits for the event of a link that its controller does not know any more.
  private static let patienceWithControllers = Duration.seconds(3)
}
