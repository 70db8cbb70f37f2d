/// The keys of user info dictionaries.
enum UserInfoKey {
  /// Whether Apple's tools use the key, such as those of Sync Services.
  ///
  /// No hash and no value of a store depends on user info, so skipping it loses nothing.
  static func isApples(_ key: String) -> Bool { key.hasPrefix("com.apple.") }
}
