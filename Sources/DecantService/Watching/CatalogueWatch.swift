internal import DecantSpool

/// Checks whether the catalogue exists, whether it has changed, and which families can't be used.
final class CatalogueWatch {
  private let context: DaemonContext
  private let reader = CatalogueReader()
  /// The state of the catalogue's folder at the last check; the failure's text if the folder can't be read.
  private(set) var fingerprint = ""
  /// The state of the catalogue's folder at the last reading.
  private var lastRead = ""

  /// The reason for each family that can't be used, at the last reading.
  private(set) var brokenFamilies: [String: String] = [:]

  var isReading: Bool { reader.isReading }

  init(_ context: DaemonContext) { self.context = context }

  func readAtStart() {
    take(CatalogueReader.look(at: context.configuration.catalogue))
  }

  private func take(_ look: CatalogueReader.Look) {
    brokenFamilies = look.families
    let families = look.families.sorted { $0.key < $1.key }.map(\.value)
    for (name, words) in [("families", families.joined(separator: " ")), ("models", look.failure ?? "")] {
      if words.isEmpty { context.events.clear(name) } else { context.events.trouble(name, words) }
    }
  }

  func check() {
    let path = context.configuration.catalogue
    do throws(FileFailure) {
      fingerprint = try CatalogueState(of: path).fingerprint.text
      context.events.clear("catalogue")
      if fingerprint != lastRead, reader.begin(path: path) { lastRead = fingerprint }
    } catch {
      fingerprint = error.description
      context.events.trouble(
        "catalogue",
        "The catalogue can't be read. \(error) Set “catalogue”, or make the folder readable for the daemon.")
    }
  }

  func take() {
    guard let look = reader.take() else { return }
    take(look)
    // After a disk failure, the catalogue may be good, and so may never change. Read it again in any case.
    if look.isOfDisk { readAgain() }
  }

  /// Makes the next check start a reading, also if nothing has changed.
  func readAgain() { lastRead = "" }
}
