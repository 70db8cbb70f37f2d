import Testing
import UIKit

@Suite("UIKit")
struct UIKitTests {
  @Test("a file that imports Testing and UIKit also has Foundation")
  func imports() {
    #expect(UUID(uuidString: "x") == nil)
  }
}
