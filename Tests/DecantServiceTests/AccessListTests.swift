import Foundation
import Glibc
import Testing

@testable import DecantService

@Suite("Further readers of a result")
struct AccessListTests {
  @Test("the attribute has the kernel's layout and order")
  func layout() {
    var list = AccessList(mode: 0o640)
    list.users = [1_001: 4, 1_000: 6]
    list.groups = [258: 5]
    let expected: [[UInt8]] = [
      [2, 0, 0, 0],
      [1, 0, 6, 0, 255, 255, 255, 255],
      [2, 0, 6, 0, 0xE8, 3, 0, 0], [2, 0, 4, 0, 0xE9, 3, 0, 0],
      [4, 0, 4, 0, 255, 255, 255, 255],
      [8, 0, 5, 0, 2, 1, 0, 0],
      [16, 0, 7, 0, 255, 255, 255, 255],
      [32, 0, 0, 0, 255, 255, 255, 255],
    ]
    #expect(list.attribute == expected.flatMap { $0 })
  }

  @Test("a file gets it, and its group's bits are the mask")
  func applied() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "file")
    let file = open(folder.path("file"), O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(fchmod(file, 0o600) == 0)
    var list = AccessList(mode: 0o600)
    #expect(list.apply(to: file))
    var status = stat()
    fstat(file, &status)
    #expect(status.st_mode & 0o777 == 0o600)
    list.users[geteuid() + 1] = 4
    guard list.apply(to: file) else {
      #expect(errno == EOPNOTSUPP, "This file system has no lists.")
      return
    }
    fstat(file, &status)
    #expect(status.st_mode & 0o777 == 0o640)
  }
}
