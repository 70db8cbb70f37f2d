extension ArchiveNode {
  private static let lists = [
    "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
  ]
  private static let dictionaries = ["NSDictionary", "NSMutableDictionary", "NSKnownKeysDictionary1"]

  /// The members of this list or set, in file order.
  ///
  /// - Throws: `ArchiveError` if this isn't a list, if one of its members is nil, or if the allowance is used up.
  public func elements(_ allowance: inout ArchiveAllowance) throws(ArchiveError) -> [ArchiveNode] {
    guard let name = className, Self.lists.contains(name) else {
      throw .unknownClass(className ?? kind, expected: "a list")
    }
    return try members("NS.objects", &allowance).map { (member) throws(ArchiveError) in
      guard let member else {
        throw .wrongKind(className: name, key: "NS.objects", found: "nil", expected: "an object")
      }
      return member
    }
  }

  /// The members of a list or set under a key; `nil` if the key is absent or nil.
  public func list(
    _ key: String, _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [ArchiveNode]? {
    guard let list = try member(key) else { return nil }
    guard let name = list.className, Self.lists.contains(name) else {
      throw wrong(list, key: key, expected: "a list")
    }
    return try list.elements(&allowance)
  }

  /// The texts of a list or set under a key; `nil` if the key is absent or nil.
  ///
  /// - Throws: `ArchiveError` if the value isn't a list of texts.
  public func strings(
    _ key: String, _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [String]? {
    try list(key, &allowance)?.map { (member) throws(ArchiveError) in
      guard let text = member.string else { throw wrong(member, key: key, expected: "a list of texts") }
      return text
    }
  }

  /// The lists of texts in a list under a key; `nil` if the key is absent or nil.
  ///
  /// - Throws: `ArchiveError` if the value isn't a list of lists of texts.
  public func stringLists(
    _ key: String, _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [[String]]? {
    guard let members = try list(key, &allowance) else { return nil }
    var lists: [[String]] = []
    for member in members {
      lists.append(
        try member.elements(&allowance).map { (element) throws(ArchiveError) in
          guard let text = element.string else {
            throw wrong(element, key: key, expected: "a list of lists of texts")
          }
          return text
        })
    }
    return lists
  }

  /// The entries of a dictionary under a key, in file order; `nil` if the key is absent or nil.
  ///
  /// A store's model cache keeps its entities in an `NSKnownKeysDictionary1` (docs/formats/model-files.md 4.1).
  ///
  /// - Throws: `ArchiveError` if it isn't a dictionary with different texts as keys, or if the allowance is used up.
  public func entries(
    _ key: String, _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [(key: String, value: ArchiveNode?)]? {
    guard let dictionary = try member(key) else { return nil }
    guard dictionary.className.map(Self.dictionaries.contains) == true else {
      throw wrong(dictionary, key: key, expected: "a dictionary")
    }
    return try dictionary.entries(&allowance)
  }

  /// The entries of this dictionary, in file order.
  ///
  /// - Throws: `ArchiveError` if this isn't a dictionary with different texts as keys, or if the allowance is used up.
  public func entries(
    _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [(key: String, value: ArchiveNode?)] {
    let keys: [ArchiveNode?]
    let values: [ArchiveNode?]
    switch className {
    case "NSDictionary", "NSMutableDictionary":
      keys = try members("NS.keys", &allowance)
      values = try members("NS.objects", &allowance)
    case "NSKnownKeysDictionary1":
      guard let mapping = try object("searchMapping", of: "NSKnownKeysMappingStrategy1") else {
        throw .missing(className: "NSKnownKeysDictionary1", key: "searchMapping")
      }
      keys = try mapping.list("keys", &allowance) ?? []
      values = try member("values")?.members("NS.objects", &allowance) ?? []
    default: throw .unknownClass(className ?? kind, expected: "a dictionary")
    }
    guard keys.count == values.count else {
      throw .unequalCounts(
        className: className ?? "dictionary", keys: keys.count, values: values.count)
    }
    var seen: Set<String> = []
    var entries: [(key: String, value: ArchiveNode?)] = []
    for (name, value) in zip(keys, values) {
      guard let text = name?.string else {
        throw .wrongKind(
          className: className ?? "dictionary", key: "NS.keys", found: name?.kind ?? "nil",
          expected: "text")
      }
      // Comparing long keys costs more than reading them, so a long key counts as several members.
      try allowance.spend(text.utf8.count / 256)
      guard seen.insert(text).inserted else { throw .repeatedKey(text) }
      entries.append((text, value))
    }
    return entries
  }

  /// The members of an ordered set, in order.
  ///
  /// Each member has a key of its own, numbered from 0. If the archive has the members in one list, as it has those of
  /// a set, the list is read.
  public func orderedMembers(_ allowance: inout ArchiveAllowance) throws(ArchiveError) -> [ArchiveNode?] {
    if has("NS.objects") { return try members("NS.objects", &allowance) }
    var members: [ArchiveNode?] = []
    while let member = value[Self.memberKey(members.count)] {
      try allowance.spend(1)
      members.append(try archive.node(member))
    }
    return members
  }

  /// The key of an ordered set's member.
  public static func memberKey(_ index: Int) -> String { "NS.object.\(index)" }

  /// The members of a plain list inside a collection, in file order.
  ///
  /// - Throws: `ArchiveError` if there is no list under the key, or if the allowance is used up.
  public func members(
    _ key: String, _ allowance: inout ArchiveAllowance
  ) throws(ArchiveError) -> [ArchiveNode?] {
    guard let members = value[key]?.array else { throw .missing(className: className ?? "object", key: key) }
    try allowance.spend(members.count + 1)
    return try members.map { (member) throws(ArchiveError) in try archive.node(member) }
  }
}
