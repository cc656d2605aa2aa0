import Glibc

/// A shared library that is loaded when it is first needed, and stays.
package struct SharedLibrary: Sendable {
  /// Why a library or something in it cannot be used.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The loader's sentence.
    package let description: String
  }

  private let handle: UInt

  /// Loads a library by the name that its users link with, such as `libpq.so.5`.
  ///
  /// - Throws: the loader's reason, such as that there is no such file.
  package init(_ name: String) throws(Failure) {
    guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw Self.lastFailure }
    self.handle = UInt(bitPattern: handle)
  }

  /// The function of this name. `Function` must be its C type, written as `@convention(c)`.
  ///
  /// - Throws: that the library has none.
  package func function<Function>(_ symbol: String, as type: Function.Type) throws(Failure) -> Function {
    precondition(MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size)
    guard let address = dlsym(UnsafeMutableRawPointer(bitPattern: handle), symbol) else { throw Self.lastFailure }
    return unsafeBitCast(address, to: type)
  }

  private static var lastFailure: Failure {
    Failure(description: dlerror().map { String(cString: $0) } ?? "the loader gives no reason")
  }
}
