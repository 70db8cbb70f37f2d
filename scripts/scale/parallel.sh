#!/usr/bin/env bash
# Runs all shards on this machine, or on the machines of a list, with GNU parallel. docs/scale-out.md explains it.
#
#   scripts/scale/parallel.sh SHARDS --manifest FILE --models DIR --output DIR [OPTION…]
#
# Further words for GNU parallel come from DECANT_PARALLEL, for instance “--sshloginfile nodes.txt --workdir .”.
# A shard that ends with 75 is started again, up to 20 times. One that ends with 65 is finished: its ledger names the
# refused stores, and “decant ledger” counts them. Exit codes: 0 each shard is finished, else that of a shard that isn't.
set -u

if (($# < 2)); then
  sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 64
fi
shards=$1
shift
words=()
if [[ -n ${DECANT_PARALLEL:-} ]]; then read -r -a words <<<"$DECANT_PARALLEL"; fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# A shard that ends with 65 must not be tried again.
line="decant migrate --shard {}/$shards $(printf '%q ' "$@"); code=\$?; if [ \$code = 65 ]; then "
line+="echo 'shard {}/$shards: some stores are refused' >&2; exit 0; fi; exit \$code"
# The quotes above are those of Bash.
export PARALLEL_SHELL=/bin/bash
seq "$shards" | parallel --retries 20 --joblog "$log" "${words[@]}" "$line" || {
  # The worst code of a last attempt.
  awk 'NR > 1 && $7 != 0 { code = $7 } END { exit code ? code : 75 }' "$log"
  exit
}
exit 0
