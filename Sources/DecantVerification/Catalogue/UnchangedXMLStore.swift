internal import DecantMigration
internal import DecantReport
internal import DecantStore
internal import DecantXMLStore
internal import Foundation

/// An XML store that had the target version already, and the XML store that was delivered for it.
package struct UnchangedXMLStore {
  private let source: URL
  private let destination: URL

  /// `nil` if source or destination isn't an XML store, or if the source doesn't have the target version.
  init?(
    source: URL, destination: URL, catalogue: URL, family: String?, target: String?, scratch: URL
  ) throws(MigrationFailure) {
    guard Self.isXML(source), Self.isXML(destination) else { return nil }
    let preparation = JobPreparation(
      job: MigrationJob(
        source: source, output: destination, workFolder: scratch, catalogue: catalogue, family: family,
        target: target))
    let store: SourceStore
    do {
      store = try SourceStore.open(source.path, scratch: scratch.appendingPathComponent("source").path)
    } catch {
      throw MigrationFailure(error)
    }
    var known = try preparation.recognise(store, in: try preparation.readCatalogue())
    guard try preparation.target(for: known.1, in: &known.0).index == known.1.index else { return nil }
    self.source = source
    self.destination = destination
  }

  func report() throws(MigrationFailure) -> Verification.Report {
    var findings = Findings()
    if try !isSame() { findings.add(.xmlContent, name: source.lastPathComponent) }
    var report = findings.report(source: source, destination: destination)
    report.isUnchangedSource = true
    return report
  }

  private func isSame() throws(MigrationFailure) -> Bool {
    do {
      return try ComparedFile.areSame(open(source), open(destination))
    } catch {
      throw MigrationFailure(error)
    }
  }

  private func open(_ url: URL) throws(StoreError) -> ComparedFile {
    guard let file = try ComparedFile(url.path, isLinkFollowed: true) else { throw .noSuchFile(path: url.path) }
    return file
  }

  private static func isXML(_ url: URL) -> Bool {
    do throws(StoreError) {
      _ = try SourceStore(url.path, scratch: "", checksPages: false)
      return false
    } catch {
      if case .xmlStore = error { return true }
      return false
    }
  }
}
