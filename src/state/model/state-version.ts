import { fail } from "../../diagnostics";
import type { State } from "./model";

/** A version of a state. */
export interface Version {
  readonly serial: number;
  readonly lineage: string;
  /** Digest of the content without the serial, see `StateDigest`. */
  readonly digest: string;
}

export const isSameVersion = (left: Version | undefined, right: Version | undefined): boolean =>
  left?.digest === right?.digest && left?.serial === right?.serial;

/** The serial of a state from elsewhere: its own, if that is higher than the saved one. */
export const pushedSerial = ({ serial }: Pick<State, "serial">, saved: Version | undefined): number =>
  saved === undefined ? serial : Math.max(serial, saved.serial + 1);

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

/** Refuses to replace a state by an unrelated one, or by an older one of other content. */
export function requirePushable(
  { serial, lineage }: Pick<State, "serial" | "lineage">,
  saved: Version | undefined,
  where: string,
): void {
  if (saved === undefined) return;
  if (lineage !== saved.lineage)
    fail({
      code: "state_lineage_differs",
      summary: "State has another lineage",
      detail:
        `${where} holds a state of lineage ${JSON.stringify(saved.lineage)}, and the one to push has lineage ` +
        `${JSON.stringify(lineage)}: they are unrelated. Nothing was changed. Check which state belongs there; --force replaces it.`,
    });
  if (serial > saved.serial) return;
  fail({
    code: "state_serial_older",
    summary: "State is not newer",
    detail:
      `${where} holds serial ${saved.serial}, and the state to push has serial ${serial} and other content: somebody changed ` +
      "the state since it was pulled. Nothing was changed. Pull it again and repeat the change in it; --force replaces it.",
  });
}
