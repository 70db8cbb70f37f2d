import Foundation
import Testing

/// The recipes of docs/scale-out.md do what the page says.
@Suite("Recipes for many machines") struct ScaleTests {
  /// Whether programs are installed.
  private static func has(_ programs: String...) -> Bool {
    let folders =
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") + ["/usr/sbin", "/sbin"]
    return programs.allSatisfy { program in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
  }

  private func check(_ engine: String) throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent(
      "decant-scale-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let run = try ScriptRun(
      "scripts/scale/check --stores 120 --shards 3 --troubles 5 --seed 7 --engine \(engine) --decant $built/decant "
        + "--place $place", in: place)
    #expect(run.code == 0, "\(run.output)")
    #expect(run.output.contains("\(engine): 0 faults"))
  }

  @Test(
    "under GNU parallel each store is migrated once, though runs are killed",
    .enabled(if: has("python3", "parallel"), "GNU parallel or Python isn't installed"))
  func parallel() throws { try check("parallel") }

  @Test(
    "in a Slurm array each store is migrated once, though tasks are killed and requeued",
    .enabled(if: has("python3", "slurmctld", "slurmd", "munged", "sbatch"), "Slurm or Python isn't installed"))
  func slurm() throws { try check("slurm") }

  @Test("the Kubernetes job counts its pods as the shards, and reads the exit codes of decant(1)")
  func kubernetes() throws {
    let text = try String(
      contentsOf: RepositoryFile.root.appendingPathComponent("scripts/scale/kubernetes.yaml"), encoding: .utf8)
    func number(_ pattern: Regex<(Substring, Substring)>) -> Int? {
      text.firstMatch(of: pattern).flatMap { Int($0.1) }
    }
    #expect(number(/completions: ([0-9]+)/) != nil)
    #expect(number(/completions: ([0-9]+)/) == number(/value: "([0-9]+)"/))
    let rules = text.matches(of: /action: (\w+)\s+onExitCodes:[^\[]*\[([0-9, ]+)\]/).map {
      "\($0.1) \($0.2)"
    }
    #expect(rules == ["FailIndex 65", "FailJob 64, 66, 73, 77, 78"])
    #expect(text.contains("completionMode: Indexed"))
  }
}
