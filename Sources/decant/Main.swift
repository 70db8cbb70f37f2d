import DecantCommand
import DecantWorker

@main enum Main {
  static func main() {
    // A shard's workers are processes of this program.
    if CommandLine.arguments.dropFirst().first == "--worker" { Worker.run() }
    CommandLineTool.exit(arguments: Array(CommandLine.arguments.dropFirst()))
  }
}
