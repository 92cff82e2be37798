const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Compares texts for people, with the numbers in them by value, and names by their parts: `limit["8"]` comes before
 * `limit["10"]`, and `acme/api/x` before `acme/api-2/x`. Different texts are never equal.
 */
export const compareNatural = (left: string, right: string): number =>
  compareValues(left, right, commonStart(left, right)) || compareUnits(left, right);

/** A number without its leading zeros, and what follows it. */
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

/** How many characters two texts begin with alike, without the digits before the first difference. */
function commonStart(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let at = 0;
  while (at < most && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  while (at > 0 && isDigit(left.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** End a name within a path or an address: `api` comes before `api-2` there as well. */
const SEPARATORS = " \"':/._]";

function compareUnits(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left.charCodeAt(at) === right.charCodeAt(at)) at += 1;
  return rankAt(left, at) - rankAt(right, at);
}

/** The end of a text ranks first, then separators, then all other characters. */
function rankAt(text: string, at: number): number {
  if (at >= text.length) return -1;
  const separator = SEPARATORS.indexOf(text[at]!);
  return separator >= 0 ? separator : SEPARATORS.length + text.charCodeAt(at);
}
