const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Compares texts in an order for people. Numbers are compared by value: `limit["8"]` comes before
 * `limit["10"]`. Names are compared part by part: `acme/api/x` comes before `acme/api-2/x`. Different texts
 * are never equal.
 */
export const compareNatural = (left: string, right: string): number =>
  compareValues(left, right, commonStart(left, right)) || compareUnits(left, right);

/** Matches a number without its leading zeros, and the text after it. */
const NUMBER = /0*(\d+)(.*)/sy;

function compareValues(left: string, right: string, start: number): number {
  if (!isDigit(left.charCodeAt(start)) || !isDigit(right.charCodeAt(start)))
    return compareUnits(left.slice(start), right.slice(start));
  const [one, rest] = numberAt(left, start);
  const [other, otherRest] = numberAt(right, start);
  return (
    one.length - other.length ||
    compareUnits(one, other) ||
    compareValues(rest, otherRest, commonStart(rest, otherRest))
  );
}

function numberAt(text: string, start: number): [digits: string, rest: string] {
  NUMBER.lastIndex = start;
  const [, digits = "", rest = ""] = NUMBER.exec(text) ?? [];
  return [digits, rest];
}

/** Returns the length of the common start of two texts, without digits directly before the first difference. */
function commonStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  while (at > 0 && isDigit(left.charCodeAt(at - 1))) at -= 1;
  return at;
}

/**
 * Characters that end a name in a path or an address. In the order, these characters come before all other characters,
 * so that `acme/api/x` comes before `acme/api-2/x`.
 */
const SEPARATORS = " \"':/._]";

function compareUnits(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return rankAt(left, at) - rankAt(right, at);
}

/** Returns the rank of a character. The end of a text comes first, then separators, then all other characters. */
function rankAt(text: string, at: number): number {
  if (at >= text.length) return -1;
  const separator = SEPARATORS.indexOf(text[at]!);
  return separator >= 0 ? separator : SEPARATORS.length + text.charCodeAt(at);
}
