import CLinux
import DecantTestSupport
import FileAccess
import FileNames
import Foundation
import Glibc
import SpoolSupport
import Testing

@testable import DecantSpool

@Suite("Scans of incoming/")
struct IncomingScanTests {
  private let folder: TemporaryFolder
  private let spool: Spool

  init() throws {
    folder = try TemporaryFolder()
    spool = try Spool(path: folder.path("spool"))
  }

  private func scan(user: UInt32 = 0, groups: Set<UInt32> = []) throws -> [String: IncomingScan.Sighting] {
    let scan = try IncomingScan(
      of: spool.incoming, access: AccessCheck(user: user, groups: groups), now: Int64.max)
    return Dictionary(uniqueKeysWithValues: scan.sightings.map { ($0.name.text, $0) })
  }

  private func path(_ name: String) -> String { folder.path("spool/incoming/" + name) }

  @Test("a loose store is found with its siblings, and the store is the last member")
  func loose() throws {
    for name in [
      "N.sqlite", "N.sqlite-wal", "N.sqlite-shm", "N.sqlite.request.json5", ".N_SUPPORT/_EXTERNAL_DATA/A",
    ] {
      try folder.write("x", to: "spool/incoming/" + name)
    }
    let drop = try #require(try scan()["N.sqlite"]?.drop)
    #expect(drop.form == .loose)
    #expect(drop.members.last == "N.sqlite")
    #expect(
      Set(drop.members) == [".N_SUPPORT", "N.sqlite.request.json5", "N.sqlite-wal", "N.sqlite-shm", "N.sqlite"])
    #expect(drop.request == "N.sqlite.request.json5")
    #expect(try scan().count == 1)
  }

  @Test("a folder with one store is a drop; its fingerprint changes with any file in it")
  func wholeFolder() throws {
    try folder.write("x", to: "spool/incoming/F/N.sqlite")
    try folder.write("x", to: "spool/incoming/F/.N_SUPPORT/_EXTERNAL_DATA/A")
    let first = try #require(try scan()["F"])
    #expect(first.drop?.store == "N.sqlite")
    #expect(first.drop?.defect == nil)
    try folder.write("xy", to: "spool/incoming/F/.N_SUPPORT/_EXTERNAL_DATA/A")
    #expect(try scan()["F"]?.fingerprint != first.fingerprint)
  }

  @Test("folders that don't hold exactly one store have a defect")
  func defects() throws {
    try folder.makeFolder("spool/incoming/empty")
    try folder.write("x", to: "spool/incoming/two/A.sqlite")
    try folder.write("x", to: "spool/incoming/two/B.sqlite")
    try folder.write("x", to: "spool/incoming/extra/A.sqlite")
    try folder.write("x", to: "spool/incoming/extra/sub/B.sqlite")
    try folder.write("x", to: "spool/incoming/wal/A.sqlite")
    try folder.write("x", to: "spool/incoming/wal/B.sqlite-wal")
    try folder.write("\u{0}", to: "spool/incoming/reserved/report.json")
    let long = String(repeating: "n", count: 194) + ".sqlite"
    try folder.write("x", to: "spool/incoming/long/\(long)")
    let sightings = try scan()
    #expect(sightings["long"]?.drop?.defect == .longName(FileName(long)))
    #expect(sightings["empty"]?.drop?.defect == .noStore(besides: []))
    #expect(sightings["two"]?.drop?.defect == .severalStores(["A.sqlite", "B.sqlite"]))
    #expect(sightings["extra"]?.drop?.defect == .unexpected(["sub"]))
    #expect(sightings["wal"]?.drop?.defect == .unexpected(["B.sqlite-wal"]))
    #expect(sightings["reserved"]?.drop?.defect == .reservedName("report.json"))
  }

  @Test("a small text beside a store isn't a second store, but a file that could be a store is one")
  func companionTexts() throws {
    let store = "SQLite format 3\u{0}" + String(repeating: "\u{1}", count: 100)
    for drop in ["text", "binary", "large", "xml", "empty", "link"] {
      try folder.write(store, to: "spool/incoming/\(drop)/N.sqlite")
    }
    try folder.write("Liebe Grüße\r\n\tAnna\n", to: "spool/incoming/text/readme.txt")
    try folder.write("# Notes", to: "spool/incoming/text/NOTES.md")
    try folder.write("a\u{0}b", to: "spool/incoming/binary/other")
    try folder.write(String(repeating: "x", count: 65_537), to: "spool/incoming/large/readme.txt")
    try folder.write("\u{feff} <?xml version=\"1.0\"?><database/>", to: "spool/incoming/xml/other.xml")
    try folder.write("", to: "spool/incoming/empty/other")
    symlink("/etc/hostname", folder.path("spool/incoming/link/readme.txt"))
    let sightings = try scan()
    #expect(sightings["text"]?.drop?.store == "N.sqlite")
    #expect(sightings["text"]?.drop?.defect == nil)
    #expect(sightings["xml"]?.drop?.defect == .severalStores(["N.sqlite", "other.xml"]))
    for (drop, other) in [("binary", "other"), ("large", "readme.txt"), ("empty", "other")] {
      #expect(sightings[drop]?.drop?.defect == .unexpected([FileName(other)]), "\(drop)")
    }
    #expect(sightings["link"]?.obstacles.isEmpty == false)
  }

  @Test(
    "a picture beside a store is an unexpected file; two files that begin like stores are two stores"
  )
  func picture() throws {
    let starts = ["sqlite": "SQLite format 3\0", "xml": "<?xml version=\"1.0\"?>", "binary": "bplist00"]
    for (kind, start) in starts {
      try folder.write(start + "\u{1}", to: "spool/incoming/\(kind)/N.store")
      try folder.write("\u{ff}PNG\u{1}\u{2}", to: "spool/incoming/\(kind)/a picture.png")
    }
    try folder.write("SQLite format 3\0", to: "spool/incoming/two/A.sqlite")
    try folder.write("bplist00\u{1}", to: "spool/incoming/two/B.binary")
    let sightings = try scan()
    for kind in starts.keys {
      #expect(sightings[kind]?.drop?.defect == .unexpected(["a picture.png"]), "\(kind)")
      #expect(sightings[kind]?.drop?.store == "N.store")
    }
    #expect(sightings["two"]?.drop?.defect == .severalStores(["A.sqlite", "B.binary"]))
  }

  @Test("a folder with only texts has no store; a text with a store's file name counts as a store")
  func textsAlone() throws {
    for name in ["readme.txt", "NOTES.MD", "ReadMe"] {
      try folder.write("Hello\n", to: "spool/incoming/one \(name)/\(name)")
      try folder.write("Hello\n", to: "spool/incoming/all/\(name)")
    }
    try folder.write("Hello\n", to: "spool/incoming/named/N.sqlite")
    try folder.write("SQLite format 3\u{0}", to: "spool/incoming/store/store.txt")
    try folder.write("x", to: "spool/incoming/log/N.sqlite-wal")
    let sightings = try scan()
    for name in ["readme.txt", "NOTES.MD", "ReadMe"] {
      #expect(sightings["one \(name)"]?.drop?.defect == .noStore(besides: [FileName(name)]))
    }
    #expect(sightings["all"]?.drop?.defect == .noStore(besides: ["NOTES.MD", "ReadMe", "readme.txt"]))
    #expect(sightings["log"]?.drop?.defect == .noStore(besides: ["N.sqlite-wal"]))
    #expect(sightings["named"]?.drop?.store == "N.sqlite")
    #expect(sightings["store"]?.drop?.store == "store.txt")
    #expect(
      Drop.failure(for: .noStore(besides: ["readme.txt"]), drop: "F").message
        == "The folder “F” holds no store, only “readme.txt”.")
  }

  @Test("names that begin with a dot are ignored")
  func hidden() throws {
    try folder.write("x", to: "spool/incoming/.N.sqlite")
    try folder.write("x", to: "spool/incoming/.folder/N.sqlite")
    #expect(try scan().isEmpty)
  }

  @Test("links, pipes and sockets are left in place, with a command that removes them")
  func wrongKinds() throws {
    mkfifo(path("a pipe"), 0o600)
    symlink("/etc/passwd", path("link.sqlite"))
    mknod(path("s"), S_IFSOCK | 0o600, 0)
    try folder.makeFolder("spool/incoming/F")
    try folder.write("x", to: "spool/incoming/F/N.sqlite")
    symlink("/etc", path("F/.N_SUPPORT"))
    let sightings = try scan()
    #expect(sightings["a pipe"]?.obstacles.first?.command == "rm '\(path("a pipe"))'")
    #expect(sightings["link.sqlite"]?.obstacles.first?.command == "rm \(path("link.sqlite"))")
    #expect(sightings["link.sqlite"]?.drop == nil)
    #expect(sightings["s"]?.obstacles.first?.message.contains("a socket") == true)
    #expect(sightings["F"]?.obstacles.first?.command == "rm \(path("F/.N_SUPPORT"))")
  }

  @Test(
    "a file without read access and a folder without write access are left; the command gives access")
  func permissions() throws {
    removexattr(spool.incoming.path, "system.posix_acl_default")
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try folder.write("x", to: "spool/incoming/F/N.sqlite")
    chmod(path("N.sqlite"), 0o600)
    chmod(path("F"), 0o750)
    chmod(path("F/N.sqlite"), 0o640)
    chmod(spool.incoming.path, 0o770)
    let group = try #require(try spool.incoming.status("N.sqlite")?.group)
    let sightings = try scan(user: 4_000_000, groups: [group])
    #expect(sightings["N.sqlite"]?.obstacles.map(\.command) == ["chmod g+r \(path("N.sqlite"))"])
    #expect(sightings["F"]?.obstacles.map(\.command) == ["chmod g+rwx \(path("F"))"])
    chmod(path("N.sqlite"), 0o640)
    chmod(path("F"), 0o770)
    let mended = try scan(user: 4_000_000, groups: [group])
    #expect(mended.values.allSatisfy { $0.obstacles.isEmpty })
    #expect(mended["F"]?.drop?.store == "N.sqlite")
  }

  /// Whether access control lists can be set in the folder for temporary files.
  private static let hasLists: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return AccessList(mode: 0o700).applyToNewNames(in: descriptor)
  }()

  @Test(
    "the command gives access to the daemon's user only",
    .enabled(if: hasLists, "the file system of temporary files has no access control lists"))
  func lists() throws {
    let handle = spool.incoming.descriptor
    try #require(AccessList(forNewNamesIn: handle) != nil)
    var list = AccessList(mode: 0o700)
    list.users[4_000_000] = 7
    #expect(list.applyToNewNames(in: handle))
    chmod(spool.incoming.path, 0o777)
    try folder.write("x", to: "spool/incoming/new/N.sqlite")
    try folder.write("x", to: "spool/incoming/moved/N.sqlite")
    let sightings = try scan(user: 4_000_000)
    #expect(sightings.values.allSatisfy { $0.obstacles.isEmpty }, "\(sightings)")
    for name in ["moved", "moved/N.sqlite", "new/N.sqlite"] {
      let file = open(path(name), O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      // The access control list stays, but its mask takes the access away.
      if name == "new/N.sqlite" {
        fchmod(file, 0o600)
      } else {
        #expect(AccessList(mode: 0o700).apply(to: file))
      }
    }
    let closed = try scan(user: 4_000_000)
    #expect(closed["new"]?.obstacles.map(\.command) == ["chmod g+r \(path("new/N.sqlite"))"])
    #expect(closed["moved"]?.obstacles.map(\.command) == ["setfacl -m u:4000000:rwx \(path("moved"))"])
    #expect(
      closed["moved"]?.obstacles.first?.message.hasSuffix("The command setfacl is in the package “acl”.")
        == true)
    #expect(closed["new"]?.obstacles.first?.message.contains("“acl”") == false)
  }

  @Test("the commands change a foreign group, and remove another owner's sticky bit from the folder")
  func foreignGroup() throws {
    removexattr(spool.incoming.path, "system.posix_acl_default")
    try folder.write("x", to: "spool/incoming/N.sqlite")
    chmod(path("N.sqlite"), 0o640)
    chmod(spool.incoming.path, 0o1777)
    let commands = try scan(user: 4_000_000, groups: [4_000_001])["N.sqlite"]?.obstacles.map(\.command) ?? []
    #expect(commands.count == 2)
    #expect(commands.first?.hasPrefix("chgrp ") == true)
    #expect(commands.first?.hasSuffix("&& chmod g+r \(path("N.sqlite"))") == true)
    #expect(commands.last == "chmod g+rwx,-t \(spool.incoming.path)")
  }

  @Test("a file with several hard links is left until it has one name")
  func hardLink() throws {
    try folder.write("x", to: "N.sqlite")
    link(folder.path("N.sqlite"), path("N.sqlite"))
    #expect(try scan()["N.sqlite"]?.obstacles.first?.message.contains("2 names") == true)
    unlink(folder.path("N.sqlite"))
    #expect(try scan()["N.sqlite"]?.obstacles.isEmpty == true)
  }

  @Test(
    "a file of another user than the drop's owner is left, except root's and the daemon's",
    .enabled(if: geteuid() == 0, "Skipped: only root can give files to other users."))
  func owners() throws {
    let (ana, eva, daemon) = (4_000_001 as uid_t, 4_000_002 as uid_t, 4_000_000 as uid_t)
    chmod(spool.incoming.path, 0o777)
    for name in ["N.sqlite", "N.sqlite-wal", "F/N.sqlite", "F/.N_SUPPORT/_EXTERNAL_DATA/A"] {
      try folder.write("x", to: "spool/incoming/" + name)
      chmod(path(name), 0o644)
    }
    for name in ["F", "F/.N_SUPPORT", "F/.N_SUPPORT/_EXTERNAL_DATA"] { chmod(path(name), 0o777) }
    func obstacles() throws -> [String: [String]] {
      try scan(user: daemon).mapValues { $0.obstacles.map(\.command) }
    }
    func own(_ names: [String], _ user: uid_t) { for name in names { chown(path(name), user, user) } }
    let all = [
      "N.sqlite", "N.sqlite-wal", "F", "F/N.sqlite", "F/.N_SUPPORT", "F/.N_SUPPORT/_EXTERNAL_DATA",
      "F/.N_SUPPORT/_EXTERNAL_DATA/A",
    ]
    own(all, ana)
    #expect(try obstacles() == ["N.sqlite": [], "F": []])
    own(["N.sqlite-wal", "F/.N_SUPPORT/_EXTERNAL_DATA/A"], eva)
    #expect(
      try obstacles() == [
        "N.sqlite": ["chown -h \(ana) \(path("N.sqlite-wal"))"],
        "F": ["chown -h \(ana) \(path("F/.N_SUPPORT/_EXTERNAL_DATA/A"))"],
      ])
    // The daemon's own folder may have files of other users. A refused store that is dropped again has such a folder.
    own(["N.sqlite", "F"], daemon)
    #expect(try obstacles() == ["N.sqlite": [], "F": []])
    own(["N.sqlite", "F"], ana)
    own(["N.sqlite-wal", "F/.N_SUPPORT/_EXTERNAL_DATA/A"], 0)
    #expect(try obstacles() == ["N.sqlite": [], "F": []])
  }

  @Test("names with odd bytes and too long names are left in place, and the command quotes them")
  func names() throws {
    let incoming = spool.incoming.path
    let bytes: [UInt8] = Array("\(incoming)/a".utf8) + [0xFF, 0x0A] + Array("'b.sqlite".utf8)
    let file = bytes.withNullTerminated { open($0, O_CREAT | O_WRONLY, 0o600) }
    #expect(file >= 0)
    close(file)
    let long = String(repeating: "n", count: 220) + ".sqlite"
    try folder.write("x", to: "spool/incoming/" + long)
    let sightings = try scan()
    #expect(sightings.count == 2)
    #expect(sightings[long]?.obstacles.first?.message.contains("more than 200 bytes") == true)
    let odd = sightings.first { $0.key != long }?.value
    let command = try #require(odd?.obstacles.first?.command)
    #expect(command.hasPrefix("[ ! -e \(incoming)/a___b-"), "\(command)")
    #expect(
      command.contains(" && mv -nT $'\(incoming)/a\\xff\\x0a\\'b.sqlite' \(incoming)/a___b-"), "\(command)")
    #expect(command.hasSuffix(".sqlite"))
  }

  @Test("one command renames a store with a too long name and all its files, and replaces no file")
  func longNames() throws {
    let incoming = spool.incoming.path
    let names = ["n", "m"].map { $0 + String(repeating: "n", count: 190) }
    let stores = names.map { $0 + String(repeating: "x", count: 20) + ".sqlite" }
    for store in stores {
      for ending in ["", "-wal", "-shm", ".request.json5"] {
        try folder.write(store + ending, to: "spool/incoming/" + store + ending)
      }
      let stem = store.dropLast(7)
      try folder.write("x", to: "spool/incoming/.\(stem)_SUPPORT/_EXTERNAL_DATA/A")
    }
    let sightings = try scan()
    #expect(Set(sightings.keys) == Set(stores))
    for store in stores {
      let command = try #require(sightings[store]?.obstacles.first?.command)
      // If one of the new names is in use, nothing is renamed.
      let log = try #require(command.split(separator: " ").last.map { "\($0)-wal" })
      try Data("other".utf8).write(to: URL(fileURLWithPath: log))
      #expect(try run(command) != 0)
      #expect(try String(contentsOfFile: log, encoding: .utf8) == "other")
      #expect(try folder.text("spool/incoming/\(store)-shm") == store + "-shm")
      try FileManager.default.removeItem(atPath: log)
      #expect(try run(command) == 0)
    }
    let renamed = try scan()
    #expect(renamed.count == 2 && renamed.values.allSatisfy { $0.obstacles.isEmpty })
    for drop in renamed.values.compactMap(\.drop) {
      let store = try #require(drop.store)
      #expect(drop.members.count == 5 && drop.request != nil && store.hasSuffix(".sqlite"))
      let content = try folder.text("spool/incoming/\(store)")
      let log = try folder.text("spool/incoming/\(store)-wal")
      #expect(stores.contains(content) && log == content + "-wal")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).count == 10)
  }

  /// Runs a command in a shell, and returns its exit status.
  private func run(_ command: String) throws -> Int32 {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/bash")
    shell.arguments = ["-c", command]
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus
  }

  @Test("the command for a name that isn't UTF-8 also moves the store's external data")
  func oddNames() throws {
    let name = FileName(bytes: [0x61, 0xFF] + Array(".sqlite".utf8))
    for entry in [name, name + "-wal"] {
      let path = Array("\(spool.incoming.path)/".utf8) + entry.bytes
      let file = path.withNullTerminated { open($0, O_CREAT | O_WRONLY, 0o600) }
      #expect(file >= 0)
      close(file)
    }
    let support = Array("\(spool.incoming.path)/".utf8) + StoreNames.support(name).bytes
    #expect(support.withNullTerminated { mkdir($0, 0o700) } == 0)
    let sightings = try scan()
    #expect(sightings.count == 1)
    #expect(try run(try #require(sightings.values.first?.obstacles.first?.command)) == 0)
    let drop = try #require(try scan().values.first?.drop)
    #expect(drop.members.count == 3 && drop.defect == nil)
  }

  @Test("the files of a store may have longer names than a store")
  func longSiblings() throws {
    let store = String(repeating: "v", count: 191) + ".sqlite"
    for ending in ["", "-wal", "-shm", ".request.json5"] {
      try folder.write("x", to: "spool/incoming/" + store + ending)
    }
    let sightings = try scan()
    #expect(sightings.count == 1 && sightings[store]?.obstacles == [])
    #expect(sightings[store]?.drop?.members.count == 4)
  }

  @Test("a notice with a long name is no drop")
  func longNotice() throws {
    let names = ["a", "b"].map { FileName(String(repeating: "n", count: 230) + $0) }
    for name in names {
      let notice = Notice(name, [Obstacle(drop: name, message: "No.", command: "")])
      #expect(notice.name.utf8.count <= 255 && spool.incoming.write(notice))
    }
    #expect(try scan().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: spool.incoming.path).count == 2)
  }

  @Test("siblings without a store wait; if their store was taken before them, the message says so")
  func strays() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite-wal")
    #expect(try scan()["N.sqlite-wal"]?.obstacles.first?.message.contains("waits for its store") == true)
    let scan = try IncomingScan(
      of: spool.incoming, access: AccessCheck(user: 0, groups: []), now: 0, takenAs: { _ in "J" })
    #expect(scan.sightings.first?.obstacles.first?.message.contains("was taken as job J") == true)
  }

  @Test("two stores with the same external-data folder are both left")
  func sharedStem() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    try folder.write("x", to: "spool/incoming/N.db")
    #expect(try scan().values.allSatisfy { $0.obstacles.isEmpty })
    try folder.makeFolder("spool/incoming/.N_SUPPORT")
    try folder.write("x", to: "spool/incoming/N.sqlite-wal")
    let sightings = try scan()
    #expect(sightings.values.allSatisfy { !$0.obstacles.isEmpty })
    // The command moves the store with its own files.
    #expect(try run(try #require(sightings["N.sqlite"]?.obstacles.first?.command)) == 0)
    #expect(try folder.names("spool/incoming/N.sqlite.drop").sorted() == ["N.sqlite", "N.sqlite-wal"])
  }

  @Test("a file whose time is in the future is noted")
  func future() throws {
    try folder.write("x", to: "spool/incoming/N.sqlite")
    let now = try IncomingScan(of: spool.incoming, access: AccessCheck(user: 0, groups: []), now: 1)
    #expect(now.sightings.first?.drop?.isFromTheFuture == true)
    #expect(try scan()["N.sqlite"]?.drop?.isFromTheFuture == false)
  }
}
