import DecantTestSupport
import Foundation
import Testing

@testable import FileAccess

@Suite("Access control lists")
struct AccessListTests {
  /// A list with the rights 6 and 4 for two users, and 5 for a group.
  private static let entries: [[UInt8]] = [
    [2, 0, 0, 0],
    [1, 0, 6, 0, 255, 255, 255, 255],
    [2, 0, 6, 0, 0xE8, 3, 0, 0], [2, 0, 4, 0, 0xE9, 3, 0, 0],
    [4, 0, 4, 0, 255, 255, 255, 255],
    [8, 0, 5, 0, 2, 1, 0, 0],
    [16, 0, 7, 0, 255, 255, 255, 255],
    [32, 0, 0, 0, 255, 255, 255, 255],
  ]

  private func parsed(_ entries: [[UInt8]]) -> AccessList? { AccessList(attribute: entries.flatMap { $0 }) }

  @Test("a list is written as an attribute in the kernel's layout and order, and can be read again")
  func layout() throws {
    var list = AccessList(mode: 0o640)
    list.users = [1_001: 4, 1_000: 6]
    list.groups = [258: 5]
    #expect(list.attribute == Self.entries.flatMap { $0 })
    let read = try #require(AccessList(attribute: list.attribute))
    #expect(read.users == list.users && read.groups == list.groups && read.mask == 7)
    #expect((read.owner, read.group, read.others) == (6, 4, 0))
    #expect(AccessList(attribute: AccessList(mode: 0o751).attribute) == AccessList(mode: 0o751))
  }

  @Test("bytes that aren't a valid list give nil")
  func nonsense() {
    #expect(parsed(Self.entries) != nil)
    #expect(AccessList(attribute: []) == nil)
    for index in Self.entries.indices where ![2, 3, 5].contains(index) {
      var some = Self.entries
      some.remove(at: index)
      #expect(parsed(some) == nil, "without entry \(index)")
    }
    for (index, byte, value) in [(0, 0, 3), (1, 0, 64), (1, 0, 3), (2, 2, 8), (2, 3, 1)] as [(Int, Int, UInt8)]
    {
      var wrong = Self.entries
      wrong[index][byte] = value
      #expect(parsed(wrong) == nil, "entry \(index), byte \(byte)")
    }
    #expect(parsed(Self.entries + [Self.entries[2]]) == nil, "a user twice")
    #expect(AccessList(attribute: Array(Self.entries.flatMap { $0 }.dropLast())) == nil)
  }

  @Test("a list is applied to a file and read again, and the group bits of the file's mode are the list's mask")
  func applied() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    let file = open(folder.path("file"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(fchmod(file, 0o644) == 0)
    var list = AccessList(mode: 0o600)
    list.users[geteuid() + 1] = 4
    guard list.apply(to: file) else {
      #expect(errno == EOPNOTSUPP, "applying the list failed, and not with EOPNOTSUPP")
      return
    }
    var status = stat()
    fstat(file, &status)
    #expect(status.st_mode & 0o777 == 0o640)
    list.mask = 4
    #expect(AccessList(of: file) == list)
    symlink("file", folder.path("link"))
    #expect(AccessList(ofPath: folder.path("file")) == list && AccessList(ofPath: folder.path("link")) == nil)
    // Applying a list that is only a mode removes the file's list.
    #expect(AccessList(mode: 0o604).apply(to: file) && AccessList(of: file) == nil)
    fstat(file, &status)
    #expect(status.st_mode & 0o777 == 0o604)
  }

  @Test("new files in a folder get the folder's default list")
  func inherited() throws {
    let folder = try TemporaryFolder()
    let handle = open(folder.path(""), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(handle) }
    #expect(AccessList(forNewNamesIn: handle) == nil)
    var list = AccessList(mode: 0o700)
    list.users[4_321] = 7
    guard list.applyToNewNames(in: handle) else {
      #expect(errno == EOPNOTSUPP, "applying the list failed, and not with EOPNOTSUPP")
      return
    }
    #expect(AccessList(forNewNamesIn: handle)?.users == [4_321: 7])
    let file = openat(handle, "new", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    defer { close(file) }
    let new = try #require(AccessList(of: file))
    #expect(new.group == 0 && new.others == 0 && new.users[4_321].map { $0 & new.effectiveMask } == 4)
  }
}
