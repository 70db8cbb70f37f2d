/// The current place of a run, for the report if the process ends or hangs there.
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
  /// The current check of the whole step; `nil` at other times, and in a place that was read from a record.
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

  /// The place in a progress message; `nil` between entity mappings, and in the stage `finish`.
  package init?(_ progress: MigrationProgress) {
    guard let mapping = progress.entityMapping, progress.stage != .finish else { return nil }
    self.init(pass: progress.passName, entityMapping: mapping, method: progress.stage.rawValue)
    check = progress.wholeCheck
  }

  /// The place, or a check of the whole step, for a sentence.
  ///
  /// `entity mapping “NotaToNota” (pass “Notas”), policy NotaPolicy, begin, object Nota/p3`.
  package var words: String {
    if let check { return check.words }
    return "entity mapping “\(entityMapping)” (pass “\(pass)”)" + (policy.map { ", policy \($0)" } ?? "")
      + (method.map { ", \($0)" } ?? "") + (object.map { ", object \($0)" } ?? "")
  }
}

extension WorkPlace {
  /// Records a place.
  ///
  /// The arguments are the record, and the index of its first byte that may differ from the previous record.
  package typealias Recorder = @Sendable (_ record: [UInt8], _ start: Int) -> Void

  /// The byte between fields, and the byte after the last field.
  private static let (separator, end): (UInt8, UInt8) = (0x1f, 0x0a)
  /// The largest number of bytes of a field.
  private static let fieldLimit = 400
  /// The largest record in bytes.
  package static let recordLimit = 5 * (fieldLimit + 1) + 24

  /// The record for no place.
  package static let nowhere: [UInt8] = [end]

  /// The place as bytes: five fields with separators.
  package var record: [UInt8] {
    var record = head
    Self.add(object ?? "", to: &record)
    Self.end(&record)
    return record
  }

  /// The record up to the object; it is made once, because only the object changes from row to row.
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

  /// Writes a key as a decimal number, and then the end byte, into the record from an index on.
  ///
  /// The record must have room for `keyLimit` bytes and the end byte there.
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

  /// Reads a record; `nil` for no place.
  ///
  /// The bytes after the end byte are left over from an earlier, longer record.
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
