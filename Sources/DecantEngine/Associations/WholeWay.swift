internal import DecantSQLite

/// The associations from a chain's first source to its last destination.
///
/// They are step 0 of a file that also has the associations of each step.
struct WholeWay {
  let database: SQLiteDatabase
  let steps: Int

  /// Writes step 0, after it has removed rows of an earlier attempt and of steps that no longer exist.
  ///
  /// If there is only one step, it is the whole chain, and no step 0 is written.
  func write() throws(SQLiteError) {
    for table in KeptAssociations.stepTables {
      try database.execute("DELETE FROM \(table) WHERE step < 1 OR step > \(steps)")
    }
    guard steps > 1 else { return }
    try compose(1, as: "left_way", from: nil)
    for step in 2...steps { try compose(step, as: "left_way", from: "left_way") }
    try database.execute("DROP TABLE temp.step_runs")
    try database.execute(
      "INSERT INTO steps SELECT 0, (SELECT source_version FROM steps WHERE step = 1), "
        + "(SELECT destination_version FROM steps WHERE step = \(steps)), (SELECT now FROM steps WHERE step = 1)"
    )
    try database.execute(
      """
      INSERT INTO mappings SELECT 0, number, 1, '', name, source, destination, 'chain', policy FROM temp.left_way_mappings;
      INSERT INTO runs SELECT 0, mapping, first, length, destination FROM temp.left_way_runs;
      INSERT INTO pairs SELECT 0, mapping, source_entity, source, destination_entity, destination
        FROM temp.left_way_pairs;
      """)
    try drop("left_way")
  }

  private func drop(_ name: String) throws(SQLiteError) {
    for kind in ["mappings", "runs", "pairs"] {
      try database.execute("DROP TABLE IF EXISTS temp.\(name)_\(kind)")
    }
  }

  private func make(_ name: String) throws(SQLiteError) {
    try drop(name)
    try database.execute(
      """
      CREATE TEMP TABLE \(name)_mappings (number INTEGER PRIMARY KEY, name, source, destination, policy, one, two, middle, start);
      CREATE TEMP TABLE \(name)_runs (mapping INTEGER, first INTEGER, length INTEGER, destination INTEGER,
        PRIMARY KEY (mapping, first)) WITHOUT ROWID;
      CREATE TEMP TABLE \(name)_pairs (mapping INTEGER, source_entity, source INTEGER, destination_entity,
        destination INTEGER, PRIMARY KEY (mapping, source, source_entity, destination, destination_entity)) WITHOUT ROWID;
      """)
  }

  /// Writes the runs of a step to `temp.step_runs`; each association of a block becomes a run of its own.
  private func unfold(_ step: Int) throws(SQLiteError) {
    try database.execute(
      """
      DROP TABLE IF EXISTS temp.step_runs;
      CREATE TEMP TABLE step_runs (mapping INTEGER, first INTEGER, length INTEGER, destination INTEGER,
        PRIMARY KEY (mapping, first)) WITHOUT ROWID;
      INSERT INTO temp.step_runs SELECT mapping, first, length, destination FROM runs WHERE step = \(step);
      INSERT INTO temp.step_runs SELECT b.mapping, b.first + j.key, 1, j.value
        FROM shared AS b, json_each(b.destinations) AS j WHERE b.step = \(step) AND j.value IS NOT NULL;
      """)
  }

  /// Extends the associations `former` by a step, or copies the step's associations if `former` is `nil`.
  private func compose(_ step: Int, as name: String, from former: String?) throws(SQLiteError) {
    try unfold(step)
    guard let former else {
      try make(name)
      try database.execute(
        """
        INSERT INTO temp.\(name)_mappings SELECT mapping, name, source_entity, destination_entity, policy, NULL, NULL, NULL, NULL
          FROM mappings WHERE step = \(step);
        INSERT INTO temp.\(name)_runs SELECT mapping, first, length, destination FROM temp.step_runs;
        INSERT INTO temp.\(name)_pairs SELECT mapping, source_entity, source, destination_entity, destination
          FROM pairs WHERE step = \(step);
        """)
      return
    }
    try make("longer")
    // The keys that are both destinations of a run of the earlier steps and sources of a run of this step form a run
    // again.
    try database.execute(
      """
      INSERT INTO temp.longer_mappings
        SELECT row_number() OVER (ORDER BY a.number, m.mapping), a.name || ' → ' || m.name, a.source,
          m.destination_entity, ifnull(a.policy, m.policy), a.number, m.mapping, a.destination, m.source_entity
        FROM temp.\(former)_mappings AS a JOIN mappings AS m ON m.step = \(step)
        WHERE m.source_entity = a.destination
          OR EXISTS (SELECT 1 FROM temp.\(former)_pairs AS p WHERE p.mapping = a.number
            AND (p.destination_entity = m.source_entity OR EXISTS (SELECT 1 FROM pairs AS b WHERE b.step = \(step)
              AND b.mapping = m.mapping AND b.source_entity = p.destination_entity)))
          OR EXISTS (SELECT 1 FROM pairs AS b WHERE b.step = \(step) AND b.mapping = m.mapping
            AND b.source_entity = a.destination);
      INSERT INTO temp.longer_runs
        SELECT l.number, a.first + max(0, b.first - a.destination),
          min(a.destination + a.length, b.first + b.length) - max(a.destination, b.first),
          b.destination + max(0, a.destination - b.first)
        FROM temp.longer_mappings AS l JOIN temp.\(former)_runs AS a ON a.mapping = l.one
        JOIN temp.step_runs AS b ON b.mapping = l.two AND b.first < a.destination + a.length
          AND b.first >= ifnull((SELECT max(c.first) FROM temp.step_runs AS c WHERE c.mapping = l.two
            AND c.first <= a.destination), a.destination)
        WHERE b.first + b.length > a.destination AND l.middle = l.start;
      INSERT OR IGNORE INTO temp.longer_pairs
        SELECT l.number, a.source_entity, a.source, l.destination, b.destination + (a.destination - b.first)
        FROM temp.longer_mappings AS l JOIN temp.\(former)_pairs AS a ON a.mapping = l.one
        JOIN temp.step_runs AS b ON b.mapping = l.two
          AND b.first = (SELECT max(c.first) FROM temp.step_runs AS c WHERE c.mapping = l.two
            AND c.first <= a.destination) AND a.destination < b.first + b.length
        WHERE a.destination_entity = l.start;
      INSERT OR IGNORE INTO temp.longer_pairs
        SELECT l.number, l.source, a.first + b.source - a.destination, b.destination_entity, b.destination
        FROM temp.longer_mappings AS l JOIN temp.\(former)_runs AS a ON a.mapping = l.one
        JOIN pairs AS b ON b.step = \(step) AND b.mapping = l.two AND b.source >= a.destination
          AND b.source < a.destination + a.length AND b.source_entity = l.middle;
      INSERT OR IGNORE INTO temp.longer_pairs
        SELECT l.number, a.source_entity, a.source, b.destination_entity, b.destination
        FROM temp.longer_mappings AS l JOIN temp.\(former)_pairs AS a ON a.mapping = l.one
        JOIN pairs AS b ON b.step = \(step) AND b.mapping = l.two AND b.source = a.destination
          AND b.source_entity = a.destination_entity;
      """)
    try drop(name)
    for kind in ["mappings", "runs", "pairs"] {
      try database.execute("ALTER TABLE temp.longer_\(kind) RENAME TO \(name)_\(kind)")
    }
  }
}
