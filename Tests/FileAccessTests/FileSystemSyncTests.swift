import DecantTestSupport
import Foundation
import Testing

@testable import FileAccess

@Suite("One sync for a file system") struct FileSystemSyncTests {
  @Test("the kernel's release decides whether a sync of the file system reports all errors")
  func kernels() {
    for release in ["5.17.0", "6.1.0-18-amd64", "5.19.0-46-generic", "10.0"] {
      #expect(FileSystemSync.tellsOfErrors(release), "\(release)")
    }
    for release in ["5.16.19", "5.10.0-28-cloud-amd64", "4.19.0-26-amd64", "2.6.32", "", "linux", "5"] {
      #expect(!FileSystemSync.tellsOfErrors(release), "\(release)")
    }
  }

  @Test("a file system in memory has no FileSystemSync; for another one it makes everything durable")
  func kinds() throws {
    if access("/dev/shm", X_OK) == 0 { #expect(FileSystemSync(path: "/dev/shm") == nil) }
    #expect(FileSystemSync(path: "/nowhere") == nil)
    let folder = try TemporaryFolder(in: URL(fileURLWithPath: "/var/tmp"))
    if let sync = FileSystemSync(path: folder.url.path) { #expect(sync.run() == 0) }
  }

  @Test("the kind of a device's file system is found in mountinfo after any number of fields")
  func mounts() {
    let text = """
      22 27 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw
      27 1 8:1 / / rw,relatime shared:1 master:3 - ext4 /dev/sda1 rw,errors=remount-ro
      28 27 8:17 /a /var/spool/decant rw - ext2 /dev/sdb1 rw
      odd
      """
    #expect(FileSystemSync.kind(of: "8:1", in: text) == "ext4")
    #expect(FileSystemSync.kind(of: "8:17", in: text) == "ext2")
    #expect(FileSystemSync.kind(of: "8:2", in: text) == nil)
    #expect(FileSystemSync.kind(of: "8:1", in: "27 1 8:1 / / rw -") == nil)
  }
}
