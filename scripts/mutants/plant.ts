import { parse } from "@babel/parser";
import type { PlantedFault } from "./planted-fault";

/** A fault with its number. In the program, `planted(number)` returns true if this fault is active. */
export type Numbered = readonly [number: number, fault: PlantedFault];

interface Change {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The body of a function: a block, or the expression of an arrow function. */
interface Body {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

type Bodies = ReadonlyMap<Body, readonly Change[]>;

/**
 * Plants faults in the text of a file. The smallest function around each fault gets a second version with the fault,
 * and calls `planted` to choose between both versions.
 * @throws Error if the sources have changed so that a fault can't be planted
 */
export function plantAll(text: string, faults: readonly Numbered[]): string {
  const bodies = bodiesOf(text);
  const changes = new Map<Body, Change[]>();
  for (const [number, fault] of faults) {
    const change = changeOf(text, number, fault);
    const [body] = bodies
      .filter(({ start, end }) => start <= change.start && change.end <= end)
      .sort((one, other) => other.start - one.start);
    if (body === undefined) throw new Error(`${fault.fault}: it is in no function of ${fault.file}`);
    changes.set(body, [...(changes.get(body) ?? []), change]);
  }
  return switched(text, changes, { start: 0, end: text.length });
}

/** Returns the part of the text that a fault really changes, without equal text at the start and the end. */
function changeOf(text: string, number: number, { fault, from, to }: PlantedFault): Change {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`${fault}: its place is there ${parts.length - 1} times`);
  const shorter = Math.min(from.length, to.length);
  let before = 0;
  while (before < shorter && from[before] === to[before]) before += 1;
  let after = 0;
  while (after < shorter - before && from.at(-1 - after) === to.at(-1 - after)) after += 1;
  const start = parts[0]!.length;
  return {
    number,
    start: start + before,
    end: start + from.length - after,
    text: to.slice(before, to.length - after),
  };
}

function bodiesOf(text: string): Body[] {
  const found: Body[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    else if (typeof node === "object" && node !== null && "type" in node) {
      const { type, body } = node as { type: string; body?: Body };
      if (/Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(type) && body !== undefined)
        found.push(body);
      for (const [name, child] of Object.entries(node)) if (name !== "loc") visit(child);
    }
  };
  visit(parse(text, { sourceType: "module", plugins: ["typescript"] }).program);
  return found;
}

/**
 * Returns a part of the text. Each function in this text that contains a fault has a second version, and chooses
 * between both versions.
 */
function switched(text: string, bodies: Bodies, range: Pick<Body, "start" | "end">): string {
  const inside = [...bodies.keys()].filter((body) => isInside(body, range));
  let result = "";
  let at = range.start;
  for (const body of inside.sort((one, other) => one.start - other.start)) {
    if (inside.some((other) => isInside(body, other))) continue;
    const rest = switched(text, bodies, body);
    result += text.slice(at, body.start);
    result += bodies.get(body)!.reduce((otherwise, change) => choice(text, body, change, otherwise), rest);
    at = body.end;
  }
  return result + text.slice(at, range.end);
}

const isInside = (one: Pick<Body, "start" | "end">, other: Pick<Body, "start" | "end">): boolean =>
  other.start <= one.start && one.end <= other.end && one.end - one.start < other.end - other.start;

function choice(text: string, body: Body, change: Change, otherwise: string): string {
  const faulty = `${text.slice(body.start, change.start)}${change.text}${text.slice(change.end, body.end)}`;
  const asks = `globalThis.planted(${change.number})`;
  return body.type === "BlockStatement"
    ? `{ if (${asks}) { ${faulty} return; } ${otherwise} }`
    : `(${asks} ? ${faulty} : ${otherwise})`;
}
