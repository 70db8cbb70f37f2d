import DecantTestSupport
import Foundation
import Testing

@testable import DecantService
@testable import DecantSpool

/// Two users who may drop, and the daemon as a third user.
///
/// Tests what each can do with the files of the others.
@Suite("Droppers among themselves", .enabled(if: Person.canBe, Comment(rawValue: Person.skipped)))
struct DropperTests {
  private static let bundle = TwoVersions.bundle

  /// A daemon whose catalogue has two versions.
  ///
  /// The user ana has a store of the first version and a broken store in `ana/`.
  private func daemon(_ prepare: (TemporaryFolder) throws -> Void) throws -> RealDaemon {
    try RealDaemon(as: .daemon) { folder in
      try TwoVersions.write(to: folder)
      try folder.makeFolder("ana")
      try Person.ana.own(folder.path("ana"))
      let made = try Person.ana.run(
        [
          Repository.program("decant"), "generate", folder.path("\(Self.bundle)#Uno"), "--rows", "20",
          "--output",
          folder.path("ana/Notas.sqlite"), "--quiet",
        ])
      #expect(made.code == 0, "\(made.messages)")
      #expect(
        try Person.ana.can("head -c 5000 \(folder.path("ana/Notas.sqlite")) >\(folder.path("ana/Bad.sqlite"))"))
      try prepare(folder)
    }
  }

  private func isDone(_ daemon: RealDaemon, _ name: String) -> Bool {
    daemon.eventually {
      FileManager.default.fileExists(atPath: daemon.folder.path("spool/done/\(name)/report.json"))
    }
  }

  private func failedJob(_ daemon: RealDaemon) throws -> String {
    #expect(daemon.eventually { (try? daemon.folder.names("spool/failed").count) == 1 })
    return try #require(try daemon.folder.names("spool/failed").first)
  }

  /// Checks a result: ana can read it and her original, and eva can neither read nor remove anything.
  private func expectAnasAlone(_ daemon: RealDaemon, _ folder: String, _ store: String?, _ original: String)
    throws
  {
    let path = daemon.folder.path("spool/\(folder)")
    let paper = store == nil ? "reason.json" : "report.json"
    for name in [store, paper, "original/\(original)"].compactMap({ $0 }) {
      #expect(try Person.ana.can("head -c 1 \(path)/\(name)"), "\(name)")
      #expect(try !Person.eva.can("head -c 1 \(path)/\(name)"), "\(name)")
      #expect(try !Person.eva.can("rm -f \(path)/\(name) && test ! -e \(path)/\(name)"), "\(name)")
    }
    #expect(try !Person.eva.can("ls \(path)") && !Person.eva.can("rm -r \(path)/original"))
    #expect(try Person.daemon.can("test -e \(path)/original/\(original)"))
  }

  @Test("a drop by decant submit is for its dropper and the daemon, in incoming, done and failed")
  func submitted() throws {
    let daemon = try daemon { folder in
      let spool = folder.path("spool")
      try folder.write("", to: "spool/.paused")
      for (store, name) in [("Notas", "Secret"), ("Bad", "Broken")] {
        let run = try Person.ana.run(
          [
            Repository.program("decant"), "submit", folder.path("ana/\(store).sqlite"), "--spool", spool,
            "--name", name,
          ])
        #expect(run.code == 0, "\(run.messages)")
        #expect(try !Person.eva.can("head -c 1 \(spool)/incoming/\(name)/\(store).sqlite"))
        #expect(try !Person.eva.can("ls \(spool)/incoming/\(name)"))
        #expect(try !Person.eva.can("rm \(spool)/incoming/\(name)/\(store).sqlite"))
        #expect(try !Person.eva.can("mv \(spool)/incoming/\(name) \(spool)/incoming/mine"))
      }
      unlink("\(spool)/.paused")
    }
    #expect(isDone(daemon, "Secret"))
    try expectAnasAlone(daemon, "done/Secret", "Notas.sqlite", "Notas.sqlite")
    try expectAnasAlone(daemon, "failed/\(try failedJob(daemon))", nil, "Bad.sqlite")
    #expect(daemon.stop() == 0)
  }

  /// The commands of section 4 of docs/guides/many-stores.md.
  @Test(
    "a drop by hand is taken with any umask, and is for its dropper and the daemon",
    arguments: ["022", "077", "002"])
  func byHand(umask: String) throws {
    let daemon = try daemon { _ in }
    let (spool, ana) = (daemon.folder.path("spool"), daemon.folder.path("ana"))
    // When it starts, the daemon gives the folder its access list.
    #expect(daemon.eventually { FileManager.default.fileExists(atPath: daemon.folder.path("h.sock")) })
    let start = "umask \(umask); drop=\(spool)/incoming/.user-4711; mkdir $drop && cp \(ana)/"
    #expect(try Person.ana.can(start + "Notas.sqlite $drop"))
    #expect(try !Person.eva.can("ls \(spool)/incoming/.user-4711"))
    #expect(try !Person.eva.can("head -c 1 \(spool)/incoming/.user-4711/Notas.sqlite"))
    #expect(try Person.ana.can("mv \(spool)/incoming/.user-4711 \(spool)/incoming/user-4711"))
    #expect(try Person.ana.can(start + "Bad.sqlite $drop && mv $drop \(spool)/incoming/bad"))
    #expect(isDone(daemon, "user-4711"))
    try expectAnasAlone(daemon, "done/user-4711", "Notas.sqlite", "Notas.sqlite")
    try expectAnasAlone(daemon, "failed/\(try failedJob(daemon))", nil, "Bad.sqlite")
    #expect(try Person.ana.can("umask \(umask); cp \(ana)/Notas.sqlite \(spool)/incoming/Loose.sqlite"))
    #expect(isDone(daemon, "Loose.sqlite"))
    try expectAnasAlone(daemon, "done/Loose.sqlite", "Loose.sqlite", "Loose.sqlite")
    // A store with external data that only ana could read.
    let closed = "chmod 600 \(ana)/Notas.sqlite; mkdir -p \(ana)/.Notas_SUPPORT/_EXTERNAL_DATA"
    let drop = "\(spool)/incoming/.closed"
    #expect(
      try Person.ana.can(
        "umask \(umask); \(closed); mkdir \(drop) && cp -R \(ana)/Notas.sqlite \(ana)/.Notas_SUPPORT \(drop) && "
          + "chmod -R g+rwX \(drop) && mv \(drop) \(spool)/incoming/closed"))
    #expect(isDone(daemon, "closed"))
    try expectAnasAlone(daemon, "done/closed", "Notas.sqlite", "Notas.sqlite")
  }

  /// A folder that is moved from elsewhere doesn't get the access list of `incoming/`.
  @Test("a drop that is open to its group: the group can read the result, only the owner reaches the original")
  func openToGroup() throws {
    let daemon = try daemon { _ in }
    let (spool, ana) = (daemon.folder.path("spool"), daemon.folder.path("ana"))
    for (store, name) in [("Notas", "Open"), ("Bad", "Bad")] {
      #expect(
        try Person.ana.can(
          "umask 002; mkdir \(ana)/\(name) && cp \(ana)/\(store).sqlite \(ana)/\(name) && "
            + "chgrp -R \(Person.droppers) \(ana)/\(name) && chmod 2770 \(ana)/\(name) && mv \(ana)/\(name) \(spool)/incoming/"
        ))
    }
    #expect(isDone(daemon, "Open"))
    let (done, failed) = ("\(spool)/done/Open", "\(spool)/failed/\(try failedJob(daemon))")
    for (folder, paper, store) in [(done, "report.json", "Notas"), (failed, "reason.json", "Bad")] {
      #expect(try Person.eva.can("head -c 1 \(folder)/\(paper)"))
      #expect(try !Person.eva.can("rm -f \(folder)/\(paper) && test ! -e \(folder)/\(paper)"))
      let original = "\(folder)/original/\(store).sqlite"
      #expect(try !Person.eva.can("rm -f \(original) && test ! -e \(original)"))
      #expect(try !Person.eva.can("echo x >>\(original)"))
      #expect(try Person.ana.can("head -c 1 \(original)") && Person.daemon.can("test -e \(original)"))
    }
    #expect(
      try Person.eva.can("head -c 1 \(done)/Notas.sqlite") && !Person.eva.can("echo x >>\(done)/Notas.sqlite"))
  }

  @Test("a drop that the daemon may not take stays, and its dropper can read the notice with the command")
  func notice() throws {
    let daemon = try daemon { _ in }
    let (spool, ana) = (daemon.folder.path("spool"), daemon.folder.path("ana"))
    #expect(
      try Person.ana.can(
        "umask 077; mkdir \(ana)/shut && cp \(ana)/Notas.sqlite \(ana)/shut && mv \(ana)/shut \(spool)/incoming/"
      ))
    let notice = "\(spool)/incoming/shut.not-taken.txt"
    #expect(daemon.eventually { FileManager.default.fileExists(atPath: notice) })
    let text = try Person.ana.run(["/bin/cat", notice])
    #expect(
      text.code == 0
        && text.output.contains("setfacl -m u:\(Person.daemon.rawValue):rwx \(spool)/incoming/shut"),
      "\(text.output) \(text.messages)")
    #expect(try !Person.eva.can("ls \(spool)/incoming/shut"))
  }

  @Test("without access to the socket, a dropper can wait for the result, refusal or notice of a drop")
  func waiting() throws {
    let daemon = try daemon { _ in }
    let (spool, ana) = (daemon.folder.path("spool"), daemon.folder.path("ana"))
    #expect(daemon.eventually { FileManager.default.fileExists(atPath: daemon.folder.path("h.sock")) })
    chmod(daemon.folder.path("h.sock"), 0o600)
    func submit(_ store: String, _ name: String) throws -> (code: Int32, output: String, messages: String) {
      try Person.ana.run(
        [
          Repository.program("decant"), "submit", "\(ana)/\(store).sqlite", "--name", name, "--spool", spool,
          "--socket",
          daemon.folder.path("h.sock"), "--wait",
        ])
    }
    let status = try Person.ana.run([
      Repository.program("decant"), "status", "--socket", daemon.folder.path("h.sock"),
    ])
    #expect(status.code == 77, "\(status.messages)")
    let done = try submit("Notas", "Mine")
    #expect(done.code == 0 && done.output == "\(spool)/done/Mine/Notas.sqlite\n", "\(done.messages)")
    let failed = try submit("Bad", "Broken")
    #expect(failed.code == 65 && failed.messages.contains("/failed/"), "\(failed.messages)")
    // A result with the same name exists, so the next drop gets a number and its own result.
    let again = try submit("Notas", "Mine")
    #expect(again.code == 0 && again.output == "\(spool)/done/Mine-2/Notas.sqlite\n", "\(again.messages)")
    #expect(
      try Person.ana.can("test -r \(spool)/done/Mine-2/report.json")
        && !Person.eva.can("cat \(spool)/done/Mine-2/report.json"))
  }
}
