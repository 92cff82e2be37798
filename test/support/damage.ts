import fc from "fast-check";

/** Values that replace a value of a JSON text, as they are written in JSON. */
const ODD_VALUES = [
  "null",
  "true",
  "false",
  "0",
  "-1",
  "1.5",
  "1e400",
  "-1e400",
  "9007199254740993",
  "123456789012345678901234567890",
  '""',
  '"text"',
  '"2026-02-31"',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u001b[2J\\r\\n::error::text"',
  '"\\u2028\\u2029\\u202e"',
  '"../../../user"',
  '"${file(\\"/etc/passwd\\")}"',
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '{"__proto__":{"polluted":1}}',
  '{"toString":1,"constructor":{"prototype":{"polluted":1}}}',
] as const;

const DEEP = 200_000;

/** Contents that replace the whole content. */
const ODD_CONTENTS = {
  nothing: "",
  spaces: " \r\n\t",
  null: "null",
  "an empty list": "[]",
  "an empty object": "{}",
  "a list of nothing": "[null,null]",
  "a text": '"text"',
  "a number": "1e400",
  "two values": "{}{}",
  "a comment": "// {}\n{}",
  "a page": "<!DOCTYPE html><title>Sign in</title>",
  NULs: "\0\0\0",
  "lists in lists": "[".repeat(DEEP) + "]".repeat(DEEP),
  "objects in objects": `${'{"a":'.repeat(DEEP)}1${"}".repeat(DEEP)}`,
  "a polluting object": '{"__proto__":{"polluted":1},"id":1}',
} as const;

/** A damage of a JSON text or of another text. The damage is data, so that a failed test can print it. */
export type Damage =
  /** Changes one byte, cuts out some bytes, removes all bytes after a position, or inserts zeros. */
  | { readonly kind: "flip"; readonly at: number; readonly by: number }
  | { readonly kind: "cut"; readonly at: number; readonly length: number }
  | { readonly kind: "end"; readonly at: number }
  | { readonly kind: "zeros"; readonly at: number }
  | { readonly kind: "bad UTF-8"; readonly at: number }
  | { readonly kind: "mark" }
  | { readonly kind: "UTF-16" }
  | { readonly kind: "content"; readonly content: keyof typeof ODD_CONTENTS }
  /** Replaces a value of the JSON, or removes, adds or renames a field. */
  | { readonly kind: "value"; readonly at: number; readonly value: string }
  | { readonly kind: "field"; readonly at: number; readonly how: "missing" | "more" | "renamed" };

/** Generates a place in a text, as a share of its length. */
export const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

const kind = <const Kind extends string>(word: Kind) => fc.constant(word);

/** Generates damages that change or remove bytes. */
const byteDamages = fc.oneof(
  fc.record({ kind: kind("flip"), at: share, by: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: kind("cut"), at: share, length: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ kind: kind("end"), at: share }),
);

/** Generates damages of every kind. */
export const damages: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 6, arbitrary: byteDamages },
  { weight: 1, arbitrary: fc.record({ kind: kind("zeros"), at: share }) },
  { weight: 1, arbitrary: fc.record({ kind: kind("bad UTF-8"), at: share }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: "mark" } as const, { kind: "UTF-16" } as const) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind("content"),
      content: fc.constantFrom(...(Object.keys(ODD_CONTENTS) as (keyof typeof ODD_CONTENTS)[])),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ kind: kind("value"), at: share, value: fc.constantFrom(...ODD_VALUES) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind("field"),
      at: share,
      how: fc.constantFrom("missing" as const, "more" as const, "renamed" as const),
    }),
  },
);

/** Returns the damaged bytes. */
export function damaged(bytes: Buffer, damage: Damage): Buffer {
  const at = "at" in damage ? Math.floor(damage.at * bytes.length) : 0;
  const instead = (more: Buffer) => Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
  switch (damage.kind) {
    case "flip": {
      const flipped = Buffer.from(bytes);
      if (bytes.length > 0) flipped[at] = flipped[at]! ^ damage.by;
      return flipped;
    }
    case "cut":
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + damage.length)]);
    case "end":
      return bytes.subarray(0, at);
    case "zeros":
      return instead(Buffer.alloc(16));
    case "bad UTF-8":
      return instead(Buffer.from([0xc3, 0x28, 0xff]));
    case "mark":
      return Buffer.concat([Buffer.from("\ufeff"), bytes]);
    case "UTF-16":
      return Buffer.from(bytes.toString(), "utf16le");
    case "content":
      return Buffer.from(ODD_CONTENTS[damage.content]);
    case "value":
      return Buffer.from(withValue(bytes.toString(), damage.at, damage.value));
    case "field":
      return Buffer.from(withField(bytes.toString(), damage.at, damage.how));
  }
}

type Container = Record<string, unknown>;
interface Place {
  readonly within: Container;
  readonly key: string;
}

/** Returns the places of all values in a JSON value. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const within = value as Container;
  return Object.entries(within).flatMap(([key, inner]) => [{ within, key }, ...placesIn(inner)]);
}

const MARK = "the mark of a replaced value";

function withValue(text: string, at: number, value: string): string {
  const json = parsed(text);
  const places = placesIn(json);
  const place = places[Math.floor(at * places.length)];
  if (place === undefined) return value;
  place.within[place.key] = MARK;
  return JSON.stringify(json).replace(JSON.stringify(MARK), () => value);
}

function withField(text: string, at: number, how: "missing" | "more" | "renamed"): string {
  const json = parsed(text);
  const places = placesIn(json).filter(({ within }) => !Array.isArray(within));
  const place = places[Math.floor(at * places.length)];
  if (place === undefined) return "{}";
  const { within, key } = place;
  if (how === "more") within["a_field_of_tomorrow"] = { since: [19, null] };
  else {
    if (how === "renamed") within[`${key}_`] = within[key];
    delete within[key];
  }
  return JSON.stringify(json);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
