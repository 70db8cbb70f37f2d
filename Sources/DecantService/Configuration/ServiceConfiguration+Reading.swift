internal import DecantMapping
internal import DecantModel
package import Foundation

extension ServiceConfiguration {
  /// Reads a configuration file and its drop-ins (`SettingsFiles`).
  package static func read(file: String) throws(ConfigurationError) -> ServiceConfiguration {
    let absolute =
      file.hasPrefix("/")
      ? file : (FileManager.default.currentDirectoryPath as NSString).appendingPathComponent(file)
    return try read { () throws(SettingsFiles.Failure) in try SettingsFiles(file: absolute) }
  }

  /// Reads a configuration's text.
  ///
  /// - Parameter file: The configuration's path, for messages and relative paths.
  package static func read(_ data: Data, file: String) throws(ConfigurationError) -> ServiceConfiguration {
    try read { () throws(SettingsFiles.Failure) in try SettingsFiles(data, file: file) }
  }

  private static func read(
    _ files: () throws(SettingsFiles.Failure) -> SettingsFiles
  ) throws(ConfigurationError) -> ServiceConfiguration {
    let files = try ConfigurationError.translating(files)
    var configuration = ServiceConfiguration()
    configuration.file = files.file
    configuration.dropIns = Array(files.files.dropFirst())
    for (name, setting) in files.settings.sorted(by: { $0.key < $1.key }) {
      guard let key = ConfigurationKey.named(name) else {
        throw .unknownKey(
          file: setting.file, key: name, nearest: NearName.of(name, among: ConfigurationKey.all.map(\.name)))
      }
      guard key.set(setting.value, &configuration, files.base) else {
        throw .wrongValue(
          file: setting.file, key: name, value: setting.value.words, expected: key.expectation)
      }
      configuration.origins[name] = setting.file
    }
    return configuration
  }
}
