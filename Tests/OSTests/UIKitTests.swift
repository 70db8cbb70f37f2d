import Testing
import UIKit

@Suite("UIKit")
struct UIKitTests {
  @Test("a file imports Testing and UIKit, and has Foundation")
  func imports() {
    #expect(UUID(uuidString: "x") == nil)
  }
}
