import Bytes
import Crypto
import FirmwareImages
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
    case release(RecorderProfile, image: [UInt8])
  }

  /// By what it is found again: profile or digest; of a release, both its name and the SHA-256 of its image.
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
    let digest = Hexadecimal.string(release.imageDigest)
    return (.release(profile, image: image), releasePrefix + release.name + digestMark + digest)
  }

  private static let releasePrefix = "release:"
  /// What stands between the name of a release and its digest.
  static let digestMark = "@"

  /// The release that firmware of this name is; `nil` for anything else.
  static func release(named name: String) -> String? {
    guard name.hasPrefix(releasePrefix) else { return nil }
    return name.dropFirst(releasePrefix.count).split(separator: digestMark).first.map(String.init)
  }

  /// Whether a chip on which stands what a file holds has it; `nil` for a profile, which no chip has.
  func stands(in flash: FirmwareImages.FirmwareImage) -> Bool? {
    switch kind {
    case .profile: nil
    case .image(let image):
      image.program.application.flashSegments.allSatisfy { flash.holds($0.octets, at: [$0.address]) }
    // Where a package's application begins, the board decides: at a page of its flash.
    case .release(_, let image):
      flash.holds(
        image,
        at: flash.segments.flatMap { segment in
          stride(from: 0, to: segment.octets.count, by: Self.pageSize).map { segment.address + UInt32($0) }
        })
    }
  }

  /// Octets of a page of flash.
  private static let pageSize = 4_096

  /// Whether it names itself with a text of hexadecimal digits: in its octets, or by how its digest begins.
  func names(_ text: String) -> Bool {
    let word = Array(text.utf8)
    return switch kind {
    case .profile: false
    case .image(let image):
      image.digest.hasPrefix(text.lowercased())
        || image.program.application.segments.contains { $0.octets.firstRange(of: word) != nil }
    case .release(_, let image):
      Hexadecimal.string(SHA256.digest(image)).hasPrefix(text.lowercased()) || image.firstRange(of: word) != nil
    }
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
    case .release(let profile, _):
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

extension FirmwareImages.FirmwareImage {
  /// Whether octets stand together at one of these addresses.
  fileprivate func holds(_ octets: [UInt8], at addresses: [UInt32]) -> Bool {
    addresses.contains { address in
      segments.contains { segment in
        guard address >= segment.address else { return false }
        return segment.octets.dropFirst(Int(address - segment.address)).starts(with: octets)
      }
    }
  }
}
