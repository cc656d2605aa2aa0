import Recorder
import SecureDFU
import World

extension SetBuilder {
  /// The firmware on a recorder's chip, with the releases of the catalogue.
  ///
  /// Faults that are planted into the recorder stay in whatever release it is updated to.
  func firmware(_ plan: BootloaderPlan?, _ faults: BootloaderFaultPlan?) throws -> RecorderFirmware {
    var result = RecorderFirmware(build: plan?.build ?? .s140Debug)
    if let timing = plan?.timing { result.timing = timing }
    result.damagedSettings = plan?.damagedSettings ?? []
    if let faults = faults?.faults { result.faults = faults }
    // Without firmware at hand, scenarios that install none run all the same.
    let catalogue =
      plan?.release == nil ? (try? firmware.catalogue()) ?? FirmwareCatalogue([]) : try firmware.catalogue()
    result.known = try catalogue.releases.map { release in
      KnownFirmware(digest: release.imageDigest, name: release.name, profile: try profile(of: release))
    }
    if let name = plan?.release {
      guard let release = catalogue.release(named: name) else {
        throw ControlFailure.impossible("release \(name) is not in the catalogue")
      }
      let package = try FirmwarePackage(decoding: try firmware.package(name))
      result.image = package.images.first { $0.part == .application }?.image
      result.version = release.version
      guard let image = result.image, image.count <= Int(result.build.regionSize) else {
        throw ControlFailure.impossible("release \(name) does not fit a chip with \(result.build.name)")
      }
    }
    if let version = plan?.version { result.version = version }
    return result
  }

  /// How a recorder behaves: as its release where one is installed, else as the run's profile.
  func installedProfile(_ plan: BootloaderPlan?, _ firmware: RecorderFirmware) -> RecorderProfile {
    guard let name = plan?.release, let known = firmware.known.first(where: { $0.name == name }) else {
      return planted(settings.profile)
    }
    return known.profile
  }

  /// How a recorder with a release behaves, with the planted faults.
  private func profile(of release: FirmwareRelease) throws -> RecorderProfile {
    guard let profile = RecorderProfile.named(release.profile) else {
      throw ControlFailure.impossible("release \(release.name) has no profile \(release.profile)")
    }
    return planted(profile)
  }

  /// A profile with the faults that are planted into recorders.
  private func planted(_ profile: RecorderProfile) -> RecorderProfile {
    var profile = profile.with(settings.faults.ofRecorders)
    settings.generated?.change(&profile)
    return profile
  }
}
