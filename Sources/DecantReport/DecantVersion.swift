/// Decant's own version.
package enum DecantVersion {
  package static let current = "0.1.0"
}
