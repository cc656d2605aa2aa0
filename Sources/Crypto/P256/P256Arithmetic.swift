import CCrypto

/// The curve P-256 (FIPS 186-4, D.1.2.3) and owners of libcrypto's objects on it.
///
/// An owner frees its object when its own life ends, which may be right after its last use; so a pointer is passed to
/// libcrypto only where its owner is `self` or a borrowed parameter.
enum P256 {
  /// The curve; immutable once made, and libcrypto only reads it.
  nonisolated(unsafe) static let group = must(
    EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), "EC_GROUP_new_by_curve_name")

  /// A number of up to 256 bits, wiped when it goes.
  struct Number: ~Copyable {
    fileprivate let pointer: OpaquePointer

    /// Reads octets, most significant first.
    init(_ octets: [UInt8]) {
      pointer = must(BN_bin2bn(octets, Int32(octets.count), nil), "BN_bin2bn")
      BN_set_flags(pointer, BN_FLG_CONSTTIME)
    }

    deinit { BN_clear_free(pointer) }

    /// Whether it is above zero and below the order of the curve.
    var isScalar: Bool { BN_is_zero(pointer) == 0 && BN_cmp(pointer, EC_GROUP_get0_order(P256.group)) < 0 }

    /// Whether it is below the prime of the curve's field.
    var isCoordinate: Bool { BN_cmp(pointer, EC_GROUP_get0_field(P256.group)) < 0 }

    /// 32 octets, most significant first.
    static func octets(_ pointer: OpaquePointer?) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
        precondition(BN_bn2binpad(pointer, buffer.baseAddress, 32) == 32, "a number of P-256 has at most 256 bits")
        count = 32
      }
    }
  }

  /// A point, at first the one at infinity; wiped when it goes.
  struct Point: ~Copyable {
    private let pointer: OpaquePointer

    init() { pointer = must(EC_POINT_new(P256.group), "EC_POINT_new") }

    deinit { EC_POINT_clear_free(pointer) }

    /// Moves it to these coordinates. False when they are not on the curve.
    borrowing func set(x: borrowing Number, y: borrowing Number) -> Bool {
      if EC_POINT_set_affine_coordinates(P256.group, pointer, x.pointer, y.pointer, nil) == 1 { return true }
      // libcrypto leaves its reasons in the thread's error queue.
      ERR_clear_error()
      return false
    }

    /// Makes it the product of the curve's generator.
    borrowing func setToGenerator(times scalar: borrowing Number) {
      must(EC_POINT_mul(P256.group, pointer, scalar.pointer, nil, nil, nil), "EC_POINT_mul")
    }

    /// Makes it the product of another point.
    borrowing func set(_ point: borrowing Point, times scalar: borrowing Number) {
      must(EC_POINT_mul(P256.group, pointer, nil, point.pointer, scalar.pointer, nil), "EC_POINT_mul")
    }

    /// X and Y, 32 octets each, most significant first. Traps at infinity, which a valid scalar never reaches.
    var coordinates: (x: [UInt8], y: [UInt8]) {
      let x = must(BN_new(), "BN_new")
      let y = must(BN_new(), "BN_new")
      defer {
        BN_clear_free(x)
        BN_clear_free(y)
      }
      must(EC_POINT_get_affine_coordinates(P256.group, pointer, x, y, nil), "EC_POINT_get_affine_coordinates")
      return (Number.octets(x), Number.octets(y))
    }
  }
}
