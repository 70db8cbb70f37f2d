import Foundation
import Testing
@testable import DecantMigration
@testable import DecantMapping

@Test func probe() throws {
  for set in ["stores", "mapping"] {
    let base = Fixtures.folder!.appendingPathComponent(set)
    let t0 = Date()
    let cat = try Catalogue.read(at: base)
    print("read \(set) in \(Date().timeIntervalSince(t0))")
    for b in cat.brokenFamilies { print("BROKEN \(b.name): \(b.error)") }
    for f in cat.families {
      print("== \(f.name) versions \(f.versions.count) \(f.name == "wire" ? "" : f.versions.map { $0.names.joined(separator: "=") }.joined(separator: " | "))")
      for w in f.warnings { print("  warn \(w)") }
      for m in f.mappingModels { print("  mm \(m.file.name): \(f.versions[m.source].name) -> \(f.versions[m.destination].name)") }
      let t = try? f.target()
      print("  target \(t?.name ?? "-")")
      let last = t ?? f.versions.last!
      let t1 = Date()
      for v in f.versions {
        do {
          let p = try PathPlan.make(from: v, to: last, in: f)
          let text = p.steps.map { s in
            switch s.work {
            case .inferred(let m):
              let d = f.name == "wire" ? "\(m.drops.count)" : m.drops.map { "\($0.entity).\($0.property ?? "*")\($0.probableRename.map { "~\($0)" } ?? "")" }.joined(separator: ",")
              return "-inf(drops \(d) narrow \(m.narrowings.count) lost \(m.lostTargets.count))-> \(s.destination.name)"
            case .mappingModels(let m): return "=mm(\(m.map(\.file.name).joined(separator: "+")))=> \(s.destination.name)"
            }
          }.joined(separator: " ")
          print("  \(v.name): \(text)")
        } catch { print("  \(v.name): REFUSED \(error)") }
      }
      print("  planned in \(Date().timeIntervalSince(t1))")
    }
  }
}
