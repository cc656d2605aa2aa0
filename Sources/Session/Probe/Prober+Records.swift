import Bytes
import DictofunProtocol
import HostStack
import Phone
import Probe
import Text
import Timeline

extension Prober {
  /// Fewer records than this do not tell what one read of the flash takes.
  private static let fewestRecords = 16
  /// More records than this are not asked for.
  private static let mostRecords = 64
  /// A record longer than this is not fetched.
  private static let longestRecord: UInt32 = 262_144
  /// How long an answer is waited for.
  private static let answerLimit = Duration.seconds(10)
  /// How long a record may take.
  private static let transferLimit = Duration.seconds(120)
  /// Nothing came for so long: the answer is over.
  static let quiet = Duration.seconds(2)

  /// Asks for list, sizes and one record, and measures how long the answers take.
  mutating func askForRecords() async throws {
    try await connect()
    let (service, point) = try await subscribeToAnswers()
    let identifiers = try await list(service, point)
    recorder.accesses.append(.init("ask for the list", Wording.count(identifiers.count, "record")))
    observeLink()
    let sizes = try await measureReads(identifiers, service, point)
    if let (identifier, size) = sizes.filter({ $0.size <= Self.longestRecord }).max(by: { $0.size < $1.size }) {
      try await measureTransfer(of: identifier, size: size, point)
    }
    try await disconnect()
    if let longest = sizes.filter({ $0.size <= Self.longestRecord }).max(by: { $0.size < $1.size }) {
      try await fetchNarrowly(longest.identifier, size: longest.size)
    }
  }

  /// Fetches the same record on a link that keeps the default ATT_MTU.
  private mutating func fetchNarrowly(_ identifier: RecordIdentifier, size: UInt32) async throws {
    _ = try await perform(.connectNarrowly(.address(address)))
    let (_, point) = try await subscribeToAnswers()
    let values = try await fetch(identifier, size: size, point)
    try await disconnect()
    var lengths = Measurement(.octets, "the longest notification of a record, without an exchange of the ATT_MTU")
    if let longest = values.map(\.octets.count).max() { lengths.add(.init(Int64(longest), Int64(longest))) }
    recorder.observe("longest-notification-at-23", lengths.figure)
    // What does not fit is left out, or sent later.
    let came = Int64(values.reduce(0) { $0 + $1.octets.count })
    var total = Measurement(.octets, "what came of a record of \(size) octets, without an exchange of the ATT_MTU")
    total.add(.init(came, came))
    recorder.observe("record-octets-at-23", total.figure)
  }

  /// Asks for a record. Returns what was notified until it was complete, or nothing came any more.
  private func fetch(
    _ identifier: RecordIdentifier, size: UInt32, _ point: AttributeHandle
  ) async throws -> [Hearing.Value] {
    let before = hearing.count
    _ = try await perform(.attribute(.write(point, ControlPointRequest.fileData(identifier).encoded)))
    var last = -1
    let end = phone.now.advanced(by: Self.transferLimit)
    while phone.now < end, hearing.count != last, hearing.octets(after: before) < size {
      last = hearing.count
      await phone.wait(Self.quiet) { [hearing] in hearing.octets(after: before) >= size }
    }
    return hearing.values(after: before)
  }

  /// Subscribes to everything that answers. Returns the service and its control point.
  func subscribeToAnswers() async throws -> (DiscoveredService, AttributeHandle) {
    guard let service = recorder.services.first(where: { $0.uuid == DictofunUUID.fileTransferService }),
      let point = service.characteristics.first(where: { $0.uuid == DictofunUUID.controlPoint })?.valueHandle
    else { throw PhoneFailure.serviceMissing(DictofunUUID.fileTransferService) }
    for characteristic in service.characteristics where characteristic.properties.contains(.read) {
      guard let place = characteristic.configurationHandle else { continue }
      _ = try await perform(.attribute(.subscribe(place, .notifications)))
    }
    return (service, point)
  }

  /// Asks for the list of records.
  func list(_ service: DiscoveredService, _ point: AttributeHandle) async throws -> [RecordIdentifier] {
    let before = hearing.count
    _ = try await perform(.attribute(.write(point, ControlPointRequest.listFiles.encoded)))
    await phone.wait(Self.answerLimit) { [hearing] in
      FTSDialogue.list(hearing.values(after: before), service) != nil
    }
    guard let identifiers = FTSDialogue.list(hearing.values(after: before), service) else {
      throw PhoneFailure.noAnswer
    }
    return identifiers
  }

  /// Asks for the size of a record. Returns it with the time from the response to the write to the answer.
  func size(
    of identifier: RecordIdentifier, _ service: DiscoveredService, _ point: AttributeHandle
  ) async throws -> (size: UInt32, latency: Duration)? {
    let before = hearing.count
    _ = try await perform(.attribute(.write(point, ControlPointRequest.fileInformation(identifier).encoded)))
    let written = phone.now
    await phone.wait(Self.answerLimit) { [hearing] in hearing.count > before }
    let place = service.characteristics.first { $0.uuid == DictofunUUID.fileInformation }?.valueHandle
    guard let value = hearing.values(after: before).first, value.attribute == place,
      let information = try? FileInformation(decoding: value.octets)
    else { return nil }
    return (information.size, written.duration(to: value.instant))
  }

  /// The answer for the record with number n takes n reads of the flash more than that for the first.
  private mutating func measureReads(
    _ identifiers: [RecordIdentifier], _ service: DiscoveredService, _ point: AttributeHandle
  ) async throws -> [(identifier: RecordIdentifier, size: UInt32)] {
    var samples: [LatencySlope.Sample] = []
    var sizes: [(identifier: RecordIdentifier, size: UInt32)] = []
    for (number, identifier) in identifiers.prefix(Self.mostRecords).enumerated() {
      guard let (size, latency) = try await size(of: identifier, service, point) else { continue }
      sizes.append((identifier, size))
      let interval = log.connection?.interval ?? .zero
      samples.append(
        .init(
          steps: Int64(number),
          latency: .init(latency - interval - Self.transit, latency + Self.transit)))
    }
    recorder.keep(
      .flashRead,
      samples.count < Self.fewestRecords
        ? nil : LatencySlope.figure(samples, "growth of the time to the size of a record with its place in the list"),
      otherwise: "needs \(Self.fewestRecords) records, but the recorder has \(samples.count)")
    return sizes
  }

  /// Fetches one record, and measures its notifications.
  private mutating func measureTransfer(
    of identifier: RecordIdentifier, size: UInt32, _ point: AttributeHandle
  ) async throws {
    let values = try await fetch(identifier, size: size, point)
    var gaps = Measurement(.time, "between the notifications of a record")
    for (one, other) in zip(values, values.dropFirst()) {
      let gap = one.instant.duration(to: other.instant)
      gaps.add(.init(gap, gap))
    }
    recorder.observe("notification-gap", gaps.figure)
    var lengths = Measurement(.octets, "the longest notification of a record")
    if let longest = values.map(\.octets.count).max() { lengths.add(.init(Int64(longest), Int64(longest))) }
    recorder.observe("longest-notification", lengths.figure)
    guard let first = values.first, let end = values.last, first.instant < end.instant else { return }
    var speed = Measurement(.speed, "a record of \(size) octets, from its first notification to its last")
    let octets = Int64(values.dropFirst().reduce(0) { $0 + $1.octets.count })
    let rate = octets * 1_000_000_000 / first.instant.duration(to: end.instant).nanosecondCount
    speed.add(.init(rate, rate))
    recorder.observe("link-speed", speed.figure)
  }

  /// Keeps what was agreed about the link.
  private mutating func observeLink() {
    if let octets = log.requestedParameters {
      recorder.accesses.append(.init("asks for connection parameters", Hexadecimal.string(octets)))
    }
    var interval = Measurement(.time, "the connection interval after its first request")
    if let agreed = log.connection?.interval { interval.add(.init(agreed, agreed)) }
    recorder.observe("connection-interval", interval.figure)
    var length = Measurement(.octets, "the longest link layer packet that it may send")
    if let agreed = log.dataLength { length.add(.init(Int64(agreed), Int64(agreed))) }
    recorder.observe("data-length", length.figure)
  }
}

extension Hearing {
  /// Octets of all values after the first `count`.
  fileprivate func octets(after count: Int) -> Int { values(after: count).reduce(0) { $0 + $1.octets.count } }
}

extension FTSDialogue {
  /// The list that these values make; `nil` while it is not complete.
  fileprivate static func list(_ values: [Hearing.Value], _ service: DiscoveredService) -> [RecordIdentifier]? {
    var dialogue = FTSDialogue(.listFiles, service)
    dialogue.begin(at: .zero)
    for value in values {
      let heard = dialogue.hear(value.attribute, value.octets, at: value.instant)
      if case .list(let identifiers) = heard?.meaning { return identifiers }
    }
    return nil
  }
}
