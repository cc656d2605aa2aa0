import Bytes
import Text

/// Whether what a run writes has a place.
struct SpaceCheck: BenchCheck {
  let name = "space"

  /// Octets without which no run is begun, and below which one is warned: an hour of packets is about 100 MB.
  private static let least: UInt64 = 64 << 20
  private static let plenty: UInt64 = 1 << 30

  func look(_ examination: inout Examination) -> Finding? {
    var smallest: (folder: String, octets: UInt64)?
    for folder in examination.subject.folders {
      // What is not there yet will be made where the nearest folder above it is.
      let place = Self.existing(folder, examination)
      let name = PlainText.escaped(folder)
      guard examination.machine.tree.isFolder(place) else {
        return .failed("\(name) is not a folder", advice: "name another one")
      }
      guard examination.machine.tree.mayUse(place) else {
        return .failed("\(name) may not be written", advice: "change its owner, or name another folder")
      }
      guard let octets = examination.machine.freeOctets(place) else { continue }
      if octets < smallest?.octets ?? .max { smallest = (name, octets) }
    }
    guard let smallest else { return examination.subject.folders.isEmpty ? nil : .ready("can be written") }
    let found = "\(smallest.octets >> 20) MB free for \(smallest.folder)"
    guard smallest.octets >= Self.least else { return .failed(found, advice: "make room, or name another folder") }
    return .ready(found, advice: smallest.octets < Self.plenty ? "make room before a long run" : nil)
  }

  private static func existing(_ folder: String, _ examination: Examination) -> String {
    var place = folder.hasPrefix("/") ? folder[...] : "./" + folder[...]
    while place.count > 1, !examination.machine.tree.exists(String(place)) {
      place = place.lastIndex(of: "/").map { place[..<$0] } ?? "/"
    }
    return place.isEmpty ? "/" : String(place)
  }
}
