/** Long histories with few points. */

const MOST = 1500; // pairs of points that are drawn

/** The lowest and the highest value in each of many equal pieces: no peak is lost. */
export function thinned(time: Float64Array, values: Float64Array, factor: number): [number[], number[]] {
  const per = Math.max(1, Math.ceil(time.length / MOST));
  const x: number[] = [];
  const y: number[] = [];
  for (let from = 0; from < time.length; from += per) {
    let [low, high] = [from, from];
    for (let i = from; i < Math.min(from + per, time.length); i++) {
      if (values[i]! < values[low]!) low = i;
      if (values[i]! > values[high]!) high = i;
    }
    for (const i of low < high ? [low, high] : low === high ? [low] : [high, low]) {
      x.push(time[i]!);
      y.push(factor * values[i]!);
    }
  }
  return [x, y];
}
