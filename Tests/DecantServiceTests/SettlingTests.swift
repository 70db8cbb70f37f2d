import Testing

@testable import DecantService

@Suite("Settling")
struct SettlingTests {
  private func print(_ text: String) -> Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.add(text)
    return fingerprint
  }

  @Test("time counts from the last change")
  func change() {
    var settling = Settling()
    var seconds = settling.observe("a", print("1"), at: 10)
    #expect(seconds == 0)
    seconds = settling.observe("a", print("1"), at: 12)
    #expect(seconds == 2)
    seconds = settling.observe("a", print("2"), at: 13)
    #expect(seconds == 0)
    seconds = settling.observe("a", print("2"), at: 20)
    #expect(seconds == 7)
  }

  @Test("an event restarts the time, and a rename no longer counts")
  func touch() {
    var settling = Settling()
    _ = settling.observe("a", print("1"), at: 10)
    settling.noteMovedIn("a")
    #expect(settling.cameByRename("a"))
    settling.touch("a", at: 14)
    #expect(!settling.cameByRename("a"))
    let seconds = settling.observe("a", print("1"), at: 15)
    #expect(seconds == 1)
  }

  @Test("names keep the order of first sight, and vanished ones start again")
  func order() {
    var settling = Settling()
    _ = settling.observe("b", print("1"), at: 1)
    _ = settling.observe("a", print("1"), at: 2)
    _ = settling.observe("b", print("2"), at: 3)
    #expect(settling.order(of: "b") < settling.order(of: "a"))
    settling.keep(["a"])
    _ = settling.observe("b", print("2"), at: 9)
    #expect(settling.order(of: "b") > settling.order(of: "a"))
    let seconds = settling.observe("b", print("2"), at: 10)
    #expect(seconds == 1)
  }

  @Test("the next deadline is the next moment at which something settles")
  func deadline() {
    var settling = Settling()
    _ = settling.observe("a", print("1"), at: 1)
    _ = settling.observe("b", print("1"), at: 3)
    #expect(settling.nextDeadline(settleSeconds: 5, after: 3) == 6)
    #expect(settling.nextDeadline(settleSeconds: 5, after: 6) == 8)
    #expect(settling.nextDeadline(settleSeconds: 5, after: 8) == nil)
  }

  @Test("lost events make every rename doubtful")
  func distrust() {
    var settling = Settling()
    settling.noteMovedIn("a")
    settling.distrustRenames()
    #expect(!settling.cameByRename("a"))
  }
}
