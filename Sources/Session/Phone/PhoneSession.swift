import Bench
import Bytes
import Foundation
import Phone
import System
import Timeline
import Trace
import Transports
import World

/// Our phone on a controller outside this process, for one conversation.
package struct PhoneSession: Sendable {
  /// Which controller, recorder and files.
  package struct Plan: Sendable {
    /// The controller.
    package var controller: TransportSpecification
    /// How it is opened.
    package var opening: OpeningOptions
    /// The recorder that is meant.
    package var choice: RecorderChoice
    /// The folder of the phone's library and bonds.
    package var state: String
    /// Whether the trace shows keys and recordings.
    package var isUncovered: Bool

    package init(
      controller: TransportSpecification, opening: OpeningOptions, choice: RecorderChoice, state: String,
      isUncovered: Bool
    ) {
      self.controller = controller
      self.opening = opening
      self.choice = choice
      self.state = state
      self.isUncovered = isUncovered
    }
  }

  /// What a session tells before the conversation begins.
  package enum Event: Sendable {
    /// It waits for a controller here; `exposure` says when the place is open to the network.
    case listening(at: TransportSpecification?, exposure: String?)
    /// A sentence about the controller that was opened.
    case note(String)
  }

  /// Why a conversation did not end as it should.
  package enum Failure: Error, Sendable {
    /// The recorder, as the phone saw it.
    case phone(PhoneFailure)
    /// The controller could not be opened.
    case notOpened(TransportFailure)
    /// The controller did not answer in time.
    case noAnswer
    /// The controller failed.
    case controller(ControlFailure)
    /// The capture could not be begun.
    case capture(any Error)
    /// The library failed.
    case library(LibraryFailure)
    /// The user asked to stop before there was a result.
    case interrupted
  }

  /// What a conversation came to.
  package struct Outcome<Value: Sendable>: Sendable {
    /// The value, or why there is none.
    package var result: Result<Value, Failure>
    /// How the controller stopped working, which explains a failure of the phone; `nil` while it works.
    package var loss: ControllerLoss.Reason?
    /// Why the connection could not be closed afterwards; `nil` when it could.
    package var closing: Failure?
    /// Whether the user asked to stop.
    package var isInterrupted = false
  }

  private let plan: Plan
  private let interruption: any InterruptionSource
  private let capture: @Sendable (EventLoop) throws -> sending (any TraceSink)?
  private let observer: (any TraceSink & Sendable)?
  private let tell: @Sendable (Event) -> Void

  /// A session whose trace goes to what `capture` begins, and to `observer`, if there is any.
  package init(
    _ plan: Plan, interruption: any InterruptionSource,
    capture: @escaping @Sendable (EventLoop) throws -> sending (any TraceSink)?,
    observer: (any TraceSink & Sendable)? = nil,
    tell: @escaping @Sendable (Event) -> Void
  ) {
    self.plan = plan
    self.interruption = interruption
    self.capture = capture
    self.observer = observer
    self.tell = tell
  }

  /// Opens the controller, holds the conversation, and closes everything.
  ///
  /// - Throws: what `conversation` throws besides ``PhoneFailure`` and ``ControlFailure``.
  package func run<Value: Sendable>(
    _ conversation: @escaping @Sendable (RecorderConversation) async throws -> Value
  ) throws -> Outcome<Value> {
    var outcome: Outcome<Value>
    do { outcome = try perform(conversation) } catch {
      guard let failure = Self.failure(error) else { throw error }
      outcome = Outcome(result: .failure(failure))
    }
    outcome.isInterrupted = interruption.isRequested
    return outcome
  }

  /// What an error says of our own end; `nil` for one that is not ours.
  private static func failure(_ error: any Error) -> Failure? {
    switch error {
    case let failure as TransportFailure: .notOpened(failure)
    case ControlFailure.ended(.interrupted): .interrupted
    case ControlFailure.ended(.deadline): .noAnswer
    case let failure as ControlFailure: .controller(failure)
    case let failure as LibraryFailure: .library(failure)
    case let failure as Failure: failure
    default: nil
    }
  }

  private func perform<Value: Sendable>(
    _ conversation: @escaping @Sendable (RecorderConversation) async throws -> Value
  ) throws -> Outcome<Value> {
    let loop = EventLoop(driver: .wall)
    let loss = ControllerLoss()
    let desk = try open(on: loop, loss)
    let context = RecorderConversation(
      desk, plan.choice, isInterrupted: { [interruption] in interruption.isRequested },
      hasLostController: { loss.reason != nil })
    return try loop.run { [interruption] in
      interruption.listen { loop.post { desk.assumeIsolated { $0.interrupt() } } }
      await desk.onEvent { if case .failed(let failure) = $0 { loss.note(.failed("\(failure)")) } }
      let result: Result<Value, Failure>
      do { result = .success(try await conversation(context)) } catch let failure as PhoneFailure {
        result = .failure(.phone(failure))
      } catch {
        await desk.close()
        throw error
      }
      var closing: Failure?
      if loss.reason == nil, !interruption.isRequested {
        do { _ = try await context.perform(.disconnect) } catch { closing = Self.failure(error) }
      }
      await desk.close()
      return Outcome(result: result, loss: loss.reason, closing: closing)
    }
  }

  private func open(on loop: EventLoop, _ loss: ControllerLoss) throws -> PhoneDesk {
    do throws(SystemCallFailure) { try FileSystem.makeFolder(plan.state, mode: 0o700) } catch {
      throw Failure.library(.file(path: plan.state, errorNumber: error.code.rawValue))
    }
    let pipe = try TransportOpening.open(
      plan.controller, on: loop, options: plan.opening,
      whenListening: { tell(.listening(at: $0.listeningAt, exposure: $0.exposure)) },
      whenOpened: { opening in for note in opening.notes { tell(.note(note)) } })
    let sink: (any TraceSink)?
    do { sink = try capture(loop) } catch { throw Failure.capture(error) }
    return try PhoneDesk(
      on: WatchedPipe(pipe, noting: loss), loop: loop, library: .file(plan.state + "/phone.sqlite"),
      isUncovered: plan.isUncovered, sinks: (sink.map { [$0] } ?? []) + (observer.map { [$0] } ?? []))
  }
}
