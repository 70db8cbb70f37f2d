"""Figures in words: medians, and ratios with their smallest and largest."""
import statistics

MEGABYTE = 1_000_000


def summary(rounds, base):
    """Of the rounds of one contender, beside those of the base in the same rounds."""
    ratios = [one['wall'] / other['wall'] for one, other in zip(rounds, base)]
    return {
        'wall': statistics.median(one['wall'] for one in rounds),
        'cpu': statistics.median(one['cpu'] for one in rounds),
        'memory': max(one['memory'] for one in rounds),
        'disk': max(one['disk'] for one in rounds),
        'result': rounds[-1]['result'],
        'ratio': [min(ratios), statistics.median(ratios), max(ratios)],
    }


def workload(name, rows, source_bytes, runs, base='sql'):
    """Prints one workload's table; gives its summaries."""
    found = {each: summary(rounds, runs[base]) for each, rounds in runs.items()}
    count = len(runs[base])
    print(f'\n{name}: {rows:,} objects, source {source_bytes / MEGABYTE:,.0f} MB, {count} rounds; '
          f'ratios to {base}, pair by pair')
    print(f'  {"":17}{"wall s":>9}{"cpu s":>9}{"rows/s":>12}{"min":>7}{"ratio":>7}{"max":>7}{"peak MiB":>10}'
          f'{"disk MB":>9}{"disk/result":>13}')
    for each, line in found.items():
        low, middle, high = line['ratio']
        print(f'  {each:17}{line["wall"]:9.3f}{line["cpu"]:9.3f}{rows / line["wall"]:12,.0f}'
              f'{low:7.2f}{middle:7.2f}{high:7.2f}'
              f'{line["memory"]:10.1f}{line["disk"] / MEGABYTE:9.1f}{line["disk"] / line["result"]:13.2f}', flush=True)
    return found


def spread(values):
    """A median between its smallest and largest, as text."""
    return f'{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})'
