import { AssertionError } from "node:assert";
import { type Grant, grantedBy, sentenceOf } from "./grants";
import { COUNTS, type PlanCounts, type PlannedStacks } from "./results";
import type { ServiceOfTest } from "./service-of-test";
import { TestStack, withWholeAccess } from "./test-stack";

/** The result of an expectation, in the shape of Jest's and Vitest's matchers. */
interface Outcome {
  readonly pass: boolean;
  /** Returns why the expectation failed or, with `not`, why it passed. */
  readonly message: () => string;
}

type Maybe<T> = T | Promise<T>;

/** A number of objects, or a matcher of the test framework, such as `expect.any(Number)`. */
export type ExpectedCount = number | { asymmetricMatch(other: unknown): boolean };

/** The numbers of objects that a plan adds, changes, destroys, imports and moves. An omitted number is 0. */
export type ExpectedCounts = { readonly [Name in keyof PlanCounts]?: ExpectedCount | undefined };

/** Checks that a plan has exactly these numbers of changes. If the subject is a test stack, plans this stack first. */
function plans(subject: unknown, expected: ExpectedCounts): Maybe<Outcome> {
  const unknown = Object.keys(expected).find((name) => !(COUNTS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new TypeError(`A plan has no number ${JSON.stringify(unknown)}. It has ${COUNTS.join(", ")}.`);
  return withPlan("toPlan", subject, (plan) => comparePlan(plan, expected));
}

function comparePlan({ counts, text }: PlannedStacks, expected: ExpectedCounts): Outcome {
  const pass = COUNTS.every((name) => isMatch(expected[name] ?? 0, counts[name]));
  const wanted = COUNTS.flatMap((name) => {
    const count = expected[name] ?? 0;
    return count === 0 ? [] : [`${shown(count)} to ${name}`];
  });
  const sentence = wanted.length === 0 ? "no object" : `${wanted.join(", ")} and nothing else`;
  return {
    pass,
    message: () =>
      pass
        ? `Expected another plan than ${sentence}:\n\n${text}`
        : `Expected ${sentence}, but the plan is:\n\n${text}`,
  };
}

const isMatch = (expected: ExpectedCount, count: number): boolean =>
  typeof expected === "number" ? expected === count : expected.asymmetricMatch(count);

const shown = (count: ExpectedCount): string => (typeof count === "number" ? String(count) : "any number");

/**
 * Checks that another apply would change nothing, and that the settings on the service did not change after
 * the last apply.
 */
function checkInSync(subject: unknown): Maybe<Outcome> {
  if (subject instanceof TestStack) return subject.compare().then(({ plan, drift }) => synced(plan, drift));
  return withPlan("toBeInSync", subject, (plan) => synced(plan));
}

function synced(
  { hasChanges, text }: PlannedStacks,
  drift?: { readonly hasDrift: boolean; readonly text: string },
): Outcome {
  const pass = !hasChanges && drift?.hasDrift !== true;
  return {
    pass,
    message: () =>
      pass
        ? "Expected changes or drift, but the service is as the app declares it."
        : `Expected the service to be as the app declares it, but:\n\n${hasChanges ? text : drift?.text}`,
  };
}

/**
 * Checks that a user has a right: after a stack or a plan is applied, or now on a service.
 *
 * @throws GrantUnknownError if the result is unknown
 */
async function grants(subject: unknown, grant: Grant): Promise<Outcome> {
  const plan = await wholePlanOf(subject);
  const service = plan?.service ?? subject;
  if (!isService(service)) throw wrongSubject("toGrant", "a test stack, a plan of one, or a service");
  const { isGranted, source } = await grantedBy(plan?.access, service, grant);
  const what = sentenceOf(grant);
  return {
    pass: isGranted,
    message: () =>
      `Expected that ${grant.user} ${isGranted ? "can't" : "can"} ${what}, but by ${source} ${grant.user} ${isGranted ? "can" : "can't"}.` +
      (plan?.hasChanges ? `\n\n${plan.text}` : ""),
  };
}

/**
 * Returns the plan that the expectation is about, with the access of all people. Returns undefined for an expectation
 * about a service.
 */
async function wholePlanOf(subject: unknown): Promise<PlannedStacks | undefined> {
  if (subject instanceof TestStack) return subject.plan({ access: "whole" });
  return isPlan(subject) ? withWholeAccess(subject) : undefined;
}

/**
 * Returns the outcome of `judge` for the plan of a subject. If the outcome is known at once, it is returned without
 * a promise, so that a matcher without `await` can't pass by mistake.
 */
function withPlan(matcher: string, subject: unknown, judge: (plan: PlannedStacks) => Outcome) {
  if (subject instanceof TestStack) return subject.plan().then(judge);
  if (isPlan(subject)) return judge(subject);
  throw wrongSubject(matcher, "a test stack, or a plan of one");
}

const wrongSubject = (matcher: string, wanted: string): TypeError =>
  new TypeError(`${matcher} takes ${wanted}: make a test stack with \`testStack(appOrStack, { service })\`.`);

const isPlan = (subject: unknown): subject is PlannedStacks =>
  typeof subject === "object" && subject !== null && "counts" in subject && "service" in subject;

const isService = (subject: unknown): subject is ServiceOfTest =>
  typeof subject === "object" && subject !== null && "adminToken" in subject && "url" in subject;

// The expectations as functions, for test frameworks without matchers, such as Node's own.

const asserted =
  <S, E extends readonly unknown[]>(judge: (subject: S, ...expected: E) => Maybe<Outcome>) =>
  async (subject: S, ...expected: E): Promise<void> =>
    assertOutcome(await judge(subject, ...expected));

type Planned = TestStack | PlannedStacks;

/**
 * Asserts that a plan has exactly these numbers of changes: `assertPlan(stack, { add: 2 })`. Omitted numbers are 0.
 * @throws AssertionError with the plan
 */
export const assertPlan = asserted((subject: Planned, counts: ExpectedCounts = {}) => plans(subject, counts));

/**
 * Asserts that another apply would change nothing, and that the settings on the service did not change after
 * the last apply.
 * @throws AssertionError
 */
export const assertInSync = asserted((subject: Planned) => checkInSync(subject));

/**
 * Asserts that a user has a right, such as `{ user: "maya", deploy: "production", project: "acme/web" }`.
 * @throws AssertionError, and GrantUnknownError if the result is unknown
 */
export const assertGrant = asserted((subject: Planned | ServiceOfTest, grant: Grant) =>
  grants(subject, grant),
);

/**
 * Asserts that a user does not have a right.
 * @throws AssertionError, and GrantUnknownError if the result is unknown
 */
export const assertNoGrant = asserted(async (subject: Planned | ServiceOfTest, grant: Grant) => {
  const { pass, message } = await grants(subject, grant);
  return { pass: !pass, message };
});

function assertOutcome({ pass, message }: Outcome): void {
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertOutcome });
}

// Matchers for Jest, Vitest and other runners with `expect.extend`. The entries `./testing/jest` and `./testing/vitest`
// add the matchers.

/** The matchers for `expect.extend(matchers)`. */
export const matchers = {
  toPlan: (received: unknown, counts: ExpectedCounts = {}) => plans(received, counts),
  toBeInSync: (received: unknown) => checkInSync(received),
  toGrant: (received: unknown, grant: Grant) => grants(received, grant),
};

/**
 * The matchers of this package, as methods of an expectation. Use `await` with each matcher, because each matcher plans
 * a stack.
 */
export interface StewardMatchers {
  /**
   * Passes if a plan has exactly these numbers of objects to add, change, destroy, import and move. Omitted
   * numbers are 0.
   *
   * @example await expect(stack).toPlan({ add: 2 });
   */
  toPlan(counts?: ExpectedCounts): Promise<void>;
  /**
   * Passes if another apply would change nothing, and if the declared settings did not change on the service.
   *
   * @example await expect(stack).toBeInSync();
   */
  toBeInSync(): Promise<void>;
  /**
   * Passes if a user has a right: after a test stack or a plan is applied, or now on a service. The matcher fails if
   * the result is unknown, also with `not`.
   *
   * @example await expect(stack).toGrant({ user: "maya", deploy: "production", project: "acme/web-shop" });
   */
  toGrant(grant: Grant): Promise<void>;
}
