import ScenarioLanguage
import YAML

/// `firmware: [{version: 2, banner: 037be77e}]`: how it shows which version of the application a recorder runs.
///
/// The published firmware has no attribute with its version, and its bootloader answers the request for one without a payload
/// (nRF5 SDK 17.1.0, `nrf_dfu_ble.c`). Its boot banner names the commit that it was built from.
package struct KnownApplication: FieldGroupValue, Hashable {
  static let versionField = Field<Int>("version", "The application's version, as its bootloader stores it.")
    .limited(to: 0...Int(UInt32.max))
  static let bannerField = Field<String?>("banner", "What its boot banner contains, such as the hash of the commit.")
  static let digestField = Field<String?>(
    "digest", "SHA-256 of its image, which the program for `install-firmware` prints after it has written that image.")
  package static var group: FieldGroup { FieldGroup([versionField, bannerField, digestField]) }

  /// Its version, as its bootloader stores it.
  let version: UInt32
  /// What its boot banner contains; `nil` where that does not matter.
  let banner: String?
  /// SHA-256 of its image in hexadecimal digits, in small letters; `nil` where that does not matter.
  let digest: String?

  init(version: UInt32, banner: String? = nil, digest: String? = nil) {
    self.version = version
    self.banner = banner
    self.digest = digest
  }

  package init(_ arguments: Arguments) {
    self.init(
      version: UInt32(clamping: arguments[Self.versionField]), banner: arguments[Self.bannerField],
      digest: arguments[Self.digestField]?.lowercased())
  }

  /// Digits of a SHA-256.
  static let digestLength = 64

  /// Whether a word may be the SHA-256 of an image.
  static func isDigest(_ word: some StringProtocol) -> Bool {
    word.count == digestLength && word.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Whether both could be told of one recorder, and do not say the same.
  private func contradicts(_ other: KnownApplication) -> Bool {
    guard version != other.version else { return false }
    if let digest, digest == other.digest { return true }
    guard let banner, let others = other.banner else { return false }
    return banner.contains(others) || others.contains(banner)
  }

  /// What is wrong with a recorder's list.
  static func problems(of known: [KnownApplication], at place: SourceLocation) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for (index, application) in known.enumerated() {
      if application.banner?.isEmpty ?? (application.digest == nil) {
        problems.append(
          Diagnostic(
            at: place, "nothing shows version \(application.version)", expected: "a `banner`, or a `digest`"))
      }
      if let digest = application.digest, !isDigest(digest) {
        problems.append(
          Diagnostic(
            at: place, "`\(digest)` is not a SHA-256", expected: "\(digestLength) hexadecimal digits"))
      }
      if let other = known[..<index].first(where: application.contradicts) {
        problems.append(
          Diagnostic(
            at: place, "versions \(other.version) and \(application.version) cannot be told apart",
            expected: "banners and digests that belong to one version each"))
      }
    }
    return problems
  }
}
