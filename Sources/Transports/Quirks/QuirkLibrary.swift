import HCI

/// The numbers by which a device on USB is known.
package struct USBNumbers: Hashable, Sendable {
  /// The vendor (`idVendor`).
  package let vendor: UInt16
  /// The vendor's product (`idProduct`).
  package let product: UInt16
  /// The device's version (`bcdDevice`); `nil` where nobody told it.
  package let release: UInt16?

  package init(vendor: UInt16, product: UInt16, release: UInt16? = nil) {
    self.vendor = vendor
    self.product = product
    self.release = release
  }
}

/// What is known of an adapter by which its quirks are found.
package struct AdapterIdentity: Hashable, Sendable {
  /// The transport specification by which it is reached.
  package let adapter: String
  /// Its numbers on USB; `nil` where it is not on USB, or where only somebody else knows them.
  package var usb: USBNumbers?
  /// What it answers to Read_Local_Version_Information; `nil` before it was asked.
  package var version: LocalVersion?

  package init(adapter: String, usb: USBNumbers? = nil, version: LocalVersion? = nil) {
    self.adapter = adapter
    self.usb = usb
    self.version = version
  }
}

/// Adapters that deviate from the specification in the same way. An adapter is meant when all stated fields are its own.
package struct QuirkEntry: Hashable, Sendable {
  /// The transport specification; `nil` for any.
  package var adapter: String?
  /// The numbers on USB, of which the release may be left open; `nil` for any.
  package var usb: USBNumbers?
  /// The company that made the controller; `nil` for any.
  package var company: UInt16?
  /// The number of the HCI version; `nil` for any.
  package var hciVersion: UInt8?
  /// The company's number for its HCI; `nil` for any.
  package var hciSubversion: UInt16?
  /// The number of the LMP version; `nil` for any.
  package var linkVersion: UInt8?
  /// The company's number for its link manager; `nil` for any.
  package var linkSubversion: UInt16?
  /// What these adapters do.
  package var quirks: [AdapterQuirk]
  /// Who says so.
  package var source: String
  /// What was seen.
  package var seen: String

  package init(_ quirks: [AdapterQuirk], source: String, seen: String) {
    self.quirks = quirks
    self.source = source
    self.seen = seen
  }

  /// Whether it states something that only the controller itself can tell.
  package var statesVersion: Bool {
    company != nil || hciVersion != nil || hciSubversion != nil || linkVersion != nil || linkSubversion != nil
  }

  /// Whether the adapter is one of those, as far as can be said before it was asked for its version.
  func admits(_ identity: AdapterIdentity) -> Bool {
    if let adapter, adapter != identity.adapter { return false }
    guard let usb else { return true }
    guard let own = identity.usb, own.vendor == usb.vendor, own.product == usb.product else { return false }
    return usb.release == nil || usb.release == own.release
  }

  /// Whether the adapter is one of those.
  package func matches(_ identity: AdapterIdentity) -> Bool {
    guard admits(identity) else { return false }
    guard statesVersion else { return true }
    guard let version = identity.version else { return false }
    return (company ?? version.company) == version.company && (hciVersion ?? version.hciVersion) == version.hciVersion
      && (hciSubversion ?? version.hciSubversion) == version.hciSubversion
      && (linkVersion ?? version.linkVersion) == version.linkVersion
      && (linkSubversion ?? version.linkSubversion) == version.linkSubversion
  }
}

/// The adapters that are known to deviate from the specification.
package struct QuirkLibrary: Hashable, Sendable {
  /// All entries, in the order in which they were read.
  package private(set) var entries: [QuirkEntry]

  /// A library; an empty one knows no adapter.
  package init(_ entries: [QuirkEntry] = []) { self.entries = entries }

  /// Appends the entries of a bench or of a file of one's own.
  package mutating func add(_ more: [QuirkEntry]) { entries += more }

  /// The entries that mean an adapter.
  package func entries(for identity: AdapterIdentity) -> [QuirkEntry] { entries.filter { $0.matches(identity) } }

  /// Whether the adapter's version decides whether an entry means it.
  func dependsOnVersion(of identity: AdapterIdentity) -> Bool {
    identity.version == nil && entries.contains { $0.statesVersion && $0.admits(identity) }
  }
}
