/// The identifiers of the main events in the journal, for `journalctl MESSAGE_ID=…` and message catalogues.
///
/// The identifiers never change; decant-progress(5) lists them.
package enum MessageID {
  package static let all: [String: String] = [
    "ready": "9960e193869949f79b7d1fc653bb1f47",
    "ended": "e21af88ebe4f492c92596d9049f88c8f",
    "reload": "6f7eceab9c524c1ab11ac231a5355ee6",
    "claimed": "677b0cd72d1d43c897520c67f3adba94",
    "done": "72c9731070b04dd5aea2060a67afa44e",
    "failed": "8dabfaa9989a48d188073d41dada258d",
    "died": "30901494628b43d28df1304d018eb180",
    "waiting": "afd737aa22494917bf51004ad65616d9",
    "blocked": "a21bd2447bea4ac7a2788ea8db864ab3",
    "cancelled": "62486e5f201f4284821589b9ae15ed1d",
    "taken-back": "ef6a7b1cd269456c923499ad32c7dd9b",
    "yields": "ca41a07219104deab18698e9050d93a6",
    "probe": "71d98b8a11a3404cb3b36f7d4423d60d",
  ]
}
