internal import DecantMigration
internal import DecantWorker
internal import Foundation

/// The families that “decant check” refuses.
enum CatalogueFaults {
  /// - Returns: Each with its first errors in one sentence; none if the catalogue can't be listed.
  static func families(of configuration: ServiceConfiguration) -> [(name: String, words: String)] {
    let catalogue = URL(fileURLWithPath: configuration.catalogue, isDirectory: true)
    let report = try? CatalogueCheck.report(at: catalogue) { worker in
      // A worker for all families may have classes, too.
      worker == nil
        ? configuration.worker.map { WorkerQuestion.greeting(of: $0) } ?? .noWorker
        : WorkerQuestion.classes(of: worker)
    }
    return (report?.families ?? []).compactMap { family in
      let errors = family.findings.filter { $0.severity == .error }
      guard let first = errors.first else { return nil }
      let place = first.file.map { $0 + (first.line.map { ", line \($0)" } ?? "") + ": " } ?? ""
      let more =
        errors.count > 1
        ? " There \(errors.count == 2 ? "is 1 more error" : "are \(errors.count - 1) more errors")." : ""
      return (family.name, "The family “\(family.name)” has a fault. \(place)\(first.message)\(more)")
    }
  }
}
