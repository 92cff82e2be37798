// Rules for repeated requests.
import type { RequestFault } from "../network/network";
import { addressOf } from "../world/app";
import type { RunRecord } from "../world/records";
import type { World } from "../world/world";

type Rule = (world: World, record: RunRecord) => string | undefined;

/** Faults after which the service certainly did not execute the request. */
const NOT_DONE: readonly (string | undefined)[] = ["429", "unreachable"];

/** If the service may have executed a write, the client reads before it sends the same write again. */
export const nothingIsSentBlind: Rule = (world, { process }) => {
  const open = new Set<string>();
  for (const { process: sender, method, target, body, fault } of world.network.exchanges) {
    // A write of a state contains the whole state, so the client may repeat it.
    if (sender !== process || target.includes("/terraform/state/")) continue;
    const write = `${method} ${target} ${body ?? ""}`;
    if (method === "GET") open.clear();
    // Two addresses can hold parts of one list. Each of these addresses can then send the same DELETE.
    else if (method === "DELETE" && fault === undefined) continue;
    else if (open.has(write)) return `${method} ${target} was sent again, and nobody looked`;
    else if (!NOT_DONE.includes(fault)) open.add(write);
  }
  return undefined;
};

/** The maximum number of attempts of a request. */
const ATTEMPTS = 5;
/**
 * The faults after which a client waits and sends any request again. `PASSING_FOR_READS` also has the faults after
 * which a client repeats only reads.
 */
const PASSING: ReadonlySet<RequestFault> = new Set(["429", "unreachable"]);
const PASSING_FOR_READS: ReadonlySet<RequestFault> = new Set([
  ...PASSING,
  "503",
  "502 after",
  "request lost",
  "response lost",
  "cut",
]);
const OF_THE_WAY: ReadonlySet<string> = new Set([
  "rate_limited",
  "service_unavailable",
  "connection_lost",
  "lost_answer",
  "timeout",
  "unexpected_answer",
]);

/**
 * The maximum number of failed attempts at one method and path in a run. The number is a multiple of `ATTEMPTS`,
 * because several operations may read the same path.
 */
const MOST = 25;

/** A client gives up a request that always fails. */
export const attemptsAreLimited: Rule = (world, { process }) => {
  const asked = new Map<string, number>();
  for (const { process: sender, method, target, fault } of world.network.exchanges) {
    if (sender !== process || fault === undefined) continue;
    const request = `${method} ${target}`;
    asked.set(request, (asked.get(request) ?? 0) + 1);
  }
  const [most] = [...asked].filter(([, times]) => times > MOST);
  return most && `${most[0]} was sent ${most[1]} times`;
};

/** Deleting an object that no longer exists is not an error. */
export const whatIsGoneIsDeleted: Rule = (_, { outcome, run, app }) => {
  if (outcome === undefined || run.network !== undefined || run.do !== "apply") return undefined;
  const declared = new Set(app.stacks.flatMap(({ declarations }) => declarations.map(addressOf)));
  const problem = outcome.diagnostics.find(
    ({ code, severity, address }) =>
      severity === "error" && code === "not_found" && address !== undefined && !declared.has(address),
  );
  return problem && `${problem.address}: ${problem.detail}`;
};

/** A temporary failure is not an error of a run, because the client repeats the request if it can. */
export const whatPassesIsNoError: Rule = (world, { process, outcome, run }) => {
  const { network: faults = [] } = run;
  const met = faults.reduce((sum, { times = 1 }) => sum + times, 0);
  if (met === 0 || met >= ATTEMPTS || run.meanwhile !== undefined) return undefined;
  const passes = faults.every(({ on, fault }) =>
    (on === "GET" || on === "GET after write" ? PASSING_FOR_READS : PASSING).has(fault),
  );
  const isOfStates = world.story.keeping === "service";
  // The service sends sign-in pages again and again, so repeating a request does not help.
  const isSignedOut = world.story.habits?.includes("sign-in-page") === true;
  if (!passes || isOfStates || isSignedOut || process.calls === 0) return undefined;
  const problem = outcome?.diagnostics.find(
    ({ code, severity }) => severity === "error" && OF_THE_WAY.has(code),
  );
  return problem && `${problem.code} after ${met} failures that pass: ${problem.detail}`;
};
