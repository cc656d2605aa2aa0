enum HCITargets {
  static func h4(_ octets: [UInt8]) -> Bool { true }
  static func hci(_ octets: [UInt8]) -> Bool { true }
}
enum CaptureTarget {
  static func btsnoop(_ octets: [UInt8]) -> Bool { true }
}
