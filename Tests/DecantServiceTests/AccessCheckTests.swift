import Foundation
import Testing

@testable import DecantService

@Suite("Permission bits")
struct AccessCheckTests {
  @Test("the owner's, the group's and the others' bits count in this order")
  func order() throws {
    let folder = try TemporaryFolder()
    try folder.write("x", to: "f")
    let handle = try FolderHandle(path: folder.path)
    var status = try #require(try handle.status("f"))
    status.owner = 10
    status.group = 20
    status.mode = 0o047
    let read = AccessCheck.read
    #expect(!AccessCheck(user: 10, groups: [20]).allows(read, status))
    #expect(AccessCheck(user: 11, groups: [20]).allows(read, status))
    #expect(!AccessCheck(user: 11, groups: [20]).allows(read | AccessCheck.write, status))
    #expect(AccessCheck(user: 11, groups: []).allows(7, status))
    #expect(AccessCheck(user: 0, groups: []).allows(7, status))
  }
}
