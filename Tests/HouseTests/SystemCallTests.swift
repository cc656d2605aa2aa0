import Testing

/// Files outside `System` that use the C library, each with its reason. None of them makes a system call that can fail.
private let allowances: [(path: String, reason: String)] = [
  ("Sources/Timeline/EventLoop.swift", "asks which thread it runs on"),
  ("Sources/Timeline/RootTask.swift", "keeps a value per thread"),
  ("Sources/Timeline/MachineClock.swift", "reads the machine's clocks"),
  ("Sources/Reports/Text/UTCTime.swift", "the calendar"),
  ("Sources/Transports/Kernel/HCISystem.swift", "HCI sockets, whose addresses only BlueZ's headers describe"),
  ("Sources/Transports/USB/LibUSBLink.swift", "what libusb's functions take"),
]

@Suite struct SystemCalls {
  @Test func onlyTheRoomSystemMakesThem() {
    for file in SourceTree.sources where file.module != "System" {
      let uses = file.code.contains { $0.hasPrefix("import Glibc") || $0.hasPrefix("import CLinux") }
      let isAllowed = allowances.contains { $0.path == file.path }
      #expect(!uses || isAllowed, "\(file.path): use the room System")
      #expect(uses || !isAllowed, "\(file.path) no longer needs its allowance")
    }
  }
}
