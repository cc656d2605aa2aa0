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
  /// Where packages are that the folder does not have; `nil` for nowhere.
  private let fallback: String?
  private let source: NamedFiles
  private let known = Mutex(Known())

  /// The folder of the house.
  static let house = "firmware-images"

  /// The files of a folder; what another one than the house's does not have is taken from the house's with `fallsBack`.
  init(folder: String = house, from source: NamedFiles = .onDisk, fallsBack: Bool = false) {
    self.folder = folder
    fallback = fallsBack && folder != Self.house ? Self.house : nil
    self.source = source
  }

  func catalogue() throws(ControlFailure) -> FirmwareCatalogue {
    if let catalogue = known.withLock({ $0.catalogue }) { return catalogue }
    var catalogue = try catalogue(of: folder)
    if let fallback {
      let names = catalogue.releases.map(\.name)
      let others = try self.catalogue(of: fallback).releases.filter { !names.contains($0.name) }
      catalogue = FirmwareCatalogue(catalogue.releases + others)
    }
    let found = catalogue
    known.withLock { $0.catalogue = found }
    return catalogue
  }

  private func catalogue(of folder: String) throws(ControlFailure) -> FirmwareCatalogue {
    let path = "\(folder)/\(FirmwareCatalogue.fileName)"
    guard let json = try source.octets(FirmwareCatalogue.fileName, folder) else {
      throw .impossible("cannot read \(path)")
    }
    let octets = { [source] (file: String) in try? source.octets(file, folder) }
    let catalogue: FirmwareCatalogue
    do { catalogue = try FirmwareCatalogue(decoding: json, package: octets) } catch {
      throw .impossible("\(path): \(error)")
    }
    for release in catalogue.releases where RecorderProfile.named(release.profile) == nil {
      throw .impossible("\(path): release \(release.name) has the unknown profile \(release.profile)")
    }
    return catalogue
  }

  func package(_ name: String) throws(ControlFailure) -> [UInt8] {
    let file = try catalogue().release(named: name)?.file ?? name
    if let octets = known.withLock({ $0.packages[file] }) { return octets }
    guard let octets = octets(file) ?? fallback.flatMap({ try? source.octets(file, $0) }) else {
      throw .impossible("\(folder) has no release or package \(name)")
    }
    known.withLock { $0.packages[file] = octets }
    return octets
  }

  private func octets(_ file: String) -> [UInt8]? { try? source.octets(file, folder) }
}
