import DecantTestSupport
import Foundation
import Glibc

@testable import DecantService
@testable import DecantSpool

/// A daemon in the test's process, with a spool in a temporary folder.
final class DaemonFixture {
  let folder: TemporaryFolder
  var configuration: ServiceConfiguration
  private(set) var daemon: Daemon?
  /// The file to which the daemons' standard error goes.
  private var journalFile: Int32 = -1

  init(_ change: (inout ServiceConfiguration) -> Void = { _ in }) throws {
    folder = try TemporaryFolder.short()
    try FakeWorker.write(to: folder)
    try folder.write(Self.model, to: "catalogue/Notas/Notas.xcdatamodeld/Notas.xcdatamodel/contents")
    configuration = ServiceConfiguration()
    configuration.spool = folder.path("spool")
    configuration.catalogue = folder.path("catalogue")
    configuration.socket = folder.path("h.sock")
    configuration.progressLog = folder.path("progress.log")
    configuration.worker = folder.path("worker.sh")
    configuration.workers = 2
    configuration.settleSeconds = 0
    configuration.scanSeconds = 0.05
    configuration.retrySeconds = 0.05
    configuration.minimumFreeBytes = 0
    change(&configuration)
    for name in ["incoming", "work", "done", "failed"] { try folder.makeFolder("spool/\(name)") }
  }

  deinit {
    daemon?.finish()
    if journalFile >= 0 { close(journalFile) }
  }

  /// A model with one entity and one attribute.
  static let model = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
      <entity name="Nota"><attribute name="texto" optional="YES" attributeType="String"/></entity>
    </model>
    """

  @discardableResult
  func start(clock: ServiceClock = .machine) throws -> Daemon {
    let daemon = try opened(clock)
    daemon.start()
    self.daemon = daemon
    return daemon
  }

  /// A daemon with the spool's lock.
  ///
  /// A process that another test is starting holds the lock of an ended daemon until its program runs. So the function
  /// tries for a minute.
  private func opened(_ clock: ServiceClock) throws -> Daemon {
    let end = Date().addingTimeInterval(60)
    if journalFile < 0 {
      journalFile = Glibc.open(folder.path("journal"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    while true {
      do {
        return try Daemon(
          configuration: configuration, signals: nil, clock: clock, log: ServiceLog(descriptor: journalFile))
      } catch {
        guard case .spool(.inUse) = error, Date() < end else { throw error }
        usleep(10_000)
      }
    }
  }

  /// Ends the daemon as a crash would: without cleanup, and its workers die.
  func drop() {
    daemon?.finish()
    daemon = nil
  }

  /// Runs the loop until a condition is true, at most for a minute.
  ///
  /// Returns whether the condition is true.
  func turn(until holds: () throws -> Bool) rethrows -> Bool {
    let end = Date().addingTimeInterval(60)
    while Date() < end {
      if try holds() {
        hear()
        return true
      }
      daemon?.turn(timeout: 0.02)
    }
    return false
  }

  /// Waits for the departures, and lets the loop take their outcomes.
  private func hear() {
    guard let daemon else { return }
    daemon.departures.finish()
    daemon.takeDepartures(at: daemon.context.clock.steady())
  }

  /// The daemon's monotonic time in seconds.
  var now: Double { daemon?.context.clock.steady() ?? 0 }

  /// Puts a loose store into `incoming/`.
  func put(_ text: String, _ name: String) throws {
    try folder.write(text + "\n", to: "spool/incoming/" + name)
  }

  func done() throws -> [String] { try folder.names("spool/done") }
  func failed() throws -> [String] { try folder.names("spool/failed") }
  func work() throws -> [String] { try folder.names("spool/work").filter { !$0.hasPrefix(".arrival") } }

  /// The `reason.json` of the first job in `failed/`.
  func reason() throws -> RefusalReason {
    let job = try failed().first ?? ""
    let text = try folder.text("spool/failed/\(job)/reason.json")
    return try JSONDecoder().decode(RefusalReason.self, from: Data(text.utf8))
  }

  /// The daemon's standard error.
  func journal() throws -> String { try folder.text("journal") }

  func log() throws -> [String] { try folder.text("progress.log").split(separator: "\n").map(String.init) }
}
