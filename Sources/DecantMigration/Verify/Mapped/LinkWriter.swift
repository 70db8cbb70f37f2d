internal import DecantModel
internal import DecantSQLite

/// Sets a relationship of one object of an expected store, and with it the other end.
final class LinkWriter {
  private let database: SQLiteDatabase
  private let storage: RelationshipStorage
  /// The inverse's column, if the inverse is to-one too.
  private let other: (table: String, key: String)?
  private var statements: [String: SQLiteStatement] = [:]

  /// - Returns: `nil` if the relationship isn't stored.
  init?(_ relationship: Relationship, of entity: String, in expected: ExpectedStore) throws(SQLiteError) {
    let layout = expected.plan.destination
    guard let storage = RelationshipStorage(of: relationship.name, entity: entity, in: layout) else {
      return nil
    }
    self.storage = storage
    database = expected.database
    if storage.kind == .owners, let inverse = layout.model.inverse(of: relationship),
      !inverse.relationship.isToMany,
      let table = layout.table(of: inverse.entity.name)?.name,
      let key = layout.toOneColumn(inverse.relationship.name, of: inverse.entity.name)
    {
      other = (table, key)
    } else {
      other = nil
    }
  }

  private var table: String { "main.\(quoted(storage.table))" }
  private var owner: String { quoted(storage.owner) }
  private var target: String { quoted(storage.target) }

  private func prepared(_ text: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[text] { return known }
    let statement = try database.prepare(text)
    statements[text] = statement
    return statement
  }

  private func run(_ text: String, _ values: Int?...) throws(SQLiteError) {
    try prepared(text).run(values.map { $0.map { .integer(Int64($0)) } ?? .null })
  }

  private func keys(_ text: String, _ value: Int) throws(SQLiteError) -> [Int] {
    let statement = try prepared(text)
    statement.reset()
    defer { statement.reset() }
    try statement.bind(.integer(Int64(value)), at: 1)
    var keys: [Int] = []
    while try statement.step() { if case .integer = statement.value(0) { keys.append(statement.integer(0)) } }
    return keys
  }

  // MARK: The three ways to set

  /// Sets the targets of the owner and removes all earlier ones.
  func set(_ targets: [Int], of owner: Int) throws(SQLiteError) {
    switch storage.kind {
    case .owners: try setOne(targets.first, of: owner)
    case .targets, .join:
      let wanted = Set(targets)
      for former in try current(of: owner) where !wanted.contains(former) { try remove(former, from: owner) }
      for target in targets { try link(target, to: owner) }
      try place(targets, of: owner)
    }
  }

  /// Prepares the claims of owners, of which only the first counts.
  ///
  /// For a one-to-one, an owner that has a target already counts as claimed. For other relationships, no owner does.
  func beginClaims() throws(SQLiteError) {
    guard other != nil || storage.kind != .owners else { return }
    try database.execute("DELETE FROM main.\(ExpectedStore.claims)")
    guard other != nil else { return }
    try database.execute(
      "INSERT INTO main.\(ExpectedStore.claims) SELECT \(owner) FROM \(table) WHERE \(target) IS NOT NULL")
  }

  private func isFirstClaim(of owner: Int) throws(SQLiteError) -> Bool {
    try run("INSERT OR IGNORE INTO main.\(ExpectedStore.claims) VALUES (?)", owner)
    return database.changes > 0
  }

  /// Adds targets to those that the same mapping has set; if only one is possible, the existing one stays.
  func add(_ targets: [Int], to owner: Int) throws(SQLiteError) {
    switch storage.kind {
    case .owners:
      guard let first = targets.first else { return }
      let asks = if other != nil { try isFirstClaim(of: owner) } else { try current(of: owner).isEmpty }
      guard asks else { return }
      try setOne(first, of: owner)
    case .targets, .join:
      if try isFirstClaim(of: owner) {
        for former in try current(of: owner) { try remove(former, from: owner) }
      }
      for target in targets { try link(target, to: owner) }
    }
  }

  /// Adds those of the targets that are new, unless another owner has them already.
  func addWaiting(_ all: [Int], of owner: Int, adding: Set<Int>, places: Bool) throws(SQLiteError) {
    switch storage.kind {
    case .owners:
      guard let first = all.first else { return }
      if other != nil, try !isFirstClaim(of: owner) { return }
      if other == nil, try !current(of: owner).isEmpty { return }
      guard adding.contains(first) else { return }
      try setOne(first, of: owner)
    case .targets:
      var own: [Int] = []
      for target in all {
        let holder = try keys("SELECT \(self.owner) FROM \(table) WHERE \(self.target) = ?", target).first
        if holder == nil, adding.contains(target) { try link(target, to: owner) }
        if holder == owner || (holder == nil && adding.contains(target)) { own.append(target) }
      }
      if places { try place(all, of: owner) }
    case .join:
      for target in all where adding.contains(target) { try link(target, to: owner) }
      if places { try place(all, of: owner) }
    }
  }

  // MARK: One pair

  private func current(of owner: Int) throws(SQLiteError) -> [Int] {
    try keys("SELECT \(target) FROM \(table) WHERE \(self.owner) = ?", owner)
  }

  private func setOne(_ wanted: Int?, of owner: Int) throws(SQLiteError) {
    let former = try current(of: owner).first
    guard former != wanted else { return }
    if let other {
      let (table, key) = ("main.\(quoted(other.table))", quoted(other.key))
      if let former {
        try run("UPDATE \(table) SET \(key) = NULL WHERE Z_PK = ? AND \(key) = ?", former, owner)
      }
      if let wanted {
        try run(
          "UPDATE \(self.table) SET \(cleared) WHERE \(target) = ? AND \(self.owner) <> ?", wanted, owner)
        try run("UPDATE \(table) SET \(key) = ? WHERE Z_PK = ?", owner, wanted)
      }
    }
    try run("UPDATE \(self.table) SET \(cleared) WHERE \(self.owner) = ?", owner)
    if let wanted { try run("UPDATE \(self.table) SET \(target) = ? WHERE \(self.owner) = ?", wanted, owner) }
  }

  private var cleared: String {
    let column = storage.kind == .owners ? target : owner
    let order = storage.kind == .owners ? storage.inverseOrder : storage.order
    return ([column] + (order.map { [quoted($0)] } ?? [])).map { "\($0) = NULL" }.joined(separator: ", ")
  }

  private func link(_ target: Int, to owner: Int) throws(SQLiteError) {
    if storage.kind == .join {
      try run("INSERT OR IGNORE INTO \(table) (\(self.owner), \(self.target)) VALUES (?, ?)", owner, target)
      return
    }
    guard try keys("SELECT \(self.owner) FROM \(table) WHERE \(self.target) = ?", target).first != owner else {
      return
    }
    // A moved target is removed from its old owner.
    try run("UPDATE \(table) SET \(cleared) WHERE \(self.target) = ?", target)
    try run("UPDATE \(table) SET \(self.owner) = ? WHERE \(self.target) = ?", owner, target)
  }

  private func remove(_ target: Int, from owner: Int) throws(SQLiteError) {
    if storage.kind == .join {
      try run("DELETE FROM \(table) WHERE \(self.owner) = ? AND \(self.target) = ?", owner, target)
    } else {
      try run("UPDATE \(table) SET \(cleared) WHERE \(self.target) = ?", target)
    }
  }

  /// 2048, 3072, … in the order of the targets (docs/formats/core-data-sqlite.md 7.3).
  private func place(_ targets: [Int], of owner: Int) throws(SQLiteError) {
    guard let order = storage.order.map(quoted) else { return }
    for (index, target) in targets.enumerated() {
      try run(
        "UPDATE \(table) SET \(order) = ? WHERE \(self.target) = ? AND \(self.owner) = ?", 2048 + 1024 * index,
        target,
        owner)
    }
  }
}
