import World

extension Stage {
  /// Checks our own controllers after a failure, so that the other side is not blamed for them: ends every link, which a
  /// controller that lost an event cannot do. A problem becomes the world's controller trouble.
  func checkControllers() async {
    for case let phone as SimulatedPhone in phones { _ = try? await phone.perform(.disconnect) }
    for case let recorder as SimulatedDevice in devices { recorder.breakLink() }
    _ = await waits.pass(Self.patience, on: loop)
  }

  /// Longer than a host waits for a controller to confirm a disconnect or the end of a connection attempt.
  private static let patience = Duration.seconds(3)
}
