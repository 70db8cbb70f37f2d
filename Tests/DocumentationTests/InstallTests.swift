import DecantTestSupport
import Foundation
import Testing

/// Runs `scripts/install` with a DESTDIR, so that the machine's own files aren't changed.
@Suite("scripts/install")
struct InstallTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("decant-install") }

  private func run(_ line: String) throws -> ScriptRun { try ScriptRun(line, in: folder.url) }

  private func install(_ more: String = "") throws -> ScriptRun {
    try run("DESTDIR=$place/root scripts/install --no-build --binaries $built \(more)")
  }

  /// The paths and modes of the files below the DESTDIR.
  private func files() throws -> [String: Int] {
    var files: [String: Int] = [:]
    let root = folder.path("root")
    for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      let facts = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")
      if facts[.type] as? FileAttributeType == .typeDirectory { continue }
      files[name] = facts[.posixPermissions] as? Int
    }
    return files
  }

  @Test(
    "programs, pages, units and settings are installed with their modes, and all of them are removed again")
  func everything() throws {
    let run = try install()
    #expect(run.code == 0, "\(run.output)")
    let programs = ["decant", "decantd"].map { "usr/local/bin/\($0)" }
    let others =
      [
        "man/man1/decant.1", "man/man8/decantd.8", "man/man5/decantd.json5.5",
        "man/man5/decant-mapping.5", "man/man5/decant-progress.5", "bash-completion/completions/decant",
        "zsh/site-functions/_decant", "fish/vendor_completions.d/decant.fish", "doc/decant/README.md",
        "doc/decant/CHANGELOG.md", "doc/decant/LICENSE", "doc/decant/decantd.json5", "decant/installed",
      ].map { "usr/local/share/\($0)" }
      + [
        "systemd/system/decantd.service", "systemd/system/decantd.socket", "sysusers.d/decant.conf",
        "tmpfiles.d/decant.conf",
      ]
      .map { "usr/local/lib/\($0)" } + ["etc/decant/decantd.json5", "etc/logrotate.d/decant"]
    let files = try files()
    for program in programs { #expect(files[program] == 0o755, "\(program)") }
    for other in others { #expect(files[other] == 0o644, "\(other)") }
    #expect(Set(files.keys).isSuperset(of: programs + others))
    #expect(!files.keys.contains { $0.hasSuffix(".new") || $0.contains("swiftmodule") })
    let unit = try String(
      contentsOfFile: folder.path("root/usr/local/lib/systemd/system/decantd.service"), encoding: .utf8)
    #expect(unit.contains("ExecStart=/usr/local/bin/decantd --config /etc/decant/decantd.json5"))
    let version = try self.run("$place/root/usr/local/bin/decant --version")
    #expect(version.code == 0 && version.output.hasPrefix("decant "), "\(version.output)")

    let removal = try self.run("DESTDIR=$place/root scripts/install --uninstall")
    #expect(removal.code == 0, "\(removal.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("root")).isEmpty)
  }

  @Test("an administrator's files stay at an installation, at the next installation and at the removal")
  func settings() throws {
    try folder.write("{ workers: 1 }", to: "root/etc/decant/decantd.json5")
    try folder.write("models", to: "root/etc/decant/models/Notes/family.json5")
    try folder.write("a store", to: "root/var/spool/decant/done/Notes/Notes.sqlite")
    let run = try install()
    #expect(run.code == 0 && run.output.contains("Kept"), "\(run.output)")
    func own() throws -> String {
      try String(contentsOfFile: folder.path("root/etc/decant/decantd.json5"), encoding: .utf8)
    }
    #expect(try own() == "{ workers: 1 }")
    // A file that was installed and has been changed since.
    try folder.write("# weekly is too often", to: "root/etc/logrotate.d/decant")
    #expect(try install().code == 0)
    let removal = try self.run("DESTDIR=$place/root scripts/install --uninstall")
    #expect(removal.code == 0 && removal.output.contains("because it was changed"), "\(removal.output)")
    #expect(try own() == "{ workers: 1 }")
    #expect(
      try files().keys.sorted() == [
        "etc/decant/decantd.json5", "etc/decant/models/Notes/family.json5", "etc/logrotate.d/decant",
        "var/spool/decant/done/Notes/Notes.sqlite",
      ])
  }

  @Test("another prefix has its own folder etc, and the unit names both")
  func prefix() throws {
    let run = try install("--prefix=/opt/decant/")
    #expect(run.code == 0, "\(run.output)")
    let unit = try String(
      contentsOfFile: folder.path("root/opt/decant/lib/systemd/system/decantd.service"), encoding: .utf8)
    #expect(unit.contains("ExecStart=/opt/decant/bin/decantd --config /opt/decant/etc/decant/decantd.json5"))
    #expect(try files().keys.allSatisfy { $0.hasPrefix("opt/decant/") })
    #expect(try self.run("DESTDIR=$place/root scripts/install --uninstall").code == 66)
    #expect(try self.run("DESTDIR=$place/root scripts/install --uninstall --prefix /opt/decant").code == 0)
    #expect(try files().isEmpty)
  }

  @Test(
    "settings that /usr and /usr/local share stay until both installations are removed",
    arguments: [["/usr", "/usr/local"], ["/usr/local", "/usr"]])
  func sharedSettings(removed: [String]) throws {
    for prefix in ["/usr", "/usr/local"] { #expect(try install("--prefix \(prefix)").code == 0) }
    let settings = ["etc/decant/decantd.json5", "etc/logrotate.d/decant"]
    #expect(Set(try files().keys).isSuperset(of: settings))
    let first = try self.run("DESTDIR=$place/root scripts/install --uninstall --prefix \(removed[0])")
    #expect(first.code == 0, "\(first.output)")
    #expect(Set(try files().keys).isSuperset(of: settings), "\(first.output)")
    let last = try self.run("DESTDIR=$place/root scripts/install --uninstall --prefix \(removed[1])")
    #expect(last.code == 0, "\(last.output)")
    #expect(try files().isEmpty, "\(last.output)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("root")).isEmpty)
  }

  @Test("a folder with a program's name is an error, and stays as it is")
  func folderInPlace() throws {
    try folder.write("mine", to: "root/usr/local/bin/decant/mine")
    let run = try install()
    #expect(run.code == 73 && run.output.contains("bin/decant can't be written"), "\(run.output)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("root/usr/local/bin/decant")) == ["mine"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("root/usr/local/bin/decant.new")))
  }

  @Test("without a compiler in PATH, --libraries has exit code 69 and a message")
  func noCompiler() throws {
    try folder.write("#!/bin/sh\nexit 127\n", to: "bin/swift")
    chmod(folder.path("bin/swift"), 0o755)
    let run = try run(
      "PATH=$place/bin:$PATH DESTDIR=$place/root scripts/install --binaries $built --libraries")
    #expect(run.code == 69 && run.output.contains("need swift in PATH"), "\(run.output)")
  }

  @Test("programs that need the toolchain's libraries after a build aren't installed")
  func notStatic() throws {
    try folder.write("#!/bin/sh\necho Swift version 6.3\n", to: "bin/swift")
    // So many lines that the pipe is still full when a reader of the first line ends.
    try folder.write(
      "#!/bin/sh\necho libswiftCore.so\ni=0; while [ $i -lt 20000 ]; do echo other.so; i=$((i + 1)); done\n",
      to: "bin/ldd")
    for name in ["swift", "ldd"] { chmod(folder.path("bin/\(name)"), 0o755) }
    let run = try run("PATH=$place/bin:$PATH DESTDIR=$place/root scripts/install")
    #expect(run.code == 70 && run.output.contains("need libraries of the Swift toolchain"), "\(run.output)")
    #expect(try files().isEmpty)
  }

  @Test("an installation without libraries removes an earlier installation's libraries")
  func upgrade() throws {
    let libraries = folder.path("root/usr/local/lib/decant/swift")
    #expect(try install("--libraries").code == 0)
    #expect(FileManager.default.fileExists(atPath: "\(libraries)/modules/CSQLite/module.modulemap"))
    #expect(try String(contentsOfFile: "\(libraries)/compiler", encoding: .utf8).hasPrefix("Swift version "))
    // A linker could leave out a member whose symbols aren't used, so that the archive has only one member.
    #expect(try self.run("ar t \(libraries)/libDecant.a").output == "Decant.o\n")
    #expect(try install().code == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("root/usr/local/lib/decant")))
    #expect(FileManager.default.fileExists(atPath: folder.path("root/usr/local/bin/decant")))
  }

  @Test(
    "wrong options and unusable folders are refused with an exit code and a message",
    arguments: [
      ("scripts/install --prefx /usr", 64, "“--prefx” isn't known"),
      ("scripts/install --prefix", 64, "needs a folder"),
      ("scripts/install --no-build --prefix usr", 64, "can't be the prefix"),
      ("scripts/install --no-build --prefix '/opt/a b'", 64, "can't be the prefix"),
      ("scripts/install --no-build --prefix /opt/../etc", 64, "can't be the prefix"),
      ("DESTDIR=root scripts/install --no-build", 64, "isn't an absolute path"),
      ("DESTDIR=$place/none scripts/install --uninstall", 66, "isn't there"),
      ("DESTDIR=$place/none scripts/install --binaries $place", 66, "Leave out --no-build"),
      (
        "touch $place/file; DESTDIR=$place/file scripts/install --no-build --binaries $built", 73,
        "isn't a folder"
      ),
      ("DESTDIR=/proc/1/none scripts/install --no-build --binaries $built", 73, "can't be"),
    ])
  func refusals(line: String, code: Int32, message: String) throws {
    let run = try run(line)
    #expect(run.code == code && run.output.contains(message), "\(line): \(run.code), \(run.output)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("none")))
  }

  @Test("a failed build isn't installed, and no libraries are installed that the last build didn't make")
  func halfBuilt() throws {
    // A checkout, and a script named “swift” that builds nothing.
    let checkout = try run(
      """
      mkdir -p $place/co/scripts $place/co/.build/install/release $place/bin && cp scripts/install $place/co/scripts/ \
        && ln -s $PWD/{man,config,systemd,README.md,CHANGELOG.md,LICENSE} $place/co/ \
        && cp /bin/true $place/co/.build/install/release/decant && cp /bin/true $place/co/.build/install/release/decantd \
        && printf '#!/bin/sh\n' > $place/co/scripts/setup && chmod +x $place/co/scripts/setup \
        && printf '#!/bin/sh\n[ ! -e %s/broken ]\n' $place > $place/bin/swift && chmod +x $place/bin/swift
      """)
    try #require(checkout.code == 0, "\(checkout.output)")
    func install(_ more: String) throws -> ScriptRun {
      try run("PATH=$place/bin:$PATH DESTDIR=$place/root $place/co/scripts/install \(more)")
    }
    #expect(try install("").code == 0)
    #expect(try install("--no-build").code == 0)
    let libraries = try install("--no-build --libraries")
    #expect(libraries.code == 66 && libraries.output.contains("has no libraries"), "\(libraries.output)")
    try folder.write("", to: "broken")
    #expect(try install("").code == 70)
    let half = try install("--no-build")
    #expect(half.code == 66 && half.output.contains("No complete build is there"), "\(half.output)")
  }

  @Test("the help begins with what the script does, and names every option")
  func help() throws {
    let run = try run("scripts/install --help")
    #expect(run.code == 0 && run.output.hasPrefix("Builds Decant and installs it"), "\(run.output)")
    for option in [
      "--prefix", "--libraries", "--no-build", "--binaries", "--uninstall", "DESTDIR", "Exit codes",
    ] {
      #expect(run.output.contains(option))
    }
  }
}
