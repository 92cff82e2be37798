import { type Diagnostic, error } from "../diagnostics";

/** What one declaration owns: a whole set, or one entry of it. */
export interface Claim {
  /** The set, within its container, such as `job token allowlist (projects)`. */
  readonly set: string;
  /** The entry's key; the whole set without it. */
  readonly entry?: string;
}

interface Holder extends Claim {
  readonly resource: string;
}

/** The claims of one configured client in one run: two declarations never own the same thing. */
export class Claims {
  readonly #holders = new Map<string, Holder[]>();

  /** Takes the claims for one declaration; what another holds already is told, and not taken. */
  take(resource: string, container: string, claims: readonly Claim[]): Diagnostic[] {
    return claims.flatMap((claim) => {
      const place = `${claim.set} of ${container}`;
      const holders = this.#holders.get(place) ?? [];
      const other = holders.find((holder) => collide(holder, claim));
      if (other !== undefined) return [conflict(place, { ...claim, resource }, other)];
      this.#holders.set(place, [...holders, { ...claim, resource }]);
      return [];
    });
  }
}

const collide = (one: Claim, other: Claim): boolean =>
  one.entry === undefined || other.entry === undefined || one.entry === other.entry;

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
