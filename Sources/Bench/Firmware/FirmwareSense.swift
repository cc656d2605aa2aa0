import Text
import Timeline

/// Tells which version of the application a recorder runs, from its boot banner and from what the bench has written.
///
/// What was told holds until somebody may have changed it: a phone that asks for the bootloader or speaks to it, or whoever
/// writes the chip. After that only the next banner tells. A boot alone changes nothing, so a banner that the log lost is
/// harmless.
struct FirmwareSense: Sendable {
  /// What is known of it.
  enum Answer: Hashable {
    /// It runs this version; who told.
    case version(UInt32, by: String)
    /// It cannot be told; why.
    case unknown(String)
  }

  /// How the banner begins (firmware/src/targets/dictofun/tasks/cli/task_cli_logger.cpp).
  static let banner = "Dictofun FW."

  /// What is known.
  private(set) var answer = Answer.unknown("it has not yet told which firmware it runs")

  private let known: [KnownApplication]
  /// When its firmware was last likely to be changed; a banner from before that tells nothing.
  private(set) var disturbedAt: Instant?
  /// Whether its application has started since its power or its firmware was last touched.
  private(set) var hasStarted = false
  /// When all links were last certain to have ended: by a boot, whose banner was printed then at the earliest, or because the
  /// power was cut.
  private var linksEndedAt: Instant?

  init(_ known: [KnownApplication]) { self.known = known }

  /// Takes a line of the log that was printed between two instants. Returns the version of a banner that is known.
  mutating func take(_ text: String, from earliest: Instant, to latest: Instant) -> UInt32? {
    guard text.hasPrefix(Self.banner) else { return nil }
    if let disturbedAt, earliest <= disturbedAt { return nil }
    linksEndedAt = earliest
    hasStarted = true
    guard known.contains(where: { $0.banner != nil }) else { return nil }
    guard let application = known.first(where: { $0.banner.map(text.contains) ?? false }) else {
      answer = .unknown("`firmware` in the bench file does not list `\(PlainText.escaped(text, limit: 80))`")
      return nil
    }
    answer = .version(application.version, by: "the console")
    return application.version
  }

  /// The bench has written an image with this SHA-256.
  mutating func take(written digest: String) {
    guard known.contains(where: { $0.digest != nil }) else { return }
    guard let application = known.first(where: { $0.digest == digest }) else {
      answer = .unknown("`firmware` in the bench file does not list the image \(digest)")
      return
    }
    answer = .version(application.version, by: "the digest of the image that was written")
  }

  /// Its firmware may be another one from now on, because of something said on a link that came up at an instant, or because
  /// of something else. What a phone says on a link that a boot has ended, or a cut, does not arrive.
  mutating func disturb(at now: Instant, onLinkSince linkUp: Instant? = nil) {
    if let linkUp, let linksEndedAt, linkUp < linksEndedAt { return }
    disturbedAt = now
    hasStarted = false
    answer = .unknown("its firmware may have changed, and it has not yet told which one it runs")
  }

  /// Its power is switched: what runs afterwards, only the next banner tells.
  mutating func switchPower() { hasStarted = false }

  /// Its power has been cut: a phone that has not noticed goes on talking to nobody.
  mutating func powerWasCut(at now: Instant) { linksEndedAt = now }
}
