import type { AccessAbility, AccessHolder, AccessPlace } from "../../framework";
import { ACCESS_LEVELS } from "../attributes";

/** An ability with who gains and loses it. Both lists may be in any order. */
export function ability(
  name: string,
  before: readonly AccessHolder[],
  after: readonly AccessHolder[],
): AccessAbility {
  const [hadIt, hasIt] = [before, after].map((holders) => new Set(holders.map(keyOf)));
  return {
    name,
    before: sorted(before),
    after: sorted(after),
    gains: sorted(after.filter((holder) => !hadIt!.has(keyOf(holder)))),
    loses: sorted(before.filter((holder) => !hasIt!.has(keyOf(holder)))),
  };
}

const keyOf = ({ kind, name }: AccessHolder): string => `${kind} ${name}`;

const sorted = (holders: readonly AccessHolder[]): AccessHolder[] =>
  [...holders].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/** Whether there is anything to report of a place. */
export const hasContent = ({ abilities, rules, notCounted }: AccessPlace): boolean =>
  rules.length + notCounted.length > 0 ||
  abilities.some(({ gains, loses }) => gains.length + loses.length > 0);

/** Such as `Developer`. */
export const levelName = (level: number): string =>
  ACCESS_LEVELS.members.find(({ value }) => value === level)?.title ?? `level ${level}`;
