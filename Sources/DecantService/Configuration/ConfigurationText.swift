/// The configuration as text that the daemon reads back.
package enum ConfigurationText {
  /// The sample that is shipped as `config/decantd.json5`: every setting at its default, commented out.
  package static var sample: String {
    var text = """
      // The configuration of decantd, as JSON5. Every setting is shown with its default; take the slashes away
      // to change it. A relative path starts at this file's folder. Check with: decantd --check --config FILE
      {

      """
    for key in ConfigurationKey.all {
      text += "\n  // \(key.meaning)\n  // \(key.name): \(key.defaultText),\n"
    }
    return text + "}\n"
  }

  /// What applies, and where each value comes from.
  package static func effective(_ configuration: ServiceConfiguration) -> String {
    var text = "{\n"
    for key in ConfigurationKey.all {
      let origin = configuration.given.contains(key.name) ? configuration.file ?? "default" : "default"
      text += "  // \(key.meaning)\n"
      text += "  \(key.name): \(configuration.text(of: key.name) ?? key.defaultText),  // \(origin)\n"
    }
    return text + "}\n"
  }
}
