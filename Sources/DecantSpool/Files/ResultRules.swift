/// The configuration's rules for the owner, group and mode of results.
///
/// If a property is `nil`, the result has the dropped store's value.
package struct ResultRules: Sendable, Hashable {
  package var owner: UInt32?
  package var group: UInt32?
  /// The mode of files.
  package var mode: UInt32?

  package init(owner: UInt32? = nil, group: UInt32? = nil, mode: UInt32? = nil) {
    (self.owner, self.group, self.mode) = (owner, group, mode)
  }
}
