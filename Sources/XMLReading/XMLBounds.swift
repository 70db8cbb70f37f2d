/// Limits for an XML file of unknown origin.
package struct XMLBounds: Sendable {
  /// The depth of nested elements.
  package var depth = 64
  /// The number of all elements.
  package var elements = Int.max
  /// The number of attributes of one tag.
  package var attributes = 64
  /// The number of different attribute names in the whole file.
  package var attributeNames = 10_000
  /// The size of one name in bytes.
  package var name = 1000
  /// The size in bytes of the text between two tags, and of one tag or comment.
  package var text = 64 << 20

  /// Bounds that fit every known genuine model, mapping model and store.
  package init() {}
}
