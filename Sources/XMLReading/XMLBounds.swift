/// Limits for an XML file of unknown origin.
package struct XMLBounds: Sendable {
  /// Depth of nested elements.
  package var depth = 64
  /// Elements in all.
  package var elements = Int.max
  /// Attributes of one tag.
  package var attributes = 64
  /// Different names of attributes in all.
  package var attributeNames = 10_000
  /// Bytes of one name.
  package var name = 1000
  /// Bytes of the text between two tags, and bytes of one tag or comment.
  package var text = 64 << 20

  /// Bounds that fit every genuine model, mapping model and store.
  package init() {}
}
