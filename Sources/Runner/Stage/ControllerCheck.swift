import World

extension Stage {
  /// A failure on a bench speaks against the other side only where our controllers are in their senses: ends every link,
  /// which a controller that lost an event cannot do. What is found becomes the world's controller trouble.
  func checkControllers() async {
    for case let phone as SimulatedPhone in phones { _ = try? await phone.perform(.disconnect) }
    for case let recorder as SimulatedDevice in devices { recorder.breakLink() }
    _ = await waits.pass(Self.patience, on: loop)
  }

  /// Longer than a host waits for the event of a link that its controller does not know any more, or of an attempt that
  /// the controller cannot cancel.
  private static let patience = Duration.seconds(3)
}
