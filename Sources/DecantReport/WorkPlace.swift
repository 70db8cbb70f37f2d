/// The current place of a run, for a report if its process ends or hangs there.
package struct WorkPlace: Sendable, Hashable {
  /// The mapping model's name.
  package var pass: String
  package var entityMapping: String
  /// The policy as the mapping model names it, or `program …`; `nil` without a policy.
  package var policy: String?
  /// The policy's method, or the stage.
  package var method: String?
  /// An object, or the batch of a program.
  package var object: String?
  /// The check of the whole step in the place of an entity mapping; a record has none.
  private var check: MigrationProgress.WholeCheck?

  package init(
    pass: String, entityMapping: String, policy: String? = nil, method: String? = nil, object: String? = nil
  ) {
    self.pass = pass
    self.entityMapping = entityMapping
    self.policy = policy
    self.method = method
    self.object = object
  }

  /// The place in a progress message; `nil` between entity mappings.
  package init?(_ progress: MigrationProgress) {
    guard let mapping = progress.entityMapping, progress.stage != .finish else { return nil }
    self.init(pass: progress.passName, entityMapping: mapping, method: progress.stage.rawValue)
    check = progress.wholeCheck
  }

  /// The text for a sentence: “entity mapping “NotaToNota” (pass “Notas”), policy NotaPolicy, begin, object Nota/p3”.
  ///
  /// Checks of the whole step belong to no entity mapping.
  package var words: String {
    if let check { return check.words }
    return "entity mapping “\(entityMapping)” (pass “\(pass)”)" + (policy.map { ", policy \($0)" } ?? "")
      + (method.map { ", \($0)" } ?? "") + (object.map { ", object \($0)" } ?? "")
  }
}

extension WorkPlace {
  /// Records the place.
  ///
  /// The arguments are the record and its first byte that differs from the previous record.
  package typealias Recorder = @Sendable (_ record: [UInt8], _ start: Int) -> Void

  /// The bytes between fields and after the last one.
  private static let (separator, end): (UInt8, UInt8) = (0x1f, 0x0a)
  /// The largest number of bytes of a field.
  private static let fieldLimit = 400
  /// The largest record in bytes.
  package static let recordLimit = 5 * (fieldLimit + 1) + 24

  /// The record for no place.
  package static let nowhere: [UInt8] = [end]

  /// The place in compact form.
  package var record: [UInt8] {
    var record = head
    Self.add(object ?? "", to: &record)
    Self.end(&record)
    return record
  }

  /// The record up to the object, made once: only the object changes from row to row.
  package var head: [UInt8] {
    var head: [UInt8] = []
    head.reserveCapacity(240)
    for field in [pass, entityMapping, policy ?? "", method ?? ""] {
      Self.add(field, to: &head)
      head.append(Self.separator)
    }
    return head
  }

  package static func add(_ field: String, to record: inout [UInt8]) {
    let start = record.count
    record.append(contentsOf: field.utf8.prefix(fieldLimit))
    for place in start..<record.count where record[place] < 0x20 { record[place] = 0x20 }
  }

  /// The largest number of bytes of a key.
  package static let keyLimit = 20

  /// Overwrites the record at a place with a key in digits and the end.
  package static func put(_ key: Int64, into record: inout [UInt8], at place: Int) {
    record.withUnsafeMutableBufferPointer { bytes in
      var place = place
      if key < 0 {
        bytes[place] = UInt8(ascii: "-")
        place += 1
      }
      var rest = key.magnitude
      var last = place
      while rest >= 10 {
        rest /= 10
        last += 1
      }
      bytes[last + 1] = end
      rest = key.magnitude
      while last >= place {
        bytes[last] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
        last -= 1
      }
    }
  }

  package static func end(_ record: inout [UInt8]) { record.append(end) }

  /// Reads a record.
  ///
  /// The bytes after it are left over from a longer one.
  package init?(record: some Sequence<UInt8>) {
    let line = record.prefix { $0 != Self.end }
    let fields = Array(line).split(separator: Self.separator, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 5 else { return nil }
    func text(_ field: String) -> String? { field.isEmpty ? nil : field }
    self.init(
      pass: fields[0], entityMapping: fields[1], policy: text(fields[2]), method: text(fields[3]),
      object: text(fields[4]))
  }
}
