// Rules for repairs and drift detections. The rules compare live values with the values that were applied last.
import { declarationsOf } from "../world/app";
import { expectedOf, identityOf } from "../world/objects";
import { about, type Finding, type RunRecord } from "../world/records";
import type { World } from "../world/world";
import { declarationAt } from "./shown";

type Rule = (world: World, record: RunRecord) => Finding;

/**
 * The identities of objects that these rules compare. Lists are not compared, because the parts of a list can belong to
 * several declarations.
 */
const HAS_CONTENT = /^(environment|rule|scope|pages) /;

const isCalm = ({ run, isDisturbed }: RunRecord): boolean =>
  !isDisturbed && run.network === undefined && run.disk === undefined && run.crash === undefined;

/** A repair writes the values that were applied last. A repair does not write later changes of the code. */
export const repairsRestore: Rule = (_, { run, written, appliedBefore }) => {
  if (run.do !== "repair") return undefined;
  const other = written.find(
    ({ identity, after }) =>
      HAS_CONTENT.test(identity) && appliedBefore.has(identity) && after !== appliedBefore.get(identity),
  );
  return (
    other &&
    about(
      other.identity,
      `repair made ${other.identity} ${other.after ?? "vanish"}, and ${appliedBefore.get(other.identity)} was applied`,
    )
  );
};

/** After a successful repair, the manual changes of applied values are reverted. */
export const repairsAreWhole: Rule = (_, record) => {
  const { outcome, run, app, heldBefore, liveAfter, appliedBefore } = record;
  if (run.do !== "repair" || outcome?.succeeded !== true || run.stacks !== undefined || !isCalm(record))
    return undefined;
  const held = new Set([...heldBefore.values()].flatMap((one) => [...one.values()]));
  const left = declarationsOf(app).find((one) => {
    const identity = identityOf(one);
    const applied = appliedBefore.get(identity);
    return (
      HAS_CONTENT.test(identity) &&
      held.has(identity) &&
      applied === expectedOf(one) &&
      liveAfter.get(identity) !== applied
    );
  });
  return (
    left && about(identityOf(left), `repair ended well, and ${identityOf(left)} is not as it was applied`)
  );
};

/** A successful drift detection reports every object that vanished or changed since the last apply. */
export const driftIsWhole: Rule = (_, record) => {
  const { outcome, run, app, heldAfter, liveAfter, appliedBefore } = record;
  if (run.do !== "drift" || outcome?.succeeded !== true || run.stacks !== undefined || record.isDisturbed)
    return undefined;
  for (const [stack, held] of heldAfter)
    for (const [address, identity] of held) {
      if (declarationAt(app, stack, address) === undefined || outcome.drifted?.includes(address)) continue;
      const applied = appliedBefore.get(identity);
      const isChanged =
        HAS_CONTENT.test(identity) && applied !== undefined && liveAfter.get(identity) !== applied;
      if (isChanged || !liveAfter.has(identity))
        return about(
          identity,
          `drift does not name ${address}: ${identity} is ${liveAfter.get(identity) ?? "gone"}`,
        );
    }
  return undefined;
};
