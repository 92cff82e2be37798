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
  /** Where the declaration stands, if the host said so. */
  readonly address?: string | undefined;
  /** The id of the object that the declaration has already, where it has one. */
  readonly object: string | undefined;
  /** Whether the declaration was planned with that object before in this run. */
  readonly isPlannedAgain: boolean;
}

type Holder = Claim & Claimant;

/** Who holds what of one set: thousands of entries may be claimed one by one. */
class Holders {
  readonly #ofAll: Holder[] = [];
  readonly #ofEntries = new Map<string, Holder[]>();

  add(holder: Holder): void {
    const { entry } = holder;
    if (entry === undefined) this.#ofAll.push(holder);
    else this.#ofEntries.set(entry, [...(this.#ofEntries.get(entry) ?? []), holder]);
  }

  /** Those that own what a claim is about, or a part of it. */
  of({ entry }: Claim): readonly Holder[] {
    const ofEntries =
      entry === undefined ? [...this.#ofEntries.values()].flat() : (this.#ofEntries.get(entry) ?? []);
    return this.#ofAll.length === 0 ? ofEntries : [...this.#ofAll, ...ofEntries];
  }
}

/** The claims of one configured client in one run: two declarations never own the same thing. */
export class Claims {
  readonly #holders = new Map<string, Holders>();

  /** Takes the claims for one declaration; what another holds already is told, and not taken. */
  take(claimant: Claimant, container: string, claims: readonly Claim[]): Diagnostic[] {
    return claims.flatMap((claim) => {
      const place = placeOf(claim, container);
      const holders = this.#holders.get(place) ?? new Holders();
      const other = holders.of(claim).find((holder) => !isSame(holder, claimant));
      if (other !== undefined) return [conflict(place, { ...claim, ...claimant }, other)];
      this.#holders.set(place, holders);
      holders.add({ ...claim, ...claimant });
      return [];
    });
  }

  /** Whether a declaration claims any of these. */
  hold(container: string, claims: readonly Claim[]): boolean {
    return claims.some((claim) => this.#holders.get(placeOf(claim, container))?.of(claim).length);
  }
}

const placeOf = ({ set }: Claim, container: string): string => `${set} of ${container}`;

const isSame = (holder: Claimant, { resource, object, isPlannedAgain }: Claimant): boolean =>
  isPlannedAgain && holder.resource === resource && holder.object === object;

const owns = (claim: Holder): string =>
  claim.entry === undefined
    ? `${claim.address ?? claim.resource} owns all of it`
    : `${claim.address ?? claim.resource} owns the entry ${claim.entry}`;

const conflict = (place: string, claim: Holder, other: Holder): Diagnostic =>
  error({
    code: "declared_twice",
    summary: "Declared twice",
    detail:
      `The ${place} is declared twice: ${owns(other)}, and ${owns(claim)}. ` +
      "Each would undo what the other does. Keep one of them.",
  });
