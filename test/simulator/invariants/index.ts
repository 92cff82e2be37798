import type { Finding, RunRecord, Written } from "../world/records";
import type { Rules, World } from "../world/world";
import * as ofAccess from "./of-access";
import * as ofAttempts from "./of-attempts";
import * as ofCode from "./of-code";
import * as ofContents from "./of-contents";
import * as ofEnds from "./of-ends";
import * as ofHabits from "./of-habits";
import * as ofPlans from "./of-plans";
import * as ofRepairs from "./of-repairs";
import * as ofRequests from "./of-requests";
import * as ofRuns from "./of-runs";
import * as ofStates from "./of-states";

/** Checks the rules of requests, after a request that changed something. */
function checkRequest(world: World, record: RunRecord, written: readonly Written[]): void {
  for (const [name, rule] of Object.entries(ofRequests))
    if (name !== "declaredIdentities") world.report(name, (rule as Rule)(world, record, written));
}

type Rule = (world: World, record: RunRecord, written: readonly Written[]) => Finding;

/** Checks the rules of runs, after a run that ended or died. */
function checkRun(world: World, record: RunRecord): void {
  for (const [name, rule] of [
    ...Object.entries(ofRuns),
    ...Object.entries(ofPlans),
    ...Object.entries(ofAttempts),
    ...Object.entries(ofAccess),
    ...Object.entries(ofStates),
    ...Object.entries(ofCode),
    ...Object.entries(ofContents),
    ...Object.entries(ofRepairs),
  ])
    world.report(name, rule(world, record));
}

/** Checks the rules of the end of a story, after all faults have ended. */
async function checkEnd(world: World): Promise<void> {
  for (const [name, rule] of Object.entries(ofEnds)) world.report(name, await rule(world));
}

/**
 * Checks the rules for stories under habits of the live platform. These rules are checked at the end of a story, while
 * the habits are still on.
 */
async function checkHabits(world: World): Promise<void> {
  for (const [name, rule] of Object.entries(ofHabits)) world.report(name, await rule(world));
}

/** All invariants. */
export const INVARIANTS: Rules = {
  request: checkRequest,
  run: checkRun,
  habits: checkHabits,
  end: checkEnd,
};
