import { type Diagnostic, error } from "../diagnostics";

/** What one declaration owns: a whole set, or one entry of it. */
export interface Claim {
  /** The set, within its container, such as `job token allowlist (projects)`. */
  readonly set: string;
  /** The entry's key; the whole set without it. */
  readonly entry?: string;
}

/** Who claims. */
export interface Claimant {
  /** The type of resource. */
  readonly resource: string;
  /** The id of the object that the declaration has already, where it has one. */
  readonly object: string | undefined;
  /** Whether the declaration was planned with that object before in this run. */
  readonly isPlannedAgain: boolean;
}

type Holder = Claim & Claimant;

/** The claims of one configured client in one run: two declarations never own the same thing. */
export class Claims {
  readonly #holders = new Map<string, Holder[]>();

  /** Takes the claims for one declaration; what another holds already is told, and not taken. */
  take(claimant: Claimant, container: string, claims: readonly Claim[]): Diagnostic[] {
    return claims.flatMap((claim) => {
      const place = placeOf(claim, container);
      const holders = this.#holders.get(place) ?? [];
      const other = holders.find((holder) => collide(holder, claim) && !isSame(holder, claimant));
      if (other !== undefined) return [conflict(place, { ...claim, ...claimant }, other)];
      this.#holders.set(place, [...holders, { ...claim, ...claimant }]);
      return [];
    });
  }

  /** Whether a declaration claims any of these. */
  hold(container: string, claims: readonly Claim[]): boolean {
    return claims.some((claim) =>
      this.#holders.get(placeOf(claim, container))?.some((holder) => collide(holder, claim)),
    );
  }
}

const placeOf = ({ set }: Claim, container: string): string => `${set} of ${container}`;

const collide = (one: Claim, other: Claim): boolean =>
  one.entry === undefined || other.entry === undefined || one.entry === other.entry;

const isSame = (holder: Claimant, { resource, object, isPlannedAgain }: Claimant): boolean =>
  isPlannedAgain && holder.resource === resource && holder.object === object;

const owns = (claim: Holder): string =>
  claim.entry === undefined
    ? `${claim.resource} owns all of it`
    : `${claim.resource} owns the entry ${claim.entry}`;

const conflict = (place: string, claim: Holder, other: Holder): Diagnostic =>
  error({
    code: "declared_twice",
    summary: "Declared twice",
    detail:
      `The ${place} is declared in two ways: ${owns(other)}, and ${owns(claim)}. ` +
      "Each would undo what the other does. Keep one of them.",
  });
