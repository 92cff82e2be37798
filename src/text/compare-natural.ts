const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Compares texts for people, with the numbers in them by value: `limit["8"]` comes before `limit["10"]`. Different texts are never
 * equal.
 */
export function compareNatural(left: string, right: string): number {
  let one = commonStart(left, right);
  let other = one;
  while (one < left.length && other < right.length) {
    const a = left.charCodeAt(one);
    const b = right.charCodeAt(other);
    if (isDigit(a) && isDigit(b)) {
      const start = digitsFrom(left, one);
      const otherStart = digitsFrom(right, other);
      one = endOfDigits(left, start);
      other = endOfDigits(right, otherStart);
      const order = one - start - (other - otherStart) || compareDigits(left, start, one, right, otherStart);
      if (order !== 0) return order;
    } else if (a === b) {
      one += 1;
      other += 1;
    } else return a - b;
  }
  return left.length - one - (right.length - other) || compareUnits(left, right);
}

/** How many characters two texts begin with alike, without the digits before the first difference. */
function commonStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  while (at > 0 && isDigit(left.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Where the digits of a number begin that count, after leading zeros. */
function digitsFrom(text: string, start: number): number {
  let first = start;
  while (text.charCodeAt(first) === ZERO && isDigit(text.charCodeAt(first + 1))) first += 1;
  return first;
}

const ZERO = 48;

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

/** Compares as many digits of two texts. */
function compareDigits(left: string, start: number, end: number, right: string, otherStart: number): number {
  for (let at = start; at < end; at += 1) {
    const order = left.charCodeAt(at) - right.charCodeAt(otherStart + at - start);
    if (order !== 0) return order;
  }
  return 0;
}

const compareUnits = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);
