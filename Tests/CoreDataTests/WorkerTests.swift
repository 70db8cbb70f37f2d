import CoreData
import DecantMigration
import DecantTestSupport
import DecantWorker
import Foundation
import Testing

@Suite("Workers of an app")
struct WorkerTests {
  private func decant(_ arguments: [String]) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let (output, messages) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = messages
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let words = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (
      process.terminationReason == .exit ? process.terminationStatus : -1,
      String(decoding: text, as: UTF8.self), String(decoding: words, as: UTF8.self)
    )
  }

  private func migrate(_ shop: NotasShop, _ worker: String, _ further: [String] = []) throws -> (
    code: Int32, output: String, messages: String
  ) {
    try decant(
      [
        "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--worker",
        worker,
      ] + further)
  }

  @Test("the example worker lists its classes, and “decant migrate” migrates a store with it")
  func example() throws {
    let shop = try NotasShop()
    let greeting = try WorkerRun(executable: Repository.program("notas-worker"), hangSeconds: 10).greeting()
    #expect(greeting.policies == ["notas_worker.NotaPolicy"])
    #expect(greeting.objects == ["notas_worker.Categoria", "notas_worker.Nota"])
    let run = try migrate(shop, Repository.program("notas-worker"), ["--chunk-size", "2"])
    #expect(run.code == 0, "\(run.messages)")
    #expect(
      try shop.lines() == [
        "a 1 a 0 [casa]", "b 2 b 10 [-]", "c 3 c 20 [calle]", "- 4 - 30 [casa]", "e 5 e 40 [casa]",
        "categories calle,casa",
      ])
    #expect(!FileManager.default.fileExists(atPath: shop.output.path + ".decant"))
  }

  @Test("the worker in family.json5 is used without --worker, also by a plan")
  func ofTheFamily() throws {
    let shop = try NotasShop()
    let worker = shop.catalogue.deletingLastPathComponent().appendingPathComponent("worker")
    try FileManager.default.copyItem(atPath: Repository.program("notas-worker"), toPath: worker.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker.path)
    let family = shop.catalogue.appendingPathComponent("Notas/family.json5")
    try Data("{ worker: '\(worker.path)' }".utf8).write(to: family)
    let plan = try decant(["plan", shop.source.path, "--models", shop.catalogue.path])
    #expect(plan.code == 0, "\(plan.messages)")
    #expect(!plan.output.contains("was not found"), "\(plan.output)")
    let arguments = [
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
    ]
    let run = try decant(arguments)
    #expect(run.code == 0, "\(run.messages)")
    #expect(try shop.lines().last == "categories calle,casa")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: worker.path)
    let refused = try decant(arguments + ["--force"])
    #expect(refused.code != 0 && refused.messages.contains("written to by others"), "\(refused.messages)")
    let dry = try decant(arguments + ["--force", "--dry-run"])
    #expect(dry.code == 78 && dry.messages.contains("written to by others"), "\(dry.messages)")
    let other = try decant(
      arguments + ["--force", "--dry-run", "--worker", Repository.program("notas-worker")])
    #expect(other.code == 0, "\(other.messages)")
  }

  @Test("a plan and a dry run ask the worker for the classes, and end as the migration would")
  func asked() throws {
    let shop = try NotasShop()
    let plan = ["plan", shop.source.path, "--models", shop.catalogue.path]
    let migrate = [
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--force",
    ]
    let missing = "The policy class “NotaPolicy” was not found."
    for (worker, code, codeOfMigration, words) in [
      (Repository.program("notas-worker"), 0, 0, nil), (Repository.program("trouble-worker"), 78, 78, missing),
      ("/no/such/worker", 78, 78, "/no/such/worker"), (nil, 0, 78, missing),
    ] as [(String?, Int32, Int32, String?)] {
      let arguments = worker.map { ["--worker", $0] } ?? []
      let planned = try decant(plan + arguments)
      #expect(planned.code == code, "\(arguments) \(planned.messages)")
      let text = planned.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(text.contains("Target “Notas 2” in 1 step") && text.contains(words ?? "Target"), "\(text)")
      #expect(text.contains(missing) == (words == missing), "\(text)")
      let (tried, migration) = (
        try decant(migrate + arguments + ["--dry-run"]), try decant(migrate + arguments)
      )
      #expect(tried.code == codeOfMigration && migration.code == codeOfMigration, "\(tried) \(migration)")
      if let words { #expect(tried.messages.contains(words) && migration.messages.contains(words), "\(tried)") }
    }
    let json = try decant(plan + ["--worker", Repository.program("trouble-worker"), "--json"])
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(json.code == 78 && (object?["missingCode"] as? [String])?.count == 1, "\(json.output)")
  }

  @Test("without a worker the message names the policy's class")
  func missing() throws {
    let shop = try NotasShop()
    let run = try decant([
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
    ])
    #expect(run.code == 78)
    #expect(run.messages.contains("NotaPolicy"))
    #expect(
      run.messages.contains("name the worker with --worker, or in family.json5 (worker: "), "\(run.messages)")
  }

  @Test("a worker that lacks the class gives exit code 78, and the message proposes a similar name")
  func near() throws {
    let shop = try NotasShop(policy: "CrashinPolicy")
    let run = try migrate(shop, Repository.program("trouble-worker"))
    #expect(run.code == 78)
    #expect(run.messages.contains("If trouble_worker.CrashingPolicy is meant"), "\(run.messages)")
    let check = try decant(["check", shop.catalogue.path, "--worker", Repository.program("trouble-worker")])
    let words = check.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("Is “trouble_worker.CrashingPolicy” meant?"), "\(words)")
  }

  @Test("--list writes text, and JSON with --json")
  func list() throws {
    func list(_ arguments: [String]) throws -> String {
      let process = Process()
      process.executableURL = Repository.programs.appendingPathComponent("notas-worker")
      process.arguments = arguments
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      return String(decoding: text, as: UTF8.self)
    }
    #expect(
      try list(["--list"]) == """
        notas-worker: a worker of Decant \(Migration.decantVersion) (protocol 1)
        Policies:
          notas_worker.NotaPolicy
        Managed object classes:
          notas_worker.Categoria
          notas_worker.Nota
        Functions: none

        """)
    #expect(try list(["--list", "--json"]).hasPrefix("{\"hello\":{\"functions\":[],"))
  }

  @Test(
    "a policy that crashes, hangs, exits or throws is reported, and the store is unchanged",
    arguments: [
      (
        "CrashingPolicy", 70,
        ") at entity mapping “NotaToNota” (pass “Notas”), policy CrashingPolicy, createDestinationInstances, object "
          + "Nota/p1."
      ),
      ("CrashingPolicy", 70, "Fatal error: the policy has met what it never expected"),
      // The backtrace has the worker's own frames.
      ("CrashingPolicy", 70, " trouble-worker 0x"),
      (
        "LeavingPolicy", 70,
        "ended with exit code 7 at entity mapping “NotaToNota” (pass “Notas”), policy LeavingPolicy, begin."
      ),
      (
        "HangingPolicy", 70,
        "no progress for 2 s at entity mapping “NotaToNota” (pass “Notas”), policy HangingPolicy, "
          + "createDestinationInstances, object Nota/p1, and was ended."
      ),
      ("HangingPolicy", 70, "(--chunk-size, or chunkSize in family.json5) or more time (--hang-seconds)"),
      ("ThrowingPolicy", 65, "the app's own rule is broken"),
      ("ForeignPolicy", 65, "NotaToNota"),
    ] as [(String, Int32, String)])
  func trouble(policy: String, code: Int32, words: String) throws {
    let shop = try NotasShop(policy: policy)
    let before = try Data(contentsOf: shop.source)
    let run = try migrate(shop, Repository.program("trouble-worker"), ["--hang-seconds", "2"])
    #expect(run.code == code, "\(run.messages)")
    #expect(
      run.messages.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words),
      "\(run.messages)")
    // The message is short even if the crash's stack is deep.
    #expect(run.messages.split(separator: "\n").count < 20, "\(run.messages)")
    #expect(try Data(contentsOf: shop.source) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.source.deletingLastPathComponent().path) == [
        "Store.sqlite"
      ])
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
  }

  @Test(
    "a policy program that ignores signals and its input ends with its child processes when Decant is killed",
    arguments: [nil, "notas-worker"])
  func killed(worker: String?) throws {
    let shop = try NotasShop(policy: "none")
    try shop.folder.write(
      "{ source: 'Notas', destination: 'Notas 2', entityMappings: [ { name: 'NotaToNota', source: 'Nota', "
        + "destination: 'Nota', policy: { program: ['./policy.sh'] } } ] }",
      to: "Models/Notas/Notas.mapping.json5")
    let program = try shop.folder.write(
      """
      #!/bin/sh
      read -r hello; echo '{"hello": {"protocol": 1}}'
      trap '' TERM HUP
      sleep 1000 & echo "$$ $!" > "$TMPDIR/processes.new"; mv "$TMPDIR/processes.new" "$TMPDIR/processes"
      while :; do wait; done

      """, to: "Models/Notas/policy.sh")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments =
      ["migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--quiet"]
      + (worker.map { ["--worker", Repository.program($0)] } ?? [])
    process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": shop.folder.url.path]) { $1 }
    process.standardError = FileHandle.nullDevice
    try process.run()
    let list = shop.folder.url.appendingPathComponent("processes")
    while process.isRunning, !FileManager.default.fileExists(atPath: list.path) { usleep(2000) }
    let numbers = try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isWhitespace)
      .compactMap { Int32($0) }
    #expect(numbers.count == 2)
    #expect(numbers.allSatisfy { !Self.isGone($0) })
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let end = Date().addingTimeInterval(60)
    while Date() < end, !numbers.allSatisfy(Self.isGone) { usleep(10_000) }
    #expect(numbers.allSatisfy(Self.isGone))
    for number in numbers where !Self.isGone(number) { kill(number, SIGKILL) }
  }

  /// Whether a process has ended; a zombie counts as ended.
  private static func isGone(_ process: Int32) -> Bool {
    guard kill(process, 0) == 0,
      let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    else { return true }
    return status.contains(") Z ")
  }

  @Test("Ctrl-C stops the worker between chunks, and the same command continues to the same result")
  func interrupt() throws {
    let rows = (1...150).map { (texto: String?.some("n\($0)"), categoria: String?.some("c\($0 % 7)")) }
    let shop = try NotasShop(rows: rows)
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments = [
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--worker",
      Repository.program("notas-worker"), "--chunk-size", "1", "--quiet",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let working = shop.output.path + ".decant/work/step-1.sqlite.partial"
    while process.isRunning, !FileManager.default.fileExists(atPath: working) { usleep(2000) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 75)
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
    let run = try migrate(shop, Repository.program("notas-worker"), ["--chunk-size", "1"])
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.contains("Continuing"))
    let whole = try NotasShop(rows: rows)
    #expect(try migrate(whole, Repository.program("notas-worker")).code == 0)
    #expect(try shop.lines() == whole.lines())
  }

  @Test("a second Ctrl-C ends the command at once and with a last line, even if a policy never returns")
  func interruptTwice() throws {
    let shop = try NotasShop(policy: "WaitingPolicy")
    let before = try Data(contentsOf: shop.source)
    let process = Process()
    process.executableURL = Repository.programs.appendingPathComponent("decant")
    process.arguments = [
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--worker",
      Repository.program("trouble-worker"),
    ]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    var talk = Data()
    func read(to words: String) {
      while talk.range(of: Data(words.utf8)) == nil {
        let more = errors.fileHandleForReading.availableData
        guard !more.isEmpty else { return }
        talk += more
      }
    }
    read(to: "worker: waiting\n")
    process.interrupt()
    read(to: "Press Ctrl-C again to stop at once.\n")
    process.interrupt()
    process.waitUntilExit()
    talk += try errors.fileHandleForReading.readToEnd() ?? Data()
    let text = String(decoding: talk, as: UTF8.self)
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT, "\(text)")
    let lines = text.split(separator: "\n")
    #expect(lines.contains("decant: Stopping after this chunk. Press Ctrl-C again to stop at once."), "\(text)")
    #expect(lines.last == "decant: Stopped at once. The same command continues or begins again.", "\(text)")
    #expect(try Data(contentsOf: shop.source) == before)
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
  }

  @Test("output of a policy doesn't disturb the protocol")
  func printing() throws {
    let shop = try NotasShop(policy: "PrintingPolicy")
    let run = try migrate(shop, Repository.program("trouble-worker"))
    #expect(run.code == 0, "\(run.messages)")
    #expect(try shop.lines().count == 6)
    // The command shows the policy's output, which developers look for.
    #expect(
      run.messages.contains("\nworker: {\"job\": \"another\"} and other garbage\n"), "\(run.messages)")
    let quiet = try migrate(
      try NotasShop(policy: "PrintingPolicy"), Repository.program("trouble-worker"), ["--quiet"])
    #expect(quiet.code == 0 && !quiet.messages.contains("garbage"), "\(quiet.messages)")
  }

  @Test("“decant check” asks the worker of the family, or the one after --worker, for its classes")
  func check() throws {
    let shop = try NotasShop(family: "{ worker: '\(Repository.program("notas-worker"))' }")
    let good = try decant(["check", shop.catalogue.path])
    #expect(good.code == 0, "\(good.output)")
    let other = try decant(["check", shop.catalogue.path, "--worker", Repository.program("trouble-worker")])
    #expect(other.code == 78)
    #expect(other.output.contains("trouble_worker.CrashingPolicy"), "\(other.output)")
    let none = try decant(["check", shop.catalogue.path, "--worker", "/nowhere/worker"])
    #expect(none.code == 78)
    #expect(none.output.contains("doesn't exist"), "\(none.output)")
  }

  @Test("another program can't be used as a worker, and the message says why")
  func noWorker() throws {
    let shop = try NotasShop()
    for (worker, words) in [
      ("/bin/true", "before its greeting"), ("/bin/echo", "is not a worker"),
      ("/nowhere/w", "can't be started"),
    ] {
      let run = try migrate(shop, worker)
      #expect(run.code == 78, "\(run.messages)")
      #expect(run.messages.contains(words), "\(run.messages)")
    }
  }
}
