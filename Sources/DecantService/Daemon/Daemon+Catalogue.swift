/// The catalogue, as far as the daemon itself looks at it: is it there, and has it changed?
extension Daemon {
  /// Looks at the catalogue, and lets the jobs go on that waited for a change.
  func checkCatalogue() {
    do throws(FileFailure) {
      let folder = try FolderHandle(path: configuration.catalogue)
      var fingerprint = Fingerprint()
      for name in try folder.names().map(\.text).sorted() {
        fingerprint.add(try folder.measure(name).fingerprint.text)
      }
      clear("catalogue")
      if fingerprint.text != catalogueRead, catalogueReader.begin(path: configuration.catalogue) {
        catalogueRead = fingerprint.text
      }
      catalogueFingerprint = fingerprint.text
    } catch {
      catalogueFingerprint = error.description
      trouble(
        "catalogue",
        "The catalogue can't be read. \(error) Set “catalogue”, or make the folder readable for the daemon.")
    }
    for record in queue.waiting where record.hold?.cause == .catalogue {
      if let seen = catalogueHolds[record.id], seen == catalogueState(for: record) { continue }
      release(record)
    }
  }

  /// What a job that waits for the catalogue waits for a change of: the catalogue, and the worker that had the job,
  /// which may lack a class.
  func catalogueState(for record: JobRecord) -> String {
    catalogueFingerprint + (workerOf[record.id].map { " \(ExecutableState.text(of: $0))" } ?? "")
  }

  /// Hears what the reading of the catalogue has found.
  func takeCatalogue() {
    guard let look = catalogueReader.take() else { return }
    if look.problems.isEmpty {
      clear("families")
    } else {
      trouble("families", look.problems.joined(separator: " "))
    }
    // No change will come that asks for another reading.
    if look.isOfDisk { catalogueRead = "" }
  }

  /// Lets a waiting job start at once.
  func release(_ record: JobRecord) {
    var record = record
    record.state = .queued
    catalogueHolds[record.id] = nil
    keep(record)
  }
}
