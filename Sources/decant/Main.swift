import DecantMigration
import Foundation
@main enum Main { static func main() throws {
  let a = CommandLine.arguments
  let job = MigrationJob(source: URL(fileURLWithPath: a[1]), output: URL(fileURLWithPath: a[2]), workFolder: URL(fileURLWithPath: a[2] + ".decant"), catalogue: URL(fileURLWithPath: a[3]), target: a.count > 4 && a[4] != "" ? a[4] : nil, rewrite: a.count > 5)
  do {
    let r = try Migration.run(job, progress: { p in if ProcessInfo.processInfo.environment["V"] != nil { print(p.stage, p.entityMapping ?? "", p.chunk, p.chunks, p.rowsDone, p.rowsTotal) } })
    print(r.result, r.sourceVersion, "->", r.targetVersion, r.steps.count, "steps", r.steps.flatMap(\.entities).reduce(0) { $0 + $1.migrated }, "rows", r.steps.flatMap { $0.joinRows.values }.reduce(0, +), "joins", String(format: "%.2f s", r.seconds))
    for l in r.losses where l.values > 0 { print("  LOSS", l.kind, l.entity, l.property ?? "", l.values, l.probableRename ?? "") }
    for w in r.warnings { print("  W", w) }
  } catch { print("REFUSED", error.disposition, error.reason, error) }
} }
