const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Compares texts for people, with the numbers in them by value: `limit["8"]` comes before `limit["10"]`. Different texts are never
 * equal.
 */
export function compareNatural(left: string, right: string): number {
  let [one, other] = [0, 0];
  while (one < left.length && other < right.length) {
    const [a, b] = [left.charCodeAt(one), right.charCodeAt(other)];
    if (isDigit(a) && isDigit(b)) {
      const [first, second] = [numberAt(left, one), numberAt(right, other)];
      const order = first.digits.length - second.digits.length || compareUnits(first.digits, second.digits);
      if (order !== 0) return order;
      one = first.end;
      other = second.end;
    } else if (a === b) {
      one += 1;
      other += 1;
    } else return a - b;
  }
  return left.length - one - (right.length - other) || compareUnits(left, right);
}

/** The number that starts here, without leading zeros. */
function numberAt(text: string, start: number): { readonly digits: string; readonly end: number } {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  let first = start;
  while (first < end - 1 && text[first] === "0") first += 1;
  return { digits: text.slice(first, end), end };
}

const compareUnits = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);
