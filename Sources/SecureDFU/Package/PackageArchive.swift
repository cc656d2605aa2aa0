import CZip

/// The files of a zip archive, all in memory.
enum PackageArchive {
  /// Octets of the longest archive that is opened.
  static let archiveLimit = 16 << 20
  /// Octets of the longest file in it, and of all files together.
  static let contentLimit = 10 << 20
  /// Entries of an archive.
  static let entryLimit = 16
  /// Octets of a name.
  static let nameLimit = 255

  /// One file of an archive.
  struct File: Sendable {
    let name: String
    let bytes: [UInt8]
  }

  /// Reads every file. Nothing beyond the limits is expanded, even where the archive declares shorter lengths.
  static func read(_ bytes: [UInt8]) throws(PackageRefusal) -> [File] {
    guard bytes.count <= archiveLimit else {
      throw PackageRefusal(nil, .tooLong(length: UInt64(bytes.count), limit: archiveLimit))
    }
    // The archive reads from the array's memory for as long as it is open.
    let outcome = bytes.withUnsafeBytes { buffer -> Result<[File], PackageRefusal> in
      do throws(PackageRefusal) {
        let archive = try OpenArchive(buffer)
        return .success(try archive.files())
      } catch { return .failure(error) }
    }
    return try outcome.get()
  }

  /// An archive of these files, uncompressed and without a time, so that equal files make equal archives.
  static func write(_ files: [File]) throws(PackageRefusal) -> [UInt8] {
    var failure = zip_error_t()
    zip_error_init(&failure)
    defer { zip_error_fini(&failure) }
    guard let source = zip_source_buffer_create(nil, 0, 0, &failure) else { throw .archive(&failure) }
    // Kept beyond the archive's life, which ends by writing it.
    zip_source_keep(source)
    defer { zip_source_free(source) }
    guard let archive = zip_open_from_source(source, ZIP_TRUNCATE, &failure) else {
      zip_source_free(source)
      throw .archive(&failure)
    }
    var contents: [UnsafeMutableBufferPointer<UInt8>] = []
    defer { for content in contents { content.deallocate() } }
    for file in files {
      let content = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: file.bytes.count)
      _ = content.initialize(from: file.bytes)
      contents.append(content)
      guard add(file.name, content, to: archive) else {
        let reason = String(cString: zip_strerror(archive))
        zip_discard(archive)
        throw PackageRefusal(file.name, .unreadable(reason))
      }
    }
    guard zip_close(archive) == 0 else {
      let reason = String(cString: zip_strerror(archive))
      zip_discard(archive)
      throw PackageRefusal(nil, .notAnArchive(reason))
    }
    return try written(source)
  }

  private static func add(
    _ name: String, _ content: UnsafeMutableBufferPointer<UInt8>, to archive: OpaquePointer
  ) -> Bool {
    guard let source = zip_source_buffer(archive, content.baseAddress, UInt64(content.count), 0) else { return false }
    let index = zip_file_add(archive, name, source, UInt32(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      zip_source_free(source)
      return false
    }
    // The first day of the format's calendar: 1980-01-01.
    return zip_set_file_compression(archive, UInt64(index), ZIP_CM_STORE, 0) == 0
      && zip_file_set_dostime(archive, UInt64(index), 0, 0x21, 0) == 0
  }

  private static func written(_ source: OpaquePointer) throws(PackageRefusal) -> [UInt8] {
    var status = zip_stat_t()
    guard zip_source_stat(source, &status) == 0, status.size <= UInt64(archiveLimit), zip_source_open(source) == 0
    else { throw PackageRefusal(nil, .notAnArchive("the archive could not be written")) }
    defer { zip_source_close(source) }
    return [UInt8](unsafeUninitializedCapacity: Int(status.size)) { buffer, count in
      count = max(0, Int(zip_source_read(source, buffer.baseAddress, status.size)))
    }
  }
}

/// An archive that is being read, closed when it goes.
private struct OpenArchive: ~Copyable {
  private let pointer: OpaquePointer

  init(_ bytes: UnsafeRawBufferPointer) throws(PackageRefusal) {
    var failure = zip_error_t()
    zip_error_init(&failure)
    defer { zip_error_fini(&failure) }
    guard let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, &failure) else {
      throw .archive(&failure)
    }
    guard let archive = zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &failure) else {
      zip_source_free(source)
      throw .archive(&failure)
    }
    pointer = archive
  }

  deinit { zip_discard(pointer) }

  borrowing func files() throws(PackageRefusal) -> [PackageArchive.File] {
    let count = Int(zip_get_num_entries(pointer, 0))
    guard count <= PackageArchive.entryLimit else {
      throw PackageRefusal(nil, .tooManyEntries(count: count, limit: PackageArchive.entryLimit))
    }
    var files: [PackageArchive.File] = []
    var findings: [PackageFinding] = []
    var budget = PackageArchive.contentLimit
    for index in 0..<UInt64(max(0, count)) {
      do throws(PackageRefusal) {
        let file = try file(index, budget: budget)
        budget -= file.bytes.count
        if files.contains(where: { $0.name.lowercased() == file.name.lowercased() }) {
          findings.append(PackageFinding(file.name, .duplicate))
        }
        files.append(file)
      } catch { findings += error.findings }
    }
    guard findings.isEmpty else { throw PackageRefusal(findings: findings) }
    return files
  }

  private borrowing func file(_ index: UInt64, budget: Int) throws(PackageRefusal) -> PackageArchive.File {
    var status = zip_stat_t()
    guard zip_stat_index(pointer, index, UInt32(ZIP_FL_ENC_RAW), &status) == 0, let text = status.name else {
      throw PackageRefusal("entry \(index)", .unreadable(String(cString: zip_strerror(pointer))))
    }
    guard let name = String(validatingCString: text) else { throw PackageRefusal("entry \(index)", .unsafeName) }
    guard !PackageName.isOfMacintosh(name) else { throw PackageRefusal(PackageName.printable(name), .addedByMacintosh) }
    guard PackageName.isSafe(name) else { throw PackageRefusal(PackageName.printable(name), .unsafeName) }
    guard status.size <= UInt64(budget) else {
      throw PackageRefusal(name, .tooLong(length: status.size, limit: PackageArchive.contentLimit))
    }
    guard status.size > 0 else { throw PackageRefusal(name, .empty) }
    guard let file = zip_fopen_index(pointer, index, 0) else {
      throw PackageRefusal(name, .unreadable(String(cString: zip_strerror(pointer))))
    }
    defer { zip_fclose(file) }
    let size = Int(status.size)
    // One octet more than declared is read: an entry that is longer than declared is refused.
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
      length = Int(zip_fread(file, buffer.baseAddress, UInt64(size + 1)))
      count = max(0, length)
    }
    // libzip tells a wrong checksum only to those who read on after the end.
    guard length == size, status.valid & UInt64(ZIP_STAT_CRC) == 0 || CRC32.checksum(bytes) == status.crc else {
      throw PackageRefusal(name, .unreadable("its content is damaged"))
    }
    return PackageArchive.File(name: name, bytes: bytes)
  }
}

extension PackageRefusal {
  init(_ subject: String?, _ problem: PackageFinding.Problem) {
    self.init(findings: [PackageFinding(subject, problem)])
  }

  static func archive(_ failure: inout zip_error_t) -> PackageRefusal {
    if zip_error_code_zip(&failure) == ZIP_ER_EXISTS { return PackageRefusal(nil, .duplicate) }
    return PackageRefusal(nil, .notAnArchive(String(cString: zip_error_strerror(&failure))))
  }
}

/// Names of files in a package: plain ones, in no folder.
enum PackageName {
  /// Whether macOS puts such an entry into archives that it makes.
  static func isOfMacintosh(_ name: String) -> Bool { name.hasPrefix("__MACOSX/") || name.hasSuffix(".DS_Store") }

  static func isSafe(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= PackageArchive.nameLimit && name != "." && name != ".."
      && name.unicodeScalars.allSatisfy { isPrintable($0) && !["/", "\\", ":"].contains($0) }
  }

  /// Whether a text can be shown in a line of at most `limit` octets.
  static func isPrintable(_ text: String, limit: Int) -> Bool {
    !text.isEmpty && text.utf8.count <= limit && text.unicodeScalars.allSatisfy(isPrintable)
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
  }

  /// A name as it may be shown.
  static func printable(_ name: String) -> String {
    String(
      name.unicodeScalars.prefix(80).map { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F ? Character($0) : "?" })
  }
}
