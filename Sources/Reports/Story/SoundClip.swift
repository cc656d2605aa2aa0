import DictofunProtocol
import Timeline

/// A sound of a scenario, for its trace page.
package struct SoundClip: Hashable, Sendable {
  /// What it is.
  package var name: String
  /// Whether the recorder's microphone heard it; else a phone received it.
  package var isSpoken: Bool
  /// Since when.
  package var instant: Instant
  /// What there is to hear.
  package var sound: Sound

  package init(name: String, isSpoken: Bool, instant: Instant, sound: Sound) {
    self.name = name
    self.isSpoken = isSpoken
    self.instant = instant
    self.sound = sound
  }
}
