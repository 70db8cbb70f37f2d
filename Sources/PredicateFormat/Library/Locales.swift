internal import Foundation

/// Locales and time zones by name; an unknown name is refused, although Foundation would use a default.
enum Locales {
  static let posix = Locale(identifier: "en_US_POSIX")

  private static let known = Set(Locale.availableIdentifiers)

  /// `es_MX`, `es-MX`.
  static func locale(_ name: String) -> Locale? {
    let identifier = name.replacing("-", with: "_")
    guard identifier.utf8.count <= 60, known.contains(identifier) else { return nil }
    return identifier == posix.identifier ? posix : Locale(identifier: identifier)
  }

  /// `America/Mexico_City`, `GMT`, `GMT+02:00`.
  static func timeZone(_ name: String) -> TimeZone? {
    guard !name.isEmpty, name.utf8.count <= 60 else { return nil }
    return TimeZone(identifier: name)
  }
}
