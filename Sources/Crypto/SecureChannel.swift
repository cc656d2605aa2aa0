import CCrypto

/// One end of a channel of TLS 1.3 (RFC 8446) between two ends that share a key. It has neither certificates nor a socket:
/// what the other end sent is given to it, and what it wants to send is taken from it.
package final class SecureChannel {
  /// Who begins.
  package enum Side: Sendable {
    /// Begins the conversation.
    case client
    /// Waits for a client.
    case server
  }

  /// Why a channel cannot be used any more.
  package enum Failure: Error, Hashable, Sendable {
    /// The other end does not have the key, or does not speak TLS 1.3.
    case refused
    /// What came cannot be deciphered.
    case damaged
  }

  /// Octets of a key.
  package static let keyLength = 32

  private let session: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  private let key: UnsafeMutablePointer<ccrypto_shared_key>
  private var isFinished = false

  /// A channel whose other end has the same key of ``keyLength`` octets.
  package init(_ side: Side, key octets: [UInt8]) {
    precondition(octets.count == Self.keyLength, "a shared key has \(Self.keyLength) octets")
    key = .allocate(capacity: 1)
    key.initialize(to: ccrypto_shared_key())
    withUnsafeMutableBytes(of: &key.pointee.octets) { $0.copyBytes(from: octets) }
    incoming = must(BIO_new(BIO_s_mem()), "BIO_new")
    outgoing = must(BIO_new(BIO_s_mem()), "BIO_new")
    // The session owns both from here on.
    session = must(ccrypto_channel(side == .server ? 1 : 0, key, incoming, outgoing), "SSL_new")
  }

  deinit {
    SSL_free(session)
    OPENSSL_cleanse(key, MemoryLayout<ccrypto_shared_key>.size)
    key.deallocate()
  }

  /// Takes what the other end sent.
  package func receive(_ octets: ArraySlice<UInt8>) {
    guard !octets.isEmpty else { return }
    let count = octets.withUnsafeBytes { BIO_write(incoming, $0.baseAddress, Int32(clamping: $0.count)) }
    precondition(count == octets.count, "a BIO in memory takes everything")
  }

  /// Takes out what is to be sent to the other end.
  package func takeOutput() -> [UInt8] {
    let count = BIO_ctrl_pending(outgoing)
    guard count > 0 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, written in
      written = Int(max(0, BIO_read(outgoing, buffer.baseAddress, Int32(clamping: count))))
    }
  }

  /// Goes on with the handshake as far as what came allows. Returns whether it is complete.
  ///
  /// - Throws: ``Failure/refused``; what ``takeOutput()`` then has tells the other end.
  package func shakeHands() throws(Failure) -> Bool {
    if isFinished { return true }
    ERR_clear_error()
    let status = SSL_do_handshake(session)
    isFinished = status == 1
    guard !isFinished, SSL_get_error(session, status) != SSL_ERROR_WANT_READ else { return isFinished }
    throw .refused
  }

  /// Whether octets came that were not read yet, although they may be only a part of what can be deciphered.
  package var hasInput: Bool { BIO_ctrl_pending(incoming) > 0 || SSL_pending(session) > 0 }

  /// Reads up to the size of `buffer`: the number of octets, 0 when the other end has said that it ends, `nil` when more
  /// must come first.
  ///
  /// - Throws: ``Failure/damaged``
  package func read(into buffer: inout [UInt8]) throws(Failure) -> Int? {
    ERR_clear_error()
    let count = buffer.withUnsafeMutableBytes { SSL_read(session, $0.baseAddress, Int32(clamping: $0.count)) }
    if count > 0 { return Int(count) }
    switch SSL_get_error(session, count) {
    case SSL_ERROR_WANT_READ: return nil
    case SSL_ERROR_ZERO_RETURN: return 0
    default: throw .damaged
    }
  }

  /// Enciphers octets, all of them; only after the handshake.
  ///
  /// - Throws: ``Failure/damaged`` where the channel has failed before.
  package func write(_ octets: ArraySlice<UInt8>) throws(Failure) {
    guard !octets.isEmpty else { return }
    ERR_clear_error()
    let count = octets.withUnsafeBytes { SSL_write(session, $0.baseAddress, Int32(clamping: $0.count)) }
    guard count == octets.count else { throw .damaged }
  }

  /// Tells the other end that nothing follows.
  package func end() {
    guard isFinished else { return }
    ERR_clear_error()
    _ = SSL_shutdown(session)
  }
}
