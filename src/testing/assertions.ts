// The expectations as functions, for test frameworks without matchers, such as Node's own.

import { AssertionError } from "node:assert";
import { type ExpectedCounts, grants, isInSync, type Outcome, plans } from "./expectations";
import type { Grant } from "./grants";
import type { PlannedStacks } from "./results";
import type { ServiceOfTest } from "./service-of-test";
import type { TestStack } from "./test-stack";

/** Asserts that a plan has exactly these numbers. Those left out are 0. @throws AssertionError with the plan */
export async function assertPlan(
  subject: TestStack | PlannedStacks,
  counts: ExpectedCounts = {},
): Promise<void> {
  assertOutcome(await plans(subject, counts));
}

/** Asserts that applying would change nothing, and the service is as it was applied. @throws AssertionError */
export async function assertInSync(subject: TestStack | PlannedStacks): Promise<void> {
  assertOutcome(await isInSync(subject));
}

/** Asserts that a user has something. @throws AssertionError, and GrantUnknownError if that can't be known */
export async function assertGrant(
  subject: TestStack | PlannedStacks | ServiceOfTest,
  grant: Grant,
): Promise<void> {
  assertOutcome(await grants(subject, grant));
}

/** Asserts that a user does not have it. @throws AssertionError, and GrantUnknownError if that can't be known */
export async function assertNoGrant(
  subject: TestStack | PlannedStacks | ServiceOfTest,
  grant: Grant,
): Promise<void> {
  const { pass, message } = await grants(subject, grant);
  assertOutcome({ pass: !pass, message });
}

function assertOutcome({ pass, message }: Outcome): void {
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertOutcome });
}
