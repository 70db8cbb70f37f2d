enum UserInfoKey {
  /// Whether software of Apple, such as Sync Services, uses the key.
  ///
  /// No hash and no value of a store depends on user info, so skipping it loses nothing.
  static func isApples(_ key: String) -> Bool { key.hasPrefix("com.apple.") }
}
