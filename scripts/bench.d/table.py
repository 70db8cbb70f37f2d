"""Prints figures: medians, and ratios with the smallest and the largest value."""
import statistics

MEGABYTE = 1_000_000


def ratio(rounds, base):
    """The smallest, the median and the largest ratio of a round's time to the base's time in the same round."""
    found = [one['wall'] / other['wall'] for one, other in zip(rounds, base)]
    return [min(found), statistics.median(found), max(found)]


def summary(rounds, runs, bases):
    """Sums up the rounds of one contender, with ratios to the bases in the same rounds."""
    first, *others = bases
    return {
        'wall': statistics.median(one['wall'] for one in rounds),
        'cpu': statistics.median(one['cpu'] for one in rounds),
        'memory': max(one['memory'] for one in rounds),
        'disk': max(one['disk'] for one in rounds),
        'result': rounds[-1]['result'],
        'ratio': ratio(rounds, runs[first]),
        **{f'ratio to {base}': ratio(rounds, runs[base]) for base in others},
    }


def workload(name, rows, source_bytes, runs, bases):
    """Prints one workload's table, and returns its summaries."""
    found = {each: summary(rounds, runs, bases) for each, rounds in runs.items()}
    count = len(runs[bases[0]])
    ratios = ['ratio', *(f'ratio to {base}' for base in bases[1:])]
    heads = bases if len(bases) > 1 else ['ratio']
    print(f'\n{name}: {rows:,} objects, source {source_bytes / MEGABYTE:,.0f} MB, {count} rounds; '
          f'ratios to {" and ".join(bases)}, pair by pair')
    print(f'  {"":17}{"wall s":>9}{"cpu s":>9}{"rows/s":>12}'
          + ''.join(f'{"min":>7}{head:>7}{"max":>7}' for head in heads)
          + f'{"peak MiB":>10}{"disk MB":>9}{"disk/result":>13}')
    for each, line in found.items():
        print(f'  {each:17}{line["wall"]:9.3f}{line["cpu"]:9.3f}{rows / line["wall"]:12,.0f}'
              + ''.join(f'{low:7.2f}{middle:7.2f}{high:7.2f}' for low, middle, high in map(line.get, ratios))
              + f'{line["memory"]:10.1f}{line["disk"] / MEGABYTE:9.1f}{line["disk"] / line["result"]:13.2f}', flush=True)
    return found


def spread(values):
    """A text with the median, the smallest and the largest value."""
    return f'{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})'
