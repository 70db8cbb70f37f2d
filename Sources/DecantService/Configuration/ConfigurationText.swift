/// The configuration as text that the daemon can read.
package enum ConfigurationText {
  /// The shipped sample `config/decantd.json5`: every setting with its default, commented out.
  package static var sample: String {
    var text = """
      // The configuration of decantd, as JSON5. Every setting is shown with its default; remove the slashes
      // to change it. A relative path starts at this file's folder. Check with: decantd --check --config FILE
      // Further files can change single settings. Their names end in .json5. Their folder has this file's name plus “.d”.
      {

      """
    for key in ConfigurationKey.all {
      text += "\n  // \(key.meaning)\n  // \(key.name): \(key.defaultText),\n"
    }
    return text + "}\n"
  }

  /// The values in use, and the file of each value, or `default`.
  package static func effective(_ configuration: ServiceConfiguration) -> String {
    var text = "{\n"
    for key in ConfigurationKey.all {
      let origin = configuration.origins[key.name] ?? "default"
      text += "  // \(key.meaning)\n"
      text += "  \(key.name): \(key.text(configuration)),  // \(origin)\n"
    }
    return text + "}\n"
  }
}
