import DecantModel
import DecantSynthesis
import DecantTestSupport
import FileNames
import Foundation
import Synchronization

@testable import DecantShards

/// A catalogue with two versions, stores of the first version, and runs of shards over these stores.
final class ShardFixture {
  let folder: TemporaryFolder
  private let model: ManagedObjectModel

  init() throws {
    folder = try TemporaryFolder("decant-shards")
    let bundle = "Models/Notes/Notes.xcdatamodeld"
    let names = [("Notes", "mood"), ("Notes 2", "tone")]
    for (name, attribute) in names {
      try folder.write(Self.contents(attribute), to: "\(bundle)/\(name).xcdatamodel/contents")
    }
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Notes 2.xcdatamodel</string></dict></plist>
      """, to: "\(bundle)/.xccurrentversion")
    model = try ModelBundle.read(at: URL(fileURLWithPath: folder.path(bundle))).version(named: "Notes").model
    for name in ["in", "scratch", "out"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try store("one.sqlite")
  }

  /// The text of a version's model.
  ///
  /// No renaming identifier connects `mood` with `tone`, so that the step loses the values of `mood`.
  private static func contents(_ attribute: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
        <attribute name="\(attribute)" optional="YES" attributeType="String"/></entity>
    </model>
    """
  }

  /// Writes a store of the first version into `in/`.
  @discardableResult
  func store(_ name: String, rows: Int = 20, seed: UInt64 = 1) throws -> String {
    let path = folder.path("in/\(name)")
    _ = try SyntheticStore.write(
      model: model, framework: .current, rows: rows, seed: seed, to: path, evidence: nil)
    return path
  }

  /// Copies the store `one.sqlite` to these names in `in/`, and returns the paths.
  func copies(_ names: [String]) throws -> [String] {
    try names.map { name in
      try FileManager.default.copyItem(atPath: folder.path("in/one.sqlite"), toPath: folder.path("in/\(name)"))
      return folder.path("in/\(name)")
    }
  }

  /// Writes a manifest in which a NUL byte ends each path, and returns its path.
  @discardableResult
  func manifest(_ paths: [String], named name: String = "manifest") throws -> String {
    try folder.write(paths.map { $0 + "\0" }.joined(), to: name).path
  }

  func settings(_ shard: Shard = .whole, jobs: Int = 2) -> ShardSettings {
    ShardSettings(
      shard: shard, output: folder.path("out"),
      ledger: folder.path("\(shard.number)-of-\(shard.count).jsonl"), scratch: folder.path("scratch"),
      catalogue: folder.path("Models"), program: Repository.program("decant"), jobs: jobs)
  }

  /// Runs a shard to its end.
  ///
  /// - Parameter stop: Called at each step of the run. If it returns true, the run is asked to stop.
  func run(
    _ settings: ShardSettings, manifest: String? = nil, stop: @escaping (ShardCounts) -> Bool = { _ in false }
  ) throws -> ShardCounts {
    let flag = Flag()
    let run = try ShardRun(
      settings, try Manifest(file: manifest ?? folder.path("manifest")), shouldStop: { flag.isSet }
    ) { counts in if stop(counts) { flag.set() } }
    return try run.run()
  }

  /// A flag that can only be set.
  final class Flag: Sendable {
    private let state = Atomic<Bool>(false)
    var isSet: Bool { state.load(ordering: .relaxed) }
    func set() { state.store(true, ordering: .relaxed) }
  }

  /// The lines about stores in a ledger.
  func lines(_ settings: ShardSettings) throws -> [LedgerLine] {
    let lines = try LedgerLines(settings.ledger)
    var all: [LedgerLine] = []
    while let line = try lines.next() { all.append(line) }
    return all
  }

  func line(_ settings: ShardSettings, of path: String) throws -> LedgerLine? {
    try lines(settings).last { $0.source.bytes == Array(path.utf8) }
  }

  /// The names of the files in the scratch folder.
  func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("scratch"))
  }

  /// The names of the files in the folder of unfinished results.
  func unfinished() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.unfinished"))
  }

  /// The path of a store's result.
  func result(_ path: String) -> String {
    let name = FileName(path)
    return folder.path("out/\(PathKey(of: name).folder)/\(SourceFiles(path: name).name.text)")
  }

  /// The text of the `report.json` beside a store's result.
  func receipt(_ path: String) throws -> String {
    try String(
      contentsOfFile: folder.path("out/\(PathKey(of: .init(path)).folder)/report.json"), encoding: .utf8)
  }
}
