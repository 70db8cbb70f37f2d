internal import DecantMigration
internal import DecantReport
internal import Foundation

/// The stores of a folder, grouped by version and by the steps of their migration, and the stores that would fail.
///
/// The lists of paths are limited without `keepsPaths`, because a folder may have very many stores.
struct Census {
  /// The stores of one version that would be migrated by the same steps.
  struct Group: Hashable {
    var family: String
    var version: String
    var target: String
    /// Each step's passes, such as `inferred, in place` or `StepOne, StepTwo`.
    var steps: [String]
  }

  /// Stores that would be refused, or would wait, for one reason.
  struct Trouble: Hashable {
    var reason: String
    var family: String
  }

  struct Count {
    var stores = 0
    var bytes = 0
    var objects = 0
    /// Number of stores whose plan has a loss.
    var withLosses = 0
    /// The first paths; with `keepsPaths` all paths.
    var examples: [String] = []
    /// The message and the advice of the first store's failure.
    var message = ""
    var advice = ""

    mutating func add(_ path: String, _ size: Int, keepsPath: Bool) {
      stores += 1
      bytes += size
      if keepsPath || examples.count < Census.mostExamples { examples.append(path) }
    }
  }

  /// The largest number of paths for each group and each trouble, without `--verbose`.
  static let mostExamples = 3
  static let mostUnreadable = 1000

  let folder: String
  let keepsPaths: Bool
  private(set) var groups: [Group: Count] = [:]
  private(set) var troubles: [Trouble: Count] = [:]
  private(set) var unreadable: [(path: String, reason: String)] = []
  private(set) var unreadableCount = 0
  private(set) var others = 0
  private(set) var stores = 0
  private(set) var bytes = 0

  init(folder: String, keepsPaths: Bool = false) {
    self.folder = folder
    self.keepsPaths = keepsPaths
  }

  var isWell: Bool { troubles.isEmpty && unreadableCount == 0 }

  mutating func noteOther() { others += 1 }

  mutating func noteUnreadable(_ path: String, _ reason: String) {
    unreadableCount += 1
    if unreadable.count < Self.mostUnreadable { unreadable.append((path, reason)) }
  }

  mutating func note(_ path: String, bytes: Int, _ plan: MigrationPlan) {
    guard plan.missingCode.isEmpty else {
      let failure = MigrationFailure(.needsPolicy, message: plan.missingCode[0], family: plan.family)
      return note(path, bytes: bytes, failure)
    }
    let group = Group(
      family: plan.family, version: plan.sourceOrigin == "own-model" ? "(unknown)" : plan.sourceVersion,
      target: plan.targetVersion,
      steps: plan.steps.map { step in
        step.passes.joined(separator: ", ") + (step.wayWords.map { ", \($0)" } ?? "")
      }
    )
    take(bytes)
    groups[group, default: Count()].add(path, bytes, keepsPath: keepsPaths)
    groups[group]?.objects += plan.rows
    if plan.losses.contains(where: { $0.values > 0 }) { groups[group]?.withLosses += 1 }
  }

  mutating func note(_ path: String, bytes: Int, _ failure: MigrationFailure) {
    let trouble = Trouble(reason: failure.reason.word, family: failure.family ?? "")
    take(bytes)
    troubles[trouble, default: Count()].add(path, bytes, keepsPath: keepsPaths)
    guard troubles[trouble]?.message.isEmpty == true else { return }
    troubles[trouble]?.message = failure.message
    troubles[trouble]?.advice = failure.advice
  }

  private mutating func take(_ size: Int) {
    stores += 1
    bytes += size
  }
}
