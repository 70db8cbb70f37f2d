internal import DecantCatalogue
internal import DecantModel
internal import DecantReport
internal import FileNames

/// How a person can say which family or version is meant for a job, in words for advice.
struct JobWishes {
  /// Whether the store was dropped.
  ///
  /// Then a request file says it when the store is dropped again; a job that waits can't be told.
  let isOfDrop: Bool
  /// The store's file name.
  let store: FileName

  init(_ job: MigrationJob) {
    isOfDrop = job.isOfDrop
    store = PathText.name(of: job.source.path)
  }

  /// After “name the family”.
  var family: String { isOfDrop ? place(of: "family") : "with --family" }

  /// After “name the version”.
  var version: String { isOfDrop ? place(of: "to") : "with --to" }

  /// Sentences for a store that is refused because it fits these families.
  ///
  /// - Parameter takers: The families that can bring it to their target.
  func sentence(naming families: [String], takers: [String]) -> String {
    let words =
      isOfDrop
      ? "Drop it again from “original”, \(request(naming: takers.isEmpty ? families : takers))."
      : "Name the family with --family."
    let others = families.filter { name in !takers.contains { FileName($0) == FileName(name) } }
    if others.isEmpty { return words }
    if takers.isEmpty { return words + " None of them has a way from this version to its target yet." }
    let (fit, have) = others.count == 1 ? ("fits", "has") : ("fit", "have")
    return words
      + " \(listed(others)) \(fit) as well, but \(have) no way from this version to the target."
  }

  /// After “an XML store is handed on as one”; a request file can't ask for it.
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
        ? "Mend \(those), then name the right one with --family; until then the store can't be migrated."
        : "Mend \(those), or name a family that can be used (\(listed(sound))) with --family; until then "
          + "the store can't be migrated."
    }
    let mending =
      "mend \(those). The store then comes into failed/, because it fits several families. Drop it again from “original” "
      + "there, \(request(naming: families))."
    guard sound.count == 1 else { return "The store waits. To go on, \(mending)" }
    let folders = broken.map { "“\(PrintedName.of($0.path))”" }.joined(separator: " and ")
    return
      "The store waits. If it is of \(listed(sound)), move \(folders) out of the catalogue; it then goes "
      + "on by itself. Else \(mending)"
  }

  /// The failure with the last step for a dropped store: a person mends the catalogue, then drops the store again.
  func completing(_ failure: MigrationFailure) -> MigrationFailure {
    guard isOfDrop, failure.disposition == .refuse, failure.reason.isMendedInCatalogue else { return failure }
    var failure = failure
    failure.advice += (failure.advice.isEmpty ? "" : " ") + "Afterwards drop the store again from “original”."
    return failure
  }

  private func request(naming families: [String]) -> String {
    "with a file “\(requestName)” beside it that says "
      + families.map { "{ family: \(AcceptingLine.quoted($0)) }" }.joined(separator: " or ")
  }

  private func place(of key: String) -> String {
    "as “\(key)” in a file “\(requestName)” beside the store, which you drop again from “original”"
  }

  private var requestName: String { (store + StoreNames.requestSuffix).description }
}

extension JobPreparation {
  var wishes: JobWishes { JobWishes(job) }
}
