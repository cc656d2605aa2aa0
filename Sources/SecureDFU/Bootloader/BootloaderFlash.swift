/// One operation of the flash, done whole or not at all.
public enum FlashOperation: Hashable, Sendable {
  /// Sets a page of the banks to ones.
  case erase(UInt32)
  /// Writes bytes into a bank.
  case write(UInt32, [UInt8])
  /// Copies a page of the banks, which was erased before.
  case copy(from: UInt32, to: UInt32)
  /// Sets a page of settings to ones.
  case eraseSettings(SettingsPage)
  /// Writes settings into an erased page.
  case storeSettings(SettingsPage, BootloaderSettings)

  /// The duration in microseconds, from the durations of an erase and of a word.
  public func duration(erase: Int, word: Int) -> Int {
    switch self {
    case .erase, .eraseSettings: erase
    case .write(_, let bytes): (bytes.count + 3) / 4 * word
    case .copy: BootloaderBuild.pageSize / 4 * word
    case .storeSettings: Self.settingsWords * word
    }
  }

  /// Words of the settings (nRF5 SDK 17.1.0: a structure of 896 octets).
  private static let settingsWords = 224
}

/// The flash that survives a power cut: both banks, both pages of settings, the advertised name.
public struct BootloaderFlash: Hashable, Sendable {
  /// The address of the banks.
  public let start: UInt32
  /// Octets of the banks.
  private let size: Int
  /// The pages of the banks. One that is empty, or after the last, is erased: most of a flash is, and a world may hold
  /// a thousand.
  public private(set) var pages: [[UInt8]] = []
  /// The settings; `nil` where the page is erased or damaged.
  public var settings: BootloaderSettings?
  /// The copy of the settings; `nil` where the page is erased or damaged.
  public var backup: BootloaderSettings?
  /// The name that the application asked to be advertised; `nil` for the built-in one.
  public var advertisedName: [UInt8]?

  /// Flash with an application in bank 0, or none, and settings to match.
  public init(build: BootloaderBuild, application: [UInt8]?, version: UInt32 = 0, bootloaderVersion: UInt32 = 1) {
    start = build.bankStart
    size = Int(build.regionSize)
    var settings = BootloaderSettings()
    settings.bootloaderVersion = bootloaderVersion
    if let application {
      precondition(application.count <= size, "the application fits its bank")
      settings.applicationVersion = version
      settings.bank0.content = .application
      settings.bank0.size = UInt32(application.count)
      settings.bank0.checksum = CRC32.checksum(application)
      settings.bank0.start = start
    }
    self.settings = settings
    backup = settings
    if let application { fill(start, application) }
  }

  /// Flash as it was left: its pages, each empty or whole. Anything after the banks is ignored.
  public init(build: BootloaderBuild, pages: [[UInt8]], settings: BootloaderSettings?, backup: BootloaderSettings?) {
    start = build.bankStart
    size = Int(build.regionSize)
    self.pages = pages.prefix(size / BootloaderBuild.pageSize).map {
      $0.count == BootloaderBuild.pageSize ? $0 : []
    }
    self.settings = settings
    self.backup = backup
  }

  /// The settings that count: the first page's, else the copy's; `nil` where both are damaged.
  public var storedSettings: BootloaderSettings? { settings ?? backup }

  /// The application that may be started; `nil` where the settings know none.
  public var application: [UInt8]? {
    guard let bank = storedSettings?.bank0, bank.content == .application else { return nil }
    return bytes(bank.start, Int(bank.size))
  }

  /// Bytes of the banks; anything outside is ignored.
  public func bytes(_ address: UInt32, _ count: Int) -> [UInt8] {
    guard let range = range(address, count) else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for (page, octets) in Self.parts(range) {
      let isStored = pages.indices.contains(page) && !pages[page].isEmpty
      bytes += (isStored ? pages[page] : Self.erasedPage)[octets]
    }
    return bytes
  }

  /// Carries an operation out. As on the chip, only whole words at whole words' addresses are written, and a bit can
  /// only be cleared.
  public mutating func perform(_ operation: FlashOperation) {
    switch operation {
    case .erase(let address): erase(address)
    case .write(let address, let bytes):
      guard address % 4 == 0 else { return }
      let words = bytes.prefix(bytes.count & ~3)
      fill(address, zip(words, self.bytes(address, words.count)).map { $0 & $1 })
    case .copy(let source, let target): fill(target, bytes(source, BootloaderBuild.pageSize))
    case .eraseSettings(.primary): settings = nil
    case .eraseSettings(.backup): backup = nil
    case .storeSettings(.primary, let settings): self.settings = settings
    case .storeSettings(.backup, let settings): backup = settings
    }
  }

  private static let erasedPage = [UInt8](repeating: 0xFF, count: BootloaderBuild.pageSize)

  private func range(_ address: UInt32, _ count: Int) -> Range<Int>? {
    guard address >= start, count >= 0 else { return nil }
    let first = Int(address - start)
    guard first < size else { return nil }
    return first..<min(size, first + count)
  }

  /// The parts of `range` that lie in one page each: the page, and the octets in it.
  private static func parts(_ range: Range<Int>) -> [(page: Int, octets: Range<Int>)] {
    let pageSize = BootloaderBuild.pageSize
    return (range.lowerBound / pageSize..<(range.upperBound + pageSize - 1) / pageSize).map { page in
      let start = page * pageSize
      return (page, max(range.lowerBound - start, 0)..<min(range.upperBound - start, pageSize))
    }
  }

  private mutating func fill(_ address: UInt32, _ bytes: [UInt8]) {
    guard let range = range(address, bytes.count) else { return }
    var rest = bytes.prefix(range.count)
    for (page, octets) in Self.parts(range) {
      while pages.count <= page { pages.append([]) }
      if pages[page].isEmpty { pages[page] = Self.erasedPage }
      pages[page].replaceSubrange(octets, with: rest.prefix(octets.count))
      rest = rest.dropFirst(octets.count)
    }
  }

  /// Sets a page to ones.
  private mutating func erase(_ address: UInt32) {
    guard let range = range(address, BootloaderBuild.pageSize) else { return }
    for (page, octets) in Self.parts(range) where pages.indices.contains(page) && !pages[page].isEmpty {
      if octets.count == BootloaderBuild.pageSize {
        pages[page] = []
      } else {
        pages[page].replaceSubrange(octets, with: repeatElement(0xFF, count: octets.count))
      }
    }
  }
}
