import Bytes
import Crypto
import ImageRecorder
import Recorder
import Runner
import SecureDFU
import Session
import World

/// The firmware of `qualify --firmware`.
struct QualifiedFirmware {
  private enum Kind {
    case profile(RecorderProfile, [PlantedFault])
    case image(ExecutableImage)
    case release(RecorderProfile)
  }

  /// By what it is found again: profile or digest.
  let name: String
  private let kind: Kind

  /// Reads `profile:NAME+FAULT…`, an image, or a package.
  init(_ text: String, board: String?) throws(UsageFailure) {
    if text.hasPrefix("profile:") {
      let parts = text.dropFirst("profile:".count).split(separator: "+", omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      guard let profile = RecorderProfile.named(name) else {
        let names = RecorderProfile.all.map(\.name)
        throw UsageFailure("unknown profile \(name)\(ParsedArguments.suggestion(name, names))")
      }
      let faults = try parts.dropFirst().map { text throws(UsageFailure) in
        guard let fault = PlantedFault(String(text)) else {
          throw UsageFailure(
            "unknown fault \(text)\(ParsedArguments.suggestion(String(text), PlantedFault.names))")
        }
        return fault
      }
      kind = .profile(profile, faults)
      self.name = text
    } else if text.hasSuffix(".zip") {
      (kind, name) = try Self.release(text)
    } else {
      let image = try ImageFiles.read(text, board: board)
      kind = .image(image)
      name = "image:\(image.digest)"
    }
  }

  private static func release(_ path: String) throws(UsageFailure) -> (Kind, String) {
    let octets = try DFUPacking.bytes(path)
    let images: [SecureDFU.FirmwareImage]
    do throws(PackageRefusal) { images = try FirmwarePackage(decoding: octets).images } catch {
      throw UsageFailure("\(path): \(error)")
    }
    guard let image = images.first(where: { $0.part == .application })?.image else {
      throw UsageFailure("\(path) holds no application")
    }
    let catalogue: FirmwareCatalogue
    do throws(ControlFailure) { catalogue = try FirmwareFiles().catalogue() } catch {
      throw UsageFailure("\(error)")
    }
    guard let release = catalogue.release(imageDigest: SHA256.digest(image)) else {
      throw UsageFailure(
        "\(path) is not one of the known releases, so nobody knows how to model it; give the ELF or Intel HEX file of its "
          + "application to execute it")
    }
    guard let profile = RecorderProfile.named(release.profile) else {
      throw UsageFailure("release \(release.name) has the unknown profile \(release.profile)")
    }
    return (.release(profile), releasePrefix + release.name)
  }

  private static let releasePrefix = "release:"

  /// The release that firmware of this name is; `nil` for anything else.
  static func release(named name: String) -> String? {
    name.hasPrefix(releasePrefix) ? String(name.dropFirst(releasePrefix.count)) : nil
  }

  /// The release that it is, by its name in the catalogue; `nil` for anything else.
  var release: String? { Self.release(named: name) }

  /// The targets on which it can be tried.
  var targets: [QualificationPlan.Target] {
    switch kind {
    case .profile: [.modelled]
    case .image: [.image, .hardware]
    case .release: [.modelled, .hardware]
    }
  }

  /// Why it cannot be tried on another target.
  func refusal(of target: QualificationPlan.Target) -> String {
    switch target {
    case .modelled: "an image is executed, not modelled"
    case .image: "only an ELF or Intel HEX file can be executed"
    case .hardware: "a profile exists only in simulation"
    }
  }

  /// How it is run on a target.
  func run(_ base: RunPlan, on target: QualificationPlan.Target) -> RunPlan {
    var plan = base
    switch kind {
    case .profile(let profile, let faults):
      plan.settings.profile = profile
      plan.settings.faults = faults
    case .image(let image):
      plan.image = image.description
      plan.imageDigest = image.digest
      if target == .image { plan.settings.program = image.program.recorderProgram(named: image.name) }
    case .release(let profile):
      plan.settings.profile = profile
      plan.firmwareName = name
    }
    plan.target =
      switch target {
      case .modelled: .simulated
      case .image: .image
      case .hardware: .hardware
      }
    return plan
  }
}
