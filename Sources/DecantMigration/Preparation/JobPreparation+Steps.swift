internal import DecantCatalogue
internal import DecantMapping
internal import DecantPasses
internal import DecantReport
internal import DecantStore
internal import Foundation

/// The steps of a job, each compiled once.
extension JobPreparation {
  /// - Parameters:
  ///   - classes: The classes that policies and functions may name.
  ///   - question: The key of store and path in the family's memory; `nil` if the memory doesn't keep answers for the
  ///     store.
  func planned(
    _ path: PathPlan, _ settling: LayoutSettling, _ classes: RegisteredClasses,
    _ question: FamilyQuestion.Steps?
  ) throws(MigrationFailure) -> PlannedPath {
    try settling.family.remembered(question) { () throws(MigrationFailure) in
      var steps: [PlannedStep] = []
      var source = settling.sourceLayout
      let isInferred = path.steps.allSatisfy(\.isInferred)
      for (index, step) in path.steps.enumerated() {
        let isLast = index + 1 == path.steps.count
        var preparation = PassPreparation(
          family: settling.family, source: step.source, destination: step.destination)
        let work: PlannedStep.Work =
          switch step.work {
          case .inferred(let mapping): .inferred(mapping)
          case .mappingModels(let files):
            if let direct = job.direct {
              .passes(try preparation.checked(direct.passes))
            } else {
              .passes(try preparation.compiled(files))
            }
          }
        let destination =
          try isLast ? settling.layout(of: step.destination) : settling.passingLayout(of: step.destination)
        steps.append(
          PlannedStep(
            from: step.source, to: step.destination, work: work, sourceLayout: source,
            destinationLayout: destination,
            place: .init(
              isLast: isLast, isPathInferred: isInferred,
              validation: settling.family.configuration.validation?.mode,
              // A later step reads Decant's own output, whose indexes follow from its layout.
              leadingColumns: index == 0 ? settling.store.leadingColumns : [:], goesByRows: job.goesByRows),
            findings: preparation.findings, warnings: preparation.warnings))
        source = destination
        // Missing code of a step is reported before the problems of a later one.
        _ = try codeFindings(for: steps.suffix(1), in: settling.family, classes)
      }
      return PlannedPath(steps)
    }
  }
}
