import DecantTestSupport
import Foundation
import Testing

/// Runs `scripts/package` with the programs of this build.
@Suite(
  "scripts/package",
  .enabled(if: DebianTools.areThere, "dpkg-dev or fakeroot isn't installed, so that no package can be built"))
struct PackageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-package") }

  private func run(_ line: String) throws -> ScriptRun { try ScriptRun(line, in: folder.url) }

  @Test(
    "both packages have their files, dependencies and maintainer scripts, and can be unpacked")
  func packages() throws {
    let build = try run("scripts/package --binaries $built --compression none --output $place/out")
    #expect(build.code == 0, "\(build.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(names.count == 2 && names[0].hasPrefix("decant-dev_") && names[1].hasPrefix("decant_"), "\(names)")
    let depends = try run("dpkg-deb -f $place/out/decant_*.deb Depends").output
    for library in ["libsqlite3-0", "libmicrohttpd12", "libsystemd0", "systemd | systemd-standalone-sysusers"] {
      #expect(depends.contains(library), "\(depends)")
    }
    let version = try run("decant --version").output.split(whereSeparator: \.isWhitespace).last ?? ""
    #expect(try run("dpkg-deb -f $place/out/decant_*.deb Version").output == "\(version)-1\n")
    #expect(
      try run("dpkg-deb -f $place/out/decant-dev_*.deb Depends").output.hasPrefix("decant (= \(version)-1), "))

    let unpacked = try run("for deb in $place/out/*.deb; do dpkg-deb -x $deb $place/root; done")
    #expect(unpacked.code == 0, "\(unpacked.output)")
    for path in [
      "usr/bin/decant", "usr/bin/decantd", "etc/decant/decantd.json5", "usr/share/man/man1/decant.1.gz",
      "usr/share/man/man5/decant-mapping.5.gz", "usr/share/bash-completion/completions/decant",
      "usr/share/zsh/vendor-completions/_decant", "usr/share/fish/vendor_completions.d/decant.fish",
      "usr/share/doc/decant/copyright", "usr/share/doc/decant/changelog.Debian.gz",
      "usr/lib/systemd/system/decantd.service", "usr/lib/sysusers.d/decant.conf",
      "usr/lib/decant/swift/libDecant.a", "usr/lib/decant/swift/modules/CoreData.swiftmodule",
      "usr/share/doc/decant-dev/copyright",
    ] {
      #expect(FileManager.default.fileExists(atPath: folder.path("root/\(path)")), "\(path)")
    }
    let main = try run("dpkg-deb -c $place/out/decant_*.deb").output
    #expect(!main.contains("swiftmodule") && !main.contains("share/decant/installed"))
    #expect(main.split(separator: "\n").allSatisfy { $0.contains(" root/root ") })
    let control = try run("dpkg-deb -I $place/out/decant_*.deb").output
    for file in ["conffiles", "md5sums", "postinst", "postrm", "prerm"] { #expect(control.contains(file)) }
    #expect(
      try run("dpkg-deb -I $place/out/decant_*.deb conffiles").output
        == "/etc/decant/decantd.json5\n/etc/logrotate.d/decant\n")
  }

  /// Purges the package in a root folder with these files in its spool.
  private func purge(_ spool: [String]) throws -> ScriptRun {
    for name in ["incoming", "work", "done", "failed"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("root/var/spool/decant/\(name)"), withIntermediateDirectories: true)
    }
    for name in spool + [".lock", "work/.arrival"] { try folder.write("", to: "root/var/spool/decant/\(name)") }
    try folder.write("", to: "root/var/log/decant/progress.log")
    try folder.write("", to: "root/var/lib/decant/state")
    return try run("DPKG_ROOT=$place/root scripts/package.d/decant.postrm purge")
  }

  private func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.path("root/\(path)"))
  }

  @Test("a purge removes logs, state and an empty spool")
  func emptySpool() throws {
    let run = try purge([])
    #expect(run.code == 0 && run.output.isEmpty, "\(run.output)")
    #expect(!isThere("var/spool/decant") && !isThere("var/log/decant") && !isThere("var/lib/decant"))
    #expect(try self.run("DPKG_ROOT=$place/root scripts/package.d/decant.postrm purge").code == 0)
  }

  @Test(
    "a purge never removes a spool with a store",
    arguments: [
      "incoming/Notes.sqlite", "done/Notes/Notes.sqlite", "failed/1/original/N.sqlite", "work/1/source/.N",
    ])
  func fullSpool(file: String) throws {
    let run = try purge([file])
    #expect(run.code == 0 && run.output.contains("is kept, because it holds files"), "\(run.output)")
    #expect(isThere("var/spool/decant/\(file)") && isThere("var/spool/decant/incoming"))
    #expect(!isThere("var/log/decant"))
  }

  @Test(
    "a removal without a purge, and an update, leave logs and spool",
    arguments: ["remove", "upgrade", "disappear"])
  func removal(action: String) throws {
    _ = try folder.write("", to: "root/var/log/decant/progress.log")
    _ = try folder.write("", to: "root/var/spool/decant/.lock")
    #expect(try run("DPKG_ROOT=$place/root scripts/package.d/decant.prerm \(action)").code == 0)
    #expect(try run("DPKG_ROOT=$place/root scripts/package.d/decant.postrm \(action)").code == 0)
    #expect(isThere("var/log/decant/progress.log") && isThere("var/spool/decant/.lock"))
  }

  @Test(
    "wrong options are refused",
    arguments: ["--outptu x", "--output", "--compression rar", "--binaries /nowhere"])
  func usage(words: String) throws {
    let run = try run("scripts/package \(words)")
    #expect(run.code == (words.contains("nowhere") ? 66 : 64), "\(run.output)")
  }
}

/// The Debian programs that the script needs.
private enum DebianTools {
  static let areThere = ["dpkg-deb", "dpkg-shlibdeps", "fakeroot", "ar"].allSatisfy {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
  }
}
