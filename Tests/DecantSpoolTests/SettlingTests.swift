import FileNames
import Testing

@testable import DecantSpool

@Suite("Waiting until drops settle")
struct SettlingTests {
  private func print(_ text: String) -> Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.add(text)
    return fingerprint
  }

  /// A `Settling` after a scan that found these names.
  private func settling(_ names: FileName...) -> Settling {
    var settling = Settling()
    settling.renew(NameList(names))
    return settling
  }

  @Test("the settling time counts from the last change")
  func change() {
    var settling = settling("a")
    var seconds = settling.observe(0, print("1"), at: 10)
    #expect(seconds == 0)
    seconds = settling.observe(0, print("1"), at: 12)
    #expect(seconds == 2)
    seconds = settling.observe(0, print("2"), at: 13)
    #expect(seconds == 0)
    seconds = settling.observe(0, print("2"), at: 20)
    #expect(seconds == 7)
  }

  @Test("an event restarts the time, and the file doesn't count as moved in any more")
  func touch() {
    var settling = settling("a")
    _ = settling.observe(0, print("1"), at: 10)
    settling.noteMovedIn("a")
    settling.renew(NameList(["a"]))
    #expect(settling.cameByRename(0) && settling.isUnchanged(0, print("1")))
    settling.touch("a", at: 14)
    #expect(!settling.cameByRename(0) && !settling.isUnchanged(0, print("1")))
    let seconds = settling.observe(0, print("1"), at: 15)
    #expect(seconds == 1 && settling.isUnchanged(0, print("1")) && !settling.isUnchanged(0, print("2")))
    // An event between the rename and the scan.
    settling.noteMovedIn("b")
    settling.touch("b", at: 15)
    settling.renew(NameList(["a", "b"]))
    #expect(!settling.cameByRename(1))
  }

  @Test("names keep the order in which they were first seen; a name that was missing starts again")
  func order() {
    var settling = settling("b")
    _ = settling.observe(0, print("1"), at: 1)
    settling.renew(NameList(["c", "a", "b"]))
    for index in 0...2 { _ = settling.observe(index, print("\(index)"), at: 2) }
    #expect(settling.order(of: 1) < settling.order(of: 0))
    #expect(settling.order(of: 0) < settling.order(of: 2))
    settling.renew(NameList(["a", "c"]))
    settling.renew(NameList(["a", "b", "c"]))
    _ = settling.observe(1, print("1"), at: 9)
    #expect(settling.order(of: 1) > settling.order(of: 2))
    var seconds = settling.observe(1, print("1"), at: 10)
    #expect(seconds == 1)
    seconds = settling.observe(2, print("2"), at: 10)
    #expect(seconds == 8)
  }

  @Test("the next deadline is the next time at which a name settles")
  func deadline() {
    var settling = settling("a", "b", "never looked at")
    _ = settling.observe(0, print("1"), at: 1)
    _ = settling.observe(1, print("1"), at: 3)
    #expect(settling.nextDeadline(settleSeconds: 5, after: 3) == 6)
    #expect(settling.nextDeadline(settleSeconds: 5, after: 6) == 8)
    #expect(settling.nextDeadline(settleSeconds: 5, after: 8) == nil)
  }

  @Test("after lost events no name counts as moved in")
  func distrust() {
    var settling = settling()
    settling.noteMovedIn("a")
    settling.renew(NameList(["a"]))
    #expect(settling.cameByRename(0))
    settling.noteMovedIn("b")
    settling.distrustRenames()
    settling.renew(NameList(["a", "b"]))
    #expect(!settling.cameByRename(0) && !settling.cameByRename(1))
  }
}
