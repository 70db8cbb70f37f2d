internal import DecantCatalogue
internal import DecantModel
internal import DecantReport
internal import FileNames

/// How to name the family or version for a job, in words for advice.
struct JobWishes {
  /// Whether the store is a drop of a spool.
  ///
  /// A waiting job can't be changed: the store is dropped again, with a request file.
  let isOfDrop: Bool
  let store: FileName

  init(_ job: MigrationJob) {
    isOfDrop = job.isOfDrop
    store = PathText.name(of: job.source.path)
  }

  /// The words after “name the family”.
  var family: String { isOfDrop ? place(of: "family") : "with --family" }

  /// The words after “name the version”.
  var version: String { isOfDrop ? place(of: "to") : "with --to" }

  /// Sentences for a store that is refused because it fits these families.
  ///
  /// - Parameter candidates: The families with a path to their target.
  func sentence(naming families: [String], candidates: [String]) -> String {
    let words =
      isOfDrop
      ? "Drop the store again from “original”, \(request(naming: candidates.isEmpty ? families : candidates))."
      : "Name the family with --family."
    let others = families.filter { name in !candidates.contains { FileName($0) == FileName(name) } }
    if others.isEmpty { return words }
    if candidates.isEmpty { return words + " None of them has a path from this version to its target yet." }
    let (fit, have) = others.count == 1 ? ("fits", "has") : ("fit", "have")
    return words
      + " \(listed(others)) \(fit) as well, but \(have) no path from this version to the target."
  }

  /// The words after “stays an XML store”; empty for a drop, because a request file can't ask for a rewrite.
  var rewriting: String { isOfDrop ? "" : "; “decant migrate --rewrite” makes an SQLite store of it" }

  /// Sentences for a store that fits these families, some of which are broken.
  ///
  /// A dropped store waits then.
  func sentences(naming families: [String], broken: [BrokenFamily]) -> String {
    let names = Set(broken.map { FileName($0.name) })
    let sound = families.filter { !names.contains(FileName($0)) }
    let those = broken.count == 1 ? "that family" : "those families"
    guard isOfDrop else {
      return sound.isEmpty
        ? "Fix \(those), then name the right one with --family. Until then the store can't be migrated."
        : "Fix \(those), or name a usable family (\(listed(sound))) with --family. Until then "
          + "the store can't be migrated."
    }
    let mending =
      "fix \(those). The store then goes to failed/, because it fits several families. Drop the store again from "
      + "“original” there, \(request(naming: families))."
    guard sound.count == 1 else { return "The store waits. To continue, \(mending)" }
    let folders = broken.map { "“\(PrintedName.of($0.path))”" }.joined(separator: " and ")
    return
      "The store waits. If it is of \(listed(sound)), move \(folders) out of the catalogue; the job then "
      + "continues by itself. Otherwise \(mending)"
  }

  /// The failure with further advice for a drop: after the catalogue was corrected, the store has to be dropped again.
  func completing(_ failure: MigrationFailure) -> MigrationFailure {
    guard isOfDrop, failure.disposition == .refuse, failure.reason.isFixedInCatalogue else { return failure }
    var failure = failure
    failure.advice += (failure.advice.isEmpty ? "" : " ") + "Afterwards drop the store again from “original”."
    return failure
  }

  private func request(naming families: [String]) -> String {
    "with a file “\(requestName)” beside it that says "
      + families.map { "{ family: \(AcceptingLine.quoted($0)) }" }.joined(separator: " or ")
  }

  private func place(of key: String) -> String {
    "as “\(key)” in a file “\(requestName)” beside the store, and drop both again from “original”"
  }

  private var requestName: String { (store + StoreNames.requestSuffix).description }
}

extension JobPreparation {
  var wishes: JobWishes { JobWishes(job) }
}
