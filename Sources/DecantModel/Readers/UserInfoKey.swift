/// The keys of user info dictionaries.
enum UserInfoKey {
  /// Whether Apple's own software uses the key, such as Sync Services.
  ///
  /// No hash and no value of a store depends on user info, so skipping it loses nothing.
  static func isApples(_ key: String) -> Bool { key.hasPrefix("com.apple.") }
}
