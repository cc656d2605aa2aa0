import Crypto
import SecureDFU

/// Checks whether a package can be for a recorder before the recorder is touched.
enum UpdateFitness {
  /// The reason why a package cannot be sent at all; `nil` where it can.
  static func problem(with package: FirmwarePackage, isChecked: Bool) -> String? {
    for image in package.images where image.image.isEmpty || image.initPacket.isEmpty {
      return "\(image.part.rawValue) is empty"
    }
    return isChecked && !package.findings.isEmpty
      ? package.findings.map(\.description).joined(separator: "; ") : nil
  }

  /// The reason why the recorder's bootloader would refuse the package, as far as the phone knows it; `nil` where no
  /// reason is known.
  static func problem(with order: FirmwareOrder, softDevice: UInt32?, installedVersion: UInt32?) -> String? {
    guard order.isChecked else { return nil }
    // Without the controller's version it may be either board: a package is refused only where both would refuse it.
    let builds = BootloaderBuild.all.filter { build in
      build.isDebug && (softDevice == nil || build.softDeviceIdentifier == softDevice)
    }
    guard !builds.isEmpty else { return "the recorder does not run a Dictofun's SoftDevice" }
    let installed = InstalledFirmware(applicationVersion: installedVersion ?? 0, bootloaderVersion: 0)
    for image in order.package.images {
      let problems = builds.map { build in
        refusal(of: image, by: InitPacketValidator(build: build, publicKey: order.publicKey), installed)
      }
      if let problem = problems.first ?? nil, problems.allSatisfy({ $0 != nil }) {
        return "\(image.imageName): \(problem)"
      }
    }
    return nil
  }

  private static func refusal(
    of image: FirmwareImage, by validator: InitPacketValidator, _ installed: InstalledFirmware
  ) -> InitPacketRefusal? {
    do throws(InitPacketRefusal) {
      _ = try validator.judge(image.initPacket, installed: installed)
      return nil
    } catch { return error }
  }
}
