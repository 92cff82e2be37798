/** Whether some path matches both patterns, in which `*` matches any text. */
export function overlap(one: string, other: string): boolean {
  // Whether the rests match, for each rest of `other`, from the end of `one` to its start.
  let row = Array.from({ length: other.length + 1 }, (_, at) => isStars(other.slice(at)));
  for (let i = one.length - 1; i >= 0; i--) {
    const next = new Array<boolean>(other.length + 1).fill(false);
    next[other.length] = isStars(one.slice(i));
    for (let j = other.length - 1; j >= 0; j--) {
      if (one[i] === "*") next[j] = row[j]! || next[j + 1]!;
      else if (other[j] === "*") next[j] = next[j + 1]! || row[j]!;
      else next[j] = one[i] === other[j] && row[j + 1]!;
    }
    row = next;
  }
  return row[0]!;
}

const isStars = (text: string): boolean => /^\**$/.test(text);
