internal import DecantCatalogue
internal import DecantMapping
internal import DecantModel
internal import Foundation

/// Reports every fault of a family that can't be used, not just the first one.
///
/// Checks that need a whole family are skipped.
struct BrokenFamilyCheck {
  private let broken: BrokenFamily

  init(_ broken: BrokenFamily) { self.broken = broken }

  func report(_ ask: (_ worker: String?) -> RegisteredClasses) -> FamilyReport {
    var report = FamilyReport(name: broken.name, path: broken.path, isUsable: false)
    let (family, faults) = FamilyReader(
      name: broken.name, folder: URL(fileURLWithPath: broken.path, isDirectory: true)
    ).survey()
    for fault in faults { note(fault, &report) }
    // The family may have been fixed between the two readings. Then the faults of the first reading are reported.
    if faults.isEmpty { for fault in broken.faults { note(fault, &report) } }
    guard let family else { return report }
    for warning in family.warnings { report.add(.warning, warning.hasSuffix(".") ? warning : "\(warning).") }
    var classes = ask(family.configuration.worker)
    if case .unusable(let reason) = classes { report.add(unusable: reason, of: family) }
    let isConfigured = !faults.contains { if case .configuration = $0 { true } else { false } }
    if case .noWorker = classes, !isConfigured { classes = .unusable("") }
    _ = MappingModelsCheck(family, classes: classes, isWhole: false).fill(&report)
    report.sort()
    return report
  }

  private func note(_ fault: FamilyError, _ report: inout FamilyReport) {
    switch fault {
    case .mappingModel(let error):
      MappingModelsCheck.note(error, of: error.path, &report)
    case .mappingModelVersions(let path, _, _, _), .configuration(let path, _, _):
      report.add(.error, shortened("\(fault).", path), file: path, line: fault.line)
    case .unreadable(let path): report.add(.error, "\(fault).", file: path)
    default: report.add(.error, "\(fault).")
    }
  }

  private func shortened(_ words: String, _ path: String) -> String {
    words.hasPrefix("\(path): ") ? String(words.dropFirst(path.count + 2)) : words
  }
}
