import CoreData
import DecantMigration
import DecantWorker
import Foundation
import Testing

@Suite("A team's worker")
struct WorkerTests {
  /// The folder of the built executables.
  static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static func product(_ name: String) -> String { products.appendingPathComponent(name).path }

  private func decant(_ arguments: [String]) throws -> (code: Int32, output: String, messages: String) {
    let process = Process()
    process.executableURL = Self.products.appendingPathComponent("decant")
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

  @Test("the example tells its classes and migrates a store for decant migrate")
  func example() throws {
    let shop = try NotasShop()
    let greeting = try WorkerRun(executable: Self.product("notas-worker"), hangSeconds: 10).greeting()
    #expect(greeting.policies == ["notas_worker.NotaPolicy"])
    #expect(greeting.objects == ["notas_worker.Categoria", "notas_worker.Nota"])
    let run = try migrate(shop, Self.product("notas-worker"), ["--chunk-size", "2"])
    #expect(run.code == 0, "\(run.messages)")
    #expect(
      try shop.lines() == [
        "a 1 a 0 [casa]", "b 2 b 10 [-]", "c 3 c 20 [calle]", "- 4 - 30 [casa]", "e 5 e 40 [casa]",
        "categories calle,casa",
      ])
    #expect(!FileManager.default.fileExists(atPath: shop.output.path + ".decant"))
  }

  @Test("the family's own worker is used without being named; a plan tells what it has to have")
  func ofTheFamily() throws {
    let shop = try NotasShop()
    let worker = shop.catalogue.deletingLastPathComponent().appendingPathComponent("worker")
    try FileManager.default.copyItem(atPath: Self.product("notas-worker"), toPath: worker.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: worker.path)
    let family = shop.catalogue.appendingPathComponent("Notas/family.json5")
    try Data("{ worker: '\(worker.path)' }".utf8).write(to: family)
    let plan = try decant(["plan", shop.source.path, "--models", shop.catalogue.path])
    #expect(plan.code == 0, "\(plan.messages)")
    #expect(plan.output.contains("leaves its objects to the class"), "\(plan.output)")
    let arguments = [
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
    ]
    let run = try decant(arguments)
    #expect(run.code == 0, "\(run.messages)")
    #expect(try shop.lines().last == "categories calle,casa")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: worker.path)
    let refused = try decant(arguments + ["--force"])
    #expect(refused.code != 0 && refused.messages.contains("written to by others"), "\(refused.messages)")
  }

  @Test("without a worker the policy's class is asked for by name")
  func missing() throws {
    let shop = try NotasShop()
    let run = try decant([
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path,
    ])
    #expect(run.code == 65)
    #expect(run.messages.contains("NotaPolicy"))
    #expect(run.messages.contains("--worker"))
  }

  @Test(
    "a policy that does what none should gives a clear report, and the store is as it was",
    arguments: [
      ("CrashingPolicy", 70, "the policy has met what it never expected"),
      ("LeavingPolicy", 70, "exit code 7"),
      ("HangingPolicy", 70, "no sign of progress for 2 s"),
      ("ThrowingPolicy", 65, "the app's own rule is broken"),
      ("ForeignPolicy", 65, "NotaToNota"),
    ] as [(String, Int32, String)])
  func trouble(policy: String, code: Int32, words: String) throws {
    let shop = try NotasShop(policy: policy)
    let before = try Data(contentsOf: shop.source)
    let run = try migrate(shop, Self.product("trouble-worker"), ["--hang-seconds", "2"])
    #expect(run.code == code, "\(run.messages)")
    #expect(run.messages.contains(words), "\(run.messages)")
    #expect(try Data(contentsOf: shop.source) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: shop.source.deletingLastPathComponent().path) == [
        "Store.sqlite"
      ])
    #expect(!FileManager.default.fileExists(atPath: shop.output.path))
  }

  @Test("Ctrl-C stops the worker between chunks, and the same command goes on to the same result")
  func interrupt() throws {
    let rows = (1...150).map { (texto: String?.some("n\($0)"), categoria: String?.some("c\($0 % 7)")) }
    let shop = try NotasShop(rows: rows)
    let process = Process()
    process.executableURL = Self.products.appendingPathComponent("decant")
    process.arguments = [
      "migrate", shop.source.path, "--output", shop.output.path, "--models", shop.catalogue.path, "--worker",
      Self.product("notas-worker"), "--chunk-size", "1", "--quiet",
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
    let run = try migrate(shop, Self.product("notas-worker"), ["--chunk-size", "1"])
    #expect(run.code == 0, "\(run.messages)")
    #expect(run.messages.contains("Going on"))
    let whole = try NotasShop(rows: rows)
    #expect(try migrate(whole, Self.product("notas-worker")).code == 0)
    #expect(try shop.lines() == whole.lines())
  }

  @Test("what a policy prints doesn't disturb the protocol")
  func printing() throws {
    let shop = try NotasShop(policy: "PrintingPolicy")
    let run = try migrate(shop, Self.product("trouble-worker"))
    #expect(run.code == 0, "\(run.messages)")
    #expect(try shop.lines().count == 6)
  }

  @Test("check asks the worker that the family names, or the one that is given, for its classes")
  func check() throws {
    let shop = try NotasShop(family: "{ worker: '\(Self.product("notas-worker"))' }")
    let good = try decant(["check", shop.catalogue.path])
    #expect(good.code == 0, "\(good.output)")
    let other = try decant(["check", shop.catalogue.path, "--worker", Self.product("trouble-worker")])
    #expect(other.code == 78)
    #expect(other.output.contains("trouble_worker.CrashingPolicy"), "\(other.output)")
    let none = try decant(["check", shop.catalogue.path, "--worker", "/nowhere/worker"])
    #expect(none.code == 78)
    #expect(none.output.contains("isn't there"), "\(none.output)")
  }

  @Test("what is no worker can't be used, and the reason is told")
  func noWorker() throws {
    let shop = try NotasShop()
    for (worker, words) in [
      ("/bin/true", "before it said hello"), ("/bin/echo", "is none"), ("/nowhere/w", "can't be started"),
    ] {
      let run = try migrate(shop, worker)
      #expect(run.code == 78, "\(run.messages)")
      #expect(run.messages.contains(words), "\(run.messages)")
    }
  }
}
