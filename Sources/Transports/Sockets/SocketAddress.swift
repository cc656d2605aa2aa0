import Glibc

/// Where a socket listens or connects to, as the system wants it.
struct SocketAddress {
  let family: Int32
  private let storage: sockaddr_storage
  private let length: socklen_t

  /// The first address that the resolver has for a host and port.
  static func resolve(host: String, port: UInt16) throws(TransportFailure) -> SocketAddress {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    defer { if list != nil { freeaddrinfo(list) } }
    guard status == 0, let first = list?.pointee, let address = first.ai_addr else {
      throw .unresolved(host: host, reason: String(cString: gai_strerror(status)))
    }
    return SocketAddress(family: first.ai_family, copying: address, length: first.ai_addrlen)
  }

  /// The address of a Unix socket; the parser has kept the path within its bound.
  static func unix(path: String) -> SocketAddress {
    precondition(
      path.utf8.count <= TransportSpecification.maximumUnixPathLength, "the path of a Unix socket is bounded")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        SocketAddress(family: AF_UNIX, copying: $0, length: socklen_t(MemoryLayout<sockaddr_un>.size))
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

  /// Hands the address to a call of the system.
  func withPointer<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// Whether only processes of this machine reach the address.
  var isLoopback: Bool {
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

  /// The port that the system gave to a bound TCP socket, 0 when it has none.
  static func boundPort(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      let status = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      guard status == 0 else { return 0 }
      switch Int32(pointer.pointee.ss_family) {
      case AF_INET:
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
      case AF_INET6:
        return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin6_port) }
      default: return 0
      }
    }
  }
}
