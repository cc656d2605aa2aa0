import Foundation
import Recorder
import Runner
import SecureDFU
import Synchronization
import World

/// The firmware that scenarios name: a folder with a catalogue and packages. Each file is read once.
final class FirmwareFiles: FirmwareLibrary {
  private struct Known {
    var catalogue: FirmwareCatalogue?
    var packages: [String: [UInt8]] = [:]
  }

  private let folder: String
  private let source: NamedFiles
  private let known = Mutex(Known())

  init(folder: String = "firmware-images", from source: NamedFiles = .onDisk) {
    self.folder = folder
    self.source = source
  }

  func catalogue() throws(ControlFailure) -> FirmwareCatalogue {
    if let catalogue = known.withLock({ $0.catalogue }) { return catalogue }
    let path = "\(folder)/\(FirmwareCatalogue.fileName)"
    guard let json = octets(FirmwareCatalogue.fileName) else { throw .impossible("cannot read \(path)") }
    let catalogue: FirmwareCatalogue
    do { catalogue = try FirmwareCatalogue(decoding: json, package: octets) } catch {
      throw .impossible("\(path): \(error)")
    }
    for release in catalogue.releases where RecorderProfile.named(release.profile) == nil {
      throw .impossible("\(path): release \(release.name) has the unknown profile \(release.profile)")
    }
    known.withLock { $0.catalogue = catalogue }
    return catalogue
  }

  func package(_ name: String) throws(ControlFailure) -> [UInt8] {
    let file = try catalogue().release(named: name)?.file ?? name
    if let octets = known.withLock({ $0.packages[file] }) { return octets }
    guard let octets = octets(file) else {
      throw .impossible("\(folder) has no release or package \(name)")
    }
    known.withLock { $0.packages[file] = octets }
    return octets
  }

  private func octets(_ file: String) -> [UInt8]? { try? source.octets(file, folder) }
}
