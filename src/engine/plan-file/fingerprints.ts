import { createHash } from "node:crypto";
import { JsonNumber } from "../../json";
import type { Configuration } from "../../language";
import { digestOf, formatState, type State } from "../../state";

/** What tells one state from another. */
export interface StateMark {
  readonly lineage: string;
  readonly serial: number;
  readonly digest: string;
}

/** The state's mark; null where there is none. */
export const markOfState = (state: State | undefined): StateMark | null =>
  state === undefined
    ? null
    : { lineage: state.lineage, serial: state.serial, digest: digestOf(formatState(state)) };

/**
 * A digest of what a configuration declares, whatever the order in which files name it. Where the state is kept is
 * left out: that is a path of one machine, and the state has a mark of its own.
 */
export function digestOfConfiguration({ files }: Configuration): string {
  const declared = files.map(({ json }) =>
    canonical({ ...json, terraform: withoutBackend(json["terraform"]) }),
  );
  return createHash("sha256").update(declared.sort().join("\n")).digest("base64");
}

function withoutBackend(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutBackend);
  if (typeof json !== "object" || json === null) return json;
  const { backend: _, ...rest } = json as Record<string, unknown>;
  return rest;
}

function canonical(value: unknown): string {
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`);
  return `{${fields.sort().join(",")}}`;
}
