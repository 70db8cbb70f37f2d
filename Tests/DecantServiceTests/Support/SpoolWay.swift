import DecantMigration
import DecantReport
import DecantTestSupport
import Foundation
import SpoolSupport
import Testing

@testable import DecantService
@testable import DecantSpool

/// A spool with one drop, and the daemon's changes to it, without workers.
struct SpoolWay {
  let folder: TemporaryFolder
  let spool: Spool

  init(_ form: Drop.Form) throws {
    folder = try TemporaryFolder.short(inMemory: true)
    spool = try Spool(path: folder.path("spool"))
    let base = "spool/incoming/" + (form == .folder ? "F/" : "")
    for (name, text) in SpoolWay.files { try folder.write(text, to: base + name) }
  }

  static let files = [
    "N.sqlite": "store", "N.sqlite-wal": "wal", ".N_SUPPORT/_EXTERNAL_DATA/A": "data",
    "N.sqlite.request.json5": "{ priority: 3 }",
  ]

  enum End: CaseIterable {
    case migrated
    case migratedDeleting
    case alreadyCurrent
    case refused
  }

  /// Claims the drop in `incoming/`.
  func claim() throws {
    for sighting in try IncomingScan(of: spool.incoming, access: .current, now: 0).sightings {
      guard let drop = sighting.drop, sighting.obstacles.isEmpty else { continue }
      var counter = try ArrivalCounter(spool: spool, inUse: [])
      let arrival = try counter.next(spool: spool)
      _ = try Claim(spool: spool).take(drop, arrival: arrival, at: 1_795_183_200)
    }
  }

  /// Finishes every job in `work/`.
  func finish(_ end: End) throws {
    for var record in try Recovery(spool: spool).run(known: { _ in false }, at: 1_795_183_200).records {
      let jobFolder = try JobFolder(record.id, in: spool)
      let departure = Departure(spool: spool, folder: jobFolder)
      if record.state == .queued {
        // The files that a worker would make.
        let output = folder.path("spool/work/\(record.id)/output")
        try FileManager.default.createDirectory(
          atPath: output + "/.N_SUPPORT", withIntermediateDirectories: true)
        try Data("new".utf8).write(to: URL(fileURLWithPath: output + "/N.sqlite"))
        try Data("new".utf8).write(to: URL(fileURLWithPath: output + "/.N_SUPPORT/B"))
        var report = MigrationReport(
          result: .migrated, store: "N.sqlite", family: "Notas", sourceVersion: "1", targetVersion: "2",
          decantVersion: "t")
        switch end {
        case .migrated: try departure.deliver(&record, report, originals: .keep)
        case .migratedDeleting: try departure.deliver(&record, report, originals: .delete)
        case .alreadyCurrent:
          report.result = .alreadyCurrent
          try departure.deliver(&record, report, originals: .keep)
        case .refused:
          let failure = MigrationFailure(
            .notSQLite, message: "No.", advice: "Other.")
          try departure.refuse(&record, failure, at: 1_795_183_200)
        }
      }
      try departure.complete(record)
      try JobFolder.remove(record.id, from: spool)
    }
  }

  /// The paths in the spool that hold the original store.
  func places() throws -> [String] {
    try folder.tree("spool").filter { $0.key.hasSuffix("N.sqlite") && $0.value == "store" }.map(\.key)
  }

  /// Checks that each file is exactly in its expected place.
  func check(_ end: End, _ step: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let note = Comment("\(end), interrupted at change \(step)")
    #expect(try folder.names("spool/incoming").isEmpty, note, sourceLocation: sourceLocation)
    let rest = try folder.names("spool/work").filter { $0 != ".arrival" }
    #expect(rest.isEmpty, note, sourceLocation: sourceLocation)
    var tree = try folder.tree(end == .refused ? "spool/failed" : "spool/done")
    let prefix = (tree.keys.first?.split(separator: "/").first).map { $0 + "/" } ?? ""
    for paper in ["report.html", "report.json", "report.txt", "reason.json"] { tree[prefix + paper] = nil }
    let original = Dictionary(
      uniqueKeysWithValues: SpoolWay.files.map { (prefix + "original/" + $0.key, $0.value) })
    let new = [prefix + "N.sqlite": "new", prefix + ".N_SUPPORT/B": "new"]
    switch end {
    case .refused: #expect(tree == original, note, sourceLocation: sourceLocation)
    case .migrated:
      #expect(tree == original.merging(new) { $1 }, note, sourceLocation: sourceLocation)
    case .migratedDeleting: #expect(tree == new, note, sourceLocation: sourceLocation)
    case .alreadyCurrent:
      let same = Dictionary(uniqueKeysWithValues: SpoolWay.files.map { (prefix + $0.key, $0.value) })
      #expect(tree == same, note, sourceLocation: sourceLocation)
    }
    #expect(try folder.names(end == .refused ? "spool/done" : "spool/failed").isEmpty, note)
  }
}
