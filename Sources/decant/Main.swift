import DecantCommand

@main enum Main {
  static func main() {
    CommandLineTool.exit(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
