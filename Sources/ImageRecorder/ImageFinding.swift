import Board
import FirmwareImages
import Processor
import Recorder
import SoftDevice

/// What only somebody inside the chip can see go wrong, or what is not modelled and may have changed what the image did.
package enum ImageFinding: Equatable, Sendable {
  /// The image did what the architecture forbids or does not define.
  case fault(ProcessorFault)
  /// The processor stood still after a fault in a fault.
  case lockup
  /// A breakpoint was executed; firmware stops there after an assertion.
  case breakpoint(UInt8, address: UInt32)
  /// The watchdog was not fed in time.
  case watchdog(address: UInt32)
  /// RAM was executed.
  case executedData(address: UInt32)
  /// RAM was read that nobody had written, by the instruction at this address.
  case unwrittenRead(address: UInt32, by: UInt32)
  /// A stack grew beyond its end.
  case stack(StackOverrun)
  /// The image has run in circles for so long that it is not executed any more.
  case stuck(address: UInt32)
  /// The chip was reset 100 times, one reset right after the other, and is not started any more.
  case resetsForEver
  /// A supervisor call was wrong, or is not modelled, and where it was made; `nil` for what no call brought about.
  case softDevice(SoftDeviceFinding, address: UInt32?)
  /// A register of the chip is not modelled.
  case register(address: UInt32, isWrite: Bool)
  /// The image let go of its power although it was to stay awake.
  case fellAsleep
  /// The processor had worked for as long as it may; at that moment, this address was executed.
  case outOfTime(address: UInt32)
  /// The flash for records ignored a command, for this reason.
  case storage(command: UInt8, NORFlash.Refusal)
  /// A block of the chip was given a buffer that it cannot reach.
  case buffer(ChipBuffer)
  /// The image wrote to or erased flash that it had write-protected until the next reset, or registers beside the flash
  /// that it cannot change so.
  case protectedFlash(address: UInt32, by: UInt32)

  /// Whether it says what is not modelled, instead of what the image did wrong.
  package var isLimitation: Bool { [.notModelled, .fellAsleep, .outOfTime].contains(kind) }

  /// Whether what the processor was executing brought it about, so that the callers say something.
  var isInCode: Bool {
    switch self {
    case .fault, .breakpoint, .watchdog, .stack, .stuck: true
    case .softDevice(_, let address): address != nil && !isLimitation
    case .lockup, .executedData, .unwrittenRead, .resetsForEver, .register, .storage, .buffer, .fellAsleep,
      .outOfTime, .protectedFlash:
      false
    }
  }

  /// What kind of thing it is.
  package var kind: ProgramFinding.Kind {
    switch self {
    case .fault(let fault): fault.findingKind
    case .lockup: .lockup
    case .breakpoint: .assertion
    case .watchdog: .watchdog
    case .executedData: .wildExecution
    case .unwrittenRead: .unwrittenRead
    case .stack: .stackOverrun
    case .stuck, .resetsForEver: .stuck
    case .softDevice(.badPointer, _), .softDevice(.flashSourceChanged, _), .softDevice(.keyStoreLost, _),
      .softDevice(.eventLost, _), .softDevice(.refused, _), .softDevice(.notificationStorm, _):
      .badCall
    case .softDevice, .register, .storage(_, .notModelled): .notModelled
    case .storage, .buffer, .protectedFlash: .badAccess
    case .fellAsleep: .fellAsleep
    case .outOfTime: .outOfTime
    }
  }

  /// One sentence, with functions in the place of addresses where the image names them.
  package func text(_ symbols: SymbolTable) -> String {
    switch self {
    case .fault(let fault): fault.text(symbols)
    case .lockup: "a fault inside the handler of a fault: the processor stood still"
    case .breakpoint(let number, let address):
      "breakpoint \(number) at \(symbols.place(address)), as after a failed assertion"
    case .watchdog(let address):
      "the watchdog was not fed in time; at that moment \(symbols.place(address)) was executed"
    case .executedData(let address): "RAM was executed at \(symbols.place(address))"
    case .unwrittenRead(let address, let instruction):
      "\(symbols.place(instruction)) read RAM at \(symbols.place(address)) that nobody had written"
    case .stack(let overrun): overrun.text(symbols)
    case .stuck(let address):
      "it has run in circles around \(symbols.place(address)) for 10 s, without a call, a pause or an interrupt"
    case .resetsForEver: "it was reset 100 times, one reset right after the other"
    case .softDevice(let finding, let address):
      finding.description + (address.map { ", at \(symbols.place($0))" } ?? "")
    case .register(let address, let isWrite):
      "\(isWrite ? "a write to" : "a read of") the register at 0x\(String(address, radix: 16)) (not modelled)"
    case .protectedFlash(let address, let instruction):
      "\(symbols.place(instruction)) wrote to or erased flash at 0x\(String(address, radix: 16)), "
        + (address < Self.registers ? "which is write-protected" : "where the chip keeps registers, in vain")
    case .fellAsleep: "it switched itself off; only the model can be kept awake (`given: device: timeouts: never`)"
    case .outOfTime(let address):
      "its processor had worked for as long as --processor-time allows; at that moment \(symbols.place(address)) was executed"
    case .storage(let command, let reason):
      "the flash for records was given command 0x\(String(command, radix: 16))\(reason.text)"
    case .buffer(let buffer):
      "\(buffer.block) was given a buffer of \(Self.octets(buffer.count)) at 0x\(String(buffer.address, radix: 16)), which "
        + "is not in RAM, where EasyDMA cannot reach it"
    }
  }

  /// Where the registers beside the flash begin.
  private static let registers: UInt32 = 0x1000_0000

  private static func octets(_ count: Int) -> String { count == 1 ? "one octet" : "\(count) octets" }
}

extension NORFlash.Refusal {
  /// What follows the command in a sentence.
  fileprivate var text: String {
    switch self {
    case .unknown: ", which it does not know"
    case .busy: " while it was busy, and ignored it"
    case .poweredDown: " while it was powered down, and ignored it"
    case .writingDisabled: " without a write enable (0x06) before it, and ignored it"
    case .badLength: " with a wrong number of octets, and ignored it"
    case .notModelled: " (not modelled)"
    }
  }
}

extension ProcessorFault {
  /// Addresses below this are what a null pointer with an offset leads to.
  private static let nullLimit: UInt32 = 0x400

  fileprivate var findingKind: ProgramFinding.Kind {
    switch kind {
    case .writeUnmapped, .writeReadOnly: address.map { $0 < Self.nullLimit } == true ? .nullWrite : .badAccess
    case .readUnmapped, .unprivileged: .badAccess
    case .unaligned: .unaligned
    case .stacking, .unstacking: .stackOverrun
    case .executeUnmapped, .executeNever, .executeData, .undefined, .unpredictable, .invalidState, .noCoprocessor,
      .divideByZero, .invalidReturn, .vector, .supervisorCallEscalated:
      .wildExecution
    }
  }

  fileprivate func text(_ symbols: SymbolTable) -> String {
    let place = symbols.place(programCounter)
    let target = address.map { symbols.place($0) } ?? "an unknown address"
    return switch kind {
    case .readUnmapped: "\(place) read \(target), where nothing answers"
    case .writeUnmapped: "\(place) wrote to \(target), where nothing answers"
    case .writeReadOnly: "\(place) wrote to \(target), which cannot be written"
    case .unprivileged: "\(place) used a register of the processor, \(target), without privilege"
    case .unaligned: "\(place) accessed \(target), which is not aligned"
    case .executeUnmapped: "\(place) was executed, where no memory is"
    case .executeNever, .executeData: "\(place) was executed, which holds data"
    case .undefined: "\(place) holds an instruction that is not defined: \(opcode)"
    case .unpredictable: "\(place) holds an instruction whose effect nobody can predict: \(opcode)"
    case .invalidState: "the processor was led to \(place), where no Thumb code is"
    case .noCoprocessor: "\(place) used the floating-point unit, which is switched off"
    case .divideByZero: "\(place) divided by zero"
    case .invalidReturn: "\(place) returned from an exception with a value that no exception left"
    case .stacking: "the stack had no room for the frame of an exception at \(place)"
    case .unstacking: "the frame of an exception could not be read back at \(place)"
    case .vector: "the vector table holds no entry point for \(target)"
    case .supervisorCallEscalated: "\(place) made a supervisor call where none is possible"
    }
  }

  private var opcode: String { address.map { "0x" + String($0, radix: 16) } ?? "unknown" }
}
