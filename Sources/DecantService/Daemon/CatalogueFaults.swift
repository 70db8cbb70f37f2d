internal import DecantCatalogue
internal import DecantMigration
internal import DecantWorker
internal import FileNames
internal import Foundation

/// The families that “decant check” refuses.
struct CatalogueFaults {
  let configuration: ServiceConfiguration
  /// The classes of the configured worker; `nil` until the worker is asked.
  private var classes: RegisteredClasses?

  init(of configuration: ServiceConfiguration) { self.configuration = configuration }

  /// The command that lists all faults.
  var command: String {
    let worker = classes == nil ? nil : configuration.worker
    return ShellQuoting.line(
      ["decant", "check", configuration.catalogue] + (worker.map { ["--worker", $0] } ?? []))
  }

  mutating func look() -> CatalogueReader.Look {
    CatalogueReader.look(at: configuration.catalogue) { () throws(CatalogueError) in
      let catalogue = URL(fileURLWithPath: configuration.catalogue, isDirectory: true)
      let report = try CatalogueCheck.report(at: catalogue) { worker in
        worker == nil ? ownClasses() : WorkerQuestion.classes(of: worker)
      }
      var look = CatalogueReader.Look()
      for family in report.families {
        let errors = family.findings.filter { $0.severity == .error }
        guard let first = errors.first else { continue }
        let place = first.file.map { $0 + (first.line.map { ", line \($0)" } ?? "") + ": " } ?? ""
        let more =
          errors.count > 1
          ? " There \(errors.count == 2 ? "is 1 more error" : "are \(errors.count - 1) more errors")." : ""
        look.families[family.name] = "The family “\(family.name)” has a fault. \(place)\(first.message)\(more)"
      }
      return look
    }
  }

  /// The classes of the configured worker, which serves all families that name no worker.
  private mutating func ownClasses() -> RegisteredClasses {
    if let classes { return classes }
    guard let worker = configuration.worker else { return .noWorker }
    let asked = WorkerQuestion.greeting(of: worker)
    classes = asked
    return asked
  }
}
