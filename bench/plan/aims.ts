import type { Case, Figures } from "./model";
import type { Step } from "./steps";

export type Aims = Partial<Pick<Figures, "requests" | "seconds">>;

/** The number of records and the latency for which there are limits in seconds. */
const AIMED = { count: 1000, latency: 20 };
const SECONDS: Partial<Record<Case["engine"], Partial<Record<Step, number>>>> = {
  embedded: { apply: 2.5, plan: 1, change: 1 },
  terraform: { plan: 2.5, change: 2.5 },
};
/** The number of additional requests of a plan with one change, because the plan can read the changed object again. */
const FOR_A_CHANGE = 1;

/** Returns the limits for a step of a case. There are no limits for other programs. */
export function aimsOf({ collection, count, latency, engine }: Case, step: Step): Aims {
  if (engine === "gitlabform" || collection.most === undefined) return {};
  const seconds = count === AIMED.count && latency === AIMED.latency ? SECONDS[engine]?.[step] : undefined;
  const most = collection.most(count);
  return {
    ...(step === "plan" && { requests: most }),
    ...(step === "change" && { requests: most + FOR_A_CHANGE }),
    ...(seconds !== undefined && { seconds }),
  };
}
