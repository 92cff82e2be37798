import type { ApprovedReceivers } from "../approval/file";
import { areApproved } from "../approval/receivers";
import { showsReceivers } from "./bound-part";
import { hasNoChanges, type Judged } from "./judged";
import { originOf } from "./platform";

/**
 * Returns true if approved comments show all receivers of tokens. A comment without changes is never approved, so its receivers
 * do not count. If a comment has no copy of its changes, only the platform itself may get a token. Without a copy, Steward
 * knows only after a plan which people must approve.
 */
export function areShownBy(judged: readonly Judged[], found: ApprovedReceivers, platform?: string): boolean {
  const withChanges = judged.filter((one) => !hasNoChanges(one));
  const all = withChanges.flatMap((one) => receiversOf(one) ?? []);
  const shown = {
    services: all.flatMap(({ services }) => services),
    states: all.flatMap(({ states }) => states),
  };
  const isOfPlatform = [...found.services, ...found.states].every(
    (address) => originOf(address) === originOf(platform),
  );
  return (
    areApproved(found, shown) ||
    (isOfPlatform &&
      withChanges.some((one) => one.kind === "unseen" && showsReceivers(one.asked.body, found)))
  );
}

function receiversOf(one: Judged): ApprovedReceivers | undefined {
  if (one.kind === "approved") return one.approval.receivers;
  return one.kind === "unseen" ? one.receivers : undefined;
}
