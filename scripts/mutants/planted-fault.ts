/** A fault to plant: a change of one place of the sources. */
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
  /** The fault, as a sentence. */
  readonly fault: string;
  /** Below `src`. */
  readonly file: string;
  /** A text that the file has once, and its replacement. */
  readonly from: string;
  readonly to: string;
}

/** Faults of an area that are planted in one file. */
export const faults =
  (area: PlantedFault["area"], file: string) =>
  (...list: readonly (readonly [fault: string, from: string, to: string])[]): PlantedFault[] =>
    list.map(([fault, from, to]) => ({ area, file, fault, from, to }));
