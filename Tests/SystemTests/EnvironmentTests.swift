import Testing

@testable import System

@Suite struct Environments {
  /// A path that depends on the working directory is nobody's home.
  @Test(arguments: ["", ".", "here/home"]) func aHomeIsNamedByItsWholePath(_ stated: String) {
    #expect(Environment.home(stated: "/home/ada") == "/home/ada")
    #expect(Environment.home(stated: stated) == Environment.home(stated: nil))
    #expect(Environment.home(stated: nil)?.hasPrefix("/") != false)
  }
}
