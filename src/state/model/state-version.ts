import { fail } from "../../diagnostics";
import type { State } from "./model";

/** Which state of which lineage stands somewhere. */
export interface Version {
  readonly serial: number;
  readonly lineage: string;
  /** Of the content without the serial, see `state-digest.ts`. */
  readonly digest: string;
}

export const isSameVersion = (left: Version | undefined, right: Version | undefined): boolean =>
  left?.digest === right?.digest && left?.serial === right?.serial;

const describe = (version: Version | undefined): string =>
  version === undefined
    ? "no state"
    : `serial ${version.serial} of lineage ${JSON.stringify(version.lineage)}`;

/** The error when somebody else wrote the state since this run read it. */
export function movedOn(expected: Version | undefined, found: Version | undefined, where: string): never {
  return fail({
    code: "state_moved_on",
    summary: "State was changed by somebody else",
    detail:
      `${where} held ${describe(expected)} when this run read it, and now holds ${describe(found)}. It was not ` +
      `overwritten. Find out who works on it (a run that does not lock, or one that was unlocked by force), and run the ` +
      `command again.`,
  });
}

/** Refuses to save a state over one that began elsewhere. */
export function lineageDiffers(state: State, saved: Version | undefined, where: string): void {
  if (saved === undefined || saved.lineage === state.lineage) return;
  fail({
    code: "state_lineage_differs",
    summary: "State has another lineage",
    detail:
      `${where} holds a state of lineage ${JSON.stringify(saved.lineage)}, and the one to save has lineage ` +
      `${JSON.stringify(state.lineage)}: they describe different things. It was not overwritten. Check the path of ` +
      `the state; to replace it after all, move the old file away first.`,
  });
}
