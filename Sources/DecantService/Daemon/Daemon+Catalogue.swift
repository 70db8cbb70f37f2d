/// Checks whether the catalogue exists and whether it has changed.
extension Daemon {
  /// Checks the catalogue.
  ///
  /// If it has changed, the jobs that waited for a change may start.
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

  /// The state that a job's hold compares: the catalogue and the worker that had the job.
  ///
  /// The job may wait for a class that the worker lacked.
  func catalogueState(for record: JobRecord) -> String {
    catalogueFingerprint + (workerOf[record.id].map { " \(ExecutableState.text(of: $0))" } ?? "")
  }

  /// Takes the result of the last reading of the catalogue.
  func takeCatalogue() {
    guard let look = catalogueReader.take() else { return }
    if look.problems.isEmpty {
      clear("families")
    } else {
      trouble("families", look.problems.joined(separator: " "))
    }
    // After a disk failure, the catalogue may be good and never change: force another reading.
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
