import { isUnknown, UNKNOWN } from "../../provider/schema";

/** Stands where a saved plan left something sensitive out. */
class Withheld {
  readonly #withheld = true;
  toString(): string {
    return this.#withheld ? "(sensitive value)" : "";
  }
}

export const WITHHELD = new Withheld();

export function holdsWithheld(value: unknown): boolean {
  if (value instanceof Withheld) return true;
  if (typeof value !== "object" || value === null || isUnknown(value)) return false;
  return Object.values(value).some(holdsWithheld);
}

/** Puts what stands in another value at the same place where something was left out; without one it is unknown. */
export function filledFrom<T>(value: T, other: unknown): T {
  return fill(value, other) as T;
}

function fill(value: unknown, other: unknown): unknown {
  if (value instanceof Withheld) return other ?? UNKNOWN;
  if (typeof value !== "object" || value === null || isUnknown(value) || !holdsWithheld(value)) return value;
  const beside = (name: string | number): unknown =>
    typeof other === "object" && other !== null
      ? (other as Record<string | number, unknown>)[name]
      : undefined;
  if (Array.isArray(value)) return value.map((one, at) => fill(one, beside(at)));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, beside(name))]));
}
