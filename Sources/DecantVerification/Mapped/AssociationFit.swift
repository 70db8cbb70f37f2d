internal import DecantCatalogue
internal import DecantEngine
internal import DecantModel
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// Checks that a file of associations belongs to a migration: to its store, steps and mapping models.
struct AssociationFit {
  let file: AssociationFile
  let way: [PathPlan.Step]
  let store: URL
  let scratch: URL

  init(_ file: AssociationFile, way: [PathPlan.Step], store: URL, scratch: URL) {
    self.file = file
    self.way = way
    self.store = store
    self.scratch = scratch
  }

  func check() throws {
    let uuid = try SourceStore.open(
      store.path, scratch: scratch.appendingPathComponent("identity").path, checksPages: false
    ).metadata.uuid
    guard file.uuid == uuid else {
      throw failure(
        "the file is of the store \(file.uuid), and \(store.lastPathComponent) is the store \(uuid)")
    }
    let numbers = file.steps.map(\.number).filter { $0 > 0 }
    guard numbers.count == max(1, way.count) else {
      throw failure("the file has \(counted(numbers.count, "step")), and the path has \(way.count)")
    }
    if let (_, missing) = zip(numbers, 1...).first(where: { $0 != $1 }) {
      throw failure("step \(missing) is missing")
    }
  }

  /// The file's step for a plan; its mappings must have the numbers, names and entities of the plan's mappings.
  func step(_ number: Int, of plan: PassPlan) throws(MigrationFailure) -> AssociationFile.Step {
    guard let step = file.steps.first(where: { $0.number == number }) else {
      throw failure("step \(number) is missing")
    }
    let kept = file.mappings.filter { $0.step == number }.map(\.mapping)
    let wanted = plan.mappings.map { plan.kept($0, way: .set) }
    guard kept.map(\.number) == wanted.map(\.number),
      zip(kept, wanted).allSatisfy({ one, other in
        one.name == other.name && one.source == other.source && one.destination == other.destination
      })
    else { throw failure("the entity mappings of step \(number) differ from the catalogue's") }
    return step
  }

  private func failure(_ reason: String) -> MigrationFailure {
    MigrationFailure(
      .foreignAssociations, message: "\(file.path) doesn't hold the associations of this migration: \(reason).",
      advice: "Name the file that the migration of this store has written, and the catalogue that it used.")
  }
}
