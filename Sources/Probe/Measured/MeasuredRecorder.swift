import Bytes
import HostStack

/// Everything that a probe found out about a recorder.
package struct MeasuredRecorder: Hashable, Sendable {
  /// One access to an attribute and its raw result.
  package struct Access: Hashable, Sendable {
    /// What was tried, such as `read 0x0003 before encryption`.
    package var attempt: String
    /// The octets that came, as hexadecimal, or the ATT error code, such as `error 0x05`.
    package var result: String

    package init(_ attempt: String, _ result: String) {
      self.attempt = attempt
      self.result = result
    }
  }

  /// The recorder's address.
  package var address: BluetoothAddress
  /// Name of the profile that it is compared with, which gives what was not measured.
  package var twin: String
  /// The boot banner of the firmware that was measured; `nil` where no console told it.
  package var firmware: String?
  /// The constants of the profile that were measured.
  package var figures: [ProbedConstant: Figure] = [:]
  /// Why the others were not.
  package var reasons: [ProbedConstant: String] = [:]
  /// Figures that no profile has a constant for, by name in the order in which they were measured.
  package var observations: [(name: String, figure: Figure)] = []
  /// Its advertising data; `nil` where it was not heard.
  package var advertisingData: [UInt8]?
  /// Its scan response; `nil` where none was heard.
  package var scanResponse: [UInt8]?
  /// Its attributes, in the order of their handles; empty where they were not discovered.
  package var services: [DiscoveredService] = []
  /// Raw results of accesses, in the order in which they were made.
  package var accesses: [Access] = []

  package init(address: BluetoothAddress, twin: String) {
    self.address = address
    self.twin = twin
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.address == right.address && left.twin == right.twin
      && left.firmware == right.firmware && left.figures == right.figures
      && left.reasons == right.reasons && left.advertisingData == right.advertisingData
      && left.scanResponse == right.scanResponse && left.services == right.services
      && left.accesses == right.accesses
      && left.observations.elementsEqual(right.observations) { $0.name == $1.name && $0.figure == $1.figure }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(address)
    hasher.combine(figures)
  }

  /// Keeps the figure of a measurement, or the reason why there is none.
  package mutating func keep(_ constant: ProbedConstant, _ measurement: Measurement, otherwise reason: String) {
    keep(constant, measurement.figure, otherwise: reason)
  }

  /// Keeps a figure, or the reason why there is none.
  package mutating func keep(_ constant: ProbedConstant, _ figure: Figure?, otherwise reason: String) {
    if let figure { figures[constant] = figure } else { reasons[constant] = reason }
  }

  /// Keeps a figure that no profile has a constant for, if there is one.
  package mutating func observe(_ name: String, _ figure: Figure?) {
    if let figure { observations.append((name, figure)) }
  }

  /// Keeps why a constant was not measured, unless it was, or a reason is known already.
  package mutating func keep(_ constant: ProbedConstant, missing reason: String) {
    if figures[constant] == nil, reasons[constant] == nil { reasons[constant] = reason }
  }
}
