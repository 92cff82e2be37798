import { fail } from "../../diagnostics";
import type { State } from "./model";

/** A version of a state. */
export interface Version {
  readonly serial: number;
  readonly lineage: string;
  /** Digest of the content without the serial, see `state-digest.ts`. */
  readonly digest: string;
}

export const isSameVersion = (left: Version | undefined, right: Version | undefined): boolean =>
  left?.digest === right?.digest && left?.serial === right?.serial;

const describe = (version: Version | undefined): string =>
  version === undefined
    ? "no state"
    : `serial ${version.serial} of lineage ${JSON.stringify(version.lineage)}`;

/** The error for a state that was written since this run read it. */
export function stateChanged(
  expected: Version | undefined,
  found: Version | undefined,
  where: string,
): never {
  return fail({
    code: "state_moved_on",
    summary: "State changed during the run",
    detail:
      `${where} held ${describe(expected)} when this run read it, and now holds ${describe(found)}. ` +
      "It was not overwritten. Check who else uses it (a run without a lock, or one whose lock " +
      "was removed by force), and run the command again.",
  });
}

/** Refuses to overwrite a state of another lineage. */
export function requireLineage(state: State, saved: Version | undefined, where: string): void {
  if (saved === undefined || saved.lineage === state.lineage) return;
  fail({
    code: "state_lineage_differs",
    summary: "State has another lineage",
    detail:
      `${where} holds a state of lineage ${JSON.stringify(saved.lineage)}, and the one to save ` +
      `has lineage ${JSON.stringify(state.lineage)}: they are unrelated. It was not overwritten. ` +
      "Check the path of the state; to replace it anyway, move the old file away first.",
  });
}
