import Bytes
import HCI
import Phone
import Text
import Timeline
import Transports
import World

/// A short session of our phone on a controller: what the controller is, and which recorders it hears. The adapter is
/// given back, and nobody is connected to.
package struct RadioLook: Sendable {
  /// What the controller told of itself.
  package let traits: [BenchTrait]
  /// The recorders that were heard.
  package let sightings: [RecorderSighting]
  /// The entries of the library that mean it.
  package let quirks: [QuirkEntry]

  /// How long a controller may take to be opened, and to answer.
  private static let patience = Duration.seconds(5)

  /// Listens for `span`, and lives with the quirks that the library knows of the controller.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what is wrong and what to do.
  package init(
    _ controller: TransportSpecification, listening span: Duration, knowing library: QuirkLibrary = QuirkLibrary()
  ) throws(ControlFailure) {
    let loop = EventLoop(driver: .wall)
    let identity = ControllerIdentity()
    do {
      var options = OpeningOptions(patience: Self.patience)
      options.quirks = library
      var entries: [QuirkEntry] = []
      let pipe = try TransportOpening.open(
        controller, on: loop, options: options, whenOpened: { entries = $0.quirks })
      quirks = entries
      let desk = try PhoneDesk(on: identity.listening(to: pipe), loop: loop, library: .memory)
      let result = try loop.run {
        let result: Result<PhoneResult, PhoneFailure>
        do throws(ControlFailure) {
          result = try await desk.perform(.scan(span), within: span + Self.patience)
        } catch {
          await desk.close()
          throw error
        }
        await desk.close()
        return result
      }
      guard case .success(.recorders(let sightings)) = result else { throw ControlFailure.ended(.deadline) }
      self.sightings = sightings
    } catch TransportFailure.adapter(let trouble, _) {
      throw .bench(BenchFault(trouble, at: controller))
    } catch let failure as TransportFailure {
      throw .bench(BenchFault(failure))
    } catch {
      throw .bench(Self.fault(controller, identity))
    }
    traits = identity.traits
  }

  private static func fault(_ controller: TransportSpecification, _ identity: ControllerIdentity) -> BenchFault {
    let name = PlainText.escaped(controller.description)
    if let loss = identity.loss {
      return BenchFault(
        "\(name) was lost (\(PlainText.escaped(loss, limit: 120)))",
        advice: "plug it in again, or find out which program closed it")
    }
    return identity.hasSpoken
      ? BenchFault(
        "\(name) stopped answering while it scanned", advice: "unplug it and plug it in again, or use another one")
      : BenchFault(
        "\(name) does not answer as a Bluetooth controller",
        advice: "unplug it and plug it in again, or check that it is one")
  }
}

extension BenchFault {
  /// What is wrong with an adapter.
  init(_ trouble: AdapterTrouble, at controller: TransportSpecification) {
    self.init(
      PlainText.escaped("\(controller): \(trouble.problem)"), advice: PlainText.escaped(trouble.advice))
  }

  /// Why a transport could not be opened.
  init(_ failure: TransportFailure) {
    self.init(PlainText.escaped(failure.problem), advice: PlainText.escaped(failure.advice))
  }
}
