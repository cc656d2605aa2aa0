import Glibc

/// A host whose name the resolver does not know.
package struct ResolutionFailure: Error, Hashable, Sendable {
  /// The host.
  package let host: String
  /// The resolver's text for the reason.
  package let reason: String
}

/// The address of a stream socket.
package struct SocketAddress {
  /// The address family, AF_INET, AF_INET6 or AF_UNIX.
  package let family: Int32
  private let storage: sockaddr_storage
  private let length: socklen_t

  /// Octets that a path may have as a socket's address (`sun_path` without its terminator).
  package static let maximumPathLength = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// The first address that the resolver has for a host and port.
  package static func resolve(host: String, port: UInt16) throws(ResolutionFailure) -> SocketAddress {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    guard status == 0, let first = list?.pointee, let address = first.ai_addr else {
      throw ResolutionFailure(host: host, reason: String(cString: gai_strerror(status)))
    }
    return SocketAddress(family: first.ai_family, copying: address, length: first.ai_addrlen)
  }

  /// A port of this machine that only this machine reaches; port 0 lets the system choose.
  package static func loopback(port: UInt16) -> SocketAddress {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return SocketAddress(AF_INET, address)
  }

  /// The address of a Unix socket; `nil` for a path that is empty or longer than ``maximumPathLength``.
  package static func unix(path: String) -> SocketAddress? {
    guard (1...maximumPathLength).contains(path.utf8.count) else { return nil }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return SocketAddress(AF_UNIX, address)
  }

  private static let INADDR_LOOPBACK: in_addr_t = 0x7F00_0001

  private init<Address>(_ family: Int32, _ address: Address) {
    self = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        SocketAddress(family: family, copying: $0, length: socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  private init(family: Int32, copying address: UnsafePointer<sockaddr>, length: socklen_t) {
    self.family = family
    self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
    var storage = sockaddr_storage()
    let size = Int(self.length)
    withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size)) }
    self.storage = storage
  }

  /// Hands the address to a system call.
  func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Whether only processes of this machine reach the address.
  package var isLoopback: Bool {
    withUnsafePointer(to: storage) { pointer in
      switch family {
      case AF_UNIX: true
      case AF_INET:
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          UInt32(bigEndian: $0.pointee.sin_addr.s_addr) >> 24
        }
          == 127
      case AF_INET6:
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          withUnsafeBytes(of: address.pointee.sin6_addr) { $0.dropLast().allSatisfy { $0 == 0 } && $0[15] == 1 }
        }
      default: false
      }
    }
  }
}
