import DecantWorker

/// The worker of docs/examples/4-contacts.md.
@main
struct ContactsWorker {
  static func main() { Worker.run(policies: [ContactPolicy.self]) }
}
