import Bytes

extension InitCommand {
  /// Reads the command in `range` of `bytes`.
  init(decoding bytes: [UInt8], in range: Range<Int>) throws(DecodingFailure) {
    self.init()
    var reader = ProtobufReader(bytes, in: range)
    while let field = try reader.next() { try take(field, bytes) }
  }

  private mutating func take(_ field: ProtobufField, _ bytes: [UInt8]) throws(DecodingFailure) {
    switch field.number {
    case 1: firmwareVersion = try field.number32("firmware version")
    case 2: hardwareVersion = try field.number32("hardware version")
    case 3: try takeSoftDevices(field, bytes)
    case 4: type = FirmwareType(rawValue: try field.number32("type"))
    case 5: softDeviceSize = try field.number32("SoftDevice size")
    case 6: bootloaderSize = try field.number32("bootloader size")
    case 7: applicationSize = try field.number32("application size")
    case 8:
      let (type, digest) = try Self.pair(field, bytes, limit: FirmwareHash.lengthLimit)
      hash = FirmwareHash(type: type, digest: digest)
    case 9: isDebug = try field.number32("is debug") != 0
    case 10:
      guard bootValidations.count < Self.bootValidationLimit else {
        throw DecodingFailure(
          .tooLong(length: bootValidations.count + 1, limit: Self.bootValidationLimit), field: "boot validation",
          offset: field.offset)
      }
      let (type, content) = try Self.pair(field, bytes, limit: BootValidation.lengthLimit)
      bootValidations.append(BootValidation(type: type, bytes: content))
    default: return
    }
  }

  private mutating func takeSoftDevices(_ field: ProtobufField, _ bytes: [UInt8]) throws(DecodingFailure) {
    guard case .delimited(let range) = field.content else {
      return try append(field.number32("SoftDevice requirement"), field.offset)
    }
    var reader = ProtobufReader(bytes, in: range)
    while let number = try reader.nextPacked() { try append(number, range.lowerBound) }
  }

  private mutating func append(_ requirement: UInt32, _ offset: Int) throws(DecodingFailure) {
    softDeviceRequirements.append(requirement)
    guard softDeviceRequirements.count <= Self.softDeviceRequirementLimit else {
      throw DecodingFailure(
        .tooLong(length: softDeviceRequirements.count, limit: Self.softDeviceRequirementLimit),
        field: "SoftDevice requirements", offset: offset)
    }
  }

  /// A message of a kind and bytes, both required: a hash or a boot validation.
  private static func pair(
    _ field: ProtobufField, _ bytes: [UInt8], limit: Int
  ) throws(DecodingFailure) -> (UInt32, [UInt8]) {
    let range = try field.range("hash or boot validation")
    var reader = ProtobufReader(bytes, in: range)
    var type: UInt32?
    var content: [UInt8]?
    while let field = try reader.next() {
      switch field.number {
      case 1: type = try field.number32("type of hash or boot validation")
      case 2: content = Array(bytes[try field.range("bytes of hash or boot validation", limit: limit)])
      default: continue
      }
    }
    guard let type, let content else { throw .missing("hash or boot validation", range) }
    return (type, content)
  }

  /// The command as nrfutil writes it: fields by number, `is_debug` even when false.
  public var encoded: [UInt8] {
    var writer = ProtobufWriter()
    writer.write(1, firmwareVersion)
    writer.write(2, hardwareVersion)
    writer.write(3, packed: softDeviceRequirements)
    writer.write(4, type?.rawValue)
    writer.write(5, softDeviceSize)
    writer.write(6, bootloaderSize)
    writer.write(7, applicationSize)
    if let hash { writer.write(8, Self.pair(hash.type, hash.digest)) }
    writer.write(9, isDebug ? 1 : 0)
    for validation in bootValidations { writer.write(10, Self.pair(validation.type, validation.bytes)) }
    return writer.bytes
  }

  private static func pair(_ type: UInt32, _ bytes: [UInt8]) -> [UInt8] {
    var writer = ProtobufWriter()
    writer.write(1, type)
    writer.write(2, bytes)
    return writer.bytes
  }
}
