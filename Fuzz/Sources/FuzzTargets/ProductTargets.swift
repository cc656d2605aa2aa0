import DictofunProtocol

/// What recorder, phone and microphone exchange.
enum ProductTargets {
  /// One input is a sequence of notifications, each after its length, whose first octet names the decoder.
  static func fileTransfer(_ octets: [UInt8]) -> Bool {
    guard let selector = octets.first else { return false }
    let rest = Array(octets.dropFirst())
    switch selector % 6 {
    case 0:
      _ = ControlPointRequest(decoding: rest)
      return true
    case 1: return (try? FileInformation(decoding: rest)) != nil
    case 2: return (try? FileSystemStatus(decoding: rest)) != nil
    case 3: return (try? GeneralStatus(decoding: rest)) != nil
    case 4: return (try? CurrentTime(decoding: rest)) != nil
    default: return filesList(rest)
    }
  }

  private static func filesList(_ octets: [UInt8]) -> Bool {
    var assembler = FilesListAssembler()
    var rest = octets[...]
    while let length = rest.popFirst() {
      let notification = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(notification.count)
      guard let progress = try? assembler.append(notification) else { return false }
      if case .complete(let identifiers) = progress {
        precondition(identifiers.count == assembler.announcedCount, "a list is complete with another count")
        return true
      }
    }
    return false
  }

  static func wave(_ octets: [UInt8]) -> Bool { (try? WaveFile(decoding: octets)) != nil }
}
