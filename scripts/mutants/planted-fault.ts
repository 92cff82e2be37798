/** A fault to plant: a change at one place in the sources. */
export interface PlantedFault {
  readonly area:
    | "engine"
    | "journal"
    | "cache"
    | "retry"
    | "lock"
    | "ownership"
    | "repair"
    | "access"
    | "moves"
    | "state"
    | "approval";
  /** The fault, described in a sentence. */
  readonly fault: string;
  /** The path of the file below `src`. */
  readonly file: string;
  /** A text that occurs once in the file. `to` is the text that replaces it. */
  readonly from: string;
  readonly to: string;
}

/** Makes faults of one area in one file. */
export const faults =
  (area: PlantedFault["area"], file: string) =>
  (...list: readonly (readonly [fault: string, from: string, to: string])[]): PlantedFault[] =>
    list.map(([fault, from, to]) => ({ area, file, fault, from, to }));
