import World

/// Finds the sounds that scenarios name.
public protocol SoundLibrary: Sendable {
  /// Samples at 16,000 a second.
  func samples(_ name: String) throws(ControlFailure) -> [Int16]
}

/// A library without sounds, for scenarios that name none.
public struct NoSounds: SoundLibrary {
  public init() {}

  public func samples(_ name: String) throws(ControlFailure) -> [Int16] {
    throw .impossible("no sounds are available, so \(name) is not found")
  }
}
