import Foundation
import Glibc
import LineOutput
import Testing

@testable import DecantPolicyPrograms

@Suite("Policy programs: what goes wrong") struct ProgramFailureTests {
  private let shop: ProgramWorkshop

  init() throws { shop = try ProgramWorkshop() }

  private static let limits: PolicyProgramLimits = {
    var limits = PolicyProgramLimits()
    limits.lineBytes = 5000
    limits.answerBytes = 20_000
    return limits
  }()

  @Test(arguments: [
    (
      "read -r batch; echo 'no such table' >&2; echo 'giving up' >&2; exit 3",
      "ended with exit code 3 during batch 1. Its last words on standard error: no such table | giving up"
    ),
    ("read -r batch; kill -9 $$", "was ended by signal 9 (Killed) during batch 1."),
    ("read -r batch; exit 0", "ended with exit code 0 during batch 1."),
    (
      "read -r batch; echo 'Loading…'; read -r end",
      "wrote an unusable line during batch 1 (line 2 of its output): it isn't JSON: a value is missing at byte 1. The line: “Loading…”. "
        + "Write text for people to standard error."
    ),
    (
      "read -r batch; echo '{\"error\": \"no rate for 1999\"}'; read -r end",
      "refused during batch 1: no rate for 1999"
    ),
    (
      "read -r batch; yes | tr -d '\\n'",
      "wrote a line of more than 5000 bytes during batch 1. Each object and each link is a line of its own."
    ),
    (
      "read -r batch; while :; do echo '{\"entity\": \"Tag\"}'; done",
      "wrote more than 20000 bytes during batch 1. Take smaller chunks, with “chunks” in the mapping model."
    ),
    (
      "read -r batch; exec 1>&-; while read -r more; do :; done",
      "closed its standard output during batch 1. It has to answer until the end."
    ),
    (
      "read -r batch; echo '{\"end\": 1}'; echo '{\"end\": 2}'; read -r end",
      "wrote an unusable line at the end (line 3 of its output): nothing was asked for. "
        + "The line: “{\"end\": 2}”."
    ),
    (
      "read -r batch; echo '{\"end\": 2}'; read -r end",
      "wrote an unusable line during batch 1 (line 2 of its output): “end” has to be the number of the batch, 1, "
        + "and has to stand alone. The line: “{\"end\": 2}”."
    ),
    (
      "read -r batch; echo '{\"end\": 1}'; read -r end; echo bye >&2; exit 4",
      "ended with exit code 4 at the end. Its last words on standard error: bye"
    ),
    (
      "read -r batch; printf '\\377\\n'; read -r end",
      "wrote an unusable line during batch 1 (line 2 of its output): it isn't UTF-8 at byte 1. "
        + "The line: “\\xFF”. Write text for people to standard error."
    ),
    (
      "read -r batch; echo; printf '{\"entity\": \"Tag\", \"id\": \"a\\377b\"}\\n'; read -r end",
      "wrote an unusable line during batch 1 (line 3 of its output): it isn't UTF-8 at byte 27. "
        + "The line: “{\"entity\": \"Tag\", \"id\": \"a\\xFFb\"}”."
    ),
    (
      "read -r batch; echo '{\"end\": 1}'; read -r end; printf '{\"entity\": \"Tag\"}'",
      "ended its output at the end within line 3, which has no newline: “{\"entity\": \"Tag\"}”. "
        + "Each line has to be complete."
    ),
    (
      "read -r batch; echo '{\"end\": 1}'; read -r end; (sleep 0.1; echo late) & wait; sleep 0.1; printf more",
      "wrote an unusable line at the end (line 3 of its output): nothing was asked for. The line: “late”. "
        + "Write text for people to standard error."
    ),
    (
      "read -r batch; echo '{\"entity\": \"Tag\"}'; printf '{\"end\": 1'",
      "ended its output during batch 1 within line 3, which has no newline: “{\"end\": 1”. "
        + "Each line has to be complete."
    ),
    (
      "read -r batch; printf '{\"end\": 1'; exit 9",
      "ended with exit code 9 during batch 1."
    ),
  ])
  func aProgramThatDoesNotAnswerAsItShouldIsNamedWithWhatItDid(body: String, problem: String) throws {
    let error = try #require(
      throws: PolicyProgramError.self
    ) { try shop.run(shop.shell(body, limits: Self.limits)) }
    #expect(error.description == "The policy program “./policy” \(problem)")
  }

  @Test(arguments: [
    (
      "echo 'usage: policy FILE' >&2; exit 64",
      "ended with exit code 64 before its hello. Its last words on standard error: usage: policy FILE"
    ),
    (
      "read -r hello; echo '{\"hello\": {\"protocol\": 2}}'; read -r more",
      "speaks protocol 2, not 1. Change the program as docs/policy-programs.md says."
    ),
    (
      "read -r hello; echo '{\"end\": 1}'; read -r more",
      "wrote an unusable line before its hello (line 1 of its output): its first line has to be "
        + "{\"hello\": {\"protocol\": 1}}. The line: “{\"end\": 1}”."
    ),
  ])
  func aProgramThatDoesNotGreetIsNotGivenABatch(hello: String, problem: String) throws {
    let error = try #require(throws: PolicyProgramError.self) { try shop.run(shop.shell("", hello: hello)) }
    #expect(error.description == "The policy program “./policy” \(problem)")
  }

  @Test func aProgramThatHangsIsEndedWithAllThatItStarted() throws {
    var limits = PolicyProgramLimits()
    limits.batchSeconds = 0.5
    let program = try shop.shell(
      "sleep 1000 & echo $! > child; echo $$ > parent; read -r batch; wait", limits: limits)
    let error = try #require(throws: PolicyProgramError.self) { try shop.run(program) }
    #expect(error.reason == .timedOut(seconds: 0.5, .batch(1)))
    #expect(error.description.contains("gave no complete answer within 0.5 s during batch 1, and was ended"))
    #expect(error.description.contains("timeLimit: 900"), "\(error)")
    #expect(error.description.contains("chunks: { size: 100 }"), "\(error)")
    for name in ["child", "parent"] {
      let text = try String(contentsOf: shop.folder.url.appendingPathComponent(name), encoding: .utf8)
      let number = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      #expect(Self.isGone(number), "\(name)")
    }
  }

  /// Whether a process ends within two seconds, where a zombie counts as ended.
  private static func isGone(_ process: Int32) -> Bool {
    for _ in 0..<200 {
      guard kill(process, 0) == 0,
        let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      else { return true }
      if status.contains(") Z ") { return true }
      usleep(10_000)
    }
    return false
  }

  @Test func aProgramThatRunsOnAfterTheEndIsEnded() throws {
    var limits = PolicyProgramLimits()
    limits.endSeconds = 0.3
    let body = "read -r batch; echo '{\"end\": 1}'; exec sleep 1000"
    let error = try #require(throws: PolicyProgramError.self) { try shop.run(shop.shell(body, limits: limits)) }
    #expect(error.reason == .runsOn(seconds: 0.3))
  }

  @Test func aChildThatKeepsThePipesDoesNotKeepUsWaiting() throws {
    let body = "read -r batch; echo '{\"end\": 1}'; sleep 1000 & read -r end"
    #expect(try shop.run(shop.shell(body)) == PolicyProgramAnswer())
  }

  @Test func aClosedInputIsAnErrorAndNoSignal() throws {
    let body = "exec 0<&-; while :; do sleep 1; done"
    let error = try #require(throws: PolicyProgramError.self) {
      try shop.run(shop.shell(body), batch: ProgramWorkshop.batch(100, textBytes: 5000))
    }
    #expect(error.reason == .closedInput(.batch(1)))
    let dead = try #require(throws: PolicyProgramError.self) {
      try shop.run(shop.shell("exec 0<&-; exit 5"), batch: ProgramWorkshop.batch(100, textBytes: 5000))
    }
    #expect(dead.reason == .exited(5, .batch(1)))
  }

  @Test func aPipeThatFailsIsNoClosedPipe() {
    var buffer = [UInt8](repeating: 0, count: 8)
    guard case .failed(EBADF) = DescriptorReading.read(-1, into: &buffer) else {
      Issue.record("the failed read isn't reported")
      return
    }
    #expect(ProgramPipe.write([1], to: -1) == .failed(EBADF))
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    #expect(ProgramPipe.write([1], to: ends[1]) == .closed)
    close(ends[1])
  }

  @Test func aFloodOnStandardErrorIsTakenInAndItsEndKept() throws {
    let body = "read -r batch; yes 'tired' | head -c 3000000 >&2; echo done >&2; exit 1"
    let error = try #require(throws: PolicyProgramError.self) { try shop.run(shop.shell(body)) }
    #expect(error.reason == .exited(1, .batch(1)))
    #expect(error.lastWords.hasSuffix("tired | done") && error.lastWords.utf8.count < 10_000)
  }

  @Test func aStopIsHeardWhileAProgramIsWaitedFor() throws {
    _ = try shop.shell("read -r batch; sleep 1000")
    let program = PolicyProgram(words: ["./policy"], folder: shop.folder.url.path, isStopped: { true })
    let error = try #require(throws: PolicyProgramError.self) { try program.start(shop.hello) }
    #expect(error.reason == .stopped)
  }

  @Test func whatCanNotBeStartedIsNamedBeforeAnythingRuns() throws {
    let folder = shop.folder.url.path
    try shop.folder.write("echo", to: "plain")
    let script = try shop.folder.write("no program\u{0} at all\n", to: "odd")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
    func reason(_ words: [String], _ folder: String) -> PolicyProgramError.Reason? {
      #expect(throws: PolicyProgramError.self) {
        try PolicyProgram(words: words, folder: folder).check()
      }?.reason
    }
    #expect(reason(["./plain"], folder) == .notExecutable(path: "\(folder)/plain"))
    #expect(reason(["./none"], folder) == .notFound(searched: "there is no file “\(folder)/none”"))
    #expect(reason(["."], folder) == .notFound(searched: "there is no “.” in \(ProgramPath.searchPath)"))
    #expect(reason(["./"], folder) != nil)
    #expect(reason([], folder) == .badWords)
    #expect(reason(["./plain", "a\u{0}b"], folder) == .badWords)
    #expect(reason(["./plain"], "\(folder)/nowhere") == .noFolder("\(folder)/nowhere"))
    let missing = try #require(
      throws: PolicyProgramError.self
    ) { try PolicyProgram(words: ["no-such-program"], folder: folder).check() }
    #expect(
      missing.description.hasPrefix(
        "The policy program “no-such-program” wasn't found: there is no “no-such-program” in "))
    let odd = try #require(
      throws: PolicyProgramError.self
    ) {
      try PolicyProgram(words: ["./odd", "x"], folder: folder).start(shop.hello)
    }
    #expect(odd.reason == .notStarted(path: "\(folder)/odd", code: ENOEXEC))
    #expect(odd.description.hasSuffix("A script begins with a line as “#!/usr/bin/env python3”."))
  }
}
