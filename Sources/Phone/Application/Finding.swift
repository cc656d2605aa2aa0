import Bytes
import HCI
import HostStack
import Timeline

/// A scan: its goal, and the recorders that were heard.
struct Finder {
  /// The goal that ends the scan early.
  enum Goal {
    /// None: every recorder in the time is wanted.
    case everything
    /// This address, or this identity.
    case recorder(BluetoothAddress)
    /// The only recorder in sight: the scan ends soon after the first one was heard.
    case onlyOne
  }

  /// The most recorders remembered; a hostile device can show any number.
  static let maximumSightings = 2048

  let goal: Goal
  /// The programs that are wanted.
  let programs: Programs
  /// The only recorders that are accepted; `nil` accepts all.
  private let admitted: [BluetoothAddress]?
  /// Whether the address alone makes a bootloader, which is a fault.
  private let trustsAddresses: Bool
  let began: Instant
  private(set) var sightings: [RecorderSighting] = []
  /// The index in `sightings` by address; never iterated.
  private var places: [BluetoothAddress: Int] = [:]

  /// The programs of a recorder that are wanted.
  enum Programs {
    case application
    case bootloader
    case either
  }

  init(
    _ goal: Goal, _ programs: Programs, admitting admitted: [BluetoothAddress]? = nil, trustsAddresses: Bool = false,
    at instant: Instant
  ) {
    self.trustsAddresses = trustsAddresses
    self.goal = goal
    self.programs = programs
    self.admitted = admitted
    began = instant
  }

  /// The program that sent this report, where it has the wanted address.
  ///
  /// A bootloader advertises from its application's address with one added; one that keeps the address can be told by
  /// what it advertises.
  func sought(_ report: AdvertisingReport) -> ConnectedProgram? {
    guard case .recorder(let address) = goal, report.isConnectable else { return nil }
    if report.address == address || report.identity == address {
      guard programs != .application else { return .application }
      let advertisement = RecorderAdvertisement(decoding: report.data)
      if advertisement.offersUpdate, !advertisement.offersFileTransfer { return .bootloader }
      return programs == .either ? .application : nil
    }
    guard programs != .application, report.address == address.ofBootloader else { return nil }
    if trustsAddresses { return .bootloader }
    // That may also be the address of a neighbour.
    return RecorderAdvertisement(decoding: report.data).offersFileTransfer ? nil : .bootloader
  }

  /// Takes a report; true when it is of a recorder not heard before.
  mutating func hear(_ report: AdvertisingReport, at instant: Instant, pairedRecorder: BluetoothAddress?) -> Bool {
    let advertisement = RecorderAdvertisement(decoding: report.data)
    let heard = instant.nanoseconds - began.nanoseconds
    if let place = places[report.address] {
      sightings[place].signalStrength = report.signalStrength
      sightings[place].lastHeardNanoseconds = heard
      return false
    }
    let isWanted =
      programs != .bootloader && advertisement.offersFileTransfer
      || programs != .application && advertisement.offersUpdate
    let isBootloader = !advertisement.offersFileTransfer
    guard isWanted, isAdmitted(report, isBootloader), sightings.count < Self.maximumSightings else { return false }
    places[report.address] = sightings.count
    var sighting = RecorderSighting(
      address: report.address, identity: report.identity, name: advertisement.name,
      signalStrength: report.signalStrength, lastHeardNanoseconds: heard,
      isPaired: report.identity == pairedRecorder || isBootloader && report.address == pairedRecorder?.ofBootloader,
      isBootloader: isBootloader)
    sighting.advertisingData = report.data
    sightings.append(sighting)
    return true
  }

  /// Takes the scan response of a recorder that was heard.
  mutating func hear(response report: AdvertisingReport) {
    guard let place = places[report.address], sightings[place].scanResponse.isEmpty else { return }
    sightings[place].scanResponse = report.data
  }

  private func isAdmitted(_ report: AdvertisingReport, _ isBootloader: Bool) -> Bool {
    guard let admitted else { return true }
    return admitted.contains { address in
      report.address == address || report.identity == address || isBootloader && report.address == address.ofBootloader
    }
  }
}

/// The search for a recorder, until an attempt to connect has ended.
struct RecorderSearch {
  /// The meaning of an advertisement for the search.
  enum Hearing {
    /// Nothing, for now.
    case nothing
    /// The first of possibly several recorders.
    case first
    /// The phone connects with this program at this address.
    case found(BluetoothAddress, ConnectedProgram)
  }

  /// The only recorders that are accepted; `nil` accepts all.
  private let admitted: [BluetoothAddress]?
  /// Whether the address alone makes a bootloader, which is a fault.
  private let trustsAddresses: Bool
  private var finder: Finder?
  /// The address that the host stack is connecting to.
  var attempt: BluetoothAddress?
  /// The program that the attempt expects there.
  private(set) var program = ConnectedProgram.application

  init(admitting admitted: [BluetoothAddress]?, trustsAddresses: Bool) {
    self.admitted = admitted
    self.trustsAddresses = trustsAddresses
  }

  /// Whether the host stack scans.
  var isListening: Bool { finder != nil }
  /// The recorders that were heard.
  var sightings: [RecorderSighting] { finder?.sightings ?? [] }

  /// Begins to listen.
  mutating func begin(_ goal: Finder.Goal, _ programs: Finder.Programs, at now: Instant) {
    finder = Finder(goal, programs, admitting: admitted, trustsAddresses: trustsAddresses, at: now)
  }

  /// Ends listening; false where nothing was listened for.
  mutating func end() -> Bool {
    defer { finder = nil }
    return finder != nil
  }

  /// Takes an advertisement or scan response. With `takesFirst`, a fault, the first recorder is connected with.
  mutating func hear(
    _ report: AdvertisingReport, at now: Instant, pairedRecorder: BluetoothAddress?, takesFirst: Bool
  ) -> (hearing: Hearing, isSought: Bool) {
    // The finder is asked where it is: a second one held here would make hearing copy every sighting.
    guard let goal = finder?.goal else { return (.nothing, false) }
    if let program = finder?.sought(report) { return (.found(report.address, program), true) }
    guard !report.isScanResponse else {
      finder?.hear(response: report)
      return (.nothing, false)
    }
    let isFirst = finder?.sightings.isEmpty ?? true
    let isNew = finder?.hear(report, at: now, pairedRecorder: pairedRecorder) ?? false
    guard isNew, case .onlyOne = goal else { return (.nothing, false) }
    if takesFirst { return (.found(report.address, .application), false) }
    return (isFirst ? .first : .nothing, false)
  }

  /// The only recorder that was heard in the time of the search.
  func choose() throws(PhoneFailure) -> (address: BluetoothAddress, program: ConnectedProgram) {
    if let finder, case .recorder(let wanted) = finder.goal {
      let others = finder.sightings.map(\.address).filter { $0 != wanted }
      throw others.isEmpty ? .nothingInSight : .othersInSight(others)
    }
    guard let finder, case .onlyOne = finder.goal, let first = finder.sightings.first else { throw .nothingInSight }
    guard finder.sightings.count == 1 else { throw .severalInSight(finder.sightings.map(\.address)) }
    return (first.address, first.isBootloader ? .bootloader : .application)
  }

  /// An attempt to connect begins.
  mutating func connects(to address: BluetoothAddress, _ program: ConnectedProgram) {
    attempt = address
    self.program = program
  }
}

extension PhoneApplication {
  mutating func beginScan(_ duration: Duration, _ effects: inout ApplicationEffects) {
    running?.stage = .scanning
    startListening(.everything, .either, &effects)
    allow(max(.zero, duration), &effects)
  }

  /// Begins an operation that needs a link: takes the one there is, or looks for the recorder.
  mutating func beginFinding(_ choice: RecorderChoice, _ effects: inout ApplicationEffects) {
    guard let link else { return listen(&effects) }
    let wanted: BluetoothAddress? =
      switch choice {
      case .paired: pairedRecorder
      case .address(let address): address
      }
    guard wanted == nil || wanted == link.identity || wanted == link.peer else {
      // One link at a time; the other one must be ended first.
      return fail(.connectionFailed(.connectionAlreadyExists), &effects)
    }
    guard isLinkReady, !isLinkClosing else { return fail(.notConnected, &effects) }
    linkReady(&effects)
  }

  /// Listens for the recorder that the running operation means.
  mutating func listen(_ effects: inout ApplicationEffects) {
    guard let running else { preconditionFailure("a search needs a running operation") }
    if updating.run?.application != nil { return seek(&effects) }
    var goal: Finder.Goal
    switch running.operation {
    case .connect(.address(let address)), .sync(.address(let address), _), .update(_, .address(let address)),
      .connectBootloader(.address(let address), _), .connectPlainly(.address(let address)),
      .connectUnsecured(.address(let address)), .connectNarrowly(.address(let address)):
      goal = .recorder(address)
    default: goal = pairedRecorder.map(Finder.Goal.recorder) ?? .onlyOne
    }
    let programs: Finder.Programs =
      switch running.operation {
      case .update: .either
      case .connectBootloader: .bootloader
      default: .application
      }
    if has(.takesFirstRecorder) { goal = .onlyOne }
    self.running?.stage = .finding
    effects.append(.event(.connectionStatus(.searching)))
    startListening(goal, programs, &effects)
    // An automatic search lasts until the recorder appears.
    if running.token == nil { step.stop(&effects) } else { allow(configuration.timeouts.search, &effects) }
  }

  mutating func startListening(
    _ goal: Finder.Goal, _ programs: Finder.Programs, _ effects: inout ApplicationEffects
  ) {
    search.begin(goal, programs, at: now)
    effects.append(.host(.setScanning(configuration.scanParameters)))
  }

  /// Stops scanning where the host stack scans.
  mutating func stopListening(_ effects: inout ApplicationEffects) {
    if search.end() { effects.append(.host(.setScanning(nil))) }
  }

  /// An advertisement or scan response was heard.
  mutating func heard(_ report: AdvertisingReport, _ effects: inout ApplicationEffects) {
    let (hearing, isSought) = search.hear(
      report, at: now, pairedRecorder: pairedRecorder, takesFirst: has(.takesFirstRecorder))
    switch hearing {
    case .nothing: break
    case .first: allow(configuration.timeouts.choice, &effects)
    case .found(let address, let program):
      isSought ? found(address, program, &effects) : connect(to: address, program, &effects)
    }
  }

  /// The controller would not listen.
  mutating func listeningFailed(_ code: ErrorCode, _ effects: inout ApplicationEffects) {
    if search.end() { searchFailed(.connectionFailed(code), &effects) }
  }

  /// The time for finding a recorder is up.
  mutating func chooseRecorder(_ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) {
      let choice = try search.choose()
      connect(to: choice.address, choice.program, &effects)
    } catch { searchFailed(error, &effects) }
  }

  private mutating func searchFailed(_ failure: PhoneFailure, _ effects: inout ApplicationEffects) {
    effects.append(.event(.connectionStatus(.disconnected(nil))))
    if updating.run?.application != nil { return searchEnded(&effects) }
    fail(failure, &effects)
  }

  /// The recorder with the wanted address was heard.
  private mutating func found(
    _ address: BluetoothAddress, _ program: ConnectedProgram, _ effects: inout ApplicationEffects
  ) {
    if updating.run?.failure != nil { return heardAfterFailure(program, &effects) }
    connect(to: address, program, &effects)
  }

  private mutating func connect(
    to address: BluetoothAddress, _ program: ConnectedProgram, _ effects: inout ApplicationEffects
  ) {
    stopListening(&effects)
    search.connects(to: address, program)
    linkState.take(.attempted)
    if program == .bootloader { updating.run?.links += 1 }
    running?.stage = .connecting
    effects.append(.event(.connectionStatus(.connecting(address))))
    effects.append(.host(.connect(address, configuration.connectionParameters)))
    allow(configuration.timeouts.connect, &effects)
  }
}
