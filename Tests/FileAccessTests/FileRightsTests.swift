import FileAccess
import Testing

@Suite("Rights of users")
struct FileRightsTests {
  private let read = FileRights.read
  private let write = FileRights.write
  private let search = FileRights.search

  @Test("the bits of the owner, the group and the others are used in this order")
  func order() {
    let file = FileRights(owner: 10, group: 20, mode: 0o047)
    #expect(!file.allow(read, user: 10, groups: [20]))
    #expect(file.allow(read, user: 11, groups: [20]))
    #expect(!file.allow(read | write, user: 11, groups: [20]))
    #expect(file.allow(7, user: 11, groups: []))
    #expect(file.allow(7, user: 0, groups: []))
  }

  /// With a list, the group bits of the mode are the mask: 0770 looks open to the group, and may not be.
  @Test("with a list the group has its own entry, and the mask limits all except the owner and the others")
  func mask() {
    var list = AccessList(mode: 0o704)
    list.users = [30: 7, 31: 0]
    list.groups = [40: 5, 41: 2]
    list.mask = 5
    let file = FileRights(owner: 10, group: 20, mode: 0o754, list: list)
    #expect(file.allow(7, user: 10, groups: []))
    #expect(file.allow(5, user: 30, groups: []) && !file.allow(write, user: 30, groups: [40]))
    #expect(!file.allow(read, user: 31, groups: [40]), "a user's own entry counts before those of groups")
    #expect(!file.allow(read, user: 32, groups: [20]), "the owning group has no rights")
    #expect(file.allow(5, user: 32, groups: [20, 40]), "one group's entry is enough")
    #expect(!file.allow(read | write, user: 32, groups: [40, 41]), "one entry has to give all")
    #expect(!file.allow(write, user: 32, groups: [41]), "beyond the mask")
    #expect(file.allow(read, user: 32, groups: []))
  }

  @Test("rights that all users have, and rights that all members of a group have")
  func everybody() {
    let open = FileRights(owner: 10, group: 20, mode: 0o755)
    #expect(
      open.allowEverybody(search) && open.allowMembers(of: 20, search) && open.allowMembers(of: 21, search))
    let groupOnly = FileRights(owner: 10, group: 20, mode: 0o750)
    #expect(groupOnly.allowMembers(of: 20, search) && !groupOnly.allowMembers(of: 21, search))
    let othersOnly = FileRights(owner: 10, group: 20, mode: 0o705)
    #expect(!othersOnly.allowEverybody(search) && !othersOnly.allowMembers(of: 21, search))
    var list = AccessList(mode: 0o755)
    list.groups[40] = 0
    list.users[30] = 0
    let without = FileRights(owner: 10, group: 20, mode: 0o755, list: list)
    #expect(!without.allowEverybody(search), "not group 40")
    #expect(without.allowMembers(of: 20, search) && !without.allowMembers(of: 40, search))
    #expect(!without.allowUser(30, search) && without.allowUser(10, 7))
  }

  @Test("whether users other than the given ones may write")
  func anyone() {
    func writes(_ mode: UInt32, _ users: [UInt32: UInt32] = [:], _ groups: [UInt32: UInt32] = [:]) -> Bool {
      var list = AccessList(mode: mode)
      (list.users, list.groups) = (users, groups)
      return FileRights(owner: 10, group: 20, mode: mode, list: list).allowAnyone(write, except: [10, 30])
    }
    #expect(!writes(0o700) && !writes(0o755) && !writes(0o700, [30: 7]) && !writes(0o700, [31: 5], [40: 5]))
    #expect(writes(0o720) && writes(0o702) && writes(0o700, [31: 2]) && writes(0o700, [:], [40: 2]))
    #expect(
      FileRights(owner: 11, group: 20, mode: 0o400).allowAnyone(write, except: [10]), "an owner can change it")
  }
}
