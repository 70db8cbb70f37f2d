public import Foundation

/// Limits for a property list of unknown origin.
public struct PropertyListLimits: Sendable {
  /// The depth of nested collections.
  public var maximumDepth: Int
  /// The number of all values that are read; shared values are counted each time.
  public var maximumValues: Int
  /// The total size of texts and data in bytes; shared texts and data are counted each time.
  ///
  /// This limit applies only to the binary form, because the XML form has no shared values.
  public var maximumBytes: Int

  /// Limits; the defaults fit every known genuine store, model and archive.
  public init(maximumDepth: Int = 256, maximumValues: Int = 2_000_000, maximumBytes: Int = 128 << 20) {
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    self.maximumBytes = maximumBytes
  }
}

extension PropertyList {
  /// Reads a property list in binary or XML form.
  ///
  /// - Throws: `PropertyListError` for other data, or if `limits` are exceeded.
  public init(parsing data: Data, limits: PropertyListLimits = PropertyListLimits()) throws(PropertyListError) {
    let bytes = [UInt8](data)
    if bytes.starts(with: BinaryPropertyListReader.magic) {
      var reader = try BinaryPropertyListReader(bytes, limits: limits)
      self = try reader.read()
    } else {
      self = try XMLPropertyListReader.read(data, limits: limits)
    }
  }

  /// The list in binary form; the same list gives the same bytes.
  public func binaryData() -> Data {
    Data(BinaryPropertyListWriter.bytes(of: self))
  }
}
